import type { Reader, Tx } from '../../../db/client.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../../leases.ts'
import type { ChosenSeller, Seller } from '../choose-seller.ts'
import { lockPurchases, type Purchase, type PurchaseRow, purchaseColumns, toPurchase } from '../purchases.ts'
import { findNextSeller, replaceSeller } from './attempts.ts'

/** A call to a biller between two transactions: vend a purchase, or check its status. */
export interface VendAction {
  action: 'vend' | 'check'
  purchase: Purchase
}

/**
 * Claims due purchases under a lease on the real clock. A purchase that was never sent is marked as sent in the same
 * transaction, before the call to the biller. A purchase with this mark is only checked, so it is never vended twice.
 */
export async function claimVends(
  tx: Tx,
  times: ClaimTimes,
  limit: number,
  where: Fragment = sql.always,
): Promise<VendAction[]> {
  const claimed = await claimDue<PurchaseRow & { first: boolean }>(tx, {
    table: 'bill_purchases',
    times,
    limit,
    where,
    set: sql`sent = coalesce(t.sent, ${times.real}), started = case when t.sent is null then ${times.now} else t.started end`,
    returning: sql`${purchaseColumns}, old.sent is null as first`,
  })
  return claimed.map(({ first, ...row }) => ({ action: first ? 'vend' : 'check', purchase: toPurchase(row) }))
}

/** Lets purchases wait that are due and cannot be sent, because their connection cannot be called and no other one sells them. */
export function postponeUnsent(tx: Tx, now: Date, unable: readonly string[], limit: number): void {
  if (unable.length === 0) return
  tx.send`
    update bill_purchases set due_at = ${new Date(now.getTime() + UNABLE_WAIT_MS)}
    where id = any(array(
      select id from bill_purchases
      where ${atSellers(unable)} and due_at <= ${now} and sent is null and leased_until is null
      order by due_at limit ${limit} for update skip locked))`
}

const UNABLE_WAIT_MS = 1_000

/**
 * Selects the purchases that can be worked on now: not those at a busy connection, unless another one may send them.
 */
export function notWaitingFor(busy: readonly string[], unable: readonly string[]): Fragment {
  return sql`(${atNoneOf(busy)} or sent is null and ${atSellers(unable)})`
}

/** The purchases that these connections have now. */
export function atSellers(slugs: readonly string[]): Fragment {
  return sql`biller = any(${[...slugs]}::text[])`
}

/** The purchases that none of these connections has. */
export function atNoneOf(slugs: readonly string[]): Fragment {
  return sql`biller <> all(${[...slugs]}::text[])`
}

/** Finds the time when the next unclaimed purchase is due, or null. `where` is a further condition. */
export function nextDueVend(db: Reader, real: Date, where?: Fragment): Promise<Date | null> {
  return findNextDue(db, 'bill_purchases', real, where)
}

/**
 * Moves due purchases that were never sent to other providers, if their own cannot be called now.
 * @param unable the slugs of the connections that cannot be called
 * @param sellers those that sell now and can be called
 */
export async function replaceUnableSellers(
  tx: Tx,
  now: Date,
  unable: readonly string[],
  sellers: readonly Seller[],
  limit: number,
): Promise<number> {
  if (unable.length === 0 || sellers.length === 0) return 0
  const waiting = await tx<{ id: number }[]>`
    select id from bill_purchases where ${atSellers(unable)} and due_at <= ${now} and sent is null order by due_at limit ${limit}`
  if (waiting.length === 0) return 0
  const locked = await lockPurchases(
    tx,
    waiting.map(({ id }) => id),
  )
  const moves: { purchase: Purchase; next: ChosenSeller }[] = []
  for (const purchase of locked.values()) {
    if (purchase.status !== 'pending' || purchase.sent !== null || !unable.includes(purchase.biller)) continue
    const next = await findNextSeller(tx, purchase, sellers)
    if (next) moves.push({ purchase, next })
  }
  await replaceSeller(tx, moves)
  return moves.length
}

/** Makes the status check of an open purchase due now. Returns false if it has ended, or waits for an approval. */
export async function checkPurchaseNow(tx: Tx, now: Date, id: number): Promise<boolean> {
  const rows = await tx`
    update bill_purchases set due_at = least(due_at, ${now}) where id = ${id} and status = 'pending' and due_at is not null
    returning id`
  return rows.length > 0
}
