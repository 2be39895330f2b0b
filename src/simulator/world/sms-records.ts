import type { SmsBehaviour, SmsFault } from './sms-behaviours.ts'

/** SMS for a simulated provider. */
export interface NewSms {
  /** Id from the provider, new at this door. */
  remote_id: string
  /** The name that the business gave it, where the provider takes one. */
  reference?: string
  /** E.164. */
  phonenumber: string
  /** The sender that the phone shows. */
  sender: string
  body: string
  /** Data that the door needs later. It can be stored as JSON. */
  details?: Record<string, unknown>
  /** Outcome of the SMS, if a switch of the door decides it instead of the phone number. */
  behaviour?: Partial<Pick<SmsBehaviour, 'ends' | 'reason' | 'after_s' | 'reports'>>
}

/** SMS that a simulated provider has taken. */
export interface SimulatedSms {
  door: string
  remote_id: string
  reference: string | null
  phonenumber: string
  sender: string
  body: string
  /** Number of SMS that the operators count. */
  parts: number
  /** `sent`: it is on its way. */
  state: 'sent' | 'delivered' | 'failed'
  /** Reason for the failure. */
  reason: SmsFault | null
  details: Record<string, unknown>
  created: Date
  /** Time of delivery or failure; null while the SMS is on its way. */
  ended: Date | null
}

/** Filter for SMS. Default: the newest of all doors. */
export interface SmsFilter {
  phonenumber?: string | undefined
  door?: string | undefined
  /** Maximum SMS. Default: 50. */
  limit?: number
}

/** An SMS of a customer that a provider keeps until the business fetches it. */
export interface ReceivedSms extends CustomerSms {
  /** Counts from 1 at each provider. */
  id: number
  /** ISO 8601. */
  received: string
}

/** SMS from a customer to a number of the business. */
export interface CustomerSms {
  /** E.164. */
  phonenumber: string
  /** The number, short code or sender id of the business. */
  to: string
  text: string
}
