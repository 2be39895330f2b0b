import { type AnyNetworkDriver, type DriverTools, defineNetwork } from '../contract.ts'
import { askBalances, readBalances } from './accounts.ts'
import { callbackReply, prepareCallback, readCallback, registeredAddresses } from './callbacks.ts'
import { testConnection } from './checks.ts'
import { beginOperation, CALL_S, type Client } from './client.ts'
import { PROMPT_S } from './codes.ts'
import { type FetchKeys, openCallbackKeys } from './keys.ts'
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
  open(connection: PawapayConnection, opening) {
    const providers = openProviders(opening)
    const orders = (tools: DriverTools) => openOrders(connection, tools, providers)
    const client = (tools: DriverTools) => beginOperation(connection, tools)
    const keys = openCallbackKeys(connection.settings.callback_public_key, opening)
    return {
      charge: (order, tools) => orders(tools).send(chargeAsk(order)),
      chargeStatus: (order, tools) => orders(tools).status(chargeAsk(order)),
      async payout(payout, tools) {
        if (payout.kind === 'airtime')
          return { outcome: 'failed', reason: 'not_allowed', message: 'pawaPay pays out money, not airtime.' }
        return orders(tools).send(payoutAsk(payout))
      },
      payoutStatus: (payout, tools) => orders(tools).status(payoutAsk(payout)),
      refund: (refund, tools) => orders(tools).send(refundAsk(refund)),
      refundStatus: (refund, tools) => orders(tools).status(refundAsk(refund)),
      limits: (place, tools) => statedLimits(client(tools), providers, place),
      balance: async (tools) => readBalances(await askBalances(client(tools))),
      test: (tools) => testConnection(connection, tools),
      prepareCallback: (callback, tools) => prepareCallback(keys, callback, () => fetchKeys(client(tools))),
      readCallback: (callback) => readCallback(callback, keys, opening),
      callbackReply: () => callbackReply,
    }
  },
})

async function fetchKeys(client: Client): ReturnType<FetchKeys> {
  const reply = await client.call({ verb: 'public keys', method: 'GET', path: '/v2/public-key/http' })
  return reply.outcome === 'answered' ? reply : undefined
}
