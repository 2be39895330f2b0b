import type { PayoutCheck, VendCheck } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { retrySchedules } from '../retry-schedules.ts'
import type { ConnectionRef } from './destinations.ts'
import type { AnswerSource, NetworkOrder } from './network-order.ts'

/*
 * The states of an order:
 *
 *     new ─► sent ─► accepted ─► successful ─► reversed
 *      │       └────────┴──────► failed
 *      └─► not_sent
 *
 * new: it is not sent. sent: it is sent, or was about to be, and the network has not confirmed it. accepted: the network has
 * it. not_sent: it never reached the network, and is not sent any more. An order is asked about until it is closed. A closed
 * order changes only when money turns out to have moved: failed or not_sent becomes successful, successful becomes reversed.
 * When the network says that an order is open which it had reported as failed, the order is open again. An attested failure
 * stays.
 */

/** Answer of a network about an order, or the reason why the service did not ask. */
export type OrderAnswer =
  | PayoutCheck
  /** The network has made its id of the order. The order itself is not sent yet. */
  | { outcome: 'prepared'; remote_id: string }
  /** The network answers later, at our callback address. */
  | { outcome: 'asked' }
  /** Order without status queries: only a callback or a person can end it. */
  | { outcome: 'not_asked' }

/** Answer of a bill provider about a vend. */
export type VendNews =
  | Exclude<VendCheck, { outcome: 'not_found' }>
  /** `final`: the vend can no longer be on its way, so the provider did not sell it and never will. */
  | { outcome: 'not_found'; final: boolean }

/** Traits of a network's driver by which the service decides about an order. */
export interface OrderRules {
  /** Effect of a second call under the same reference. After `charges-again` there is never a second call. */
  repeat: 'same-answer' | 'refused' | 'charges-again'
  /** Meaning of a lasting `not_found`: with `certain` it proves that an order never arrived. */
  unseen: 'certain' | 'never-certain'
  /**
   * Seconds for which an order may still be on its way after it was marked as sent: its time in this process, and the
   * time that the network needs.
   */
  in_flight_s: number
  /** Seconds before the first status query, the second, and so on; the service's own unless given. */
  status_waits_s?: readonly number[] | undefined
  /** Minimum number of seconds between the sending of the order and its first status query. */
  least_wait_s?: number
}

/** News about an order: what was learnt, and from which source. */
export interface Learnt<Answer = OrderAnswer> {
  /** Source: `reply` to the order itself, `status` query, `callback`, `statement`, or `operator`: two persons. */
  source: AnswerSource
  answer: Answer
  /** Traits of the network that answered. Without them an open order is never sent again. */
  rules?: OrderRules | undefined
  /** Time when the answered call began, on the clock of the service. */
  asked_at?: Date
}

/** News about one order, and the connection that carries it. */
export interface LearntOrder extends Learnt {
  order: NetworkOrder
  network: ConnectionRef & { instructions?: string | undefined }
}

/** The columns of an order that an answer changes. */
export type OrderChange = Pick<
  NetworkOrder,
  | 'state'
  | 'remote_id'
  | 'remote_transaction_id'
  | 'failure_reason'
  | 'code'
  | 'message'
  | 'fee'
  | 'network_calls'
  | 'sent'
  | 'answered'
  | 'closed'
  | 'due_at'
  | 'attention'
  | 'charged'
  | 'charged_currency'
>

const CLOSED: ReadonlySet<NetworkOrder['state']> = new Set(['successful', 'failed', 'reversed', 'not_sent'])

/** True if the network has said the end of an order, or the order was never sent. */
export function isClosed({ state }: Pick<NetworkOrder, 'state'>): boolean {
  return CLOSED.has(state)
}

/** True if money has moved, according to the network. */
export function isPaid({ state }: Pick<NetworkOrder, 'state'>): boolean {
  return state === 'successful' || state === 'reversed'
}

/** Order before and after it was settled. It may be unchanged. */
export interface OrderUpdate<Answer = OrderAnswer> {
  learnt: Learnt<Answer>
  before: NetworkOrder
  after: NetworkOrder
}

/** True if an order needs a person since this update. */
export function needsPersonNow({ before, after }: Pick<OrderUpdate, 'before' | 'after'>): boolean {
  return before.attention === null && after.attention !== null
}

