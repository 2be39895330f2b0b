import type { Reader, Tx } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { type DuplicateKeyClaim, releaseDuplicateKeys } from '../idempotency.ts'
import type { Duplicate, Invalid } from '../refusals.ts'
import { type LimitedPayment, type LimitRoom, openLimitCheck, readLimitRooms } from '../spending/limits.ts'
import { changedCostsError, type ReviewedCosts } from '../spending/review-token.ts'
import { BillRefusal } from './refusals.ts'
import { DEFAULT_COUNTRY } from './wallets.ts'

/** Purchase with the fields that its limits need. */
type LimitedPurchase = Omit<LimitedPayment, 'recipients'> & {
  account_number: string
  phone: string
  country?: string
  claim?: DuplicateKeyClaim
}

/** Purchase that a person may have reviewed. */
export interface ReviewablePurchase {
  /** Costs that the person has seen: at others it is refused. Undefined without a review. */
  reviewed?: ReviewedCosts | undefined
}

/**
 * Refuses purchases that do not cost what a person has reviewed, or that pass a limit of payments, with which they share
 * one sum (EXC00127), and releases their keys. The check comes after the claims, so that a repeated request gets 409.
 */
export async function refuseByCosts(
  tx: Tx,
  now: Date,
  purchases: readonly (LimitedPurchase & ReviewablePurchase & { fee: Amount })[],
  refusals: (Duplicate | BillRefusal | Invalid | undefined)[],
): Promise<void> {
  const released: DuplicateKeyClaim[] = []
  const refuse = (index: number, error: BillRefusal | Invalid) => {
    refusals[index] = error
    const { claim } = purchases[index]!
    if (claim) released.push(claim)
  }
  for (const [index, { reviewed, ...purchase }] of purchases.entries()) {
    const error = reviewed && changedCostsError(purchase.currency, reviewed, purchase)
    if (error && !refusals[index]) refuse(index, error)
  }
  const limited = purchases.map((one) => ({ ...one, recipients: receiversOf(one) }))
  const errorOf = await openLimitCheck(
    tx,
    now,
    limited.filter((_, index) => !refusals[index]),
  )
  for (const [index, purchase] of limited.entries()) {
    const error = refusals[index] ? undefined : errorOf(purchase)
    if (error) refuse(index, new BillRefusal('EXC00127', error.fields.amount?.join(' ')))
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
