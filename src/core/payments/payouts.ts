import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import {
  type AnyEffect,
  type Effect,
  type Query,
  rowsById,
  together,
  type Work,
  workTogether,
} from '../../db/unit-of-work.ts'
import type { Refund } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import {
  createReference,
  type NetworkOrder,
  type NewNetworkOrder,
  newOrders,
  orderIds,
  type ReferenceForm,
  toNetworkOrder,
} from '../connections/network-orders.ts'
import { type ClaimTimes, claimInTurn, findNextInTurn } from '../leases.ts'
import { receiversByAccount } from '../ledger/accounts.ts'
import { distinctValues, MAX_COUNTED } from '../queues.ts'
import { endedRecipients } from './ended-recipients.ts'
import {
  type PaymentRow,
  type PaymentState,
  paymentTable,
  type RecipientRow,
  storedRecipient,
  waitingStates,
} from './payments.ts'
import { readCharges, refundsExceed } from './payout-orders.ts'
import { payoutMoney } from './payout-postings.ts'
import { type PaymentTransition, transitionPayments } from './transitions.ts'

/** Traits of a connection that sends money. The job, which knows the drivers, provides it. */
export interface PayoutTraits {
  /** The form of the references of its payouts; null if it can only refund. */
  reference: ReferenceForm | null
  /** The form of the references of its refunds; null if it has no operation for them. */
  refund_reference: ReferenceForm | null
  /** True if a refund may be a part of its charge. */
  refunds_parts: boolean
  /** True if it can refund this charge. Yes unless given. */
  canRefund?: ((charge: Refund['charge']) => boolean) | undefined
}

/** Claims due recipients under a lease. @returns their ids */
export async function claimDueRecipients(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimInTurn<{ id: number }>(tx, {
    table: 'payment_recipients',
    by: 'organization',
    times,
    limit,
  })
  return claimed.map(({ id }) => id)
}

/** Finds the time when the next unclaimed recipient is due, or null. */
export function nextDueRecipient(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, 'payment_recipients', 'organization', real)
}

/**
 * Starts the payouts of due recipients, each as `startPayout` does. From then on their orders have a job of their own
 * (jobs/orders/network-orders.ts), which calls the network and makes status queries until the end.
 * @param senders the connections that can send money, by their slugs
 * @throws WriteConflict when two are the same recipient
 */
export async function startPayouts(
  tx: Tx,
  now: Date,
  recipients: readonly number[],
  senders: ReadonlyMap<string, PayoutTraits>,
): Promise<NetworkOrder[]> {
  const orders = await workTogether({ tx, now, effects: startEffects }, recipients, (work, id) =>
    startPayout(work, id, senders),
  )
  return orders.flatMap((order) => order ?? [])
}

/**
 * Starts the payout of a due recipient: starts its payment, and stores an order. A refund of more money than is left of its
 * collection ends without one.
 * @returns the order; undefined if the recipient does not wait any more, or its connection cannot send
 */
async function startPayout(
  work: Work,
  id: number,
  senders: ReadonlyMap<string, PayoutTraits>,
): Promise<NetworkOrder | undefined> {
  const payment_id = await work.load(paymentIds, id)
  // In the order of the locks.
  const { payment, recipient, by_service } = await together({
    payment: work.load(lockedPayments, payment_id),
    recipient: work.lock(lockedRecipients, id),
    by_service: work.load(serviceTransitions, payment_id),
  })
  const to = startedState(payment)
  if (to !== 'validated' && to !== 'approved') return undefined
  if (payment.state !== 'validated') work.add(startedPayments, { payment, to, ...by_service })
  if (!waitingStates.includes(recipient.state)) return undefined
  const { refunded, numbers, charge, order_id } = await together({
    refunded: payment.collection === null ? NOT_REFUNDED : work.find(refundedMoney, payment.collection),
    numbers: work.load(receiversByAccount, payment.account),
    charge: payment.collection === null ? NO_CHARGE : work.find(charges, payment.collection),
    order_id: work.load(orderIds, recipient),
  })
  if (refunded?.exceeds) {
    const last_error = getMessage('refunds.not_sent')
    const after: RecipientRow = { ...recipient, state: 'error', last_error, due_at: null }
    const started = { ...payment, state: to }
    work.add(recipientUpdates, after)
    work.add(endedRecipients, { payment: started, recipient: after, was_open: true, ...by_service })
    work.add(payoutMoney, { payment: started, change: { ...NO_ANSWER, before: recipient, after } })
    return undefined
  }
  const { connection } = recipient
  const sender = numbers.get(connection)
  const traits = senders.get(connection)
  const order = sender && traits && toOrder(payment, recipient, sender, traits, charge)
  if (!order) {
    const last_error = getMessage(sender ? 'networks.cannot_send' : 'wallets.no_sender_there', { connection })
    const due_at = new Date(work.now.getTime() + PAUSE_MS)
    work.add(recipientUpdates, { ...recipient, state: 'paused', last_error, due_at })
    return undefined
  }
  const begun = toNetworkOrder(order, order_id, work.now)
  work.add(recipientUpdates, { ...recipient, state: 'processing', last_error: null, sent_at: work.now, due_at: null })
  work.add(newOrders, begun)
  return begun
}

