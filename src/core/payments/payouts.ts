import type { Reader, Tx } from '../../db/client.ts'
import type { Payout, PayoutCheck } from '../../lib/adapter-types.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import type { ClaimTimes } from '../leases.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { endHolds } from '../ledger/holds.ts'
import {
  listRecipients,
  type PaymentRow,
  paymentColumns,
  type RecipientRow,
  type RecipientState,
  recipientColumns,
  toHold,
} from './payments.ts'
import { type PaymentTransition, transitionPayments } from './transitions.ts'

/*
 * What becomes of one recipient:
 *
 *     new ─► queued ─► processing ─► pending_confirmation ─► complete | error
 *
 * new: waits with its payment. queued: the payment is being sent, and this part waits for its turn. processing: the order
 * was written down and is given to the network, which has not answered. pending_confirmation: the network has taken it.
 * parked: the network has not said for long what became of it; it is asked on, hourly. paused: the network or the number
 * to send from is not configured; tried again hourly. aborted: the payment was rejected or cancelled before it was sent.
 * complete becomes error when the network takes the money back; nothing else changes what has ended.
 */

/** States in which something is still to happen. */
const openStates: readonly RecipientState[] = [
  'new',
  'queued',
  'processing',
  'pending_confirmation',
  'paused',
  'parked',
]

/** A payout to be sent to a network, or asked about, between two transactions. */
export interface PayoutAction {
  action: 'send' | 'check'
  /** The code of the network. */
  network: string
  recipient: number
  payout: Payout
}

/** What the network said in one step. */
export interface PayoutAnswer {
  action: PayoutAction
  answer: Exclude<PayoutCheck, { outcome: 'failed' }> | { outcome: 'failed'; message: string }
}

/** A payout that is still open is asked about after these waits, then hourly, like an order. */
const CHECK_WAITS_S = [5, 15, 60, 300, 900]
const LATER_CHECK_WAIT_S = 3_600

/** Claims recipients for whom something is due, under a lease on the real clock. */
export async function claimDueRecipients(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    update payment_recipients set leased_until = ${times.lease_end} where id = any(array(
      select id from payment_recipients
      where due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at, id limit ${limit} for update skip locked))
    returning id`
  return rows.map((row) => row.id)
}

/** When the next recipient falls due on whom nobody is working, or null. */
export async function nextDueRecipient(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from payment_recipients
    where due_at is not null and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/**
 * First half of the work on recipients that are due: their payments are under way now, and each order is written down
 * before its network hears of it. What was written down once is only ever asked about: a process that died may have
 * sent it.
 * @param senders the codes of the networks that can send money.
 */
export async function dispatchPayouts(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  senders: ReadonlySet<string>,
): Promise<PayoutAction[]> {
  const payments = await lockPayments(tx, ids)
  const moved = await startPayments(tx, now, payments)
  const recipients = await lockRecipients(tx, ids, openStates)
  const numbers = await receiversOf(tx, [...new Set([...moved.values()].map((payment) => payment.account))])
  const steps: PayoutAction[] = []
  const changes: RecipientChange[] = []
  for (const recipient of recipients) {
    const payment = moved.get(recipient.payment)!
    if (payment.state !== 'validated' && payment.state !== 'approved') continue
    const sender = numbers.get(`${recipient.network}:${payment.account}`)
    const network_calls = recipient.network_calls + 1
    if (sender === undefined || !senders.has(recipient.network)) {
      const last_error = sender
        ? `The network ${recipient.network} is not configured.`
        : 'The account has no number on the network to send from.'
      const state = recipient.network_calls === 0 ? 'paused' : 'parked'
      changes.push({ ...recipient, state, last_error, due_at: addSeconds(now, LATER_CHECK_WAIT_S) })
    } else {
      const action = recipient.network_calls === 0 ? 'send' : 'check'
      const state = action === 'send' ? 'processing' : recipient.state
      changes.push({ ...recipient, state, network_calls, due_at: 'in hand' })
      steps.push(toPayoutAction(payment, recipient, sender, action))
    }
  }
  await updateRecipients(tx, now, changes)
  return steps
}

/**
 * Second half: keeps what the networks said, spends or gives back what was held, and ends payments whose recipients have
 * all ended. An answer about a recipient that has ended already changes nothing, unless a network has taken back what had
 * arrived: then amount and fee go back to where they came from.
 */
export async function applyPayoutAnswers(tx: Tx, now: Date, answers: readonly PayoutAnswer[]): Promise<void> {
  const ids = [...new Set(answers.map(({ action: step }) => step.recipient))]
  if (ids.length === 0) return
  const payments = new Map((await lockPayments(tx, ids)).map((payment) => [payment.id, payment]))
  const locked = await lockRecipients(tx, ids, [...openStates, 'complete'])
  const arrived = new Set(locked.filter(({ state }) => state === 'complete').map(({ id }) => id))
  const recipients = new Map(locked.map((recipient) => [recipient.id, recipient]))
  const changes = answers.toSorted(byFinality).flatMap(({ action: step, answer }): RecipientChange[] => {
    const recipient = recipients.get(step.recipient)
    if (!recipient || (arrived.has(recipient.id) && answer.outcome !== 'reversed')) return []
    // Of two answers about one recipient the one that says more counts.
    recipients.delete(step.recipient)
    return [toRecipientChange(recipient, answer, now)]
  })
  await updateRecipients(tx, now, changes)
  await endPayments(
    tx,
    now,
    changes.filter(hasEnded).map((change) => payments.get(change.payment)!),
  )
  await subtractRefundedAmounts(
    tx,
    changes
      .filter((change) => change.state === 'error')
      .map((change) => ({ payment: payments.get(change.payment)!, amount: change.amount })),
  )
  const holds = (which: (change: RecipientChange) => boolean) =>
    changes.filter(which).map((change) => toHold(payments.get(change.payment)!, change))
  await endHolds(tx, now, {
    settled: holds(({ state }) => state === 'complete'),
    released: holds(({ id, state }) => state === 'error' && !arrived.has(id)),
    reversed: holds(({ id }) => arrived.has(id)),
  })
}

/** The payout that a network speaks of, as it was sent, or undefined when the reference is none of ours. */
export async function findPayoutByReference(db: Reader, reference: string): Promise<PayoutAction | undefined> {
  const id = /^KP(\d{1,15})$/.exec(reference)?.[1]
  return id === undefined ? undefined : findPayout(db, Number(id))
}

/** The payout to this recipient, as it was sent, to be asked about; undefined when it was not sent. */
export async function findPayout(db: Reader, id: number): Promise<PayoutAction | undefined> {
  const [recipient] = await db<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where id = ${id} and network_calls > 0`
  if (!recipient) return undefined
  const [payment] = await db<PaymentRow[]>`select ${paymentColumns()} from payments where id = ${recipient.payment}`
  const sender = (await receiversOf(db, [payment!.account])).get(`${recipient.network}:${payment!.account}`)
  return sender === undefined ? undefined : toPayoutAction(payment!, recipient, sender, 'check')
}

