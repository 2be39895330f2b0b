/**
 * Agreement of a language's words with their noun: an invoice is `Émise`, a payment link `Kimefungwa`. `words` of the
 * catalogue has the usual forms. English words have one form, so English has no agreement (`agreement/*.json`).
 */
export interface Agreement {
  /** The class of each noun whose words have other forms, such as a gender. Nouns are codes of `words`, such as `invoice`. */
  nouns: Readonly<Partial<Record<StateNoun, string>>>
  /** The forms of each class, by code. A code that is not listed has the usual form. */
  forms: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Nouns whose states are shown as words. */
export const stateNouns = [
  'answer',
  'attestation',
  'bulkpayment',
  'change',
  'collection',
  'collectionrequest',
  'connection',
  'delivery',
  'difference',
  'invoice',
  'key',
  'network',
  'order',
  'payment',
  'paymentlink',
  'plan',
  'purchase',
] as const
export type StateNoun = (typeof stateNouns)[number]
