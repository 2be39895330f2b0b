import type { PartialReversal } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { NetworkOrder } from '../connections/network-order.ts'
import { decideOrder, type Learnt, type OrderAnswer, type OrderUpdate } from '../connections/order-outcomes.ts'
import { takeParts } from '../ledger/partial-reversals.ts'
import { retrySchedules } from '../retry-schedules.ts'
import { isWhollyReversed, openStates, type RecipientRow } from './payments.ts'

/*
 * The states of one recipient:
 *
 *     new ─► queued ─► processing ─► pending_confirmation ─► complete | error
 *
 * new: waits together with its payment. queued: the service sends the payment, and this recipient is not sent yet.
 * processing: it has an order, which is sent to the network, and the network has not answered. pending_confirmation: the
 * network has accepted the order. parked: the network has not reported a final result for a long time; the service asks
 * every hour. paused: the connection or the sending number is missing; the service tries again every hour.
 * aborted: the payment was rejected or cancelled before it was sent.
 * complete becomes error if the network reverses the payout; a part that comes back leaves it complete. error becomes
 * complete if the network has sent the money after it had reported a failure (docs/decisions/0019). No other final state
 * changes.
 */

/** Change by an answer about one recipient. */
export interface PayoutChange {
  before: RecipientRow
  after: RecipientRow
  /**
   * Effect on its money. settle: the hold is spent. release: the hold goes back to the wallet. retake: it went back
   * before, and is spent from the wallet now.
   */
  money: 'settle' | 'release' | 'retake' | null
  /** Reversed money: parts, and the rest if everything came back (`whole`). */
  reversal: { parts: readonly PartialReversal[]; rest: Amount; whole: boolean } | null
  /** The network has sent the money after it had reported a failure. `booked`: it is the amount that was ordered. */
  late: { amount: Amount; booked: boolean } | null
  /** Charge of the network for the payout, if it has said so. */
  network_fee?: Amount | null
}

/** True if money has moved, here or at the network only. */
export function hasMovedMoney({ money, reversal, late }: PayoutChange): boolean {
  return money !== null || reversal !== null || late !== null
}

/** An order after it was settled, and the change of its recipient, if there is one. */
export interface PayoutUpdate extends OrderUpdate {
  change: PayoutChange | undefined
}

/**
 * Decides the change by what was learnt about a payout or a refund.
 * @param order its order, locked
 * @param taken_before the ids of the parts that were reversed before
 */
export function decidePayout(
  recipient: RecipientRow,
  order: NetworkOrder,
  learnt: Learnt,
  taken_before: readonly string[],
  now: Date,
): PayoutUpdate {
  const is_open = openStates.includes(recipient.state)
  const update = decideOrder(order, { ...learnt, answer: agreedAnswer(recipient, learnt.answer) }, now, is_open)
  return { ...update, change: decideRecipient(recipient, update.after, learnt.answer, taken_before) }
}

/** Decides the change of a recipient. @param order its order, as the answer leaves it */
function decideRecipient(
  recipient: RecipientRow,
  order: NetworkOrder,
  answer: OrderAnswer,
  taken_before: readonly string[],
): PayoutChange | undefined {
  const { network_calls, sent, remote_id } = order
  const before = { ...recipient, network_calls, sent_at: sent, remote_id: remote_id ?? recipient.remote_id }
  const { state } = recipient
  const parts = newParts(answer, taken_before)
  const { fee: network_fee } = order
  if (openStates.includes(state)) return { ...decideOpen(before, order, answer, parts), network_fee }
  const change =
    state === 'complete'
      ? decideComplete(before, order, answer, parts)
      : state === 'error' && !isWhollyReversed(recipient)
        ? decideFailed(before, order, answer, parts)
        : undefined
  return change && { ...change, network_fee }
}

/** Answer for the order: an open payout with another amount is not paid, and gets another status query. */
function agreedAnswer({ state, amount }: RecipientRow, answer: OrderAnswer): OrderAnswer {
  const differs = answer.outcome === 'successful' && (answer.amount ?? amount) !== amount
  return differs && openStates.includes(state) ? { outcome: 'unknown', message: WRONG_AMOUNT_NOTE } : answer
}

const NO_MONEY = { money: null, reversal: null, late: null } as const
const LATE_NOTE = getMessage('networks.sent_after_failure')
const WRONG_AMOUNT_NOTE = getMessage('networks.other_amount')

/** Decides the first final result of a payout, or its state until then. */
function decideOpen(
  before: RecipientRow,
  order: NetworkOrder,
  answer: OrderAnswer,
  parts: readonly PartialReversal[],
): PayoutChange {
  if (answer.outcome === 'failed')
    return { before, after: { ...before, state: 'error', last_error: answer.message }, ...NO_MONEY, money: 'release' }
  // The money came and went before the service knew, so the hold is released.
  if (answer.outcome === 'reversed')
    return {
      before,
      after: { ...before, state: 'error', last_error: answer.message, reversed: true },
      ...NO_MONEY,
      money: 'release',
    }
  if (answer.outcome === 'successful' && (answer.amount ?? before.amount) === before.amount)
    return withReversal(
      {
        before,
        after: { ...before, state: 'complete', last_error: null, remote_transaction_id: idOfMoney(order) },
        ...NO_MONEY,
        money: 'settle',
      },
      parts,
      false,
    )
  return { before, after: waitLonger(before, order, answer), ...NO_MONEY }
}

