import { z } from 'zod'
import { type Amount, parseAmount } from '../../lib/money.ts'

/*
 * Forms of the values that the world stores. Doors may use them to read calls.
 */

/** A text of the business for people. PostgreSQL can store neither a NUL nor half a character. */
export const plainText = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be plain text')

/** A decimal amount as text. */
export const newAmount = z.string().transform((text, context): Amount => {
  const parsed = text.length > 40 ? undefined : parseAmount(text)
  if (parsed !== undefined && parsed > 0n && parsed <= MAX_AMOUNT) return parsed
  context.addIssue('must be between 0.0001 and 999999999999999.9999')
  return z.NEVER
})
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n

export const receiver = z.string().regex(/^[\x21-\x7e]{1,50}$/, 'must be a till or short code')
export const phonenumber = z.string().regex(/^\+\d{6,15}$/, 'must be a phone number in E.164')
export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code')

/** The form of the reference of an order or a payment. */
export const Reference = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
