import type { Reader, Tx } from '../../db/client.ts'
import type { VendCheck, VendFailureReason } from '../../lib/adapter-types.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { recordEvents } from '../events/events.ts'
import type { ClaimTimes } from '../leases.ts'
import { endHolds } from '../ledger/holds.ts'
import { returnPinsToStock } from './catalogue.ts'
import { findPurchasesById, lockOpenPurchases, type Purchase, toHold } from './purchases.ts'
import type { BillCode } from './refusals.ts'
import { toBillEventData } from './results.ts'

/** What is to be done with a purchase between two transactions. */
export interface VendAction {
  action: 'vend' | 'check'
  purchase: Purchase
}

/** What the biller said in one step. */
export interface VendAnswer {
  purchase: Purchase
  answer:
    | Exclude<VendCheck, { outcome: 'not_found' }>
    /** `final`: it can no longer be on its way, so nothing was sold and nothing will be. */
    | { outcome: 'not_found'; final: boolean }
}

/** Tells the doors that wait for a purchase, in whichever process, that the biller has spoken; the payload is an id. */
export const SETTLED_CHANNEL = 'bill_settled'

/**
 * Claims purchases for which something is due, under a lease on the real clock. One that was never sent is marked as sent
 * in the same transaction, before any biller is called: whoever finds the mark only asks, so there is never a second vend.
 */
export async function claimVends(tx: Tx, times: ClaimTimes, limit: number): Promise<VendAction[]> {
  const rows = await tx<{ id: number; first: boolean }[]>`
    with due as materialized (
      select id, sent is null as first from bill_purchases
      where due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    update bill_purchases p set leased_until = ${times.lease_end}, sent = coalesce(p.sent, ${times.real})
    from due where p.id = due.id
    returning p.id, due.first`
  const ids = rows.map((row) => row.id)
  const purchases = ids.length === 0 ? new Map<number, Purchase>() : await findPurchasesById(tx, ids)
  return rows.map(({ id, first }) => ({ action: first ? 'vend' : 'check', purchase: purchases.get(id)! }))
}

