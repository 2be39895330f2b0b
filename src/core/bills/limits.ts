import type { Reader, Tx } from '../../db/client.ts'
import { type DuplicateKeyClaim, releaseDuplicateKeys } from '../idempotency.ts'
import type { Duplicate } from '../refusals.ts'
import { type LimitedPayment, type LimitRoom, openLimitCheck, readLimitRooms } from '../spending/limits.ts'
import { BillRefusal } from './refusals.ts'
import { DEFAULT_COUNTRY } from './wallets.ts'

/** Purchase with the fields that its limits need. */
type LimitedPurchase = Omit<LimitedPayment, 'recipients'> & {
  account_number: string
  phone: string
  country?: string
  claim?: DuplicateKeyClaim
}

/**
 * Refuses purchases that pass a limit of payments, with which they share one sum (EXC00127), and releases their keys.
 * The check comes after the claims, as for payments.
 */
export async function refuseAboveLimits(
  tx: Tx,
  now: Date,
  purchases: readonly LimitedPurchase[],
  refusals: (Duplicate | BillRefusal | undefined)[],
): Promise<void> {
  const limited = purchases.map((one) => ({ ...one, recipients: receiversOf(one) }))
  const errorOf = await openLimitCheck(
    tx,
    now,
    limited.filter((_, index) => !refusals[index]),
  )
  const released: DuplicateKeyClaim[] = []
  for (const [index, purchase] of limited.entries()) {
    if (refusals[index]) continue
    const error = errorOf(purchase)
    if (!error) continue
    refusals[index] = new BillRefusal('EXC00127', error.fields.amount?.join(' '))
    if (purchase.claim) released.push(purchase.claim)
  }
  releaseDuplicateKeys(tx, released)
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
  const limited = { ...purchase, recipients: receiversOf(purchase) }
  const errorOf = await openLimitCheck(tx, now, [limited], { purchase: purchase.id })
  const error = errorOf(limited)
  if (error) throw error
}

/**
 * Reads the room that a planned purchase leaves in each limit. It locks nothing, so the purchase itself checks again.
 * @throws Invalid if it passes a limit
 */
export async function readPurchaseRooms(db: Reader, now: Date, purchase: LimitedPurchase): Promise<LimitRoom[]> {
  return readLimitRooms(db, now, { ...purchase, recipients: receiversOf(purchase) })
}

/** Returns the receiver of a purchase: a phone in E.164 or an account; none for pins. */
function receiversOf({ account_number, country = DEFAULT_COUNTRY, phone, amount }: LimitedPurchase) {
  if (account_number === '') return []
  const is_national = country === DEFAULT_COUNTRY && phone === account_number && account_number.startsWith('0')
  return [{ phonenumber: is_national ? `+234${account_number.slice(1)}` : account_number, amount }]
}
