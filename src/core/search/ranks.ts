/** Ranks of search results by exactness, the best first. */
export const ranks = {
  /** The typed text is the number of a customer. */
  number: -1,
  /** An id, or the number of a document or of a network. */
  exact: 0,
  /** A whole name, phone number, reason or reference. */
  whole: 1,
  /** The beginning of one, or a customer by its id. */
  beginning: 2,
  /** A part of one, or a payment that also goes to other people. */
  part: 3,
  amount: 4,
  none: 9,
} as const
export type Rank = (typeof ranks)[keyof typeof ranks]
