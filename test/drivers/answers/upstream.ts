import { sandboxBills } from '../../../src/billers/sandbox-bills/index.ts'
import { upstream } from '../../../src/billers/upstream/index.ts'
import { at, light, meter, TOKEN } from './purchases.ts'
import type { Part } from './rig.ts'

const up = at(upstream, 'production', { key: 'our-api-key' })
const ours = light({ offer: { remote_service: 'ikeja_electric_prepaid', remote_product: null } })
const result = (status: string, transactionStatus: string): Part => ({
  body: {
    status,
    message: 'Successful',
    code: status === 'error' ? 'BX0024' : 200,
    data: {
      statusCode: '0',
      transactionStatus,
      transactionReference: 5551,
      transactionMessage: 'Done',
      baxiReference: 77,
      tokenCode: TOKEN,
      tokenAmount: 1000,
      amountOfPower: '16.4KWH',
      provider_message: 'SendOk',
      creditToken: TOKEN,
      rawOutput: { tariff: 'R2' },
      extraData: 'x',
    },
  },
  decides: ['status', 'data.transactionStatus', 'data.baxiReference', 'data.transactionReference', 'data.tokenCode'],
  // The other of its two ids.
  stand_in: '5551',
})
const holder = {
  name: 'TESTMETER1',
  address: 'ABULE',
  outstandingBalance: '0',
  dueDate: '2027-01-01',
  district: 'X',
  accountNumber: '1',
  minimumAmount: '500',
  rawOutput: { canVend: true },
  errorMessage: null,
}
const list = (rows: object[], ...decides: string[]): Part => ({
  body: { status: 'success', message: 'Successful', code: 200, data: rows },
  decides: decides.map((name) => `data.*.${name}`),
})

export const recordedUpstream = up.recorded([
  up.calls('vend', ({ vend }) => vend(ours), { vend: result('success', 'success') }),
  up.calls('vend', ({ vend }) => vend(ours), { vend: result('error', 'failed') }, { about: 'that has failed' }),
  up.calls(
    'vend',
    ({ vend }) => vend(ours),
    {
      vend: {
        status: 400,
        decides: ['status', 'code', 'data'],
        body: { status: 'error', message: 'No such meter', code: 'BX0025', errors: [] },
      },
    },
    { about: 'that is refused' },
  ),
  up.calls('vendStatus', ({ vendStatus }) => vendStatus(ours), { 'vend status': result('success', 'success') }),
  up.calls(
    'vendStatus',
    ({ vendStatus }) => vendStatus(ours),
    {
      'vend status': {
        body: { status: 'error', message: 'No such transaction', code: 'BX0002', errors: [] },
        decides: ['status', 'code'],
      },
    },
    { about: 'that never arrived' },
  ),
  up.calls('accountHolder', ({ accountHolder }) => accountHolder(meter), {
    'account holder': {
      body: { status: 'success', message: 'Successful', code: 200, data: { user: holder } },
      decides: ['status', 'data.user.name'],
    },
  }),
  up.calls('balance', ({ balance }) => balance(), {
    balance: { body: { status: 'success', code: 200, data: { balance: 1500.5 } }, decides: ['status', 'data.balance'] },
  }),
  {
    operation: 'catalogue',
    parts: {
      services: list(
        [
          {
            serviceType: 'dstv',
            serviceCategory: 'cabletv',
            serviceName: 'DStv',
            serviceEnabled: true,
            serviceProvider: 'x',
          },
        ],
        'serviceType',
        'serviceCategory',
        'serviceEnabled',
      ),
      bouquets: list(
        [
          {
            code: 'COMPE36',
            name: 'Compact',
            description: 'x',
            availablePricingOptions: [{ monthsPaidFor: 1, price: 9000, invoicePeriod: 1 }],
          },
        ],
        'code',
        'availablePricingOptions.*.monthsPaidFor',
        'availablePricingOptions.*.price',
      ),
    },
    run: ({ services, bouquets }) => {
      const operations = up.openWith(({ url }) => (url.endsWith('/billers/services/list') ? services! : bouquets!))
      return operations.catalogue!()
    },
  },
])

const sb = at(sandboxBills, 'sandbox', { secret: 'our secret' })
const vended = {
  token: TOKEN,
  amount_of_power: '16.4KWH',
  pins: [],
  provider_message: 'SendOk',
  raw_output: { a: 1 },
  more: { b: 2 },
}
const sold = (state: object): Part => ({
  body: { reference: 'KB17', remote_id: 'SB1', ...state },
  decides: ['reference', 'remote_id', 'state', 'vended.token', 'vended.pins'],
})
const found = {
  name: 'TESTMETER1',
  address: 'ABULE',
  outstanding_balance: '0.0000',
  due_date: null,
  district: 'X',
  account_number: '1',
  minimum_amount: '500.0000',
  raw_output: { canVend: true },
  more: {},
}

export const recordedSandboxBills = sb.recorded([
  sb.calls('vend', ({ vend }) => vend(light()), { vend: sold({ state: 'vended', vended }) }),
  sb.calls(
    'vend',
    ({ vend }) => vend(light()),
    { vend: sold({ state: 'refused', refusal: { reason: 'declined', message: 'No.' } }) },
    { about: 'that is refused' },
  ),
  sb.calls('vendStatus', ({ vendStatus }) => vendStatus(light()), { 'vend status': sold({ state: 'vended', vended }) }),
  sb.calls('accountHolder', ({ accountHolder }) => accountHolder(meter), {
    'account holder': { body: found, decides: ['name'] },
  }),
])
