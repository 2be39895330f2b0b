import { type OrderAnswer, retryableReasons } from '../../../lib/adapter-types.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { ConnectionRef, IncomingPaymentReport } from '../../connections/destinations.ts'
import type { NetworkOrder } from '../../connections/network-order.ts'
import { decideOrder, isClosed, type Learnt, type OrderUpdate } from '../../connections/order-outcomes.ts'
import { isOpen, type RequestRow } from '../collection-request.ts'
import type { LockedRequest, RequestTransition } from '../orders.ts'

/*
 * The states of a request, and what moves it. Each attempt has an order with states of its own
 * (core/connections/order-outcomes.ts); only the order of the newest attempt moves the request.
 *
 *     pending ──► processing_started ──► instructions_sent ──► successful ──► reversed
 *        │    its     │       the network     │           money        all of it
 *        │    time    │       accepts it      │          arrives       goes back
 *        └────────────┴───────────────────────┴──► failed | expired
 *
 * successful: only money that is in the books fulfils a request, never an answer by itself.
 * failed: the network refuses for good, or refuses the last attempt; or a person cancels it.
 * expired: its time is over, and the order has had its last status query, which found no money.
 * A refusal that another attempt may cure leaves it open, with a date for that attempt.
 * What has ended does not begin again: later money is a collection without a request.
 */

/** Change by what was learnt about a charge. */
export interface ChargeChange extends OrderUpdate {
  /** Change of its request, if its status changes. */
  transition?: Pick<RequestTransition, 'to' | 'error_message' | 'due_at'>
  /** New due date of its request, without a transition. */
  due_at?: Date
  /** The order gets one more status query now, because the earlier one came too early to be the last. */
  ask_again?: boolean
  /** Money that has moved, for the books. Only they fulfil or reverse a request. */
  money?: IncomingPaymentReport
}

/**
 * Decides the change by what was learnt about a charge.
 * @param request its request, locked
 * @param order the order, locked
 * @param network the connection of the order
 */
export function decideCharge(
  request: RequestRow,
  order: NetworkOrder,
  learnt: Learnt & { network: ConnectionRef },
  now: Date,
): ChargeChange {
  const is_newest = isOpen(request) && request.attempt === order.attempt
  const update = decideOrder(order, learnt, now, is_newest)
  const { outcome } = learnt.answer
  if (outcome === 'successful' || outcome === 'reversed')
    return { ...update, money: toMoney(update, learnt.network, now) }
  // A request that has ended, or has a newer order, is not changed by this answer.
  return is_newest ? { ...update, ...decideRequest(request, update, now) } : update
}

/** Decides about an open request, by an answer about its newest order that reports no money. */
function decideRequest(
  request: RequestRow,
  { learnt, before, after }: OrderUpdate,
  now: Date,
): Pick<ChargeChange, 'transition' | 'due_at' | 'ask_again'> {
  const { answer, asked_at } = learnt
  const { outcome } = answer
  const { expiry_date, attempt, max_attempts } = request
  if (
    outcome === 'failed' &&
    after.state === 'failed' &&
    !(retryableReasons.has(answer.reason) && attempt <= max_attempts)
  )
    return { transition: { to: 'failed', error_message: answer.message, due_at: null } }
  if (expiry_date <= now) {
    if (asked_at === undefined || outcome === 'asked' || outcome === 'not_asked') return {}
    return asked_at < expiry_date ? { ask_again: !isClosed(after) } : { transition: { to: 'expired', due_at: null } }
  }
  if (outcome === 'accepted' && request.send_instructions && request.status === 'processing_started')
    return { transition: { to: 'instructions_sent', due_at: expiry_date } }
  if (after.state !== 'failed') return {}
  if (before.state !== 'failed') return { due_at: earlier(nextAttemptDate(request, now), expiry_date) }
  return hasFailedAgain(request, after) ? { due_at: now } : {}
}

/**
 * Turns a paid order into money that names it, and a reversed one into a reversal. Until the network's id of the money
 * is known, our reference stands for it.
 */
function toMoney({ learnt, after }: OrderUpdate, network: ConnectionRef, now: Date): IncomingPaymentReport {
  const { answer } = learnt
  const { receiver, phonenumber, currency, reference } = after
  const paid: Partial<Extract<OrderAnswer, { outcome: 'successful' }>> = answer.outcome === 'successful' ? answer : {}
  return {
    network,
    receiver,
    phonenumber,
    currency,
    reference: null,
    order_reference: reference,
    status: answer.outcome === 'reversed' ? 'reversed' : 'successful',
    remote_id: paid.remote_id ?? after.remote_transaction_id ?? reference,
    amount: paid.amount ?? after.amount,
    paid_at: paid.paid_at ?? now,
    ...(after.fee !== null && { fee: after.fee }),
  }
}

/**
 * Turns reported money into news about the order that it names.
 * @returns undefined if the order has ended and its money is recorded: the same report again is no news
 */
export function learnFromMoney(
  report: IncomingPaymentReport,
  order: { is_closed: boolean; is_attested: boolean; collection: number | null },
): Learnt | undefined {
  const { status, remote_id, amount, fee, source = 'callback' } = report
  const { is_closed, is_attested, collection } = order
  // An attested order compares each report with the attestation.
  if (is_closed && !is_attested && collection !== null && status !== 'reversed') return undefined
  if (status === 'reversed')
    return { source, answer: { outcome: 'reversed', message: getMessage('networks.taken_back') } }
  return { source, answer: { outcome: 'successful', remote_id, amount, ...(fee !== undefined && { fee }) } }
}

/**
 * Work for a request that is due: `last question` gives its order one more status query before it expires or gets
 * another attempt, because the money may have been paid although no answer has come.
 */
type DueStep = 'expire' | 'last question' | 'attempt' | 'wait'

/**
 * Decides the work for an open request that is due.
 * @param order the order of its newest attempt; undefined before the first one
 * @param can_ask true if the network of that order can be asked
 */
export function decideDue(
  request: LockedRequest,
  order: NetworkOrder | undefined,
  can_ask: boolean,
  now: Date,
): DueStep {
  if (request.expiry_date <= now) {
    // It was due before, and waits for the answer to the last status query since then.
    const was_asked = request.due_at !== null && request.due_at > request.expiry_date
    const may_ask = order !== undefined && can_ask && !was_asked
    return may_ask && !isClosed(order) && order.state !== 'new' ? 'last question' : 'expire'
  }
  if (!order || order.state === 'not_sent') return 'attempt'
  if (order.state !== 'failed') return 'wait'
  return can_ask && !hasFailedAgain(request, order) ? 'last question' : 'attempt'
}

/** True if the network has confirmed, after the wait for the next attempt, that the last one has failed. */
function hasFailedAgain(request: RequestRow, { due_at, answered, closed }: NetworkOrder): boolean {
  return due_at === null && answered !== null && closed !== null && answered >= nextAttemptDate(request, closed)
}

/** A person may ask for the next attempt sooner, after the last one has failed (core/follow-ups/reminders.ts). */
function nextAttemptDate({ retry_interval_minutes, prompt_again_at }: RequestRow, failed: Date): Date {
  const planned = new Date(failed.getTime() + (retry_interval_minutes ?? DEFAULT_RETRY_INTERVAL_MINUTES) * 60_000)
  return prompt_again_at !== null && prompt_again_at >= failed ? earlier(prompt_again_at, planned) : planned
}

const DEFAULT_RETRY_INTERVAL_MINUTES = 10

function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()))
}
