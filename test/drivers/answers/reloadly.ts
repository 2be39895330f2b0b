import { createHmac } from 'node:crypto'
import { reloadly } from '../../../src/billers/reloadly/index.ts'
import { providerVend } from '../../billers/recorder.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { PLAIN_VALUES } from './mutations.ts'
import { at, light, TOKEN } from './purchases.ts'
import type { Part } from './rig.ts'

const re = at(reloadly, 'simulated', {
  client_id: 'our-client',
  client_secret: 'our-secret',
  countries: 'KE',
  webhook_secret: 'our-webhook-secret',
})
const token: Part = {
  body: { access_token: 'token-1', scope: 'x', token_type: 'Bearer', expires_in: 3600 },
  decides: ['access_token'],
}
const airtime = providerVend({
  country: 'KE',
  currency: 'KES',
  account_number: '0712345678',
  offer: { remote_service: '265', remote_product: null },
})
const bill = light({
  offer: { remote_service: 'biller:2', remote_product: null },
  remote_id: '36',
  country: 'KE',
  currency: 'KES',
})
const topup = (status: string) => ({
  transactionId: 1,
  status,
  operatorTransactionId: '7',
  customIdentifier: 'KB17',
  recipientPhone: '254712345678',
  countryCode: 'KE',
  operatorId: 265,
  operatorName: 'Safaricom',
  discount: 0.1,
  requestedAmount: 1,
  deliveredAmount: 100,
  deliveredAmountCurrencyCode: 'KES',
  transactionDate: '2026-11-22 08:00:00',
  fee: 0,
  balanceInfo: { cost: 0.77, oldBalance: 10, newBalance: 9.23, currencyCode: 'USD', currencyName: 'x', updatedAt: 'y' },
  pinDetail: {
    serial: 558111,
    info1: 'DIAL *611',
    info2: null,
    info3: null,
    value: null,
    code: '077370973309766',
    ivr: 'x',
    validity: 'y',
  },
})
const TOPUP = ['transactionId', 'status', 'customIdentifier']
const payment = (status: string) => ({
  id: 36,
  status,
  referenceId: 'KB17',
  code: 'PAYMENT_SUCCESSFUL',
  message: 'words',
  submittedAt: 'x',
  finalStatusAvailabilityAt: 'y',
  balanceInfo: { cost: 0.77, oldBalance: 10, newBalance: 9.23, currencyCode: 'USD' },
  billDetails: {
    type: 'ELECTRICITY_BILL_PAYMENT',
    billerId: 2,
    subscriberDetails: { accountNumber: '1' },
    completedAt: 'x',
    pinDetails: { token: TOKEN, info1: 'Units: 23.4 kWh', info2: null, info3: null },
  },
})
const PAYMENT = ['id', 'status', 'referenceId', 'billDetails.pinDetails.token']
const within = (member: string, names: readonly string[]) => names.map((name) => `${member}.${name}`)

