import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Payout, PayoutCheck } from '../../lib/adapter-types.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { subtractRefundedAmounts } from '../collections/refunded-amounts.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { endHolds } from '../ledger/holds.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
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
 * The states of one recipient:
 *
 *     new ─► queued ─► processing ─► pending_confirmation ─► complete | error
 *
 * new: waits together with its payment. queued: the service sends the payment, and this recipient is not sent yet.
 * processing: the order is recorded and sent to the network, and the network has not answered. pending_confirmation: the
 * network has accepted the order. parked: the network has not reported a final result for a long time; the service asks
 * every hour. paused: the network or the sending number is not configured; the service tries again every hour.
 * aborted: the payment was rejected or cancelled before it was sent.
 * complete becomes error if the network reverses the payout. No other final state changes.
 */

/** The states that are not final. */
const openStates: readonly RecipientState[] = [
  'new',
  'queued',
  'processing',
  'pending_confirmation',
  'paused',
  'parked',
]

/** A call to a network between two transactions: send a payout, or ask for its status. */
export interface PayoutAction {
  action: 'send' | 'check'
  /** The code of the network. */
  network: string
  recipient: number
  payout: Payout
}

/** The answer of a network to one action. */
export interface PayoutAnswer {
  action: PayoutAction
  answer: Exclude<PayoutCheck, { outcome: 'failed' }> | { outcome: 'failed'; message: string }
}

/** Claims due recipients under a lease. @returns their ids */
export async function claimDueRecipients(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimDue<{ id: number }>(tx, { table: 'payment_recipients', times, limit })
  return claimed.map(({ id }) => id)
}

/** When the next unclaimed recipient is due, or null. */
export function nextDueRecipient(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'payment_recipients', real)
}

/**
 * First half of the work on due recipients: starts their payments and records each order before the call to its network.
 * A recorded order is never sent again. The service only asks for its status, because a process that stopped may have
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
  const started = await startPayments(tx, now, payments)
  const recipients = await lockRecipients(tx, ids, openStates)
  const numbers = await receiversOf(tx, [...new Set([...started.values()].map((payment) => payment.account))])
  const actions: PayoutAction[] = []
  const changes: RecipientChange[] = []
  for (const recipient of recipients) {
    const payment = started.get(recipient.payment)!
    if (payment.state !== 'validated' && payment.state !== 'approved') continue
    const sender = numbers.get(`${recipient.network}:${payment.account}`)
    const network_calls = recipient.network_calls + 1
    if (sender === undefined || !senders.has(recipient.network)) {
      const last_error = sender
        ? `The network ${recipient.network} is not configured.`
        : 'The account has no sending number on this network.'
      const state = recipient.network_calls === 0 ? 'paused' : 'parked'
      changes.push({
        ...recipient,
        state,
        last_error,
        due_at: addSeconds(now, retrySchedules.payout_check.then_every_s),
      })
    } else {
      const action = recipient.network_calls === 0 ? 'send' : 'check'
      const state = action === 'send' ? 'processing' : recipient.state
      changes.push({ ...recipient, state, network_calls, due_at: 'claimed' })
      actions.push(toPayoutAction(payment, recipient, sender, action))
    }
  }
  await updateRecipients(tx, now, changes)
  return actions
}

/**
 * Second half: records the answers of the networks, settles or releases the holds, and ends payments whose recipients
 * have all ended. An answer about a recipient in a final state changes nothing, except a reversal of a complete payout:
 * then the amount and the fee go back to the account that paid.
 */