/** Returns the state of a payment after its first recipient has become due. */
function startedState({ state, approved_by }: PaymentRow): PaymentState {
  if (state !== 'new' && state !== 'scheduled') return state
  return approved_by === null ? 'validated' : 'approved'
}

const NOT_REFUNDED = Promise.resolve(undefined)
const NO_CHARGE = Promise.resolve(undefined)
/** A refund that is not sent: its money goes back to the wallet. */
const NO_ANSWER = { money: 'release', reversal: null, late: null } as const

/** Collections of refunds that are not sent yet, locked. */
const refundedMoney = rowsById(
  (tx, ids) => tx<{ id: number; exceeds: boolean }[]>`
    select id, ${refundsExceed} as exceeds from collections where id = any(${ids}::bigint[]) order by id for update`,
)
const charges: Query<number, Refund['charge'] & { connection: string }> = { read: readCharges }

/** Pause of a recipient whose connection or sending number is missing. */
const PAUSE_MS = 60 * 60 * 1_000

/**
 * Returns the order of a recipient. It is a refund if the connection of the charge can refund its money.
 * @returns undefined if the connection can neither refund this money nor pay out
 */
function toOrder(
  payment: PaymentRow,
  recipient: RecipientRow,
  receiver: string,
  traits: PayoutTraits,
  charge: (Refund['charge'] & { connection: string }) | undefined,
): NewNetworkOrder | undefined {
  const { connection, organization, phonenumber, amount, description: reason } = recipient
  const is_refund =
    traits.refund_reference !== null &&
    charge?.connection === connection &&
    (traits.refunds_parts || charge.amount === amount) &&
    (traits.canRefund?.(charge) ?? true)
  const form = is_refund ? traits.refund_reference : traits.reference
  if (form === null) return undefined
  return {
    connection,
    organization,
    phonenumber,
    amount,
    reason,
    receiver,
    currency: payment.currency,
    attempt: 1,
    payment_recipient: recipient.id,
    airtime: payment.payment_type === 'airtime',
    reference: createReference(form),
    ...(is_refund ? { kind: 'refund', collection: payment.collection } : { kind: 'payout' }),
  }
}

/** Locks the payments of recipients and the recipients, before their orders are locked. */
export async function lockPayouts(tx: Tx, recipients: readonly number[]): Promise<void> {
  await lockPaymentsById(tx, [...new Set((await findPaymentIds(tx, recipients)).values())])
  await lockRecipients(tx, recipients)
}

/** Finds the payments of recipients, by recipient. */
export async function findPaymentIds(tx: Tx, recipients: readonly number[]): Promise<Map<number, number>> {
  const found = await tx<{ id: number; payment: number }[]>`
    select id, payment from payment_recipients where id = any(${recipients}::bigint[])`
  return new Map(found.map(({ id, payment }) => [id, payment]))
}

