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

/** Sends payments recipient by recipient: writes each order down, gives it to its network, settles what that says. */
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
      const steps = await begin(app.db, (tx) => dispatchPayouts(tx, app.clock.now(), ids, senders))
      const isOver = () => claimed.some(({ leased_until }) => leased_until <= app.clock.real())
      const taken = await Promise.all(steps.map((step) => runAction(app, step, isOver)))
      const answers = taken.filter((answer) => answer !== undefined)
      await applyInBatch(answers, (some) => begin(app.db, (tx) => applyPayoutAnswers(tx, app.clock.now(), some)))
      // Whatever has changed is to be told by webhook.
      app.wake()
    },
  }
}

/** A recipient in hand, and until when. */
interface ClaimedRecipient {
  id: number
  leased_until: Date
}

/**
 * Talks to the network. A payout that it has never heard of is sent once more, under the same reference. A process that
 * stood still until its lease was over leaves the payout to whoever has it now, and says nothing about it.
 */
async function runAction(app: App, step: PayoutAction, isOver: () => boolean): Promise<PayoutAnswer | undefined> {
  const network = networkByCode(app.networks, step.network)!
  const send = () => network.sendMoney!(step.payout)
  if (isOver()) return undefined
  const first: PayoutCheck = await callNetwork(app, network, () =>
    step.action === 'send' ? send() : network.checkPayout!(step.payout),
  )
  if (first.outcome !== 'not_found') return { action: step, answer: first }
  return isOver() ? undefined : { action: step, answer: await callNetwork(app, network, send) }
}
