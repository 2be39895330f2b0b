import type { App } from '../app.ts'
import {
  applyPayoutAnswers,
  claimDueRecipients,
  dispatchPayouts,
  nextDueRecipient,
  type PayoutAction,
  type PayoutAnswer,
} from '../core/payments/payouts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import type { PayoutCheck } from '../networks/network.ts'
import { applyInBatch } from './apply-in-batch.ts'
import { callNetwork } from './call-network.ts'
import { leaseTimes } from './lease-times.ts'

/** Sends payments, recipient by recipient: records each payout, gives it to its network, applies the answer. */
export function sendPayments(app: App): Job<ClaimedRecipient> {
  const senders = new Set(app.networks.filter((network) => network.sendMoney).map((network) => network.code))
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
      const apply = (batch: readonly PayoutAnswer[]) =>
        begin(app.db, (tx) => applyPayoutAnswers(tx, app.clock.now(), batch))
      await applyInBatch(answers, apply, app.log)
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
 * Sends the payout to the network or asks about it. A payout that the network does not know is sent once more, under the
 * same reference. If the lease has ended another process may have claimed the recipient, so nothing is sent or returned.
 */
async function runAction(app: App, action: PayoutAction, leaseEnded: () => boolean): Promise<PayoutAnswer | undefined> {
  const { payout } = action
  const network = networkByCode(app.networks, action.network)!
  const send = () =>
    callNetwork(app, network, { call: 'sendMoney', reference: payout.reference }, () => network.sendMoney!(payout))
  const check = (): Promise<PayoutCheck> =>
    callNetwork(app, network, { call: 'checkPayout', reference: payout.reference }, () => network.checkPayout!(payout))
  if (leaseEnded()) return undefined
  const first = await (action.action === 'send' ? send() : check())
  if (first.outcome !== 'not_found') return { action, answer: first }
  return leaseEnded() ? undefined : { action, answer: await send() }
}