export const recordedReloadly = re.recorded([
  re.calls('vend', ({ vend }) => vend(airtime), { token, vend: { body: topup('SUCCESSFUL'), decides: TOPUP } }),
  re.calls(
    'vend',
    ({ vend }) => vend(airtime),
    { token, vend: { body: topup('REFUNDED'), decides: TOPUP } },
    { about: 'that has failed' },
  ),
  re.calls(
    'vend',
    ({ vend }) => vend(airtime),
    { token, vend: { body: topup('PROCESSING'), decides: TOPUP } },
    { about: 'that is open' },
  ),
  re.calls(
    'vend',
    ({ vend }) => vend(bill),
    { token, vend: { body: payment('SUCCESSFUL'), decides: PAYMENT } },
    { about: 'of light' },
  ),
  re.calls('vendStatus', ({ vendStatus }) => vendStatus({ ...airtime, remote_id: '1' }), {
    token,
    'vend status': {
      body: { code: null, message: null, status: 'SUCCESSFUL', transaction: topup('SUCCESSFUL') },
      decides: within('transaction', TOPUP),
    },
  }),
  re.calls(
    'vendStatus',
    ({ vendStatus }) => vendStatus(bill),
    {
      token,
      'vend status': {
        body: { code: 'X', message: 'words', transaction: payment('SUCCESSFUL') },
        decides: within('transaction', PAYMENT),
      },
    },
    { about: 'of light' },
  ),
  re.calls(
    'vendStatus',
    ({ vendStatus }) => vendStatus(airtime),
    {
      token,
      'vend status': {
        body: {
          content: [topup('SUCCESSFUL'), { ...topup('FAILED'), customIdentifier: 'KB18' }],
          totalElements: 2,
          last: true,
        },
        decides: ['content.*.transactionId', 'content.*.status', 'content.*.customIdentifier'],
        words: [...PLAIN_VALUES, '[]'],
      },
    },
    { about: 'by our reference' },
  ),
  re.calls('balance', ({ balance }) => balance(), {
    token,
    balance: {
      body: { balance: 505.25, currencyCode: 'USD', currencyName: 'US Dollar', updatedAt: 'x' },
      decides: ['balance', 'currencyCode'],
    },
  }),
  {
    operation: 'catalogue',
    parts: {
      operators: {
        body: [
          {
            id: 265,
            operatorId: 265,
            name: 'Safaricom',
            bundle: false,
            data: false,
            pin: false,
            status: 'ACTIVE',
            denominationType: 'RANGE',
            senderCurrencyCode: 'USD',
            destinationCurrencyCode: 'KES',
            localMinAmount: 5,
            localMaxAmount: 10000,
            minAmount: 0.05,
            maxAmount: 80,
            commission: 5,
            localDiscount: 2,
            fx: { rate: 129, currencyCode: 'KES' },
            logoUrls: ['https://x'],
            country: { isoName: 'KE', name: 'Kenya' },
            fixedAmounts: [],
            localFixedAmountsDescriptions: {},
            promotions: [],
            senderCurrencySymbol: '$',
          },
        ],
        decides: [
          'id',
          'operatorId',
          'status',
          'denominationType',
          'bundle',
          'data',
          'pin',
          'senderCurrencyCode',
          'destinationCurrencyCode',
        ].map((name) => `*.${name}`),
        words: [...PLAIN_VALUES, 'true', '[]'],
      },
      billers: {
        body: {
          content: [
            {
              id: 5,
              name: 'KPLC Postpaid',
              countryCode: 'KE',
              countryName: 'Kenya',
              type: 'ELECTRICITY_BILL_PAYMENT',
              serviceType: 'POSTPAID',
              localAmountSupported: true,
              localTransactionCurrencyCode: 'KES',
              minLocalTransactionAmount: 100,
              maxLocalTransactionAmount: 50000,
              localTransactionFee: 0,
              denominationType: 'RANGE',
              requiresInvoice: false,
              localDiscountPercentage: 1,
              fx: { rate: 129 },
            },
          ],
          totalPages: 1,
          totalElements: 1,
          last: true,
          size: 200,
          number: 0,
          pageable: { sort: {} },
        },
        decides: [
          'id',
          'countryCode',
          'type',
          'localAmountSupported',
          'localTransactionCurrencyCode',
          'denominationType',
        ]
          .map((name) => `content.*.${name}`)
          .concat('last'),
        words: ['false'],
      },
    },
    run: ({ operators, billers }) => {
      const operations = re.openWith(({ url, verb }) =>
        verb === 'token' ? { text: JSON.stringify(token.body) } : url.includes('/operators/') ? operators! : billers!,
      )
      return operations.catalogue!()
    },
  },
  {
    operation: 'readCallback',
    parts: {
      callback: {
        body: {
          type: 'topup_transaction.status',
          data: { ...topup('SUCCESSFUL'), code: 'x' },
          date: '2026-11-22 08:00:00',
        },
        decides: ['data.transactionId', 'data.customIdentifier'],
        stand_in: '1',
      },
    },
    run: ({ callback }) => {
      const time = '1795305600'
      const signature = createHmac('sha256', 'our-webhook-secret').update(`${callback!.text}:${time}`).digest('hex')
      const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': time }
      return re.open({}, {}).readCallback!(rawCallback({ headers, body: callback!.text }))
    },
  },
])
