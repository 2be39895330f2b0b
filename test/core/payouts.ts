import type { NetworkOrder, OrderAnswer } from '../../src/core/connections/network-orders.ts'
import type { LatePayout } from '../../src/core/payments/late-payouts.ts'
import {
  applyPayoutAnswers,
  type PayoutAnswer,
  type PayoutTraits,
  startPayouts,
} from '../../src/core/payments/payouts.ts'
import { begin } from '../../src/db/client.ts'
import type { Shop } from './shop.ts'

const TRAITS: PayoutTraits = { reference: 'uuid-v4', refund_reference: null, refunds_parts: true }

/** The connections that send money in these tests. */
export const SENDERS = new Map([['sandbox', TRAITS]])

/** An answer about the order of a payout. */
export function answerTo(order: NetworkOrder, answer: OrderAnswer, source: PayoutAnswer['source'] = 'callback') {
  const rules = { repeat: 'same-answer', unseen: 'certain', in_flight_s: 20 } as const
  return { order, answer, source, rules } satisfies PayoutAnswer
}

/** Start the payouts of these recipients, without a call to the network. */
export function startPayoutsOf({ testApp }: Pick<Shop, 'testApp'>, recipients: readonly number[]) {
  return begin(testApp.db, (tx) => startPayouts(tx, testApp.clock.now(), recipients, SENDERS))
}

/** Apply answers one after the other. @returns the payouts that were sent after a failure */
export async function applyEach({ testApp }: Pick<Shop, 'testApp'>, answers: readonly PayoutAnswer[]) {
  const late: LatePayout[] = []
  for (const answer of answers)
    late.push(...(await begin(testApp.db, (tx) => applyPayoutAnswers(tx, testApp.clock.now(), [answer]))).late)
  return late
}
