import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { VendCheck, VendFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { supersedeAttestations } from '../connections/superseded-attestations.ts'
import { recordEvents } from '../events/events.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'
import { endHolds } from '../ledger/holds.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import {
  findNextSeller,
  isOfProvider,
  type Move,
  moveToNextSeller,
  type Refusal,
  recordSoldAfterAll,
  replaceSeller,
} from './attempts.ts'
import { returnPinsToStock } from './catalogue.ts'
import type { ChosenSeller, Seller } from './choose-seller.ts'
import { lockPurchases, type Purchase, type PurchaseRow, purchaseColumns, toHold, toPurchase } from './purchases.ts'
import type { BillCode } from './refusals.ts'
import { toBillEventData } from './results.ts'
import { queueTokens, type TokenSender } from './token-sms.ts'

/** A call to a biller between two transactions: vend a purchase, or check its status. */
export interface VendAction {
  action: 'vend' | 'check'
  purchase: Purchase
}

/** The answer of a biller to one action. */
export interface VendAnswer {
  purchase: Purchase
  answer:
    | Exclude<VendCheck, { outcome: 'not_found' }>
    /** `final`: the order can no longer be in progress, so the biller did not sell it and never will. */
    | { outcome: 'not_found'; final: boolean }
}

/** Notifies the requests that wait for a purchase, in all processes, of an answer. The payload is the purchase id. */
export const SETTLED_CHANNEL = 'bill_settled'

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
    ...{ table: 'bill_purchases', times, limit, where },
    set: sql`sent = coalesce(t.sent, ${times.real}), started = case when t.sent is null then ${times.now} else t.started end`,
    returning: sql`${purchaseColumns()}, old.sent is null as first`,
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

/**
 * Records the answers of billers and ends the holds: a success settles the hold, a failure releases it, an unknown
 * outcome keeps it. A refusal that is about the provider and not about the customer moves the purchase to the next
 * provider, if there is one. A purchase that another transaction has already ended, or moved, does not change.
 *
 * Statements that need no answer of the database travel together, so that the wallets are locked for one round trip and
 * the commit.
 * @param sellers the providers that sell now; none where people have decided the end
 * @returns the late successes: purchases that failed or were moved here but were sold later. A person must check them.
 */
export async function applyVendAnswers(
  tx: Tx,
  now: Date,
  answers: readonly VendAnswer[],
  sellers: readonly Seller[] = [],
): Promise<number[]> {
  const ids = answers.map(({ purchase }) => purchase.id)
  const asked = answers.map(({ purchase }) => purchase)
  const [locked, buyers] = await Promise.all([lockPurchases(tx, ids), findBuyers(tx, asked)])
  const done = new Set<number>()
  const ended: Purchase[] = []
  const pending: Purchase[] = []
  const moved: Move[] = []
  const late_successes: number[] = []
  const contradicting: { id: number; answer: VendAnswer['answer'] }[] = []
  for (const { purchase, answer } of answers) {
    const row = locked.get(purchase.id)
    if (row && row.reference !== purchase.reference) {
      if (answer.outcome === 'successful' && (await recordSoldAfterAll(tx, now, row.id, purchase.reference)))
        late_successes.push(row.id)
      continue
    }
    if (row?.status !== 'pending' || done.has(purchase.id)) {
      if (answer.outcome === 'successful' && row?.status === 'failed') late_successes.push(purchase.id)
      contradicting.push({ id: purchase.id, answer })
      continue
    }
    done.add(row.id)
    const refusal = refusalOf(answer)
    const seller = refusal && isOfProvider(refusal) ? await findNextSeller(tx, row, sellers) : undefined
    if (refusal && seller) {
      moved.push({ purchase: row, refusal, next: seller })
      continue
    }
    const next = { ...row, ...purchaseChanges(row, answer), modified: truncateToSecond(now) }
    if (next.status === 'pending')
      pending.push({ ...next, status_queries: row.status_queries + 1, due_at: nextCheckAt(row, now) })
    else ended.push({ ...next, due_at: null })
  }
  const left = [...ended, ...moved.map(({ purchase }) => purchase)]
  await Promise.all([
    moveToNextSeller(tx, now, moved),
    updatePurchases(tx, [...ended, ...pending]),
    supersedeAttestations(
      tx,
      now,
      'bill_purchase',
      left.map(({ id }) => id),
    ),
    recordContradictions(tx, contradicting),
    queueTokens(tx, now, ended, buyers),
    announce(tx, now, { ended, pending }, buyers),
    settleMoney(tx, now, ended),
  ])
  return late_successes
}

/** Records the events of ended purchases, and notifies the requests that wait for an answer. */
async function announce(
  tx: Tx,
  now: Date,
  { ended, pending }: { ended: readonly Purchase[]; pending: readonly Purchase[] },
  buyers: ReadonlyMap<number, Buyer>,
): Promise<void> {
  const events = ended.map((purchase) => ({
    organization: purchase.organization,
    type: 'billpayment.status.changed' as const,
    data: toBillEventData(purchase),
    author: buyers.get(purchase.organization)!.service_user,
  }))
  const notified = [...ended, ...pending.filter((purchase) => purchase.outcome === 'accepted')]
  await Promise.all([recordEvents(tx, now, events), notifyWaiting(tx, notified)])
}

