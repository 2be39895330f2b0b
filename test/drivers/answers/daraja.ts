import { daraja } from '../../../src/networks/daraja/index.ts'
import {
  ended,
  openReader,
  paidItems,
  result,
  SAFARICOM,
  sentParameters,
} from '../../networks/daraja/callback-bodies.ts'
import * as shop from '../../networks/daraja/recorded-network.ts'
import { linesOf, type Part, type Recording, recorder } from './rig.ts'

const { calls, recorded } = recorder(daraja, {
  environment: 'sandbox',
  hosts: { api: 'https://api.example.com' },
  settings: shop.settings,
  now: shop.NOW,
})
const pull = { given: { pull_transactions: true, nominated_number: '254700000000' } }

const token: Part = {
  body: { access_token: 'token-1', expires_in: '3599' },
  decides: ['access_token'],
  comes_first: true,
}

const taken: Part = {
  body: {
    MerchantRequestID: '29115-34620561-1',
    CheckoutRequestID: shop.CHECKOUT_ID,
    ResponseCode: '0',
    ResponseDescription: 'Success. Request accepted for processing',
    CustomerMessage: 'Success.',
  },
  decides: ['CheckoutRequestID', 'ResponseCode'],
}
const conversation: Part = {
  body: {
    ConversationID: 'AG_20261122_2010',
    OriginatorConversationID: shop.payout.reference,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  },
  decides: ['ConversationID', 'OriginatorConversationID', 'ResponseCode'],
}
/** The answer to a question of ours, which is answered later: its ids are not needed. */
const question: Part = { ...conversation, decides: ['ResponseCode'] }
const refused: Part = {
  status: 400,
  body: shop.refusal('400.002.02', 'Bad Request - Invalid Amount')!.body,
  decides: ['errorCode'],
}

const state = (ResultCode: string, ResultDesc: string): Part => ({
  body: {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successfully',
    MerchantRequestID: '1',
    CheckoutRequestID: shop.CHECKOUT_ID,
    ResultCode,
    ResultDesc,
  },
  // Another code than 0 contradicts the result.
  decides: ['CheckoutRequestID', 'ResultCode', 'ResponseCode'],
  words: ['0'],
})

const pulled = (transactionId: string) => ({
  transactionId,
  trxDate: '2026-11-22T06:00:00Z',
  msisdn: '254708374149',
  sender: 'MPESA',
  organizationname: 'Shop',
  transactiontype: 'c2b-pay-bill-debit',
  billreference: 'k7f3m2q9x4ab',
  amount: '1500.0',
})
const list = (...names: string[]): Part => ({
  body: {
    ResponseRefID: '1',
    ResponseCode: '1000',
    ResponseMessage: 'Success',
    Response: [[pulled('UKM1ABC234')]],
  },
  decides: ['ResponseCode', ...['transactionId', 'trxDate', 'amount', ...names].map((name) => `Response.*.*.${name}`)],
})

const reader = openReader()
const trusting = openReader({ trust_confirmations: true })
const read = (about: string, path: string, body: object, decides: readonly string[], of = reader): Recording => ({
  operation: 'readCallback',
  about,
  parts: { callback: { body, decides, words: ['0'] } },
  run: ({ callback }) => of.read(path, callback!.text, SAFARICOM),
})
const RESULT = ['Result.ResultCode', 'Result.TransactionID']
const parameter = (count: number) => [
  `Result.ResultParameters.ResultParameter.${count}.Key`,
  `Result.ResultParameters.ResultParameter.${count}.Value`,
]
const payment = {
  TransactionType: 'Pay Bill',
  TransID: 'UKM1ABC234',
  TransTime: '20261122093021',
  TransAmount: '1500.00',
  BusinessShortCode: '174379',
  BillRefNumber: 'Room 12',
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '2547 ***** 149',
  FirstName: 'GRACE',
  MiddleName: '',
  LastName: 'AKINYI',
}
const PAYMENT = ['TransID', 'TransAmount', 'BusinessShortCode']
const found = {
  DebitPartyName: '254708374149 - Grace A',
  TransactionStatus: 'Completed',
  Amount: 1500,
  ReceiptNo: 'UKM1ABC234',
  FinalisedTime: 20261122093021,
  ReasonType: 'Pay Bill Online',
  DebitPartyCharges: '',
}
const working = 'Working Account|KES|700000.00|700000.00|0.00|0.00&Utility Account|KES|228037.00|228037.00|0.00|0.00'

