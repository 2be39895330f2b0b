import { type DriverTools, defineNetwork, type NetworkOperations, type OpeningTools } from '../contract.ts'
import { answerValidation, callbackReply, findTransaction, readValidation } from './c2b.ts'
import { readCallback } from './callbacks.ts'
import { charge, chargeStatus } from './charge.ts'
import { setUp, test } from './check.ts'
import { askForBalance, isReceipt, payout, payoutStatus, refund, refundStatus } from './payout.ts'
import { findMoneyOf, readStatement } from './pull.ts'
import { checkDarajaSettings, type DarajaConnection, darajaSettings, initiatorOf } from './settings.ts'

/**
 * M-Pesa in Kenya, through Safaricom's Daraja API. The code is not the name of the network, because Daraja refuses
 * callback addresses that contain it. docs/networks/daraja.md has the sources and the doubtful points.
 */
export const daraja = defineNetwork({
  code: 'daraja',
  name: 'M-Pesa Kenya',
  settings: darajaSettings,
  environments: {
    sandbox: { title: 'Daraja sandbox', live: false, hosts: { api: 'https://sandbox.safaricom.co.ke' } },
    production: { title: 'Production', live: true, hosts: { api: 'https://api.safaricom.co.ke' } },
  },
  places: [
    {
      country: 'KE',
      currency: 'KES',
      limits: { decimals: 0, min: 1_0000n, max: 250_000_0000n },
      payout_limits: { decimals: 0, min: 10_0000n, max: 250_000_0000n },
      // 070-072, 0740-0743, 0745, 0746, 0748, 0757-0759, 0768, 0769, 079 and 011.
      phones: /^\+254(?:7(?:[0129]\d|4[0-3568]|5[7-9]|6[89])\d{6}|11\d{7})$/,
    },
  ],
  traits: {
    reference: 'ascii-12',
    repeat: 'charges-again',
    unseen: 'never-certain',
    asked_by: 'remote_id',
    answers: 'in-reply',
    in_flight_s: 60,
    prompt_s: 60,
    call_s: 40,
    // The prompt is open for a minute, and Daraja counts queries.
    status_waits_s: [20, 25, 30, 60, 120, 300, 900],
    callbacks: 'unsigned',
    payout: {
      reference: 'uuid-v4',
      repeat: 'refused',
      asked_by: 'reference',
      answers: 'by-callback',
      status_waits_s: [60, 180, 600, 1800, 3600],
    },
    refund: {
      refunds: 'full',
      reference: 'uuid-v4',
      repeat: 'refused',
      asked_by: 'remote_id',
      answers: 'by-callback',
      status_waits_s: [60, 180, 600, 1800, 3600],
    },
  },
  // The statement of an organization in Safaricom's portal: six lines with its name and period above the table.
  portal: {
    titles: {
      remote_id: ['Receipt No.'],
      amount: ['Paid In'],
      paid_out: ['Withdrawn'],
      status: ['Transaction Status'],
      paid_at: ['Completion Time'],
      details: ['Details'],
      phonenumber: ['Other Party Info', 'Opposite Party'],
      reversal_of: ['Linked Transaction ID'],
    },
    states: {
      successful: ['completed'],
      pending: ['authorized', 'pending authorized', 'initiated', 'validated'],
      failed: ['attempted', 'cancelled', 'declined', 'expired', 'rejected'],
    },
    charges: /\bcharges?$/i,
  },
  // The address of a time-out, which is secret, comes back in the reference data of a result.
  secret_fields: ['ReferenceData', 'SecurityCredential', 'Password'],
  checkSettings: checkDarajaSettings,
  open,
})

/** Return the operations that the settings allow: prompts need the passkey, operator calls need the initiator. */
function open(connection: DarajaConnection, opening: OpeningTools): NetworkOperations {
  const opened = { connection, tools: opening }
  const session = (tools: DriverTools) => ({ connection, tools })
  const { passkey, payout_short_code, pull_transactions } = connection.settings
  const has_initiator = initiatorOf(connection) !== undefined
  return {
    ...(passkey && {
      charge: (order, tools) => charge(session(tools), order),
      chargeStatus: (order, tools) => chargeStatus(session(tools), order),
    }),
    ...(has_initiator &&
      payout_short_code && {
        payout: (order, tools) => payout(session(tools), order),
        payoutStatus: (order, tools) => payoutStatus(session(tools), order),
      }),
    ...(has_initiator && {
      refund: (order, tools) => refund(session(tools), order),
      refundStatus: (order, tools) => refundStatus(session(tools), order),
      canRefund: isReceipt,
      balance: (tools) => askForBalance(session(tools)),
    }),
    ...(pull_transactions && {
      statement: (period, tools) => readStatement(session(tools), period),
      chargeMoney: (charge, tools) => findMoneyOf(session(tools), charge),
    }),
    transaction: ({ remote_id, account_number }, tools) => findTransaction(session(tools), remote_id, account_number),
    setUp: (tools) => setUp(session(tools)),
    test: (tools) => test(session(tools)),
    readCallback: (callback) => readCallback(opened, callback),
    callbackReply: (callback) => callbackReply(opened, callback),
    readValidation: (callback) => readValidation(opened, callback),
    answerValidation,
  }
}
