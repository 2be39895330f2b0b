import { createHmac } from 'node:crypto'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import * as airtel from '../../networks/airtel-money/airtel-test.ts'
import { PLAIN_VALUES } from './mutations.ts'
import { linesOf, type Part, recorder } from './rig.ts'

const KEY = 'the-callback-key'
const { calls, open, recorded } = recorder(airtelMoney, {
  environment: 'staging',
  hosts: { api: 'https://api.example.com' },
  settings: { ...airtel.settings, callback_key: KEY },
  now: new Date('2026-11-22T08:00:00Z'),
})

const token: Part = {
  body: { token_type: 'bearer', access_token: 'token-1', expires_in: '180' },
  decides: ['access_token'],
}
const key: Part = { body: airtel.encryption_key.body, decides: ['data.key'] }

const answer = (transaction: object | undefined, code?: string, more: Partial<Part> = {}): Part => ({
  body: airtel.envelope(transaction, code).body,
  ...more,
})
/** The answer to an order: its code says what was done with it. */
const sent = (transaction: object, code: string) =>
  answer(transaction, code, { decides: ['status.response_code', 'data.transaction.airtel_money_id'] })
/** The answer to a question: its status word is the truth. */
const asked = (transaction: object, code: string) =>
  answer(transaction, code, {
    decides: ['data.transaction.status', 'data.transaction.id', 'data.transaction.airtel_money_id'],
  })

const words = { message: 'Paid', name: 'GRACE' }
const taken = sent({ id: airtel.order.reference, status: 'SUCCESS', ...words }, 'DP00800001006')
const paid = asked({ id: airtel.order.reference, airtel_money_id: 'MP1', status: 'TS', ...words }, 'DP00800001001')
const failed = asked({ id: airtel.order.reference, status: 'TF', message: 'Too little money' }, 'DP00800001007')
const missing: Part = { ...answer(undefined, 'DP00800001025'), decides: ['status.response_code'] }

const holder: Part = {
  body: {
    data: {
      first_name: 'Grace',
      last_name: 'Auma',
      msisdn: '752000001',
      is_barred: false,
      is_pin_set: true,
      grade: 'X',
    },
    status: {
      response_code: 'DP02200000001',
      code: '200',
      success: true,
      result_code: 'ESB000010',
      message: 'SUCCESS',
    },
  },
  // It names the owner of the account.
  decides: ['data.msisdn'],
}

const line = (transaction: object) => ({
  charges: { service: 45 },
  payee: { currency: 'UGX', msisdn: '700000100', name: 'Shop' },
  payer: { currency: 'UGX', msisdn: '752000001', name: 'Grace Auma' },
  service: { type: 'MERCHPAY' },
  transaction: {
    airtel_money_id: 'MP1',
    amount: '1,500',
    created_at: '1795305600',
    id: 'KR12x1',
    status: 'TS',
    ...transaction,
  },
})

export const recordedAirtel = recorded([
  calls('charge', ({ charge }) => charge(airtel.order), { token, 'encryption key': key, charge: taken }),
  calls(
    'charge',
    ({ charge }) => charge(airtel.order),
    { token, 'encryption key': key, charge: sent({}, 'DP00800001007'), 'charge status': missing },
    { about: 'that is refused' },
  ),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(airtel.order), { token, 'charge status': paid }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(airtel.order),
    { token, 'charge status': failed },
    { about: 'that has failed' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(airtel.order),
    { token, 'charge status': asked({ id: airtel.order.reference, status: 'TIP', ...words }, 'DP00800001006') },
    { about: 'that is open' },
  ),
  calls('payout', ({ payout }) => payout(airtel.payout), {
    token,
    'encryption key': key,
    payout: {
      ...sent(
        { reference_id: 'X', airtel_money_id: 'MP2', id: airtel.payout.reference, status: 'TS' },
        'DP00900001001',
      ),
      stand_in: airtel.payout.reference,
    },
  }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(airtel.payout), {
    token,
    'payout status': asked({ id: airtel.payout.reference, status: 'TS', message: 'Paid' }, 'DP00900001001'),
  }),
  calls('refund', ({ refund }) => refund(airtel.refund), {
    token,
    'encryption key': key,
    refund: answer({ airtel_money_id: 'MP3', status: 'SUCCESS', message: 'Done' }, 'DP00800001001', {
      decides: ['data.transaction.status', 'data.transaction.airtel_money_id'],
    }),
  }),
  calls('refundStatus', ({ refundStatus }) => refundStatus(airtel.refund), {
    token,
    'refund status': asked({ id: 'KR12x1', airtel_money_id: 'MP1', status: 'TR', message: 'Back' }, 'DP00800001001'),
  }),
  calls('accountHolder', ({ accountHolder }) => accountHolder('+256752000001'), { token, 'account holder': holder }),
  calls('balance', ({ balance }) => balance(), {
    token,
    balance: {
      body: {
        data: { balance: '1,237,600.50', currency: 'UGX', account_status: 'Active' },
        status: { response_code: 'DP02100000001', code: '200', success: false, message: 'SUCCESS' },
      },
      decides: ['data.balance', 'data.currency'],
    },
  }),
  calls('statement', ({ statement }) => linesOf(statement({ from: new Date(0), to: new Date(1) })), {
    token,
    statement: {
      body: {
        data: { count: 2, transactions: [line({}), line({ airtel_money_id: 'MP2' })] },
        status: { code: '200', message: 'SUCCESS', success: true },
      },
      decides: ['airtel_money_id', 'amount', 'status']
        .map((name) => `data.transactions.*.transaction.${name}`)
        .concat('data.transactions.*.service.type', 'data.transactions.*.payee.currency'),
      // Airtel has many services, and money comes in by one of them alone.
      words: PLAIN_VALUES,
    },
  }),
  {
    operation: 'readCallback',
    parts: {
      callback: {
        body: {
          id: 'KR12x1',
          message: 'Paid UGX 1,500 to Shop',
          status_code: 'TS',
          airtel_money_id: 'MP1',
          code: 'DP00800001001',
        },
        decides: ['id', 'status_code', 'airtel_money_id'],
      },
    },
    run: ({ callback }) => {
      const hash = createHmac('sha256', KEY).update(callback!.text).digest('base64')
      const body = `{"transaction":${callback!.text},"hash":"${hash}"}`
      return open({}, {}).readCallback!(rawCallback({ body }))
    },
  },
])
