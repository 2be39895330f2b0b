import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderAccountQuery } from '../../../src/billers/contract.ts'
import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { openRecorder, type Recorder } from '../recorder.ts'

const settings = { api_key: 'our-api-key', public_key: 'PK_ours', secret_key: 'SK_ours' }
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(vtpass, settings, { hosts: (url) => ({ api: url }) })
})
afterEach(() => recorder.close())

const meter: ProviderAccountQuery = {
  country: 'NG',
  account_number: '1111111111111',
  prepaid: true,
  kind: 'electricity',
  offer: { remote_service: 'ikeja-electric', remote_product: 'prepaid' },
}

describe('the holder of an account', () => {
  const look = (body: object, status = 200) => {
    recorder.answer('POST /merchant-verify', { status, body })
    return recorder.operations.accountHolder!(meter)
  }

  it("is read with all of VTpass's data", async () => {
    const content = {
      Customer_Name: 'TESTMETER1 ',
      Address: 'ABULE - EGBA',
      Meter_Number: '1111111111111',
      Customer_Arrears: '1250.50',
      Min_Purchase_Amount: 500,
      Due_Date: '2027-02-06T00:00:00',
      Can_Vend: 'yes',
    }
    expect(await look({ code: '000', content })).toEqual({
      outcome: 'found',
      holder: {
        name: 'TESTMETER1',
        address: 'ABULE - EGBA',
        district: null,
        account_number: '1111111111111',
        outstanding_balance: 12_505_000n,
        minimum_amount: 5_000_000n,
        due_date: '2027-02-06T00:00:00+01:00',
        raw_output: expect.objectContaining({ Can_Vend: 'yes', Min_Purchase_Amount: '500' }),
        more: {},
      },
    })
  })

  it('of a smartcard has its bouquet', async () => {
    const content = { Customer_Name: 'A', Current_Bouquet: 'DStv Compact', Due_Date: 'N/A' }
    expect(await look({ code: '000', content })).toMatchObject({
      holder: { more: { currentBouquet: 'DStv Compact' }, due_date: null },
    })
  })

  it('is not found where code 000 has an error in it', async () => {
    const content = { error: 'This meter is not correct', WrongBillersCode: true }
    expect(await look({ code: '000', content })).toEqual({ outcome: 'not_found', message: 'This meter is not correct' })
  })

  it.each([
    [200, { code: '011', content: { errors: 'INVALID ARGUMENTS' } }],
    [200, { code: '012', content: [] }],
    [200, { code: '030', content: { error: 'BILLER NOT REACHABLE' } }],
    [200, { code: '000', content: { Customer_Name: ' ' } }],
    [200, { code: '000', content: [] }],
    [500, { code: '000', content: { error: 'no' } }],
  ])('is unknown after HTTP %i %j', async (status, body) => {
    expect(await look(body, status)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('the catalogue', () => {
  const service = (serviceID: string, name = serviceID) => ({
    serviceID,
    name,
    minimium_amount: '50',
    maximum_amount: '50000',
    convinience_fee: '0 %',
  })
  const list = (content: unknown) => ({ body: { response_description: '000', content } })
  const variation = (variation_code: string, variation_amount: unknown, fixedPrice = 'Yes') => ({
    variation_code,
    name: variation_code,
    variation_amount,
    fixedPrice,
  })
  const answerLists = (lists: Record<string, unknown>, variations: Record<string, unknown>) => {
    recorder.answer('GET /services', list([]))
    for (const [identifier, content] of Object.entries(lists))
      recorder.answer(`GET /services?identifier=${identifier}`, list(content))
    for (const [id, content] of Object.entries(variations))
      recorder.answer(`GET /service-variations?serviceID=${id}`, list(content))
  }

  it('has services with limits, and variations with prices', async () => {
    answerLists(
      { airtime: [service('mtn')], data: [service('mtn-data')], 'electricity-bill': [service('eko-electric', 'Eko')] },
      {
        'mtn-data': { variations: [variation('a', '1000.00'), variation('b', 500.5)], varations: [] },
        'eko-electric': { varations: [variation('prepaid', '0.00', 'No')] },
      },
    )
    const base = { country: 'NG', currency: 'NGN', commission_percent: null, is_available: true }
    const limits = { min: 500_000n, max: 500_000_000n }
    const fixed = { ...base, kind: 'databundle', remote_service: 'mtn-data', min: null, max: null }
    expect(await recorder.operations.catalogue!()).toEqual({
      outcome: 'found',
      products: [
        { ...base, ...limits, kind: 'airtime', remote_service: 'mtn', remote_product: null, name: 'mtn', price: null },
        { ...fixed, remote_product: 'a', name: 'a', price: 10_000_000n },
        { ...fixed, remote_product: 'b', name: 'b', price: 5_005_000n },
        {
          ...base,
          ...limits,
          kind: 'electricity',
          remote_service: 'eko-electric',
          remote_product: 'prepaid',
          name: 'Eko prepaid',
          price: null,
        },
      ],
    })
  })

  it('leaves out services without a list, and airtime of other countries', async () => {
    answerLists({ airtime: [service('foreign-airtime')], data: [service('gone')] }, {})
    recorder.answer('GET /service-variations?serviceID=gone', { body: { code: '012', content: [] } })
    expect(await recorder.operations.catalogue!()).toEqual({ outcome: 'found', products: [] })
  })

  it('sells pins for anybody as pins, and pins for candidates as exam pins', async () => {
    const variations = { variations: [variation('v', '3900.00')] }
    answerLists({ education: [service('waec'), service('jamb')] }, { waec: variations, jamb: variations })
    const found = await recorder.operations.catalogue!()
    expect(found).toMatchObject({ products: [{ kind: 'epin' }, { kind: 'exampin' }] })
  })

  it.each([
    ['HTTP 500', { status: 500, body: { response_description: '000', content: [] } }],
    ['a code', { body: { code: '087', response_description: 'INVALID CREDENTIALS' } }],
    ['a page', { body: '<html>' }],
    ['a service without an id', { body: { response_description: '000', content: [{ name: 'x' }] } }],
  ])('is unknown after %s', async (_, answer) => {
    recorder.answer('GET /services', answer)
    expect(await recorder.operations.catalogue!()).toMatchObject({ outcome: 'unknown' })
  })
})

describe('the balance', () => {
  it.each([
    ['1000.00', 10_000_000n],
    [1000.5, 10_005_000n],
    ['1000.99999', 10_009_999n],
  ])('%j is read exactly, and rounded down', async (balance, amount) => {
    recorder.answer('GET /balance', { body: { code: 1, contents: { balance } } })
    expect(await recorder.operations.balance!()).toEqual({
      outcome: 'found',
      balances: [{ currency: 'NGN', amount, name: 'wallet' }],
    })
  })

  it('is unknown without a number', async () => {
    recorder.answer('GET /balance', { body: { code: 1, contents: { balance: 'N/A' } } })
    expect(await recorder.operations.balance!()).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a callback', () => {
  const read = (body: unknown, method = 'POST') =>
    recorder.operations.readCallback!(rawCallback({ method, body: JSON.stringify(body) }))

  it('about a transaction names the purchase', () => {
    const data = { code: '000', requestId: '202611220915KB17', content: { transactions: { status: 'delivered' } } }
    const expected = { subject: 'vend', vend: { reference: 'KB17' }, verified: false, answer: null }
    expect(read({ type: 'transaction-update', data })).toEqual(expected)
  })

  it('about variations is about the catalogue', () => {
    expect(read({ type: 'variations-update', serviceID: 'dstv' })).toEqual({ subject: 'catalogue', verified: false })
  })

  it.each([
    [{ type: 'transaction-update' }],
    [{ type: 'transaction-update', data: { requestId: 'KB17' } }],
    [{ type: 'transaction-update', data: { requestId: 17 } }],
    [{ type: 'other' }],
    [[]],
  ])('%j names nothing', (body) => expect(read(body)).toMatchObject({ subject: 'unrecognized' }))

  it('is answered as VTpass wants it', () => {
    const reply = recorder.operations.callbackReply!(rawCallback({ body: '' }))
    expect(reply).toEqual({ status: 200, content_type: 'application/json', body: '{"response":"success"}' })
  })
})
