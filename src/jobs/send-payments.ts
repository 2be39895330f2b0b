import type { App } from '../app.ts'
import {
  beginPayouts,
  claimDueRecipients,
  nextDueRecipient,
  type PayoutAnswer,
  type PayoutStep,
  settlePayouts,
} from '../core/payouts.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import type { Check } from '../networks/network.ts'
import { ask } from './ask.ts'
import { settleTogether } from './settle-together.ts'
import { timesOf } from './times.ts'

/** Sends payments recipient by recipient: writes each order down, gives it to its network, settles what that says. */
export function sendPayments(app: App): Job<number> {
  const senders = new Set(app.networks.filter((network) => network.sendMoney).map((network) => network.code))
  return {
    name: 'send-payments',
    limit: 100,
    lanes: 2,
    claim: (limit) => begin(app.db, (tx) => claimDueRecipients(tx, timesOf(app), limit)),
    nextDue: () => nextDueRecipient(app.db, app.clock.real()),
    async run(ids) {
      const steps = await begin(app.db, (tx) => beginPayouts(tx, app.clock.now(), ids, senders))
      const answers = await Promise.all(steps.map((step) => take(app, step)))
      await settleTogether(answers, (some) => begin(app.db, (tx) => settlePayouts(tx, app.clock.now(), some)))
      // Whatever has changed is to be told by webhook.
      app.wake()
    },
  }
}

/** Talks to the network. A payout that it has never heard of is sent once more, under the same reference. */
async function take(app: App, step: PayoutStep): Promise<PayoutAnswer> {
  const network = networkByCode(app.networks, step.network)!
  const answer = await ask(app, network, async (): Promise<Check> => {
    const first: Check = await (step.action === 'send'
      ? network.sendMoney!(step.payout)
      : network.checkPayout!(step.payout))
    return first.outcome === 'not_found' ? network.sendMoney!(step.payout) : first
  })
  return { step, answer }
}