/**
 * Decides the change of an order by what was learnt about it.
 * @param before the order as it is stored now
 * @param is_wanted true if an unsent order is still to be sent, because its request is open
 */
export function decideOrder(before: NetworkOrder, learnt: Learnt, now: Date, is_wanted = true): OrderUpdate {
  const change = decide(before, learnt, now, is_wanted)
  const attention = contradictionOf(before, learnt) ?? change.attention
  return { learnt, before, after: { ...before, ...change, attention, leased_until: null } }
}

/** Describes for a person how a network contradicts an attestation; undefined when it does not. */
function contradictionOf(before: NetworkOrder, { source, answer }: Learnt): string | undefined {
  const { attested, attested_amount, remote_transaction_id, reference, remote_id } = before
  if (attested === null || source === 'operator') return undefined
  const { outcome } = answer
  if (attested === 'failed' && (outcome === 'successful' || outcome === 'reversed'))
    return getMessage('orders.network_says_money')
  if (attested === 'successful' && outcome === 'failed') return getMessage('orders.network_says_order')
  if (attested !== 'successful' || outcome !== 'successful') return undefined
  const stand_ins = [remote_transaction_id, reference, remote_id]
  if (answer.remote_id !== undefined && !stand_ins.includes(answer.remote_id))
    return getMessage('orders.network_names_other')
  if (answer.amount !== undefined && answer.amount !== attested_amount)
    return getMessage('orders.network_names_another')
  return undefined
}

function decide(before: NetworkOrder, learnt: Learnt, now: Date, is_wanted: boolean): OrderChange {
  const order = countCall(before, learnt, now)
  const { answer } = learnt
  switch (answer.outcome) {
    case 'successful':
      return before.state === 'reversed' ? keep(order, learnt) : succeed(order, answer, now)
    case 'reversed':
      return { ...close(order, 'reversed', now), message: answer.message }
    case 'failed':
      if (isPaid(before) || before.state === 'failed') return keep(order, learnt)
      return {
        ...close(order, 'failed', now),
        failure_reason: answer.reason,
        message: answer.message,
        code: answer.code ?? null,
      }
    case 'accepted':
      if (isPaid(before)) return keep(order, learnt)
      // Two people have read in its statement that it moves no money. The id finds a later success.
      if (before.attested === 'failed') return { ...keep(order, learnt), remote_id: answer.remote_id }
      return {
        ...order,
        state: 'accepted',
        remote_id: answer.remote_id,
        closed: null,
        failure_reason: null,
        code: null,
        message: null,
        attention: null,
        due_at: nextStatusQueryAt(order, learnt.rules, now),
      }
    case 'prepared':
      return isClosed(before) ? keep(order, learnt) : { ...order, remote_id: answer.remote_id, due_at: now }
    case 'not_found':
      return decideNotFound(before, order, learnt, now, is_wanted)
    case 'unknown':
      if (isPaid(before) || before.state === 'not_sent') return keep(order, learnt)
      return { ...askAgain(order, learnt, now), message: isClosed(before) ? order.message : answer.message }
    case 'asked':
      return isPaid(before) || before.state === 'not_sent' ? keep(order, learnt) : askAgain(order, learnt, now)
    case 'not_asked':
      return isClosed(before) ? keep(order, learnt) : waitForCallback(order, now)
  }
}

const UNSENDABLE = getMessage('networks.ask_person_charged')
const UNASKABLE = getMessage('networks.ask_person')

/** The order with one more call, if a call was made. */
function countCall(order: NetworkOrder, { source, answer }: Learnt, now: Date): NetworkOrder {
  const was_called = (source === 'reply' || source === 'status') && answer.outcome !== 'not_asked'
  const was_answered = !['asked', 'not_asked', 'prepared'].includes(answer.outcome)
  return {
    ...order,
    network_calls: order.network_calls + (was_called ? 1 : 0),
    answered: was_answered ? now : order.answered,
  }
}

/** A closed order stays as it is. The answer to its last status query ends the waiting for it. */
function keep(order: NetworkOrder, { asked_at }: Learnt): OrderChange {
  return { ...order, due_at: asked_at ? null : order.due_at }
}

function close(order: NetworkOrder, state: NetworkOrder['state'], now: Date): OrderChange {
  return { ...order, state, closed: order.closed ?? now, due_at: null, attention: null }
}