export const recordedDaraja = recorded([
  calls('charge', ({ charge }) => charge(shop.order), { token, charge: taken }),
  calls('charge', ({ charge }) => charge(shop.order), { token, charge: refused }, { about: 'that is refused' }),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(shop.sent), {
    token,
    'charge status': state('0', 'The service request is processed successfully.'),
  }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(shop.sent),
    { token, 'charge status': state('1032', 'Request canceled by user') },
    { about: 'that has failed' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(shop.sent),
    { token, 'charge status': state('4999', 'The transaction is still under processing') },
    { about: 'that is open' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(shop.order),
    { token, statement: list('billreference', 'transactiontype') },
    { about: 'from the list of payments', ...pull },
  ),
  calls('payout', ({ payout }) => payout(shop.payout), { token, payout: conversation }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(shop.payout), { token, 'payout status': question }),
  calls('refund', ({ refund }) => refund(shop.refund), { token, refund: conversation }),
  calls('refundStatus', ({ refundStatus }) => refundStatus({ ...shop.refund, remote_id: 'x' }), {
    token,
    'refund status': question,
  }),
  calls('balance', ({ balance }) => balance(), { token, balance: question }),
  calls(
    'transaction',
    ({ transaction }) => transaction({ remote_id: 'UKM1ABC234' }),
    { token, statement: list('transactiontype') },
    pull,
  ),
  calls(
    'chargeMoney',
    ({ chargeMoney }) =>
      chargeMoney({ ...shop.refund.charge, reference: 'k7f3m2q9x4ab', phonenumber: '+254708374149', sent: shop.NOW }),
    { token, statement: list('transactiontype', 'billreference') },
    pull,
  ),
  calls(
    'statement',
    ({ statement }) => linesOf(statement({ from: new Date(shop.NOW.getTime() - 3_600_000), to: shop.NOW })),
    { token, statement: list('transactiontype') },
    pull,
  ),
  read('about a prompt that was paid', reader.pathOf('charge', shop.order.reference), ended(0, paidItems), [
    'Body.stkCallback.ResultCode',
    'Body.stkCallback.CheckoutRequestID',
    ...[2, 4].flatMap((at) => ['Name', 'Value'].map((name) => `Body.stkCallback.CallbackMetadata.Item.${at}.${name}`)),
  ]),
  read('about a prompt that has failed', reader.pathOf('charge', shop.order.reference), ended(1032), [
    'Body.stkCallback.ResultCode',
    'Body.stkCallback.CheckoutRequestID',
  ]),
  read('about a payout', reader.pathOf('result', shop.payout.reference), result(0, sentParameters), [
    ...RESULT,
    'Result.ConversationID',
    ...parameter(0),
    ...parameter(1),
  ]),
  read('about a payout that has failed', reader.pathOf('result', shop.payout.reference), result(2040), [
    ...RESULT,
    'Result.ConversationID',
  ]),
  read('that answers a question about a payout', reader.pathOf('status', shop.payout.reference), result(0, found), [
    'Result.ResultCode',
    ...[0, 1, 2, 3].flatMap(parameter),
  ]),
  read('that answers a question about a payment', reader.questionPath('transaction', 'UKM1ABC234'), result(0, found), [
    'Result.ResultCode',
    ...[0, 1, 2, 3].flatMap(parameter),
  ]),
  read('with the balance', reader.questionPath('balance'), result(0, { AccountBalance: working, BOCompletedTime: 1 }), [
    'Result.ResultCode',
    ...parameter(0),
  ]),
  read('about a payment', '/confirmation', payment, PAYMENT, trusting),
  {
    operation: 'readValidation',
    parts: { callback: { body: payment, decides: PAYMENT } },
    run: ({ callback }) => {
      const sent = {
        method: 'POST',
        path: '/validation',
        query: '',
        headers: {},
        body: callback!.text,
        address: SAFARICOM,
      }
      return trusting.operations.readValidation(sent)
    },
  },
])