/** Returns the network's id of the money, or its substitute until then. */
function idOfMoney({ remote_transaction_id, remote_id, reference }: NetworkOrder): string {
  return remote_transaction_id ?? remote_id ?? reference
}

/** A payout without a final result: the hold stays, and the order goes on. */
function waitLonger(recipient: RecipientRow, order: NetworkOrder, { outcome }: OrderAnswer): RecipientRow {
  if (outcome === 'accepted') return { ...recipient, state: 'pending_confirmation', last_error: null }
  if (order.state === 'new') return { ...recipient, state: 'processing', last_error: order.message }
  const is_long = order.attention !== null || order.network_calls > retrySchedules.payout_check.waits_s.length
  // The network may have sent the money, so the hold stays and nothing is sent again.
  return { ...recipient, state: is_long ? 'parked' : recipient.state, last_error: order.attention ?? order.message }
}

/** A payout that had arrived: everything or parts of it may come back, and its id may come later. */
function decideComplete(
  before: RecipientRow,
  order: NetworkOrder,
  answer: OrderAnswer,
  parts: readonly PartialReversal[],
): PayoutChange | undefined {
  if (answer.outcome === 'reversed')
    return withReversal({ before, after: { ...before, last_error: answer.message }, ...NO_MONEY }, parts, true)
  const after = fillInId(before, order)
  const change = withReversal({ before, after, ...NO_MONEY }, parts, false)
  return change.reversal || after !== before ? change : undefined
}

/** Replaces the substitute for the network's id of the money by the id, once the network has said it. */
function fillInId(recipient: RecipientRow, order: NetworkOrder): RecipientRow {
  const { remote_transaction_id: said, remote_id, reference } = order
  const substitutes: (string | null)[] = [reference, remote_id]
  const is_real = said !== null && !substitutes.includes(said)
  return is_real && substitutes.includes(recipient.remote_transaction_id)
    ? { ...recipient, remote_transaction_id: said }
    : recipient
}

/** A payout that had failed, so that its money was released: the network may have sent it all the same. */
function decideFailed(
  before: RecipientRow,
  order: NetworkOrder,
  answer: OrderAnswer,
  parts: readonly PartialReversal[],
): PayoutChange | undefined {
  // It was sent and has come back: the wallet has its money. A success that is reported later must not take it again.
  if (answer.outcome === 'reversed') return { before, after: { ...before, reversed: true }, ...NO_MONEY }
  if (answer.outcome !== 'successful') return undefined
  const amount = answer.amount ?? before.amount
  const booked = amount === before.amount
  const late = { amount, booked }
  if (!booked) {
    // Said once; a person looks into it.
    if (before.last_error === WRONG_AMOUNT_NOTE) return undefined
    return { before, after: { ...before, last_error: WRONG_AMOUNT_NOTE }, ...NO_MONEY, late }
  }
  const after: RecipientRow = {
    ...before,
    state: 'complete',
    last_error: LATE_NOTE,
    remote_transaction_id: idOfMoney(order),
  }
  return withReversal({ before, after, money: 'retake', reversal: null, late }, parts, false)
}

/** Adds the reversed money to the change of a payout that has arrived. */
function withReversal(change: PayoutChange, parts: readonly PartialReversal[], everything: boolean): PayoutChange {
  const { after } = change
  const { taken, left } = takeParts(after.amount - after.reversed_in_parts, parts)
  if (taken.length === 0 && !everything) return change
  const whole = everything || left === 0n
  const reversed_in_parts = taken.reduce((sum, { amount }) => sum + amount, after.reversed_in_parts)
  const came_back = everything ? after.last_error : describePart(reversed_in_parts, after.amount)
  return {
    ...change,
    after: {
      ...after,
      reversed_in_parts,
      reversed: whole,
      state: whole ? 'error' : after.state,
      last_error: came_back,
    },
    reversal: { parts: taken, rest: everything ? left : 0n, whole },
  }
}

function describePart(reversed: Amount, amount: Amount): string {
  return reversed === amount
    ? getMessage('networks.taken_back')
    : getMessage('networks.part_taken_back', { reversed: displayAmount(reversed), amount: displayAmount(amount) })
}

/** The parts that an answer names and that were not reversed before, each once. */
function newParts(answer: OrderAnswer, taken_before: readonly string[]): PartialReversal[] {
  const reported = answer.outcome === 'successful' && 'reversals' in answer ? (answer.reversals ?? []) : []
  const distinct = new Map(reported.map((part) => [part.remote_id, part]))
  for (const remote_id of taken_before) distinct.delete(remote_id)
  return [...distinct.values()]
}
