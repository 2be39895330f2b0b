import { type Amount, formatAmount } from '../../lib/money.ts'
import { type Behaviour, nextReversal } from './behaviours.ts'
import type { StoredReversal } from './records.ts'

/**
 * Take back the next part of a payment, or everything that is left of it (`whole`).
 * @param newId makes the network's id of a partial reversal
 * @returns all parts that were taken back so far
 */
export function takeReversal(
  payment: { amount: Amount; reversals: readonly StoredReversal[] },
  behaviour: Pick<Behaviour, 'reversed_parts' | 'reversed_after_s'>,
  now: Date,
  newId: () => string,
): { reversals: StoredReversal[]; whole: boolean } {
  const { amount, reversals } = payment
  const percent = nextReversal(behaviour, reversals.length)?.percent ?? null
  if (percent === null) return { reversals: [...reversals], whole: true }
  const part: StoredReversal = {
    remote_id: newId(),
    amount: formatAmount((amount * percent) / 100n),
    at: now.toISOString(),
  }
  return { reversals: [...reversals, part], whole: false }
}
