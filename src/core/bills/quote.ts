import { z } from 'zod'
import { amount } from '../fields.ts'
import { ApprovalPreview } from '../spending/approval-preview.ts'
import { LimitRoom } from '../spending/limits.ts'

/** Everything that a person has to see before a purchase is made. Nothing is bought or held. */
export const PurchaseQuote = z.object({
  service: z.string(),
  /** ISO 3166-1: where the service is sold. */
  country: z.string(),
  /** Account that is paid; empty for kinds without accounts. */
  account_number: z.string(),
  phone: z.string(),
  /** The account as the biller knows it; null for kinds without accounts, and when the biller did not answer. */
  holder: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
  amount,
  fee: amount,
  /** Amount with its fee. */
  total: amount,
  currency: z.string(),
  /** Wallet that would pay, before and after the purchase; null for none in this currency. */
  wallet: z.object({ name: z.string(), before: amount, after: amount }).nullable(),
  approval: ApprovalPreview,
  limits: z.array(LimitRoom),
  /** The signed review, for the request that buys. */
  token: z.string(),
})
