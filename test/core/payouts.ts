import type { LearntOrder, NetworkOrder, OrderAnswer } from '../../src/core/connections/network-orders.ts'
import { type PayoutTraits, startPayouts } from '../../src/core/payments/payouts.ts'
import { type Settlement, settle } from '../../src/core/settlements/settle.ts'
import { begin } from '../../src/db/client.ts'
import type { Shop } from './shop.ts'

const TRAITS: PayoutTraits = { reference: 'uuid-v4', refund_reference: null, refunds_parts: true }

/** The connections that send money in these tests. */
export const SENDERS = new Map([['sandbox', TRAITS]])

/** An answer about the order of a payout. */
export function answerTo(order: NetworkOrder, answer: OrderAnswer, source: LearntOrder['source'] = 'callback') {
  const rules = { repeat: 'same-answer', unseen: 'certain', in_flight_s: 20 } as const
  const { connection: slug } = order
  return { order, answer, source, rules, network: { slug, code: slug, name: slug } } satisfies LearntOrder
}

/** Start the payouts of these recipients, without a call to the network. */
export function startPayoutsOf({ testApp }: Pick<Shop, 'testApp'>, recipients: readonly number[]) {
  return begin(testApp.db, (tx) => startPayouts(tx, testApp.clock.now(), recipients, SENDERS))
}

/** Apply answers one after the other. @returns the payouts that were sent after a failure */
export async function applyEach({ testApp }: Pick<Shop, 'testApp'>, answers: readonly LearntOrder[]) {
  const late: Settlement['late_payouts'][number][] = []
  for (const answer of answers)
    late.push(...(await begin(testApp.db, (tx) => settle(tx, testApp.clock.now(), [answer]))).late_payouts)
  return late
}
