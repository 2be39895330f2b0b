import { begin, type Database, mayRetry, type Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { createBatcher, type ItemResult } from '../lib/batch.ts'
import type { Job } from '../lib/loop.ts'
import { nextReversal, payoutBehaviourOf } from './behaviours.ts'
import { queueCallbacks } from './callbacks.ts'
import type { Clocks } from './customers.ts'
import { newRemoteId } from './orders.ts'
import { takeReversal } from './reversals.ts'
import { type PayoutBody, type PayoutRow, Reference, showPayout } from './wire.ts'

/** The result of a payout request. `first`: the reference is new. */
export type PlacedPayout =
  | { outcome: 'accepted'; first: boolean; payout: PayoutRow }
  | { outcome: 'not_accepted' }
  | { outcome: 'conflict' }

/** The most payouts of one transaction. */
const MAX_BATCH_SIZE = 128

/** Creates the function that places payouts. The same reference is the same payout. Concurrent ones share a commit. */
export function createPayoutBatcher(options: Clocks & { db: Database }) {
  return createBatcher<PayoutBody, PlacedPayout>({
    flush: (bodies) => begin(options.db, (tx) => placePayouts(tx, options, bodies)),
    mayRetry,
    max_items: MAX_BATCH_SIZE,
  })
}

/** The payout with this reference, if the network accepted it and knows it by now. */
export async function findPayout(db: Database, now: Date, reference: string): Promise<PayoutRow | undefined> {
  if (!Reference.safeParse(reference).success) return undefined
  const [payout] = await db<PayoutRow[]>`
    select * from simulator_payouts where reference = ${reference} and state <> 'not_accepted'`
  return payout && isKnown(payout, now) ? payout : undefined
}

function isKnown({ known_from }: PayoutRow, now: Date): boolean {
  return known_from === null || known_from <= now
}

/** Creates the job that ends due payouts. Like the customers' job it needs no lease. */
export function payoutsJob(options: Clocks & { db: Database; onAction(): void }): Job<PayoutRow> {
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
      const [row] = await options.db<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_payouts where due_at is not null`
      return row?.due_at ?? null
    },
  }
}

async function placePayouts(tx: Tx, clocks: Clocks, bodies: PayoutBody[]): Promise<ItemResult<PlacedPayout>[]> {
  // Of duplicates in one batch the first counts. The order is the same in every batch, so batches do not deadlock.
  const distinct = new Map(bodies.toReversed().map((body) => [body.reference, body]))
  const sorted = [...distinct.values()].sort((a, b) => (a.reference < b.reference ? -1 : 1))
  const inserted = await insertPayouts(tx, clocks, sorted)
  const payouts = new Map(inserted.map((payout) => [payout.reference, payout]))
  const repeated = sorted.map((body) => body.reference).filter((reference) => !payouts.has(reference))
  for (const payout of await repeatPayouts(tx, clocks.now(), repeated)) payouts.set(payout.reference, payout)
  const new_references = new Set(inserted.map((payout) => payout.reference))
  return bodies.map((body) => {
    const payout = payouts.get(body.reference)!
    return { ok: true, value: toPlacedPayout(body, payout, new_references.delete(body.reference), clocks.now()) }
  })
}

function toPlacedPayout(body: PayoutBody, payout: PayoutRow, first: boolean, now: Date): PlacedPayout {
  const same = (['kind', 'sender', 'phonenumber', 'amount', 'currency'] as const).every(
    (field) => payout[field] === body[field],
  )
  if (!same) return { outcome: 'conflict' }
  if (payout.state === 'not_accepted' || !isKnown(payout, now)) return { outcome: 'not_accepted' }
  return { outcome: 'accepted', first, payout }
}

/** Inserts the payouts whose reference is new and returns those. */
async function insertPayouts(tx: Tx, clocks: Clocks, bodies: PayoutBody[]): Promise<PayoutRow[]> {
  const now = clocks.now()
  const plans = bodies.map(({ phonenumber }) => {
    const { failures_before_accept } = payoutBehaviourOf(phonenumber)
    return failures_before_accept > 0
      ? { state: 'not_accepted', due_at: null }
      : { state: 'pending', due_at: payoutDueAt(phonenumber, now) }
  })
  const payouts = rows(bodies, {
    reference: 'text',
    remote_id: ['text', () => newRemoteId('SBP', clocks.real())],
    kind: 'text',
    sender: 'text',
    phonenumber: 'text',
    amount: 'numeric',
    currency: 'text',
    reason: 'text',
    state: ['text', (_, index) => plans[index]!.state],
    due_at: ['timestamptz', (_, index) => plans[index]!.due_at],
    known_from: [
      'timestamptz',
      ({ phonenumber }) => {
        const { unknown_for_s } = payoutBehaviourOf(phonenumber)
        return unknown_for_s === 0 ? null : new Date(now.getTime() + unknown_for_s * 1_000)
      },
    ],
  })
  const inserted = await tx<PayoutRow[]>`
    insert into simulator_payouts (${payouts.columns}, created)
    select ${payouts.columns}, ${now} from ${payouts.as('p')}
    on conflict (reference) do nothing
    returning *`
  return [...inserted]
}

/** Counts payouts that were sent again. A payout that was not accepted is accepted after enough tries. */
async function repeatPayouts(tx: Tx, now: Date, references: string[]): Promise<PayoutRow[]> {
  if (references.length === 0) return []
  const rows = await tx<PayoutRow[]>`
    select * from simulator_payouts where reference = any(${references}::text[]) order by reference for update`
  return Promise.all(rows.map((payout) => retryPayout(tx, now, payout)))
}

async function retryPayout(tx: Tx, now: Date, payout: PayoutRow): Promise<PayoutRow> {
  const times_received = payout.times_received + 1
  if (payout.state !== 'not_accepted') {
    await tx`update simulator_payouts set times_received = ${times_received} where reference = ${payout.reference}`
    return { ...payout, times_received }
  }
  const is_accepted = times_received > payoutBehaviourOf(payout.phonenumber).failures_before_accept
  const state = is_accepted ? 'pending' : 'not_accepted'
  const due_at = is_accepted ? payoutDueAt(payout.phonenumber, now) : null
  await tx`
    update simulator_payouts set times_received = ${times_received}, state = ${state}, due_at = ${due_at}
    where reference = ${payout.reference}`
  return { ...payout, times_received, state, due_at }
}

/** When a payout to this phone ends; null when the network never reports its end. */
function payoutDueAt(phonenumber: string, now: Date): Date | null {
  const { action, delay_s } = payoutBehaviourOf(phonenumber)
  return action === 'nothing' ? null : new Date(now.getTime() + delay_s * 1_000)
}

async function endDuePayouts(tx: Tx, clocks: Clocks, limit: number): Promise<PayoutRow[]> {
  const payouts = await tx<PayoutRow[]>`
    select * from simulator_payouts where due_at <= ${clocks.now()} order by due_at limit ${limit}
    for update skip locked`
  if (payouts.length === 0) return []
  const ended = payouts.map((payout) => endPayout(payout, clocks))
  const results = rows(ended, {
    reference: 'text',
    state: 'text',
    failure_reason: 'text',
    failure_message: 'text',
    transaction: 'text',
    reversals: 'json',
    paid_at: 'timestamptz',
    due_at: 'timestamptz',
  })
  await tx`
    update simulator_payouts p set ${results.assignments('e', 'reference')}
    from ${results.as('e')} where p.reference = e.reference`
  const bodies = ended.flatMap((payout) => {
    const event = payout.state === 'taken_back' || payout.reversals.length > 0 ? 'payout.taken_back' : 'payout.ended'
    const body = JSON.stringify({ event, payout: showPayout(payout) })
    return new Array<string>(payoutBehaviourOf(payout.phonenumber).callback_count).fill(body)
  })
  await queueCallbacks(tx, clocks.now(), bodies)
  return ended
}

/**
 * The next state of a due payout: it arrives or fails. For some phones it arrives after the failure, or is reversed later,
 * in parts or completely.
 */
function endPayout(payout: PayoutRow, clocks: Clocks): PayoutRow {
  const behaviour = payoutBehaviourOf(payout.phonenumber)
  const { action, refusal, arrives_after_failure_s } = behaviour
  if (payout.state === 'paid') {
    const { reversals, whole } = takeReversal(payout, behaviour, clocks)
    const next = whole ? null : nextReversal(behaviour, reversals.length)
    return { ...payout, reversals, state: whole ? 'taken_back' : 'paid', due_at: dueAt(payout.paid_at!, next?.after_s) }
  }
  if (action === 'refuse' && payout.state === 'pending')
    return {
      ...payout,
      state: 'failed',
      failure_reason: refusal.reason,
      failure_message: refusal.message,
      due_at: dueAt(clocks.now(), arrives_after_failure_s),
    }
  const paid_at = clocks.now()
  return {
    ...payout,
    state: 'paid',
    failure_reason: null,
    failure_message: null,
    transaction: newRemoteId('SBX', clocks.real()),
    paid_at,
    due_at: dueAt(paid_at, nextReversal(behaviour, 0)?.after_s),
  }
}

function dueAt(from: Date, after_s: number | null | undefined): Date | null {
  return after_s == null ? null : new Date(from.getTime() + after_s * 1_000)
}