/** Fills in facts that become known later; facts known earlier stay. */
function succeed(
  order: NetworkOrder,
  { remote_id, fee }: Extract<OrderAnswer, { outcome: 'successful' }>,
  now: Date,
): OrderChange {
  return {
    ...close(order, 'successful', now),
    remote_transaction_id: order.remote_transaction_id ?? remote_id ?? null,
    fee: order.fee ?? fee ?? null,
    failure_reason: null,
    code: null,
    message: null,
  }
}

/**
 * Decides about an order that the network does not know. It is sent once more, under the same reference, if that is
 * certain and harmless. An order that the network has once accepted must have arrived there: a network forgets orders
 * after a while.
 */
function decideNotFound(
  before: NetworkOrder,
  order: NetworkOrder,
  learnt: Learnt,
  now: Date,
  is_wanted: boolean,
): OrderChange {
  if (isClosed(before)) return keep(order, learnt)
  const { rules, asked_at } = learnt
  const is_over =
    rules !== undefined &&
    before.sent !== null &&
    asked_at !== undefined &&
    asked_at.getTime() - before.sent.getTime() >= rules.in_flight_s * 1_000
  const never_arrived = before.state === 'sent' && rules?.unseen === 'certain' && is_over
  if (!never_arrived) return { ...askAgain(order, learnt, now), message: getMessage('networks.unknown_order_yet') }
  if (!is_wanted) return { ...close(order, 'not_sent', now), message: getMessage('networks.not_arrived') }
  if (rules.repeat === 'charges-again') return { ...askAgain(order, learnt, now), attention: UNSENDABLE }
  return {
    ...order,
    state: 'new',
    sent: null,
    due_at: now,
    message: getMessage('networks.not_arrived_again'),
  }
}

/** A closed order only gets its last status query, whose answer the service still waits for. */
function askAgain(order: NetworkOrder, { rules }: Learnt, now: Date): OrderChange {
  const is_awaited = !isClosed(order) || order.due_at !== null
  return { ...order, due_at: is_awaited ? nextStatusQueryAt(order, rules, now) : null }
}

function waitForCallback(order: NetworkOrder, now: Date): OrderChange {
  const since = order.sent ?? order.created
  const is_over = now.getTime() - since.getTime() >= DAY_S * 1_000
  const due_at = is_over ? addSeconds(now, DAY_S) : addSeconds(since, DAY_S)
  return { ...order, due_at, attention: is_over ? UNASKABLE : order.attention }
}

const DAY_S = 24 * 60 * 60

/** Returns the time of the first status query about an order that is sent now. */
export function firstStatusQueryAt(kind: NetworkOrder['kind'], rules: OrderRules, now: Date): Date {
  return nextStatusQueryAt({ kind, sent: now, created: now, due_at: null }, rules, now)
}

/**
 * Returns the time of the next status query: after the network's own waits, or else the service's, counted from the
 * last sending. The last wait repeats for a day; from then on the query comes once an hour. A query that is planned stays
 * where it is, unless that is later: a new date would write all indexes of the order.
 */
function nextStatusQueryAt(order: Scheduled, rules: OrderRules | undefined, now: Date): Date {
  const { status_waits_s, least_wait_s = 0 } = rules ?? {}
  const { waits_s, then_every_s } = retrySchedules[order.kind === 'payout' ? 'payout_check' : 'order_check']
  const waits: readonly number[] = status_waits_s ?? waits_s
  const since = order.sent ?? order.created
  const passed_s = (now.getTime() - since.getTime()) / 1_000
  let step = 0
  for (let sum_s = waits[0] ?? 0; step < waits.length && sum_s <= passed_s; sum_s += waits[step] ?? 0) step += 1
  const repeated_s = status_waits_s && passed_s < DAY_S ? status_waits_s.at(-1) : undefined
  const wait_s = Math.max(waits[step] ?? repeated_s ?? then_every_s, least_wait_s - passed_s)
  const next = addSeconds(now, passed_s < DAY_S ? wait_s : Math.max(wait_s, then_every_s))
  const { due_at: planned } = order
  const is_kept = planned !== null && planned > now && planned <= next && planned >= addSeconds(since, least_wait_s)
  return is_kept ? planned : next
}

type Scheduled = Pick<NetworkOrder, 'kind' | 'sent' | 'created' | 'due_at'>

function addSeconds(date: Date, wait_s: number): Date {
  return new Date(date.getTime() + wait_s * 1_000)
}
