import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { Effect } from '../../db/unit-of-work.ts'
import type { Refund } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import {
  createReference,
  insertNetworkOrders,
  type NetworkOrder,
  type NewNetworkOrder,
  type ReferenceForm,
} from '../connections/network-orders.ts'
import { type ClaimTimes, claimInTurn, findNextInTurn } from '../leases.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { distinctValues, MAX_COUNTED } from '../queues.ts'
import { type PaymentRow, paymentTable, type RecipientRow, storedRecipient, waitingStates } from './payments.ts'
import { readCharges } from './payout-orders.ts'
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
 * Starts the payouts of due recipients: starts their payments, and stores an order for each recipient. From then on the
 * order has a job of its own (jobs/orders/network-orders.ts), which calls the network and makes status queries until the end.
 * @param senders the connections that can send money, by their slugs
 */
export async function startPayouts(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  senders: ReadonlyMap<string, PayoutTraits>,
): Promise<NetworkOrder[]> {
  const payments = await lockPayments(tx, ids)
  const started = await startPayments(tx, now, payments)
  const recipients = (await lockRecipients(tx, ids)).filter(({ state }) => waitingStates.includes(state))
  const accounts = [...new Set([...started.values()].map((payment) => payment.account))]
  const [numbers, charges] = await Promise.all([
    receiversOf(tx, accounts),
    readCharges(
      tx,
      [...started.values()].flatMap(({ collection }) => collection ?? []),
    ),
  ])
  const orders: NewNetworkOrder[] = []
  const changes: RecipientRow[] = []
  for (const recipient of recipients) {
    const payment = started.get(recipient.payment)!
    if (payment.state !== 'validated' && payment.state !== 'approved') continue
    const sender = numbers.get(`${recipient.connection}:${payment.account}`)
    const traits = senders.get(recipient.connection)
    const order = sender && traits && toOrder(payment, recipient, sender, traits, charges.get(payment.collection ?? 0))
    if (!order) {
      const last_error = sender
        ? getMessage('networks.cannot_send', { connection: recipient.connection })
        : getMessage('wallets.no_sender_there')
      changes.push({ ...recipient, state: 'paused', last_error, due_at: addSeconds(now, PAUSE_S) })
    } else {
      changes.push({ ...recipient, state: 'processing', last_error: null, sent_at: now, due_at: null })
      orders.push(order)
    }
  }
  updateRecipients(tx, now, changes)
  return insertNetworkOrders(tx, now, orders)
}

/** Pause of a recipient whose connection or sending number is missing. */
const PAUSE_S = 3_600

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
    ...{ connection, organization, phonenumber, amount, reason, receiver, currency: payment.currency, attempt: 1 },
    ...{ payment_recipient: recipient.id, airtime: payment.payment_type === 'airtime' },
    reference: createReference(form),
    ...(is_refund ? { kind: 'refund', collection: payment.collection } : { kind: 'payout' }),
  }
}

/** Locks the payments of recipients and the recipients, before their orders are locked. */
export async function lockPayouts(tx: Tx, recipients: readonly number[]): Promise<void> {
  await lockPayments(tx, recipients)
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

/** Locks the payments of recipients. */
export async function lockPayments(tx: Tx, recipients: readonly number[]): Promise<PaymentRow[]> {
  return lockPaymentsById(tx, [...new Set((await findPaymentIds(tx, recipients)).values())])
}

export async function lockRecipients(tx: Tx, ids: readonly number[]): Promise<RecipientRow[]> {
  const rows = await tx<RecipientRow[]>`
    select ${storedRecipient.columns} from payment_recipients where id = any(${ids}::bigint[]) order by id for update`
  return [...rows]
}

/** Starts payments whose first recipient is due, and queues their other recipients. */
async function startPayments(tx: Tx, now: Date, payments: readonly PaymentRow[]): Promise<Map<number, PaymentRow>> {
  const starting = payments.filter(({ state }) => state === 'new' || state === 'scheduled')
  const to_queue = payments.filter(({ state }) => state === 'new' || state === 'scheduled' || state === 'approved')
  const updated = await transitionPayments(
    tx,
    now,
    await toServiceTransitions(tx, starting, (payment) => (payment.approved_by === null ? 'validated' : 'approved')),
  )
  if (to_queue.length > 0)
    await tx`
      update payment_recipients set state = 'queued' where state = 'new'
        and payment = any(${to_queue.map((payment) => payment.id)}::bigint[])`
  return new Map([...payments, ...updated].map((payment) => [payment.id, payment]))
}

/** Transitions that the service makes itself. Their author is the service user of the organization. */
export async function toServiceTransitions(
  tx: Tx,
  payments: readonly PaymentRow[],
  to: (payment: PaymentRow) => PaymentTransition['to'],
): Promise<PaymentTransition[]> {
  if (payments.length === 0) return []
  const ids = payments.map((payment) => payment.id)
  const rows = await tx<{ payment: number; author: number; phonenumbers: string[] }[]>`
    select p.id as payment, o.service_user as author,
      array(select r.phonenumber from payment_recipients r where r.payment = p.id order by r.id) as phonenumbers
    from payments p join organizations o on o.id = p.organization where p.id = any(${ids}::bigint[])`
  return payments.map((payment) => {
    const { author, phonenumbers } = rows.find((one) => one.payment === payment.id)!
    return { payment, to: to(payment), author, phonenumbers }
  })
}

/** Writes the changes of recipients. A recipient that is still `claimed` keeps its due date and its lease. */
function updateRecipients(tx: Tx, now: Date, changes: readonly RecipientRow[]): void {
  if (changes.length === 0) return
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

function addSeconds(now: Date, wait_s: number): Date {
  return new Date(now.getTime() + wait_s * 1_000)
}

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