/** When the next purchase falls due that nobody is working on, or null. */
export async function nextDueVend(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from bill_purchases
    where due_at is not null and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/**
 * Keeps what billers said, and does what follows from it: the hold is spent on success, given back on failure, and kept
 * while nobody knows. A purchase that another transaction has settled meanwhile stays as it is.
 * @returns the purchases that were given up and turn out to be sold, which a person must look at.
 */
export async function applyVendAnswers(tx: Tx, now: Date, answers: readonly VendAnswer[]): Promise<number[]> {
  const open = await lockOpenPurchases(
    tx,
    answers.map(({ purchase }) => purchase.id),
  )
  const ends: Purchase[] = []
  const waits: Purchase[] = []
  const sold_late: number[] = []
  for (const { purchase, answer } of answers) {
    const row = open.get(purchase.id)
    open.delete(purchase.id)
    if (!row) {
      if (answer.outcome === 'successful') sold_late.push(purchase.id)
      continue
    }
    const next = { ...row, ...purchaseChanges(row, answer), modified: truncateToSecond(now) }
    if (next.status === 'pending')
      waits.push({ ...next, status_queries: row.status_queries + 1, due_at: nextCheckAt(row, now) })
    else ends.push({ ...next, due_at: null })
  }
  await updatePurchases(tx, [...ends, ...waits])
  await settleMoney(tx, now, ends)
  const authors = await findServiceUsers(tx, ends)
  await recordEvents(
    tx,
    now,
    ends.map((purchase) => ({
      organization: purchase.organization,
      type: 'billpayment.status.changed',
      data: toBillEventData(purchase),
      author: authors.get(purchase.organization)!,
    })),
  )
  const told = [...ends, ...waits.filter((purchase) => purchase.outcome === 'accepted')]
  await tx`
    select pg_notify(${SETTLED_CHANNEL}, id::text) from unnest(${told.map((purchase) => purchase.id)}::bigint[]) as t(id)`
  return findFailedPurchases(tx, sold_late)
}

/** Has the biller asked about an open purchase at once. Returns false when it is settled. */
export async function checkPurchaseNow(tx: Tx, now: Date, id: number): Promise<boolean> {
  const rows = await tx`
    update bill_purchases set due_at = least(due_at, ${now}) where id = ${id} and status = 'pending' returning id`
  return rows.length > 0
}

/** Those of these purchases whose money went back. */
async function findFailedPurchases(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx<{ id: number }[]>`
    select id from bill_purchases where id = any(${ids}::bigint[]) and status = 'failed'`
  return rows.map((row) => row.id)
}

type PurchaseChanges = Pick<Purchase, 'status' | 'outcome' | 'message'> &
  Partial<Pick<Purchase, 'remote_id' | 'vended' | 'failure_code'>>

function purchaseChanges(purchase: Purchase, answer: VendAnswer['answer']): PurchaseChanges {
  switch (answer.outcome) {
    case 'successful': {
      const { remote_id, vended } = answer
      // A prepaid success never leaves without its token: until then the biller has only accepted it.
      if (purchase.details.prepaid && vended.token === null)
        return { status: 'pending', outcome: 'accepted', message: 'The token is still to come.', remote_id }
      return { status: 'success', outcome: 'successful', message: null, remote_id, vended }
    }
    case 'accepted':
      return { status: 'pending', outcome: 'accepted', message: null, remote_id: answer.remote_id }
    case 'failed':
      return { ...failedChanges(answer.outcome, answer.message), failure_code: billCodeOfFailure[answer.reason] }
    case 'not_found':
      return answer.final
        ? { ...failedChanges(answer.outcome, NOT_SOLD_MESSAGE), failure_code: 'BX0024' }
        : { status: 'pending', outcome: 'not_found', message: null }
    case 'unknown':
      return { status: 'pending', outcome: 'unknown', message: answer.message }
  }
}

const NOT_SOLD_MESSAGE = 'The provider did not answer and has sold nothing.'

function failedChanges(outcome: 'failed' | 'not_found', message: string): PurchaseChanges {
  return { status: 'failed', outcome, message }
}

/** What the caller is told. That our own account at the biller is empty is not the caller's business. */
const billCodeOfFailure: Record<VendFailureReason, BillCode> = {
  declined: 'EXC00107',
  account_not_found: 'BX0025',
  amount_refused: 'EXC00127',
  out_of_stock: 'EXC00131',
  service_blocked: 'EXC00109',
  service_inactive: 'EXC00103',
  no_funds_at_biller: 'EXC00144',
  no_answer: 'BX0024',
  rejected: 'BX0020',
}

/** A caller waits in the door at first, so the first questions follow quickly; later ones have time. */
const CHECK_WAITS_S = [1, 2, 5, 10, 30, 60, 300, 900]
const LATER_CHECK_WAIT_S = 3_600

function nextCheckAt(purchase: Purchase, now: Date): Date {
  return new Date(now.getTime() + (CHECK_WAITS_S[purchase.status_queries] ?? LATER_CHECK_WAIT_S) * 1_000)
}

async function updatePurchases(tx: Tx, rows: readonly Purchase[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update bill_purchases p set status = n.status, outcome = n.outcome, message = n.message, remote_id = n.remote_id,
      vended = n.vended::json, failure_code = n.failure_code, status_queries = n.status_queries, due_at = n.due_at::timestamptz,
      modified = n.modified::timestamptz, leased_until = null
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.outcome)}::text[], ${rows.map((row) => row.message)}::text[],
      ${rows.map((row) => row.remote_id)}::text[], ${rows.map((row) => row.vended && JSON.stringify(row.vended))}::text[],
      ${rows.map((row) => row.failure_code)}::text[], ${rows.map((row) => row.status_queries)}::integer[],
      ${rows.map((row) => row.due_at?.toISOString() ?? null)}::text[], ${rows.map((row) => row.modified.toISOString())}::text[])
      as n(id, status, outcome, message, remote_id, vended, failure_code, status_queries, due_at, modified)
    where p.id = n.id`
}

async function settleMoney(tx: Tx, now: Date, ends: readonly Purchase[]): Promise<void> {
  if (ends.length === 0) return
  const lost = ends.filter((purchase) => purchase.status === 'failed')
  const sold = ends.filter((purchase) => purchase.status === 'success')
  await endHolds(tx, now, { settled: sold.map(toHold), released: lost.map(toHold) })
  for (const { service_type, details } of lost.toSorted((one, other) => (stockKey(one) < stockKey(other) ? -1 : 1)))
    if (details.pin_value !== undefined)
      await returnPinsToStock(tx, { service_type, pin_value: details.pin_value, count: details.pins ?? 1 })
}

/** In one order everywhere, as with all that is locked. */
function stockKey({ service_type, details }: Purchase): string {
  return `${service_type}:${details.pin_value ?? ''}`
}

/** In whose name the service acts. */
async function findServiceUsers(tx: Tx, purchases: readonly Purchase[]): Promise<Map<number, number>> {
  const ids = [...new Set(purchases.map((purchase) => purchase.organization))]
  const rows = await tx<{ id: number; service_user: number }[]>`
    select id, service_user from organizations where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, row.service_user]))
}
