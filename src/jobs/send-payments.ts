import type { App } from '../app.ts'
import {
  claimDueRecipients,
  dispatchPayouts,
  nextDueRecipient,
  type PayoutAction,
  type PayoutAnswer,
  type PayoutTraits,
} from '../core/payments/payouts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import type { Network, PayoutCheck } from '../networks/network.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { applyPayouts } from './shared/apply-payouts.ts'
import { callNetwork } from './shared/call-network.ts'
import { LEASE_MS, leaseTimes } from './shared/lease-times.ts'

/** Sends payments, recipient by recipient: records each payout, gives it to its network, applies the answer. */
export function sendPayments(app: App): Job<ClaimedRecipient> {
  const senders = new Map(
    app.networks.filter((network) => network.sendMoney).map((network) => [network.code, traitsOf(network)]),
  )
  return {
    name: 'send-payments',
    limit: 100,
    concurrency: 2,
    async claim(limit) {
      const times = leaseTimes(app)
      const ids = await begin(app.db, (tx) => claimDueRecipients(tx, times, limit))
      return ids.map((id) => ({ id, leased_until: times.lease_end }))
    },
    nextDue: () => nextDueRecipient(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(claimed) {
      const ids = claimed.map(({ id }) => id)
      const actions = await begin(app.db, (tx) => dispatchPayouts(tx, app.clock.now(), ids, senders))
      const leaseEnded = () => claimed.some(({ leased_until }) => leased_until <= app.clock.real())
      const results = await Promise.all(actions.map((action) => runAction(app, action, leaseEnded)))
      const answers = results.filter((answer) => answer !== undefined)
      await applyInBatch(answers, (batch) => applyPayouts(app, batch), app.log)
      // The changes cause webhook deliveries.
      app.wake()
    },
  }
}

/** A claimed recipient, and the end of its lease. */
interface ClaimedRecipient {
  id: number
  leased_until: Date
}

/**
 * Sends the payout to the network or asks about it. If the lease has ended another process may have claimed the recipient, so
 * nothing is sent or returned.
 */
async function runAction(app: App, action: PayoutAction, leaseEnded: () => boolean): Promise<PayoutAnswer | undefined> {
  if (leaseEnded()) return undefined
  const { payout } = action
  const network = networkByCode(app.networks, action.network)!
  const call = action.action === 'send' ? 'sendMoney' : 'checkPayout'
  const about = { call, reference: payout.reference } as const
  return { action, answer: await callNetwork<PayoutCheck>(app, network, about, () => network[call]!(payout)) }
}

/**
 * A payout may wait in this process until its lease ends before it is sent. From then on it may be on its way for as long as
 * the network says.
 */
function traitsOf({ in_flight_s }: Network): PayoutTraits {
  return { in_flight_s: in_flight_s === undefined ? null : in_flight_s + LEASE_MS / 1_000 }
}
