import { z } from 'zod'
import { amount } from '../fields.ts'

/** Cost of a purchase before it is made, and its receiver. Nothing is bought or held. */
export const PurchaseQuote = z.object({
  amount,
  fee: amount,
  currency: z.string(),
  /** Balance of the wallet that would pay; null for none in this currency. */
  balance: amount.nullable(),
  /** The account as the biller knows it; null for kinds without accounts, and when the biller did not answer. */
  holder: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
})
