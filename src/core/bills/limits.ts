import type { Reader, Tx } from '../../db/client.ts'
import { type LimitedPayment, type LimitRoom, openLimitCheck, readLimitRooms } from '../spending/limits.ts'
import { DEFAULT_COUNTRY } from './wallets.ts'

/** Purchase with the fields that its limits need. */
type LimitedPurchase = Omit<LimitedPayment, 'recipients'> & {
  account_number: string
  phone: string
  country?: string
}

/**
 * Requires that a purchase which is approved now passes no limit: it counts from its approval on.
 * @throws Invalid that names the limit
 */
export async function requireWithinLimits(
  tx: Tx,
  now: Date,
  purchase: LimitedPurchase & { id: number },
): Promise<void> {
  const limited = toLimited(purchase)
  const errorOf = await openLimitCheck(tx, now, [limited], { purchase: purchase.id })
  const error = errorOf(limited)
  if (error) throw error
}

/**
 * Reads the room that a planned purchase leaves in each limit. It locks nothing, so the purchase itself checks again.
 * @throws Invalid if it passes a limit
 */
export async function readPurchaseRooms(db: Reader, now: Date, purchase: LimitedPurchase): Promise<LimitRoom[]> {
  return readLimitRooms(db, now, toLimited(purchase))
}

/** Returns a purchase as the limits count it. Its receiver is a phone in E.164 or an account; pins have none. */
export function toLimited({
  account_number,
  country = DEFAULT_COUNTRY,
  phone,
  ...purchase
}: LimitedPurchase): LimitedPayment {
  const { organization, currency, author, amount } = purchase
  const is_national = country === DEFAULT_COUNTRY && phone === account_number && account_number.startsWith('0')
  const phonenumber = is_national ? `+234${account_number.slice(1)}` : account_number
  return { organization, currency, author, amount, recipients: account_number === '' ? [] : [{ phonenumber, amount }] }
}
