import { begin, type Database, mayRetry, type Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import { createBatcher, type ItemResult } from '../../lib/batches/batch.ts'
import type { Job } from '../../lib/loop.ts'
import { nextReversal, payoutBehaviourFor } from './behaviours.ts'
import { notifyBusiness } from './callbacks.ts'
import { isNamed } from './charges.ts'
import { addSeconds, newRemoteId, newTransactionId } from './ids.ts'
import { type PayoutRow, payoutTable, toPayout } from './records.ts'
import { takeReversal } from './reversals.ts'
import type { Clocks, NewPayout, OrderName, Outcome, Payout, Placed, WorldContext } from './world.ts'

/** A payout at one of the doors, or a refund, which is a payout to the customer who paid. */
type PayoutAtDoor = Omit<NewPayout, 'kind'> & { door: string; kind?: Payout['kind']; refund_of?: string }

/** Maximum payouts per transaction. */
const MAX_BATCH_SIZE = 128

/** Create the function that places payouts. The same key is the same payout. Concurrent ones share a commit. */
export function createPayoutBatcher(options: Clocks & { db: Database }) {
  return createBatcher<PayoutAtDoor, Placed<Payout>>({
    flush: (payouts) => begin(options.db, (tx) => placePayouts(tx, options, payouts)),
    mayRetry,
    max_items: MAX_BATCH_SIZE,
  })
}

/** The payout or refund with this name, if the network accepted it and knows it by now. */
export async function findPayout(
  db: Database,
  now: Date,
  door: string,
  name: OrderName,
  is_refund: boolean,
): Promise<Payout | undefined> {
  const [payout] = await db<PayoutRow[]>`
    select * from simulator_payouts where door = ${door} and ${isNamed(name)} and state <> 'not_accepted'
      and (kind = 'refund') = ${is_refund}
    order by id desc limit 1`
  return payout && isKnown(payout, now) ? toPayout(payout) : undefined
}

function isKnown({ known_from }: PayoutRow, now: Date): boolean {
  return known_from === null || known_from <= now
}

/** Create the job that ends due payouts. Like the customers' job it needs no lease. */
export function payoutsJob(options: WorldContext & { db: Database; onAction(): void }): Job<PayoutRow> {
  return {
    name: 'simulator: payouts',
    limit: 100,
    concurrency: 1,
    async claim(limit) {
      const payouts = await begin(options.db, (tx) => endDuePayouts(tx, options, limit))
      if (payouts.length > 0) options.onAction()
      return payouts
    },
    run: async () => {},
    next_due_is_complete: true,
    async nextDue() {
      const [row] = await options.db.polling<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_payouts where due_at is not null`
      return row?.due_at ?? null
    },
  }
}

/** The name of a payout among all doors. */
function nameOf({ door, key }: { door: string; key: string }): string {
  return `${door}/${key}`
}

/** Place payouts and refunds in the transaction of the caller. */
export async function placePayouts(
  tx: Tx,
  clocks: Clocks,
  asked: PayoutAtDoor[],
): Promise<ItemResult<Placed<Payout>>[]> {
  // Of duplicates in one batch the first counts. The order is the same in every batch, so batches do not deadlock.
  const distinct = new Map(asked.toReversed().map((payout) => [nameOf(payout), payout]))
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, payout]) => payout)
  const inserted = await insertPayouts(tx, clocks, sorted)
  const payouts = new Map(inserted.map((payout) => [nameOf({ ...payout, key: payout.reference }), payout]))
  const repeated = sorted.filter((payout) => !payouts.has(nameOf(payout)))
  for (const payout of await repeatPayouts(tx, clocks.now(), repeated))
    payouts.set(nameOf({ ...payout, key: payout.reference }), payout)
  const first = new Set(inserted.map(({ id }) => id))
  return asked.map((one) => {
    const payout = payouts.get(nameOf(one))!
    return { ok: true, value: toPlaced(one, payout, first.delete(payout.id), clocks.now()) }
  })
}

function toPlaced(asked: PayoutAtDoor, payout: PayoutRow, first: boolean, now: Date): Placed<Payout> {
  if (payout.state === 'not_accepted') return { outcome: 'not_accepted' }
  const same =
    payout.kind === (asked.kind ?? 'money') &&
    payout.refund_of === (asked.refund_of ?? null) &&
    (['sender', 'phonenumber', 'amount', 'currency'] as const).every((field) => payout[field] === asked[field])
  if (!same) return { outcome: 'conflict', order: toPayout(payout) }
  if (!isKnown(payout, now)) return { outcome: 'not_accepted' }
  return {
    outcome: 'accepted',
    first,
    answers: !first || !payoutBehaviourFor(payout).never_answers,
    order: toPayout(payout),
  }
}

/** Insert the payouts whose key is new and return those. */
async function insertPayouts(tx: Tx, clocks: Clocks, payouts: PayoutAtDoor[]): Promise<PayoutRow[]> {
  const now = clocks.now()
  const plans = payouts.map((payout) =>
    payoutBehaviourFor(payout).failures_before_accept > 0
      ? { state: 'not_accepted' as const, due_at: null }
      : { state: 'pending' as const, due_at: payoutDueAt(payout, now) },
  )
  const inserted = await tx<PayoutRow[]>`
    ${insert(payoutTable, payouts, {
      reference: ({ key }) => key,
      business_reference: ({ reference }) => reference,
      remote_id: ({ remote_id }) => remote_id ?? newRemoteId('SBP', clocks.real()),
      kind: ({ kind }) => kind ?? 'money',
      details: ({ details }) => details ?? {},
      state: (_, index) => plans[index]!.state,
      due_at: (_, index) => plans[index]!.due_at,
      known_from: (payout) => {
        const { unknown_for_s } = payoutBehaviourFor(payout)
        return unknown_for_s === 0 ? null : addSeconds(now, unknown_for_s)
      },
      created: now,
    })}
    on conflict (door, reference) do nothing
    returning ${payoutTable.columns}`
  return [...inserted]
}

/** Count payouts that were sent again. A payout that was not accepted is accepted after enough tries. */
async function repeatPayouts(tx: Tx, now: Date, payouts: PayoutAtDoor[]): Promise<PayoutRow[]> {
  if (payouts.length === 0) return []
  const keys = rows(payouts, { door: 'text', reference: ['text', ({ key }) => key] })
  const found = await tx<{ id: number }[]>`
    select p.id from simulator_payouts p join ${keys.as('k')} on p.door = k.door and p.reference = k.reference`
  const locked = await tx<PayoutRow[]>`
    select * from simulator_payouts where id = any(${found.map(({ id }) => id)}::bigint[]) order by id for update`
  return Promise.all(locked.map((payout) => retryPayout(tx, now, payout)))
}

async function retryPayout(tx: Tx, now: Date, payout: PayoutRow): Promise<PayoutRow> {
  const times_received = payout.times_received + 1
  if (payout.state !== 'not_accepted') {
    await tx`update simulator_payouts set times_received = ${times_received} where id = ${payout.id}`
    return { ...payout, times_received }
  }
  const is_accepted = times_received > payoutBehaviourFor(payout).failures_before_accept
  const state = is_accepted ? 'pending' : 'not_accepted'
  const due_at = is_accepted ? payoutDueAt(payout, now) : null
  await tx`
    update simulator_payouts set times_received = ${times_received}, state = ${state}, due_at = ${due_at}
    where id = ${payout.id}`
  return { ...payout, times_received, state, due_at }
}

/** Let a payout fail that has not arrived. @returns false where it is over already, or unknown */
export async function failPayout(
  tx: Tx,
  now: Date,
  { door, key }: { door: string; key: string },
  failure: { reason: FailureReason; message: string; code?: string },
): Promise<boolean> {
  const [found] = await tx<{ id: number }[]>`
    select id from simulator_payouts where door = ${door} and reference = ${key}`
  if (!found) return false
  const [payout] = await tx<PayoutRow[]>`select * from simulator_payouts where id = ${found.id} for update`
  if (payout!.state !== 'pending') return false
  const outcome: Outcome = { ends: 'failed', ...failure }
  await tx`
    update simulator_payouts set outcome = ${sql.json(outcome)}::json, due_at = ${now} where id = ${found.id}`
  return true
}

/** Return the time at which a payout to this phone ends; null if the network never reports its end. */
function payoutDueAt(payout: Parameters<typeof payoutBehaviourFor>[0], now: Date): Date | null {
  const { action, delay_s } = payoutBehaviourFor(payout)
  return action === 'nothing' ? null : addSeconds(now, delay_s)
}

async function endDuePayouts(tx: Tx, context: WorldContext, limit: number): Promise<PayoutRow[]> {
  const payouts = await tx<PayoutRow[]>`
    select * from simulator_payouts where due_at <= ${context.now()} order by due_at limit ${limit}
    for update skip locked`
  if (payouts.length === 0) return []
  const ended = payouts.map((payout) => endPayout(payout, context))
  const results = rows(ended, {
    id: 'bigint',
    state: 'text',
    failure_reason: 'text',
    failure_message: 'text',
    failure_code: 'text',
    transaction: 'text',
    reversals: 'json',
    paid_at: 'timestamptz',
    due_at: 'timestamptz',
  })
  await tx`
    update simulator_payouts p set ${results.assignments('e', 'id')}
    from ${results.as('e')} where p.id = e.id`
  await correctRefunds(tx, payouts, ended)
  const changes = ended.map((payout) => {
    const is_reversal = payout.state === 'taken_back' || payout.reversals.length > 0
    return { event: is_reversal ? ('payout.reversed' as const) : ('payout.ended' as const), payout: toPayout(payout) }
  })
  await notifyBusiness(tx, context, changes)
  return ended
}

/** Correct the refunds of a payment. A failed refund leaves its money to others; a late arrival takes it again. */
async function correctRefunds(tx: Tx, before: readonly PayoutRow[], after: readonly PayoutRow[]): Promise<void> {
  const corrections = after.flatMap((payout, index) => {
    if (payout.refund_of === null) return []
    const [was, is] = [isOver(before[index]!), isOver(payout)]
    return was === is ? [] : [{ remote_id: payout.refund_of, amount: is ? -payout.amount : payout.amount }]
  })
  if (corrections.length === 0) return
  const sums = rows(corrections, { remote_id: 'text', amount: 'numeric' })
  const ids = corrections.map(({ remote_id }) => remote_id)
  await tx`select from simulator_transactions where remote_id = any(${ids}::text[]) order by remote_id for update`
  await tx`
    update simulator_transactions t set refunded = greatest(0, least(t.amount, t.refunded + s.amount))
    from (select remote_id, sum(amount) as amount from ${sums.as('c')} group by remote_id) s
    where t.remote_id = s.remote_id`
}

function isOver({ state }: PayoutRow): boolean {
  return state === 'failed' || state === 'taken_back'
}

/**
 * The next thing that happens to a payout. It arrives, or is refused; it may arrive after the failure, or is reversed later,
 * in parts or completely.
 */
function endPayout(payout: PayoutRow, context: WorldContext): PayoutRow {
  const behaviour = payoutBehaviourFor(payout)
  const { action, refusal, arrives_after_failure_s } = behaviour
  const now = context.now()
  if (payout.state === 'paid') {
    const newId = () => newTransactionId(context, payout.door, 'reversal')
    const { reversals, whole } = takeReversal(payout, behaviour, now, newId)
    const next = whole ? null : nextReversal(behaviour, reversals.length)
    return { ...payout, reversals, state: whole ? 'taken_back' : 'paid', due_at: dueAt(payout.paid_at!, next?.after_s) }
  }
  if (action === 'refuse' && payout.state === 'pending')
    return {
      ...payout,
      state: 'failed',
      failure_reason: refusal.reason,
      failure_message: refusal.message,
      failure_code: refusal.code ?? null,
      due_at: dueAt(now, arrives_after_failure_s),
    }
  return {
    ...payout,
    state: 'paid',
    failure_reason: null,
    failure_message: null,
    failure_code: null,
    transaction: newTransactionId(context, payout.door, payout.kind === 'refund' ? 'refund' : 'payout'),
    paid_at: now,
    due_at: dueAt(now, nextReversal(behaviour, 0)?.after_s),
  }
}

function dueAt(from: Date, after_s: number | null | undefined): Date | null {
  return after_s == null ? null : addSeconds(from, after_s)
}

/** Sum the money that payouts took from a number: with refunds, without returned money. */
export function sumOfPayouts(door: string, number: string, currency: string) {
  return sql`(
    select coalesce(sum(amount - coalesce(
      (select sum(r.amount) from json_to_recordset(reversals) as r(amount numeric(19,4))), 0)), 0)
    from simulator_payouts
    where door = ${door} and sender = ${number} and currency = ${currency} and state = 'paid')`
}