/** Our reference for a recipient. It is sent under no other, so the network can never take it for two. */
function payoutReference(recipient: number): string {
  return `KP${recipient}`
}

function toPayoutAction(
  payment: PaymentRow,
  recipient: RecipientRow,
  sender: string,
  action: PayoutAction['action'],
): PayoutAction {
  const { phonenumber, amount, description, remote_id } = recipient
  const reference = payoutReference(recipient.id)
  const { payment_type: kind, currency } = payment
  return {
    action,
    network: recipient.network,
    recipient: recipient.id,
    payout: { reference, kind, sender, phonenumber, amount, currency, reason: description, remote_id },
  }
}

/** Payments are locked before their recipients, and those before the money, everywhere. */
async function lockPayments(tx: Tx, recipients: readonly number[]): Promise<PaymentRow[]> {
  const found = await tx<{ payment: number }[]>`
    select distinct payment from payment_recipients where id = any(${recipients}::bigint[])`
  const rows = await tx<PaymentRow[]>`
    select ${paymentColumns()} from payments where id = any(${found.map((row) => row.payment)}::bigint[])
    order by id for update`
  return [...rows]
}

async function lockRecipients(
  tx: Tx,
  ids: readonly number[],
  states: readonly RecipientState[],
): Promise<RecipientRow[]> {
  const rows = await tx<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where id = any(${ids}::bigint[]) order by id for update`
  return rows.filter(({ state }) => states.includes(state))
}

/** Payments whose first recipient is due are being sent from now on; the others of each wait for their turn. */
async function startPayments(tx: Tx, now: Date, payments: readonly PaymentRow[]): Promise<Map<number, PaymentRow>> {
  const starting = payments.filter(({ state }) => state === 'new' || state === 'scheduled')
  const fresh = payments.filter(({ state }) => state === 'new' || state === 'scheduled' || state === 'approved')
  const moved = await transitionPayments(
    tx,
    now,
    await toServiceTransitions(tx, starting, (payment) => (payment.approved_by === null ? 'validated' : 'approved')),
  )
  if (fresh.length > 0)
    await tx`
      update payment_recipients set state = 'queued' where state = 'new'
        and payment = any(${fresh.map((payment) => payment.id)}::bigint[])`
  return new Map([...payments, ...moved].map((payment) => [payment.id, payment]))
}

/** What becomes of one recipient. */
type RecipientChange = Omit<RecipientRow, 'due_at'> & { due_at: Date | null | 'in hand' }

function toRecipientChange(recipient: RecipientRow, answer: PayoutAnswer['answer'], now: Date): RecipientChange {
  const ended = { ...recipient, due_at: null }
  const open = { ...recipient, due_at: nextCheckAt(recipient.network_calls, now) }
  if (answer.outcome === 'failed' || answer.outcome === 'reversed')
    return { ...ended, state: 'error', last_error: answer.message }
  if (answer.outcome === 'successful' && answer.amount === recipient.amount)
    return { ...ended, state: 'complete', last_error: null, remote_transaction_id: answer.remote_id }
  if (answer.outcome === 'accepted')
    return { ...open, state: 'pending_confirmation', last_error: null, remote_id: answer.remote_id }
  const last_error =
    answer.outcome === 'successful'
      ? 'The network says that it has sent another amount.'
      : answer.outcome === 'unknown'
        ? answer.message
        : 'The network does not know it.'
  // Nobody knows whether the money has gone, so nothing is given back and nothing is sent again.
  return { ...open, last_error, state: recipient.network_calls > CHECK_WAITS_S.length ? 'parked' : recipient.state }
}

function hasEnded({ state }: RecipientChange): boolean {
  return state === 'complete' || state === 'error'
}

function byFinality(one: PayoutAnswer, other: PayoutAnswer): number {
  const rank = ({ answer }: PayoutAnswer) =>
    ['reversed', 'successful', 'failed', 'accepted', 'unknown', 'not_found'].indexOf(answer.outcome)
  return rank(one) - rank(other)
}

/** Ends those of these payments that have no open recipient left. */
async function endPayments(tx: Tx, now: Date, payments: readonly PaymentRow[]): Promise<void> {
  const distinct = [...new Map(payments.map((payment) => [payment.id, payment])).values()]
  if (distinct.length === 0) return
  const all = await listRecipients(
    tx,
    distinct.map((payment) => payment.id),
  )
  const ended = distinct.filter(
    (payment) => !all.some((one) => one.payment === payment.id && openStates.includes(one.state)),
  )
  const failed = (payment: PaymentRow) => all.findLast((one) => one.payment === payment.id && one.state === 'error')
  // A payment that had ended with errors, and loses another recipient, stays what it is.
  const moving = ended.filter(({ state }) => state !== 'processed_with_errors')
  const moves = await toServiceTransitions(tx, moving, (payment) =>
    failed(payment) ? 'processed_with_errors' : 'processed',
  )
  await transitionPayments(
    tx,
    now,
    moves.map((move) => ({ ...move, note: failed(move.payment)?.last_error ?? undefined })),
  )
}

/** Moves that the service makes by itself, in the name of each organization's service user. */
async function toServiceTransitions(
  tx: Tx,
  payments: readonly PaymentRow[],
  to: (payment: PaymentRow) => PaymentTransition['to'],
): Promise<PaymentTransition[]> {
  if (payments.length === 0) return []
  const ids = payments.map((payment) => payment.id)
  const people = await tx<{ payment: number; author: number; phonenumbers: string[] }[]>`
    select p.id as payment, o.service_user as author,
      array(select r.phonenumber from payment_recipients r where r.payment = p.id order by r.id) as phonenumbers
    from payments p join organizations o on o.id = p.organization where p.id = any(${ids}::bigint[])`
  return payments.map((payment) => {
    const { author, phonenumbers } = people.find((one) => one.payment === payment.id)!
    return { payment, to: to(payment), author, phonenumbers }
  })
}

/** Writes what became of recipients; one `in hand` keeps its due time and lease while its claimant works on. */
async function updateRecipients(tx: Tx, now: Date, changes: readonly RecipientChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx`
    update payment_recipients r set state = c.state, last_error = c.last_error, remote_id = c.remote_id,
      remote_transaction_id = c.remote_transaction_id, network_calls = c.network_calls, modified = ${truncateToSecond(now)},
      due_at = case when c.in_hand::boolean then r.due_at else c.due_at::timestamptz end,
      leased_until = case when c.in_hand::boolean then r.leased_until end
    from unnest(${changes.map((c) => c.id)}::bigint[], ${changes.map((c) => c.state)}::text[],
      ${changes.map((c) => c.last_error)}::text[], ${changes.map((c) => c.remote_id)}::text[],
      ${changes.map((c) => c.remote_transaction_id)}::text[], ${changes.map((c) => c.network_calls)}::integer[],
      ${changes.map((c) => (c.due_at instanceof Date ? c.due_at.toISOString() : null))}::text[],
      ${changes.map((c) => String(c.due_at === 'in hand'))}::text[])
      as c(id, state, last_error, remote_id, remote_transaction_id, network_calls, due_at, in_hand)
    where r.id = c.id`
}

function nextCheckAt(network_calls: number, now: Date): Date {
  return addSeconds(now, CHECK_WAITS_S[network_calls - 1] ?? LATER_CHECK_WAIT_S)
}

function addSeconds(now: Date, wait_s: number): Date {
  return new Date(now.getTime() + wait_s * 1_000)
}
