import { z } from 'zod'
import { amount, id, timestamp } from '../../fields.ts'
import { ApprovalPreview } from '../../spending/approval-preview.ts'
import { LimitRoom } from '../../spending/limits.ts'

/**
 * Results of comparing a recipient's name with the network's, in the order in which people have to look at them.
 * `unknown`: no network has answered. `not_compared`: the number is registered, and one of the names is missing.
 */
const reviewedNames = ['not_registered', 'differs', 'unknown', 'not_compared', 'matches'] as const
export type ReviewedName = (typeof reviewedNames)[number]

/** Recipient of money that is not sent yet. */
export const ReviewedRecipient = z.object({
  phonenumber: z.string(),
  /** Name that a person has typed or, without one, the name of the contact. */
  name: z.string(),
  name_on_network: z.string(),
  name_state: z.enum(reviewedNames),
  network: z.string(),
  /** ISO 3166-1; `XX` is the test country. */
  country: z.string(),
  amount,
  currency: z.string(),
  fee: amount,
})
export type ReviewedRecipient = z.output<typeof ReviewedRecipient>

/** Sum that one wallet pays. */
const ReviewedSum = z.object({
  account: id,
  account_name: z.string(),
  currency: z.string(),
  recipients: z.int(),
  amount,
  fee: amount,
  /** Amount with its fees. */
  total: amount,
  before: amount,
  after: amount,
})
export type ReviewedSum = z.output<typeof ReviewedSum>

/** Money that is about to be sent, for the person who sends it. */
export const PaymentReview = z.object({
  /** Recipients, doubtful names first. A file may have more of them. */
  recipients: z.array(ReviewedRecipient),
  recipients_count: z.int(),
  names: z.record(z.enum(reviewedNames), z.int()),
  sums: z.array(ReviewedSum),
  start_date: timestamp.nullable(),
  approval: ApprovalPreview,
  limits: z.array(LimitRoom),
})
export type PaymentReview = z.output<typeof PaymentReview>

/** Sorts recipients for people: those with a doubtful name first, otherwise in their order. */
export function sortByDoubt<Row extends { name_state: ReviewedName }>(recipients: readonly Row[]): Row[] {
  return recipients.toSorted((a, b) => reviewedNames.indexOf(a.name_state) - reviewedNames.indexOf(b.name_state))
}

/** Counts the recipients by the state of their names. */
export function countNames(recipients: readonly { name_state: ReviewedName }[]): Record<ReviewedName, number> {
  const counts = { not_registered: 0, differs: 0, unknown: 0, not_compared: 0, matches: 0 }
  for (const { name_state } of recipients) counts[name_state] += 1
  return counts
}
