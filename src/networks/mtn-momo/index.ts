import type { Order } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import {
  type AnyNetworkDriver,
  type ChargeStatus,
  type DriverTools,
  defineNetwork,
  type NetworkOperations,
} from '../contract.ts'
import { plainText } from '../shared/text.ts'
import { lookUpHolder, readBalances } from './accounts.ts'
import { readCallback } from './callbacks.ts'
import { testConnection } from './checks.ts'
import { beginOperation, CALL_S, type Client } from './client.ts'
import { chargeAsk, openOrders, payoutAsk, refundAsk } from './orders.ts'
import { places, SIMULATED } from './places.ts'
import { provisionConnection } from './provision.ts'
import {
  checkSettings,
  collectionOf,
  disbursementOf,
  type MtnConnection,
  type Product,
  productsOf,
  settings,
} from './settings.ts'

/**
 * MTN MoMo, the Open API of MTN's mobile money in fourteen countries. Charges are requests to pay of the product
 * Collections; payouts and refunds belong to the product Disbursements. See docs/networks/mtn-momo.md for details and
 * sources.
 */
export const mtnMomo: AnyNetworkDriver = defineNetwork({
  code: 'mtn-momo',
  name: 'MTN MoMo',
  settings,
  environments: {
    sandbox: { title: "MTN's sandbox", live: false, hosts: { api: 'https://sandbox.momodeveloper.mtn.com' } },
    production: { title: 'Production', live: true, hosts: { api: 'https://proxy.momoapi.mtn.com' } },
    [SIMULATED]: {
      title: 'Simulated network (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/mtn-momo' },
    },
  },
  places,
  // The export of the partner portal: one line per transaction, below zero where money went out.
  portal: {
    titles: {
      remote_id: ['Id', 'Financial Transaction Id', 'Transaction Id'],
      paid_at: ['Date'],
      details: ['Type'],
      payer: ['From'],
      payer_name: ['From name', 'From handler name'],
      payee: ['To'],
      payee_name: ['To name', 'To handler name'],
      fee: ['Fee'],
    },
    states: { pending: ['created', 'ongoing', 'pending'], failed: ['failed', 'rejected', 'timeout', 'expired'] },
  },
  traits: {
    reference: 'uuid-v4',
    // MTN answers 409. The driver then queries the order and returns its state.
    repeat: 'refused',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    // Longer than a call takes, because the gateway may still hand over a call that we have given up.
    in_flight_s: 180,
    prompt_s: 300,
    call_s: CALL_S,
    // Close together while the customer looks at the prompt, once more when its 5 minutes are over, and then rarely.
    status_waits_s: [5, 10, 15, 30, 60, 60, 60, 75, 300, 900, 3600],
    callbacks: 'unsigned',
    // Nobody approves them, so they end within seconds.
    payout: { status_waits_s: [3, 5, 15, 30, 60, 60, 60, 60, 600, 3600] },
    refund: { status_waits_s: [3, 5, 15, 30, 60, 60, 60, 60, 600, 3600] },
  },
  secret_fields: ['authorization', 'ocp-apim-subscription-key'],
  checkSettings,
  provision: provisionConnection,
  open: (connection) => ({
    ...collectionOperations(connection, collectionOf(connection.settings)),
    ...disbursementOperations(connection, disbursementOf(connection.settings)),
    ...accountOperations(connection, productsOf(connection.settings)),
    test: (tools) => testConnection(connection, tools),
    readCallback,
  }),
})

function collectionOperations(
  connection: MtnConnection,
  product: Product | undefined,
): Pick<NetworkOperations, 'charge' | 'chargeStatus'> {
  if (!product) return {}
  const orders = (tools: DriverTools) => openOrders(connection, tools)
  const thank = openDeliveryMessages(connection, product)
  return {
    charge: (order, tools) => orders(tools).send(chargeAsk(order, product)),
    async chargeStatus(order, tools) {
      const client = beginOperation(connection, tools)
      const answer: ChargeStatus = await orders(tools).status(chargeAsk(order, product), client)
      if (answer.outcome === 'successful') await thank(order, client)
      return answer
    },
  }
}

function disbursementOperations(
  connection: MtnConnection,
  product: Product | undefined,
): Pick<NetworkOperations, 'payout' | 'payoutStatus' | 'refund' | 'refundStatus'> {
  if (!product) return {}
  const orders = (tools: DriverTools) => openOrders(connection, tools)
  const choice = connection.settings.payout_operation
  return {
    async payout(payout, tools) {
      if (payout.kind === 'airtime')
        return { outcome: 'failed', reason: 'not_allowed', message: getMessage('mtn.pays_out_money') }
      return orders(tools).send(payoutAsk(payout, product, choice))
    },
    payoutStatus: (payout, tools) => orders(tools).status(payoutAsk(payout, product, choice)),
    refund: (refund, tools) => orders(tools).send(refundAsk(refund, product)),
    refundStatus: (refund, tools) => orders(tools).status(refundAsk(refund, product)),
  }
}

function accountOperations(
  connection: MtnConnection,
  products: readonly Product[],
): Pick<NetworkOperations, 'accountHolder' | 'balance'> {
  const [product] = products
  if (!product) return {}
  return {
    accountHolder: (phonenumber, tools) => lookUpHolder(connection, tools, product, phonenumber),
    balance: (tools) => readBalances(connection, tools, products),
  }
}

/** Number of payments whose sent message one process remembers. */
const REMEMBERED = 1_000

/**
 * Send the message after a payment, if there is one. Its failure changes nothing: MTN refuses a late one. A process
 * sends it once per payment.
 */
function openDeliveryMessages(connection: MtnConnection, product: Product) {
  const sent = new Set<string>()
  return async ({ reference }: Order, client: Client): Promise<void> => {
    const text = connection.settings.delivery_message
    if (!text || sent.has(reference)) return
    if (sent.size >= REMEMBERED) sent.clear()
    sent.add(reference)
    const message = plainText(text, { punctuation: '-_.,', max: 160, otherwise: 'Thank you' })
    await client.call({
      verb: 'delivery message',
      method: 'POST',
      product,
      path: `/v1_0/requesttopay/${reference}/deliverynotification`,
      headers: { notificationMessage: message },
      body: JSON.stringify({ notificationMessage: message }),
    })
  }
}
