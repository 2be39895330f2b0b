import type { App } from '../app.ts'
import { type Connection, canDo, traitsOf } from '../connections/connection.ts'
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
import type { StatusAnswer } from '../networks/contract.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { applyPayouts } from './shared/apply-payouts.ts'
import { callNetwork } from './shared/call-network.ts'
import { LEASE_MS, leaseTimes } from './shared/lease-times.ts'

/** Sends payments, recipient by recipient: records each payout, gives it to its network, applies the answer. */
export function sendPayments(app: App): Job<ClaimedRecipient> {
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
      const actions = await begin(app.db, (tx) => dispatchPayouts(tx, app.clock.now(), ids, readTraits(app)))
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
  const connection = app.connections.find(action.connection)!
  const call = action.action === 'send' ? 'payout' : 'payoutStatus'
  const about = { call, reference: payout.reference } as const
  const answer = await callNetwork<StatusAnswer>(app, connection, about, () => connection.operations[call]!(payout))
  return { action, answer: answer.outcome === 'asked' ? { outcome: 'unknown', message: 'Asked.' } : answer }
}

/** The traits of the connections that can send money, by their slugs. */
function readTraits(app: App): Map<string, PayoutTraits> {
  const senders = app.connections.list().filter((connection) => canDo(connection, 'payout'))
  return new Map(senders.map((connection) => [connection.slug, payoutTraitsOf(connection)]))
}

/**
 * A payout may wait in this process until its lease ends before it is sent. From then on it may be on its way for as long as
 * the network says.
 */
function payoutTraitsOf(connection: Connection): PayoutTraits {
  const { unseen, in_flight_s } = traitsOf(connection, 'payout')
  return { in_flight_s: unseen === 'certain' ? in_flight_s + LEASE_MS / 1_000 : null }
}
