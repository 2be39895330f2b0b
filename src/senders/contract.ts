import type { z } from 'zod'
import type {
  CallTraits,
  Driver,
  DriverOperations,
  DriverTools,
  OpenedConnection,
  OpeningTools,
} from '../drivers/contract.ts'
import type { RawCallback } from '../drivers/raw-callback.ts'
import type { SmsAnswer, SmsReport } from '../lib/adapter-types.ts'

export {
  type SmsAnswer,
  type SmsCost,
  type SmsFailureReason,
  type SmsReport,
  smsFailureReasons,
} from '../lib/adapter-types.ts'

/*
 * An SMS driver speaks the protocol of one SMS provider. A connection is one account of ours at one provider. As with
 * networks, operations do not throw for outside events.
 */

/** An SMS for a provider. */
export interface OutgoingSms {
  /** Our number of the SMS. It stays the same over all tries at all providers. */
  id: number
  /** Ours, random, 24 letters and digits. It stays the same over all tries at one provider; reports may name it. */
  reference: string
  /** E.164. */
  phonenumber: string
  /** The whole text, suffix included, as it was prepared: with GSM letters only where that was possible. */
  body: string
  /** The sender id (up to 11 letters and digits), short code or number to send from; null for the provider's own. */
  sender: string | null
  /** Seconds in which the provider may still deliver it. */
  valid_s: number
  /** Collection request of the SMS, for the log alone. It is not sent. */
  collection_request?: number | null
}

/** Facts about an SMS provider that decide how the service may handle an SMS. */
export interface SmsTraits extends CallTraits {
  /** Effect of a second call under the same reference. An SMS may come twice rather than not at all. */
  repeat: 'same-answer' | 'sends-again'
  /** Channel of the delivery reports: our callback address, the provider's session, or none. */
  reports: 'callback' | 'session' | 'none'
}

/** The driver of an SMS provider. */
interface SmsDriver<Settings = never> extends Driver<Settings> {
  traits: SmsTraits
  /** ISO 3166-1 of the countries to which it can send; null for all. */
  countries: readonly string[] | null
  open(connection: OpenedConnection<Settings>, tools: OpeningTools): SmsOperations
}

/** SMS from a customer, such as STOP. */
export interface IncomingSms {
  remote_id: string
  /** True where the provider gives no id: `remote_id` is a digest, which a later SMS with the same words shares. */
  is_digest?: boolean
  /** E.164. */
  from: string
  /** Our number, short code or sender id. */
  to: string
  text: string
}

/** The content of a callback of an SMS provider. `verified` as for networks: its signature, or the secret in the address. */
export type SmsCallback =
  | { subject: 'reports'; verified: boolean; reports: readonly SmsReport[] }
  | { subject: 'incoming'; verified: boolean; messages: readonly IncomingSms[] }
  | { subject: 'unrecognized'; message: string; verified?: boolean }

/**
 * Listener for the messages of a session. Each call resolves when its message is stored; only then the provider gets
 * its acknowledgement.
 */
export interface SmsListener {
  reports(reports: readonly SmsReport[]): Promise<void>
  incoming(messages: readonly IncomingSms[]): Promise<void>
}

/** A long-lived session, such as a bind over SMPP. It reconnects by itself until it is closed. */
export interface SmsSession {
  /** Return true if `send` can send now. Otherwise an SMS waits, and is not tried. */
  is_open(): boolean
  /** Wait for the answers that are due, say goodbye, and close. */
  close(): Promise<void>
}

/** SMS whose state is queried. The last three fields find it without the provider's id. */
export interface AskedSms {
  reference: string
  remote_id: string | null
  phonenumber?: string
  body?: string
  /** Time of the first try. */
  sent?: Date
}

/** The operations of one SMS connection. */
export interface SmsOperations extends DriverOperations {
  send(sms: OutgoingSms, tools: DriverTools): Promise<SmsAnswer>
  /** Open the session that `send` needs. One process at a time does this for a connection. */
  openSession?(listener: SmsListener): SmsSession
  /** Query the state of a sent SMS, if the provider allows it. Undefined: not known yet. */
  report?(sms: AskedSms, tools: DriverTools): Promise<SmsReport | undefined>
  readCallback?(callback: RawCallback): SmsCallback
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnySmsDriver = SmsDriver<never>

/** Define a driver. It only gives `open` the type of the settings. */
export function defineSmsProvider<Schema extends z.ZodObject>(
  driver: Omit<SmsDriver<z.output<Schema>>, 'settings'> & { settings: Schema },
): AnySmsDriver {
  return driver as unknown as AnySmsDriver
}