async function notifyWaiting(tx: Tx, notified: readonly Purchase[]): Promise<void> {
  if (notified.length === 0) return
  await tx`
    select pg_notify(${SETTLED_CHANNEL}, id::text) from unnest(${notified.map((purchase) => purchase.id)}::bigint[]) as t(id)`
}

/** Returns the reason why this attempt certainly sold nothing; undefined if it may have sold. */
function refusalOf(answer: VendAnswer['answer']): Refusal | undefined {
  if (answer.outcome === 'failed') {
    const { outcome, reason, message } = answer
    return { outcome, reason, message, remote_id: null }
  }
  if (answer.outcome !== 'not_found' || !answer.final) return undefined
  return { outcome: 'not_found', reason: 'no_answer', message: NOT_SOLD_MESSAGE, remote_id: null }
}

/** Records that a biller contradicts an attestation: a person must look into it. */
async function recordContradictions(
  tx: Tx,
  answers: readonly { id: number; answer: VendAnswer['answer'] }[],
): Promise<void> {
  for (const { id, answer } of answers) {
    if (answer.outcome !== 'successful' && answer.outcome !== 'failed') continue
    const { outcome } = answer
    const attention =
      outcome === 'successful' ? getMessage('bills.biller_says_sold') : getMessage('bills.biller_says_sold_nothing')
    await tx`
      update bill_purchases set attention = ${attention} where id = ${id} and attested is not null and attested <> ${outcome}`
  }
}

/** Makes the status check of an open purchase due now. Returns false if it has ended, or waits for an approval. */
export async function checkPurchaseNow(tx: Tx, now: Date, id: number): Promise<boolean> {
  const rows = await tx`
    update bill_purchases set due_at = least(due_at, ${now}) where id = ${id} and status = 'pending' and due_at is not null
    returning id`
  return rows.length > 0
}

type PurchaseChanges = Pick<Purchase, 'status' | 'outcome' | 'message'> &
  Partial<Pick<Purchase, 'remote_id' | 'vended' | 'failure_code' | 'charged' | 'charged_currency'>>

function purchaseChanges(purchase: Purchase, answer: VendAnswer['answer']): PurchaseChanges {
  switch (answer.outcome) {
    case 'successful': {
      const { remote_id, vended, charged } = answer
      // A prepaid purchase is successful only with its token. Until then it counts as accepted.
      if (purchase.details.prepaid && vended.token === null)
        return { status: 'pending', outcome: 'accepted', message: getMessage('bills.token_not_yet'), remote_id }
      const charge = { charged: charged?.amount ?? null, charged_currency: charged?.currency ?? null }
      return { status: 'success', outcome: 'successful', message: null, remote_id, vended, ...charge }
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

const NOT_SOLD_MESSAGE = getMessage('bills.provider_not_respond')

function failedChanges(outcome: 'failed' | 'not_found', message: string): PurchaseChanges {
  return { status: 'failed', outcome, message }
}

/** The error code for the caller. It does not reveal that our own account at the biller has no money. */
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

function nextCheckAt(purchase: Purchase, now: Date): Date {
  return nextAttemptAt(now, retrySchedules.vend_check, purchase.status_queries + 1)!
}

async function updatePurchases(tx: Tx, purchases: readonly Purchase[]): Promise<void> {
  if (purchases.length === 0) return
  const results = rows(purchases, {
    id: 'bigint',
    organization: 'bigint',
    status: 'text',
    outcome: 'text',
    message: 'text',
    remote_id: 'text',
    vended: 'json',
    charged: 'numeric',
    charged_currency: 'text',
    failure_code: 'text',
    status_queries: 'integer',
    due_at: 'timestamptz',
    modified: 'timestamptz',
  })
  releaseLeases(tx, 'bill_purchases', results, ['id', 'organization'])
}

async function settleMoney(tx: Tx, now: Date, ended: readonly Purchase[]): Promise<void> {
  if (ended.length === 0) return
  const failed = ended.filter((purchase) => purchase.status === 'failed')
  const sold = ended.filter((purchase) => purchase.status === 'success')
  await endHolds(tx, now, { settled: sold.map(toHold), released: failed.map(toHold) })
  for (const { service_type, details } of failed.toSorted((one, other) => (stockKey(one) < stockKey(other) ? -1 : 1)))
    if (details.pin_value !== undefined)
      await returnPinsToStock(tx, { service_type, pin_value: details.pin_value, count: details.pins ?? 1 })
}

/** The order in which stock is locked. It is the same everywhere, which prevents deadlocks. */
function stockKey({ service_type, details }: Purchase): string {
  return `${service_type}:${details.pin_value ?? ''}`
}

/** Organization of a purchase, for applying answers. Its service user is the author of events. */
type Buyer = TokenSender & { service_user: number }

/** The organizations of these purchases, by id. */
async function findBuyers(tx: Tx, purchases: readonly Purchase[]): Promise<Map<number, Buyer>> {
  const ids = [...new Set(purchases.map((purchase) => purchase.organization))]
  const rows = await tx<(Buyer & { id: number })[]>`
    select id, name, service_user, send_bill_tokens from organizations where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}
