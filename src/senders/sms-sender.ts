/** An SMS as a provider gets it. `id` stays the same over all tries, so a provider that knows it can refuse a twin. */
export interface OutgoingSms {
  id: number
  /** E.164. */
  phonenumber: string
  /** The whole text, suffix included. */
  body: string
}

/**
 * What became of one try. `unknown`: the provider may have taken it. A text may be sent twice rather than not at all, so
 * an unknown one is tried again like a failed one that says `retry`.
 */
export type SmsResult =
  | { outcome: 'sent'; remote_id?: string }
  | { outcome: 'failed'; message: string; retry: boolean }
  | { outcome: 'unknown'; message: string }

/** A way to send SMS. Stateless, no database. `send` does not throw for what the outside does, and ends within 10 s. */
export interface SmsSender {
  /** Short code that is kept with each text. */
  code: string
  send(text: OutgoingSms): Promise<SmsResult>
}
