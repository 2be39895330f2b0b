import type { SmsBehaviour, SmsTrouble } from './sms-behaviours.ts'

/** An SMS that a simulated provider takes. */
export interface NewSms {
  /** The id that the provider gives it. It is new at this door. */
  remote_id: string
  /** The name that the business gave it, where the provider takes one. */
  reference?: string
  /** E.164. */
  phonenumber: string
  /** The sender that the phone shows. */
  sender: string
  body: string
  /** What the door needs to know about it later. It can be stored as JSON. */
  details?: Record<string, unknown>
  /** What becomes of it, where a switch of the door decides that instead of the phone number. */
  behaviour?: Partial<Pick<SmsBehaviour, 'ends' | 'reason' | 'after_s' | 'reports'>>
}

/** An SMS that a simulated provider has taken. */
export interface SimulatedSms {
  door: string
  remote_id: string
  reference: string | null
  phonenumber: string
  sender: string
  body: string
  /** How many SMS it is for the operators. */
  parts: number
  /** `sent`: it is on its way. */
  state: 'sent' | 'delivered' | 'failed'
  /** Why it failed. */
  reason: SmsTrouble | null
  details: Record<string, unknown>
  created: Date
  /** When it was delivered or failed; null while it is on its way. */
  ended: Date | null
}

/** Which SMS are wanted; the newest ones of all doors unless limited. */
export interface SmsFilter {
  phonenumber?: string | undefined
  door?: string | undefined
  /** The most SMS; 50 unless given. */
  limit?: number
}

/** An SMS of a customer that a provider keeps until the business fetches it. */
export interface ReceivedSms extends CustomerSms {
  /** Counts from 1 at each provider. */
  id: number
  /** ISO 8601. */
  received: string
}

/** An SMS that a customer sends to a number of the business. */
export interface CustomerSms {
  /** E.164. */
  phonenumber: string
  /** The number, short code or sender id of the business. */
  to: string
  text: string
}
