import { type AnyNetworkDriver, defineNetwork } from '../contract.ts'
import { askBalances, readBalances } from './accounts.ts'
import { callbackReply, prepareCallback, readCallback, registeredAddresses } from './callbacks.ts'
import { testConnection } from './checks.ts'
import { beginOperation, CALL_S } from './client.ts'
import { PROMPT_S } from './codes.ts'
import { openCallbackKeys } from './keys.ts'
import { chargeAsk, openOrders, payoutAsk, refundAsk } from './orders.ts'
import { environments, places } from './places.ts'
import { openProviders, statedLimits } from './providers.ts'
import { checkSettings, type PawapayConnection, settings } from './settings.ts'

/**
 * pawaPay, which carries the mobile money of about forty providers in twenty countries over one API (version 2). See
 * docs/networks/pawapay.md for details and sources.
 */
export const pawapay: AnyNetworkDriver = defineNetwork({
  code: 'pawapay',
  name: 'pawaPay',
  settings,
  environments,
  places,
  // The statement of a wallet in the dashboard (docs.pawapay.io/dashboard/finances/statements). Its times are in UTC.
  portal: {
    zone: 'UTC',
    titles: {
      remote_id: ['Financial Transaction ID', 'Transaction ID'],
      paid_at: ['Creation Date'],
      direction: ['Type'],
      details: ['Type'],
      phonenumber: ['MSISDN'],
    },
    states: {
      successful: ['completed'],
      pending: ['accepted', 'enqueued', 'submitted', 'processing', 'in reconciliation'],
      failed: ['failed', 'rejected', 'duplicate ignored'],
    },
    directions: {
      received: ['deposit', 'top up', 'split deposit'],
      sent: ['payout', 'refund', 'remittance', 'withdrawal', 'fee', 'deposit fee', 'payout fee'],
    },
    charges: /(?:^|[^a-z])fees?$/i,
  },
  traits: {
    reference: 'uuid-v4',
    // DUPLICATE_IGNORED: the first order under an id stands.
    repeat: 'same-answer',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    // pawaPay asks its customers to wait this long before an id counts as never received.
    in_flight_s: 900,
    prompt_s: PROMPT_S,
    call_s: CALL_S,
    // Close together while the customer looks at the prompt, once more when it is over, and then rarely.
    status_waits_s: [5, 10, 15, 30, 60, 60, 60, 75, 300, 900, 3600],
    callbacks: 'signed',
    // Nobody approves them, so they end within seconds.
    payout: { status_waits_s: [3, 5, 15, 30, 60, 60, 60, 60, 600, 3600] },
    refund: { status_waits_s: [3, 5, 15, 30, 60, 60, 60, 60, 600, 3600] },
  },
  registered_addresses: registeredAddresses,
  checkSettings,
  open(connection: PawapayConnection, tools) {
    const providers = openProviders(tools)
    const orders = openOrders(connection, tools, providers)
    const operation = () => beginOperation(connection, tools)
    const keys = openCallbackKeys(connection.settings.callback_public_key, tools, () => fetchKeys(operation()))
    return {
      charge: (order) => orders.send(chargeAsk(order)),
      chargeStatus: (order) => orders.status(chargeAsk(order)),
      async payout(payout) {
        if (payout.kind === 'airtime')
          return { outcome: 'failed', reason: 'not_allowed', message: 'pawaPay pays out money, not airtime.' }
        return orders.send(payoutAsk(payout))
      },
      payoutStatus: (payout) => orders.status(payoutAsk(payout)),
      refund: (refund) => orders.send(refundAsk(refund)),
      refundStatus: (refund) => orders.status(refundAsk(refund)),
      limits: (place) => statedLimits(operation(), providers, place),
      balance: async () => readBalances(await askBalances(operation())),
      test: () => testConnection(connection, tools),
      prepareCallback: (callback) => prepareCallback(keys, callback),
      readCallback: (callback) => readCallback(callback, keys, tools),
      callbackReply: () => callbackReply,
    }
  },
})

async function fetchKeys(client: ReturnType<typeof beginOperation>) {
  const reply = await client.call({ verb: 'public keys', method: 'GET', path: '/v2/public-key/http' })
  return reply.outcome === 'answered' ? reply : undefined
}
