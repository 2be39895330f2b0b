import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { toRequestId } from '../../../src/billers/vtpass/request-id.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { at, light, meter, TOKEN } from './purchases.ts'
import type { Part } from './rig.ts'

const vt = at(vtpass, 'simulated', { api_key: 'our-api-key', public_key: 'PK_ours', secret_key: 'SK_ours' })
const request_id = toRequestId(light())
/** A sale of VTpass. What the meter needs, the tariff and the debt are goods, not the state. */
const sale = (code: string, status: string): Part => ({
  body: {
    code,
    content: {
      transactions: {
        status,
        product_name: 'Ikeja',
        unique_element: '1',
        unit_price: 1000,
        quantity: 1,
        channel: 'api',
        commission: 15.5,
        total_amount: 984.5,
        type: 'Electricity',
        email: 'x',
        phone: 'y',
        transactionId: '17',
      },
    },
    response_description: 'TRANSACTION SUCCESSFUL',
    requestId: request_id,
    amount: '1000.00',
    purchased_code: '',
    mainToken: TOKEN,
    mainTokenUnits: 79.9,
    tariff: '209.5',
    debtAmount: null,
    bonusToken: '',
    kct1: null,
  },
  decides: ['code', 'requestId', 'content.transactions.status', 'content.transactions.transactionId', 'mainToken'],
  stand_in: request_id,
})

export const recordedVtpass = vt.recorded([
  vt.calls('vend', ({ vend }) => vend(light()), { vend: sale('000', 'delivered') }),
  vt.calls('vend', ({ vend }) => vend(light()), { vend: sale('016', 'failed') }, { about: 'that is refused' }),
  vt.calls('vend', ({ vend }) => vend(light()), { vend: sale('099', 'pending') }, { about: 'that is open' }),
  vt.calls('vendStatus', ({ vendStatus }) => vendStatus(light()), { 'vend status': sale('000', 'delivered') }),
  vt.calls('accountHolder', ({ accountHolder }) => accountHolder(meter), {
    'account holder': {
      body: {
        code: '000',
        content: {
          Customer_Name: 'TESTMETER1',
          Address: 'ABULE',
          Meter_Number: '1111111111111',
          Customer_District: 'X',
          Customer_Arrears: '1250.50',
          Min_Purchase_Amount: 500,
          Due_Date: '2027-02-06T00:00:00',
          Can_Vend: 'yes',
          commission_details: { amount: null, rate: '1.50', computation_type: 'PERCENTAGE' },
        },
      },
      decides: ['code', 'content.Customer_Name'],
    },
  }),
  vt.calls('balance', ({ balance }) => balance(), {
    balance: { body: { code: 1, contents: { balance: 4_650_000.25 } }, decides: ['contents.balance'] },
  }),
  {
    operation: 'catalogue',
    parts: {
      services: {
        body: {
          response_description: '000',
          content: [
            {
              serviceID: 'dstv',
              name: 'DStv',
              minimium_amount: '1',
              maximum_amount: '90000',
              product_type: 'fix',
              convinience_fee: '0 %',
              image: 'https://x',
            },
          ],
        },
        decides: ['response_description', 'content.*.serviceID'],
      },
      variations: {
        body: {
          response_description: '000',
          content: {
            ServiceName: 'DStv',
            serviceID: 'dstv',
            convinience_fee: '0 %',
            variations: [
              { variation_code: 'padi', name: 'DStv Padi', variation_amount: '1850.00', fixedPrice: 'Yes' },
              { variation_code: 'yanga', name: 'DStv Yanga', variation_amount: '2565.00', fixedPrice: 'Yes' },
            ],
          },
        },
        decides: ['response_description']
          .concat(['variation_code', 'variation_amount'].map((name) => `content.variations.*.${name}`))
          .concat('content.variations.*.fixedPrice'),
      },
    },
    run: ({ services, variations }) => {
      const none = { text: '{"code":"012","content":[]}' }
      const operations = vt.openWith(({ url }) =>
        url.includes('/service-variations') ? variations! : url.endsWith('tv-subscription') ? services! : none,
      )
      return operations.catalogue!()
    },
  },
  {
    operation: 'readCallback',
    parts: {
      callback: {
        body: {
          type: 'transaction-update',
          data: {
            code: '000',
            requestId: request_id,
            content: { transactions: { status: 'delivered' } },
            amount: 1000,
          },
        },
        decides: ['type', 'data.requestId'],
      },
    },
    run: ({ callback }) => vt.open({}, {}).readCallback!(rawCallback({ body: callback!.text })),
  },
])
