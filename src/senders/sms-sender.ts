import type { SmsResult } from '../lib/adapter-types.ts'

export type { SmsResult } from '../lib/adapter-types.ts'

/** An SMS for a provider. `id` stays the same over all tries, so a provider that reads it can refuse a duplicate. */
export interface OutgoingSms {
  id: number
  /** E.164. */
  phonenumber: string
  /** The whole text, suffix included. */
  body: string
}

/**
 * Sender of SMS. It is stateless and has no database. `send` does not throw for outside events, and ends within 10 s.
 */
export interface SmsSender {
  /** Short code that is stored with each SMS. */
  code: string
  send(sms: OutgoingSms): Promise<SmsResult>
}
