import { getMessage } from '../../lib/messages/message.ts'
import {
  type AnyNetworkDriver,
  type BalanceAnswer,
  type DriverTools,
  defineNetwork,
  type NetworkOperations,
} from '../contract.ts'
import { askBalance, findHolder, findTransaction, readBalance } from './accounts.ts'
import { describe, unknown } from './answers.ts'
import { chargeAsk, payoutAsk, refundAsk } from './asks.ts'
import { callbackReply, readCallback } from './callbacks.ts'
import { testConnection } from './checks.ts'
import { beginOperation, CALL_S, type Client } from './client.ts'
import { askStatus, send, toOrderAnswer, toSent } from './orders.ts'
import { environments, places } from './places.ts'
import { checkSettings, type GsmaConnection, settings } from './settings.ts'
import { statement } from './statement.ts'

/**
 * Any provider that speaks the GSMA Mobile Money API 1.2. Charges are merchant payments, payouts are disbursements, and
 * refunds are reversals or adjustments. docs/networks/gsma-momo.md has the sources and the points that the standard
 * leaves open.
 */
export const gsmaMomo: AnyNetworkDriver = defineNetwork({
  code: 'gsma-momo',
  name: 'GSMA Mobile Money API',
  settings,
  environments,
  places,
  // Exports that name their columns as the fields of the standard.
  portal: {
    titles: {
      remote_id: ['Transaction Reference'],
      paid_at: ['Creation Date', 'Request Date'],
      status: ['Transaction Status'],
      details: ['Type', 'Sub Type', 'Description Text'],
      payer: ['Debit Party', 'Sender'],
      payee: ['Credit Party', 'Receiver'],
      reversal_of: ['Original Transaction Reference'],
    },
    states: {
      pending: ['created', 'pending', 'inprogress', 'under review'],
      failed: ['failed', 'declined', 'cancelled'],
    },
  },
  traits: {
    reference: 'uuid-v4',
    // The provider answers duplicateRequest. The driver then queries the order and returns its state.
    repeat: 'refused',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    // A lost order is found when it has become a transaction, which may be as late as the end of a prompt.
    in_flight_s: 900,
    prompt_s: 300,
    call_s: CALL_S,
    // A provider may limit the queries about one request, so they become rare.
    status_waits_s: [5, 10, 15, 30, 60, 90, 105, 300, 900, 3600],
    callbacks: 'unsigned',
    // Nobody approves them, so they end within seconds.
    payout: { status_waits_s: [3, 5, 15, 30, 60, 180, 600, 3600] },
    refund: { status_waits_s: [3, 5, 15, 30, 60, 180, 600, 3600] },
  },
  secret_fields: ['authorization', 'x-api-key', 'x-user-bearer', 'x-user-credential-1', 'x-user-credential-2'],
  checkSettings,
  open: (connection) => ({
    ...orderOperations(connection),
    accountHolder: (phonenumber, tools) => findHolder(beginOperation(connection, tools), phonenumber),
    transaction: ({ remote_id }, tools) => findTransaction(beginOperation(connection, tools), remote_id),
    balance: (tools) => balance(beginOperation(connection, tools)),
    // Each page gets the time limit of an operation.
    statement: (period, tools) => statement(() => beginOperation(connection, tools), period),
    test: (tools) => testConnection(connection, tools),
    readCallback,
    callbackReply: () => callbackReply,
  }),
})

function orderOperations(connection: GsmaConnection): NetworkOperations {
  const { settings: given } = connection
  const newClient = (tools: DriverTools) => beginOperation(connection, tools)
  return {
    charge: async (order, tools) =>
      toOrderAnswer(toSent(await send(newClient(tools), chargeAsk(order, given, tools.now())))),
    chargeStatus: async (order, tools) =>
      toOrderAnswer(await askStatus(newClient(tools), chargeAsk(order, given, tools.now()))),
    async payout(payout, tools) {
      if (payout.kind === 'airtime')
        return { outcome: 'failed', reason: 'not_allowed', message: getMessage('gsma.pays_out_money') }
      return toSent(await send(newClient(tools), payoutAsk(payout, given, tools.now())))
    },
    payoutStatus: (payout, tools) => askStatus(newClient(tools), payoutAsk(payout, given, tools.now())),
    refund: async (refund, tools) => toSent(await send(newClient(tools), refundAsk(refund, given, tools.now()))),
    refundStatus: (refund, tools) => askStatus(newClient(tools), refundAsk(refund, given, tools.now())),
  }
}

async function balance(client: Client): Promise<BalanceAnswer> {
  const reply = await askBalance(client)
  if (reply.outcome === 'unknown') return reply
  const found = readBalance(reply)
  return found
    ? { outcome: 'found', balances: [found] }
    : unknown(getMessage('gsma.balance_cannot_read', { answer: describe(reply) }))
}
