import { getMessage } from '../../lib/messages/message.ts'
import { type DriverTools, defineNetwork, type OpenedConnection } from '../contract.ts'
import { balance, findHolder } from './accounts.ts'
import { callbackReply, readCallback } from './callbacks.ts'
import { test } from './checks.ts'
import { CALL_S, createClient, openKeys } from './client.ts'
import { charge, chargeStatus, refund, refundStatus } from './collections.ts'
import { payout, payoutStatus } from './payouts.ts'
import { countries, environmentNames, environments, places } from './places.ts'
import { type AirtelSettings, settings } from './settings.ts'
import { statement } from './statement.ts'

/**
 * Airtel Money in fourteen countries of Africa, over the Open API. What it does and where it is doubtful is in
 * docs/networks/airtel-money.md.
 */
export const airtelMoney = defineNetwork({
  code: 'airtel-money',
  name: 'Airtel Money',
  settings,
  environments,
  places,
  // The two reports of the merchant portal, with five or six lines above the table.
  portal: {
    titles: {
      remote_id: ['Transaction ID', 'Airtel Money ID'],
      amount: ['Transaction Amount', 'Amount'],
      paid_at: ['Transaction Date & Time', 'Transaction Date and Time', 'Transaction Date'],
      status: ['Transaction Status', 'Status'],
      direction: ['Transaction Type'],
      details: ['Service Name', 'Transaction Type'],
      payer: ['Payer Mobile Number', 'Payer MSISDN', 'Sender Msisdn'],
      payer_name: ['Payer Name', 'Sender Name'],
      payee: ['Payee Mobile Number', 'Payee MSISDN', 'Receiver Msisdn'],
      payee_name: ['Payee Name', 'Receiver Name'],
      fee: ['Service Charge', 'Transaction Charge'],
    },
    states: {
      successful: ['ts', 'transaction success', 'transaction successful'],
      failed: ['tf', 'transaction failed', 'te', 'transaction expired'],
      pending: ['tip', 'ta', 'transaction in progress', 'transaction ambiguous'],
    },
    // MR is received by the merchant, MP paid by the merchant, SCP the service charge of either.
    directions: { received: ['mr', 'merchant receipt'], sent: ['mp', 'merchant payment', 'scp'] },
    charges: /^scp$|\bcharges?$/i,
  },
  traits: {
    reference: 'alphanumeric-25',
    repeat: 'refused',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    in_flight_s: 180,
    prompt_s: 180,
    call_s: CALL_S,
    // Airtel requires its partners to wait three minutes. A callback causes the first status query earlier.
    status_waits_s: [180, 60, 60, 60, 300, 900, 3600],
    callbacks: 'signed',
    // Nobody types a PIN, so payouts and refunds end soon.
    payout: { status_waits_s: [5, 15, 60, 60, 60, 60, 600, 3600] },
    // Nothing proves that a refund never arrived, and the effect of a second call is undocumented.
    refund: {
      refunds: 'full',
      repeat: 'charges-again',
      unseen: 'never-certain',
      status_waits_s: [15, 60, 300, 3600],
    },
  },
  checkSettings,
  open(connection, opening) {
    const keys = openKeys()
    const client = (tools: DriverTools) => createClient(connection, tools, keys)
    const { pin, callback_key } = connection.settings
    const wrong_hash = () => opening.alarm(getMessage('airtel.hash_callback_wrong'))
    return {
      charge: (order, tools) => charge(client(tools), order),
      chargeStatus: (order, tools) => chargeStatus(client(tools), order),
      ...(pin && {
        payout: (order, tools) => payout(client(tools), order, pin),
        payoutStatus: (order, tools) => payoutStatus(client(tools), order),
      }),
      refund: (order, tools) => refund(client(tools), order),
      refundStatus: (order, tools) => refundStatus(client(tools), order),
      accountHolder: (phonenumber, tools) => findHolder(client(tools), phonenumber),
      balance: (tools) => balance(client(tools)),
      statement: (period, tools) => statement(client(tools), period),
      test: (tools) => test(client(tools)),
      readCallback: (callback) => readCallback(callback, callback_key, wrong_hash),
      callbackReply: () => callbackReply,
    }
  },
})

function checkSettings({ environment, settings }: OpenedConnection<AirtelSettings>): Record<string, string> {
  const { country, currency } = settings
  const { name, currencies } = countries[country]!
  const wrong: Record<string, string> = {}
  if (currency !== undefined && !currencies.includes(currency))
    wrong.currency = getMessage('airtel.currencies_of_country', { name, list: currencies.join(' and ') })
  if (!environmentNames(country).includes(environment))
    wrong.country = getMessage('airtel.environment_belongs_another', {
      environment,
      list: environmentNames(country).join(', '),
    })
  return wrong
}
