import { z } from 'zod'
import { amount } from '../fields.ts'

/** What a purchase would cost, and for whom it is. Nothing is bought or held. */
export const PurchaseQuote = z.object({
  amount,
  fee: amount,
  currency: z.string(),
  /** What the wallet has that would pay; null if there is none in this currency. */
  balance: amount.nullable(),
  /** The account as the biller knows it; null for kinds without accounts, and when the biller did not answer. */
  holder: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
})
