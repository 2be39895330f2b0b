import { type Amount, formatAmount } from '../lib/money.ts'
import { type Behaviour, nextReversal } from './behaviours.ts'
import { newRemoteId } from './orders.ts'
import type { StoredReversal } from './wire.ts'

/**
 * Takes back the next part of a payment, or everything that is left of it (`whole`).
 * @returns all parts that were taken back so far
 */
export function takeReversal(
  payment: { amount: Amount; reversals: readonly StoredReversal[] },
  behaviour: Pick<Behaviour, 'reversed_parts' | 'reversed_after_s'>,
  clocks: { now(): Date; real(): Date },
): { reversals: StoredReversal[]; whole: boolean } {
  const { amount, reversals } = payment
  const percent = nextReversal(behaviour, reversals.length)?.percent ?? null
  if (percent === null) return { reversals: [...reversals], whole: true }
  const part: StoredReversal = {
    remote_id: newRemoteId('SBR', clocks.real()),
    amount: formatAmount((amount * percent) / 100n),
    at: clocks.now().toISOString(),
  }
  return { reversals: [...reversals, part], whole: false }
}