/** Locks payments. Every transaction locks payments first, then their recipients, then the ledger. */
export async function lockPaymentsById(tx: Tx, ids: readonly number[]): Promise<PaymentRow[]> {
  const rows = await tx<PaymentRow[]>`
    select ${paymentTable.columns} from payments where id = any(${ids}::bigint[]) order by id for update`
  return [...rows]
}

export async function lockRecipients(tx: Tx, ids: readonly number[]): Promise<RecipientRow[]> {
  const rows = await tx<RecipientRow[]>`
    select ${storedRecipient.columns} from payment_recipients where id = any(${ids}::bigint[]) order by id for update`
  return [...rows]
}

/** Recipients of one payment share its row. */
export const lockedPayments = rowsById(lockPaymentsById)
export const lockedRecipients = rowsById(lockRecipients)
/** The payments of recipients. */
export const paymentIds: Query<number, number> = { read: findPaymentIds }

/**
 * Parts of transitions that the service makes itself, by payment: their author is the service user of the organization.
 */
export const serviceTransitions: Query<number, Pick<PaymentTransition, 'author' | 'phonenumbers'>> = {
  async read(tx, ids) {
    const found = await tx<{ payment: number; author: number; phonenumbers: string[] }[]>`
      select p.id as payment, o.service_user as author,
        array(select r.phonenumber from payment_recipients r where r.payment = p.id order by r.id) as phonenumbers
      from payments p join organizations o on o.id = p.organization where p.id = any(${ids}::bigint[])`
    return new Map(found.map(({ payment, ...parts }) => [payment, parts]))
  },
}

/** Payments of which a recipient is due: they start with the first one, which queues the others. */
const startedPayments: Effect<PaymentTransition> = {
  async write(tx, now, started) {
    const by_payment = new Map(started.map((one) => [one.payment.id, one]))
    tx.send`
      update payment_recipients set state = 'queued'
      where state = 'new' and payment = any(${[...by_payment.keys()]}::bigint[])`
    await transitionPayments(
      tx,
      now,
      [...by_payment.values()].filter(({ payment, to }) => payment.state !== to),
    )
  },
}

/** Writes the changes of recipients. A recipient that is still `claimed` keeps its due date and its lease. */
function updateRecipients(tx: Tx, now: Date, changes: readonly RecipientRow[]): void {
  const written = rows(changes, {
    id: 'bigint',
    organization: 'bigint',
    state: 'text',
    last_error: 'text',
    remote_id: 'text',
    remote_transaction_id: 'text',
    network_calls: 'integer',
    sent_at: 'timestamptz',
    reversed_in_parts: 'numeric',
    reversed: 'boolean',
    due_at: 'timestamptz',
  })
  tx.send`
    update payment_recipients r set state = c.state, last_error = c.last_error, remote_id = c.remote_id,
      remote_transaction_id = c.remote_transaction_id, network_calls = c.network_calls, sent_at = c.sent_at,
      reversed_in_parts = c.reversed_in_parts, reversed = c.reversed, modified = ${truncateToSecond(now)},
      due_at = c.due_at, leased_until = null
    from ${written.as('c')} where r.id = c.id and r.organization = c.organization`
}

/** Recipients with their changes. */
export const recipientUpdates: Effect<RecipientRow> = { write: updateRecipients }

/** The effects of payouts that start, in the order in which they are written. Money moves last. */
const startEffects: readonly AnyEffect[] = [startedPayments, recipientUpdates, newOrders, endedRecipients, payoutMoney]

/** Counts the parked payouts, at most `max`, and finds the time when the earliest of them was sent. */
export async function readParkedPayouts(
  db: Reader,
  max = MAX_COUNTED,
): Promise<{ count: number; oldest: Date | null }> {
  const is_indexed = sql`t.state not in ('complete', 'aborted')`
  const [row] = await db<{ count: number; oldest: Date | null }[]>`
    with recursive ${distinctValues('payment_recipients', ['organization'], is_indexed)}
    select count(*) as count, min(sent) as oldest from (
      select parked.sent from queues q cross join lateral (
        select coalesce(t.sent_at, t.modified) as sent from payment_recipients t
        where t.organization = q.organization and t.state = 'parked' and ${is_indexed} limit ${max}) parked
      limit ${max}) counted`
  return row!
}
