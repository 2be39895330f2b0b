import type { PartialReversal, Payout, PayoutCheck } from '../../lib/adapter-types.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { takeParts } from '../ledger/partial-reversals.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { hasComeBack, openStates, type RecipientRow } from './payments.ts'

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
 * complete becomes error if the network reverses the payout; a part that comes back leaves it complete. error becomes
 * complete if the network has sent the money after it had reported a failure (docs/decisions/0019). No other final state
 * changes.
 */

/** A call to a network between two transactions: send a payout, or ask for its status. */
export interface PayoutAction {
  action: 'send' | 'check'
  /** The code of the network. */
  network: string
  /** The slug of the connection. */
  connection: string
  recipient: number
  payout: Payout
  /** When the payout was sent last. */
  sent_at: Date
  /** For a check: whether `not_found` would prove that the payout never arrived, because it can no longer be on its way. */
  not_found_is_certain: boolean
}

/** The answer of a network to one action. */
export interface PayoutAnswer {
  action: PayoutAction
  answer: PayoutCheck
}

/** What the answers about one recipient change. */
export interface PayoutChange {
  before: RecipientRow
  after: RecipientRow
  /**
   * What happens to its money. settle: the hold is spent. release: the hold goes back to the wallet. retake: it went back
   * before, and is spent from the wallet now.
   */
  money: 'settle' | 'release' | 'retake' | null
  /** What came back: parts, and the rest if everything did (`whole`). */
  reversal: { parts: readonly PartialReversal[]; rest: Amount; whole: boolean } | null
  /** The network has sent the money after it had reported a failure. `booked`: it is the amount that was ordered. */
  late: { amount: Amount; booked: boolean } | null
}

/** Whether money has moved, here or at the network only. */
export function hasMovedMoney({ money, reversal, late }: PayoutChange): boolean {
  return money !== null || reversal !== null || late !== null
}

/**
 * Decides what the answers about one recipient change. Of several answers the most final one counts, with the parts that any
 * of them names.
 * @param taken_before the ids of the parts that were taken back before
 * @returns undefined if nothing changes
 */
export function decidePayout(
  recipient: RecipientRow,
  answers: readonly PayoutAnswer[],
  taken_before: readonly string[],
  now: Date,
): PayoutChange | undefined {
  const [first] = answers.toSorted(byFinality)
  const { action, answer } = first!
  const { state } = recipient
  if (openStates.includes(state)) return decideOpen(recipient, action, answer, newParts(answers, taken_before), now)
  if (state === 'complete') return decideComplete(recipient, answer, newParts(answers, taken_before))
  return state === 'error' && !hasComeBack(recipient)
    ? decideFailed(recipient, answer, newParts(answers, taken_before))
    : undefined
}

const NO_MONEY = { money: null, reversal: null, late: null } as const
const LATE_NOTE = 'The network sent the money after it had reported a failure.'
const WRONG_AMOUNT_NOTE = 'The network reports a different amount.'

/** The first final result of a payout, or when to ask again. */
function decideOpen(
  before: RecipientRow,
  action: PayoutAction,
  answer: PayoutAnswer['answer'],
  parts: readonly PartialReversal[],
  now: Date,
): PayoutChange {
  const ended = { ...before, due_at: null }
  if (answer.outcome === 'failed')
    return { before, after: { ...ended, state: 'error', last_error: answer.message }, ...NO_MONEY, money: 'release' }
  // The money came and went before the service knew, so the hold goes back.
  if (answer.outcome === 'reversed')
    return {
      before,
      after: { ...ended, state: 'error', last_error: answer.message, reversed: true },
      ...NO_MONEY,
      money: 'release',
    }
  if (answer.outcome === 'successful' && (answer.amount ?? before.amount) === before.amount)
    return withReversal(
      {
        before,
        after: {
          ...ended,
          state: 'complete',
          last_error: null,
          remote_transaction_id: answer.remote_id ?? before.remote_id,
        },
        ...NO_MONEY,
        money: 'settle',
      },
      parts,
      false,
    )
  return { before, after: waitLonger(before, action, answer, now), ...NO_MONEY }
}

/** A payout without a final result: the hold stays, and the network is asked again. */
function waitLonger(
  recipient: RecipientRow,
  action: PayoutAction,
  answer: PayoutAnswer['answer'],
  now: Date,
): RecipientRow {
  const due_at = nextAttemptAt(now, retrySchedules.payout_check, recipient.network_calls)
  if (answer.outcome === 'accepted')
    return { ...recipient, due_at, state: 'pending_confirmation', last_error: null, remote_id: answer.remote_id }
  // Another process may have sent it once more since this check began.
  const is_newest = recipient.sent_at?.getTime() === action.sent_at.getTime()
  if (answer.outcome === 'not_found' && action.not_found_is_certain && is_newest)
    return {
      ...recipient,
      due_at: now,
      sent_at: null,
      last_error: 'The payout did not arrive at the network. It is sent again.',
    }
  const last_error =
    answer.outcome === 'successful'
      ? WRONG_AMOUNT_NOTE
      : answer.outcome === 'unknown'
        ? answer.message
        : 'The network does not know this payout yet.'
  // The network may have sent the money, so the hold stays and nothing is sent again.
  const state = recipient.network_calls > retrySchedules.payout_check.waits_s.length ? 'parked' : recipient.state
  return { ...recipient, due_at, last_error, state }
}

/** A payout that had arrived: everything or parts of it may come back. */
function decideComplete(
  before: RecipientRow,
  answer: PayoutAnswer['answer'],
  parts: readonly PartialReversal[],
): PayoutChange | undefined {
  if (answer.outcome === 'reversed')
    return withReversal({ before, after: { ...before, last_error: answer.message }, ...NO_MONEY }, parts, true)
  const change = withReversal({ before, after: before, ...NO_MONEY }, parts, false)
  return change.reversal ? change : undefined
}

/** A payout that had failed, so that its money went back: the network may have sent it all the same. */
function decideFailed(
  before: RecipientRow,
  answer: PayoutAnswer['answer'],
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
    remote_transaction_id: answer.remote_id ?? before.remote_id,
  }
  return withReversal({ before, after, money: 'retake', reversal: null, late }, parts, false)
}

/** Adds to the change of a payout that has arrived what came back of it. */
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
    ? 'The network has taken the money back.'
    : `The network has taken back ${displayAmount(reversed)} of ${displayAmount(amount)}.`
}

/** The parts that these answers name and that were not taken before, each once. */
function newParts(answers: readonly PayoutAnswer[], taken_before: readonly string[]): PartialReversal[] {
  const reported = answers.flatMap(({ answer }) => (answer.outcome === 'successful' ? (answer.reversals ?? []) : []))
  const distinct = new Map(reported.map((part) => [part.remote_id, part]))
  for (const remote_id of taken_before) distinct.delete(remote_id)
  return [...distinct.values()]
}

function byFinality(one: PayoutAnswer, other: PayoutAnswer): number {
  const rank = ({ answer }: PayoutAnswer) =>
    ['reversed', 'successful', 'failed', 'accepted', 'unknown', 'not_found'].indexOf(answer.outcome)
  return rank(one) - rank(other)
}