export async function applyPayoutAnswers(tx: Tx, now: Date, answers: readonly PayoutAnswer[]): Promise<void> {
  const ids = [...new Set(answers.map(({ action }) => action.recipient))]
  if (ids.length === 0) return
  const payments = new Map((await lockPayments(tx, ids)).map((payment) => [payment.id, payment]))
  const locked = await lockRecipients(tx, ids, [...openStates, 'complete'])
  const completed = new Set(locked.filter(({ state }) => state === 'complete').map(({ id }) => id))
  const recipients = new Map(locked.map((recipient) => [recipient.id, recipient]))
  const changes = answers.toSorted(byFinality).flatMap(({ action, answer }): RecipientChange[] => {
    const recipient = recipients.get(action.recipient)
    if (!recipient || (completed.has(recipient.id) && answer.outcome !== 'reversed')) return []
    // Of two answers about one recipient, only the more final one is applied.
    recipients.delete(action.recipient)
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
  const holds = (matches: (change: RecipientChange) => boolean) =>
    changes.filter(matches).map((change) => toHold(payments.get(change.payment)!, change))
  await endHolds(tx, now, {
    settled: holds(({ state }) => state === 'complete'),
    released: holds(({ id, state }) => state === 'error' && !completed.has(id)),
    reversed: holds(({ id }) => completed.has(id)),
  })
}

/** The payout with this reference, as it was sent. Undefined if the reference is not from this service. */
export async function findPayoutByReference(db: Reader, reference: string): Promise<PayoutAction | undefined> {
  const id = /^KP(\d{1,15})$/.exec(reference)?.[1]
  return id === undefined ? undefined : findPayout(db, Number(id))
}

/** A status check of the payout to this recipient. Undefined if it was not sent. */
export async function findPayout(db: Reader, id: number): Promise<PayoutAction | undefined> {
  const [recipient] = await db<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where id = ${id} and network_calls > 0`
  if (!recipient) return undefined
  const [payment] = await db<PaymentRow[]>`select ${paymentColumns()} from payments where id = ${recipient.payment}`
  const sender = (await receiversOf(db, [payment!.account])).get(`${recipient.network}:${payment!.account}`)
  return sender === undefined ? undefined : toPayoutAction(payment!, recipient, sender, 'check')
}

/** Our reference for a recipient. It never changes, so the network cannot treat one payout as two. */
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

/** Every transaction locks payments first, then their recipients, then the ledger. */
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

/** The new values of a recipient. */
type RecipientChange = Omit<RecipientRow, 'due_at'> & { due_at: Date | null | 'claimed' }

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
      ? 'The network reports a different amount.'
      : answer.outcome === 'unknown'
        ? answer.message
        : 'The network does not know this payout.'
  // The network may have sent the money, so the hold stays and nothing is sent again.
  return {
    ...open,
    last_error,
    state: recipient.network_calls > retrySchedules.payout_check.waits_s.length ? 'parked' : recipient.state,
  }
}

function hasEnded({ state }: RecipientChange): boolean {
  return state === 'complete' || state === 'error'
}

function byFinality(one: PayoutAnswer, other: PayoutAnswer): number {
  const rank = ({ answer }: PayoutAnswer) =>
    ['reversed', 'successful', 'failed', 'accepted', 'unknown', 'not_found'].indexOf(answer.outcome)
  return rank(one) - rank(other)
}

/** Ends the payments that have no open recipient left. */
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
  // A payment that ended with errors keeps its state if another recipient fails later.
  const ending = ended.filter(({ state }) => state !== 'processed_with_errors')
  const transitions = await toServiceTransitions(tx, ending, (payment) =>
    failed(payment) ? 'processed_with_errors' : 'processed',
  )
  await transitionPayments(
    tx,
    now,
    transitions.map((transition) => ({ ...transition, note: failed(transition.payment)?.last_error ?? undefined })),
  )
}

/** Transitions that the service makes itself. Their author is the service user of the organization. */
async function toServiceTransitions(
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
async function updateRecipients(tx: Tx, now: Date, changes: readonly RecipientChange[]): Promise<void> {
  if (changes.length === 0) return
  const written = rows(changes, {
    id: 'bigint',
    state: 'text',
    last_error: 'text',
    remote_id: 'text',
    remote_transaction_id: 'text',
    network_calls: 'integer',
    due_at: ['timestamptz', ({ due_at }) => (due_at === 'claimed' ? null : due_at)],
    claimed: ['boolean', ({ due_at }) => due_at === 'claimed'],
  })
  await tx`
    update payment_recipients r set state = c.state, last_error = c.last_error, remote_id = c.remote_id,
      remote_transaction_id = c.remote_transaction_id, network_calls = c.network_calls, modified = ${truncateToSecond(now)},
      due_at = case when c.claimed then r.due_at else c.due_at end,
      leased_until = case when c.claimed then r.leased_until end
    from ${written.as('c')} where r.id = c.id`
}

function nextCheckAt(network_calls: number, now: Date): Date {
  return nextAttemptAt(now, retrySchedules.payout_check, network_calls)!
}

function addSeconds(now: Date, wait_s: number): Date {
  return new Date(now.getTime() + wait_s * 1_000)
}
