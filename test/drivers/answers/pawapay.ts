import { pawapay } from '../../../src/networks/pawapay/index.ts'
import * as pawa from '../../networks/pawapay/pawapay-test.ts'
import { CALLBACK_URL, type Part, type Recording, recorder } from './rig.ts'

const now = new Date('2026-11-22T08:00:30Z')
const keys = pawa.newKeys()
const { calls, open, recorded } = recorder(pawapay, {
  environment: 'sandbox',
  hosts: { api: 'https://api.example.com' },
  now,
  settings: { api_token: pawa.TOKEN, callback_public_key: keys.public_pem },
})

const provider: Part = {
  body: { country: 'UGA', provider: 'MTN_MOMO_UGA', phoneNumber: '256783456789', type: 'MMO' },
  decides: ['country', 'provider', 'phoneNumber'],
}
const open_now = { operationType: 'DEPOSIT', status: 'OPERATIONAL' }
/** Only what says that a provider is down stops an order. */
const availability: Part = {
  body: [
    {
      country: 'UGA',
      providers: [{ provider: 'MTN_MOMO_UGA', operationTypes: [open_now], nameDisplayedToCustomer: 'MTN' }],
    },
  ],
}
const taken = (id: string): Part => ({
  body: { [id]: pawa.ID, status: 'ACCEPTED', created: '2026-11-22T08:00:00Z', nextStep: 'FINAL_STATUS' },
  decides: ['status', id],
})
const missing: Part = { body: { status: 'NOT_FOUND' }, decides: ['status'] }
const details = { payer: { type: 'MMO', accountDetails: { phoneNumber: '256783456789', provider: 'MTN_MOMO_UGA' } } }
const DECIDES = ['status', 'amount', 'currency', 'providerTransactionId']

const state = (status: string, id: string, more: object = {}): Part => ({
  body: pawa.found(
    pawa.state(status, { ...details, customerMessage: 'Rent', metadata: { a: 1 }, ...more }, { [id]: pawa.ID }),
  ).body,
  decides: ['status', ...[...DECIDES, id].map((name) => `data.${name}`)],
})
const reason = pawa.failureReason('PAYER_LIMIT_REACHED')

const callback = (about: string, body: object, decides: readonly string[]): Recording => ({
  operation: 'readCallback',
  about,
  parts: { callback: { body, decides } },
  run: ({ callback: sent }) => {
    const signing = { key: keys.privateKey, at: now, url: `${CALLBACK_URL}/deposits` }
    return open({}, {}).readCallback!(pawa.callbackOf(sent!.text, signing))
  },
})

const operation = (operationType: string) => ({
  operationType,
  minAmount: '500',
  maxAmount: '5000000',
  decimalsInAmount: 'NONE',
  status: 'OPERATIONAL',
  authType: 'PROVIDER_AUTH',
  callbackUrl: 'https://pay.example.com',
  pinPrompt: 'AUTOMATIC',
})

export const recordedPawapay = recorded([
  calls('charge', ({ charge }) => charge(pawa.order), { provider, availability, charge: taken('depositId') }),
  calls(
    'charge',
    ({ charge }) => charge(pawa.order),
    {
      provider,
      availability,
      'charge status': missing,
      charge: {
        body: { depositId: pawa.ID, status: 'REJECTED', created: '2026-11-22T08:00:00Z', ...reason },
        decides: ['depositId', 'status'],
      },
    },
    { about: 'that is refused' },
  ),
  calls('chargeStatus', ({ chargeStatus }) => chargeStatus(pawa.order), {
    'charge status': state('COMPLETED', 'depositId'),
  }),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(pawa.order),
    { 'charge status': state('FAILED', 'depositId', reason) },
    { about: 'that has failed' },
  ),
  calls(
    'chargeStatus',
    ({ chargeStatus }) => chargeStatus(pawa.order),
    { 'charge status': state('PROCESSING', 'depositId') },
    { about: 'that is open' },
  ),
  calls('payout', ({ payout }) => payout(pawa.payout), { provider, availability, payout: taken('payoutId') }),
  calls('payoutStatus', ({ payoutStatus }) => payoutStatus(pawa.payout), {
    'payout status': state('COMPLETED', 'payoutId'),
  }),
  calls('refund', ({ refund }) => refund(pawa.refund), { provider, availability, refund: taken('refundId') }),
  calls('refundStatus', ({ refundStatus }) => refundStatus(pawa.refund), {
    'refund status': state('COMPLETED', 'refundId'),
  }),
  calls('balance', ({ balance }) => balance(), {
    balance: {
      body: { balances: [{ country: 'UGA', balance: '10798.03', currency: 'UGX', provider: '' }] },
      decides: ['balances.*.balance', 'balances.*.currency'],
    },
  }),
  calls(
    'limits',
    ({ limits }) => limits({ kind: 'charge', country: 'UG', currency: 'UGX', phonenumber: pawa.order.phonenumber }),
    {
      provider,
      configuration: {
        body: {
          companyName: 'Kusanya',
          signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
          countries: [
            {
              country: 'UGA',
              displayName: { en: 'Uganda' },
              prefix: '256',
              flag: 'x',
              providers: [
                {
                  provider: 'MTN_MOMO_UGA',
                  displayName: 'MTN',
                  logo: 'x',
                  currencies: [
                    {
                      currency: 'UGX',
                      displayName: 'USh',
                      operationTypes: [operation('DEPOSIT'), operation('PAYOUT')],
                    },
                  ],
                },
              ],
            },
          ],
        },
        decides: ['operationType', 'minAmount', 'maxAmount', 'decimalsInAmount', 'status']
          .map((name) => `countries.*.providers.*.currencies.*.operationTypes.0.${name}`)
          .concat('countries.*.country', 'countries.*.providers.*.provider')
          .concat('countries.*.providers.*.currencies.*.currency'),
      },
    },
  ),
  {
    operation: 'prepareCallback',
    parts: {
      'public keys': { body: [{ id: 'KEY:1', key: keys.public_pem, valid: 'x' }], decides: ['*.id', '*.key'] },
    },
    async run(texts) {
      const operations = open(texts, { callback_public_key: undefined })
      const signing = { key: keys.privateKey, at: now, url: `${CALLBACK_URL}/deposits` }
      const sent = pawa.callbackOf(pawa.state('COMPLETED'), signing)
      await operations.prepareCallback!(sent)
      return operations.readCallback!(sent)
    },
  },
  callback('about what was paid', pawa.state('COMPLETED', details), [...DECIDES, 'depositId']),
  callback('about what has failed', pawa.state('FAILED', { ...details, ...reason }), [...DECIDES, 'depositId']),
])
