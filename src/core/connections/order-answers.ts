import { formatAmount } from '../../lib/money.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import type { AnswerInRow } from './network-order.ts'
import type { Learnt, OrderAnswer, VendNews } from './order-outcomes.ts'

/**
 * Numbers of answers that a row keeps: the first ones, which tell how the order began, and the newest. A network that says by
 * turns that it has an order and that it does not know it is asked every hour for as long as the order is open, and a row
 * that grew with each answer would be written whole each time. A gap in the numbers tells how many are left out.
 */
const FIRST_KEPT = 10
const NEWEST_KEPT = 10

/**
 * Adds what was learnt to the answers of an order if its outcome is not the last one.
 * @param answers the answers in the row, which is locked
 */
export function addAnswer(
  answers: readonly AnswerInRow[],
  { source, answer }: Learnt<OrderAnswer | VendNews>,
  now: Date,
): readonly AnswerInRow[] {
  const { outcome } = answer
  if (outcome === 'prepared' || outcome === 'asked' || outcome === 'not_asked') return answers
  const last = answers.at(-1)
  if (last?.[3] === outcome) return answers
  const added: AnswerInRow = [(last?.[0] ?? 0) + 1, now.getTime(), source, outcome, ...detailsOf(answer)]
  const kept = answers.length < FIRST_KEPT + NEWEST_KEPT ? answers : answers.toSpliced(FIRST_KEPT, 1)
  return [...kept, added]
}

function detailsOf(answer: OrderAnswer | VendNews): (string | null)[] {
  const amount = 'amount' in answer ? answer.amount : undefined
  const details = [
    'remote_id' in answer ? answer.remote_id : undefined,
    amount === undefined ? undefined : formatAmount(amount),
    'code' in answer ? answer.code : undefined,
    'message' in answer ? answer.message : undefined,
    answer.outcome === 'failed' ? answer.reason : undefined,
  ].map((detail) => (detail === undefined || detail === null ? null : toStorableText(detail)))
  return details.slice(0, details.findLastIndex((detail) => detail !== null) + 1)
}
