import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw, type Json, openTestService, type TestService } from './test-service.ts'

/*
 * The requests of existing clients for bill payments. Each client must work after only its host name and key change.
 */

let service: TestService
const BASE = '/api/baxipay'
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' }

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const answer = await callRaw(service.url, method, BASE + path, {
    headers: { 'x-api-key': service.key, ...headers },
    body,
  })
  expect([path, answer.status, answer.body.status]).toEqual([path, 200, 'success'])
  return answer.body.data as Json
}

describe('clients for bill payments', () => {
  it('that send a JSON body with every GET, also an empty list (PHP)', async () => {
    for (const body of ['[]', '{}', 'null', '""'])
      for (const path of ['/services/electricity/billers', '/services/airtime/providers', '/billers/category/all'])
        expect(await send('GET', path, JSON_TYPE, body)).toBeTruthy()
  })

  it('that read lists by POST, with all parameters in the URL and no body (Java)', async () => {
    expect(await send('POST', '/services/databundle/bundles?service_type=mtn')).toHaveLength(26)
    expect(
      await send('POST', '/services/multichoice/list?service_type=startimes', { 'content-length': '0' }),
    ).toBeTruthy()
    expect(
      await send('POST', '/services/epin/bundles?service_type=glo', { 'content-type': 'application/json' }),
    ).toHaveLength(7)
  })

  it('that send forms, and service types in capitals (Python)', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'service_type=SPECTRANET&account_number=210001245'
    expect(await send('POST', '/services/namefinder/query', form, body)).toHaveProperty('user.name')
    expect(await send('POST', '/services/databundle/bundles', form, body)).toHaveLength(4)
  })

  it('that send dates in different formats', async () => {
    for (const date of [
      'Thu, 19 Dec 2019 17:40:26 GMT',
      '2019-12-19T17:40:26.000Z',
      '2019-10-12T07:20',
      '1576777226',
      '2019/12/19',
      '19,Dec 2019',
      '2019-12-19 17:40:26.123456',
      'Thu Dec 19 2019 17:40:26 GMT+0000 (Coordinated Universal Time)',
    ])
      for (const name of ['Baxi-date', 'BAXI-DATE', 'baxi-date'])
        expect(await send('GET', '/superagent/account/balance', { [name]: date })).toHaveProperty('balance')
  })

  it('that send an agentReference and other fields that are not needed (Node.js)', async () => {
    const body = { service_type: 'dstv', agentReference: 'x1', reference: 'x1', agentId: 207, amount: null }
    expect(await send('POST', '/services/multichoice/list', JSON_TYPE, JSON.stringify(body))).toHaveLength(11)
  })

  it('that send a key and a CSRF token (Node.js)', async () => {
    const headers = { ...JSON_TYPE, 'x-csrf-token': '', 'baxi-date': new Date().toISOString() }
    const body = JSON.stringify({ service_type: 'dstv', product_code: 'COMPE36' })
    expect(await send('POST', '/services/multichoice/addons', headers, body)).toHaveLength(6)
  })

  it('that use other paths for balance, billers and products', async () => {
    expect(await send('GET', '/services/superagent/account/balance')).toHaveProperty('balance')
    expect(await send('GET', '/services/electricity/providers')).toHaveProperty('providers')
    expect(await send('POST', '/exampins/products', JSON_TYPE, '{"service_type":"jamb"}')).toHaveLength(2)
  })

  it('that send numbers for texts, and requery in the body of a GET (Laravel)', async () => {
    const order = { service_type: 'airtel', datacode: 499.03, amount: '500', phone: '08021234567', agentId: '207' }
    const bought = await send(
      'POST',
      '/services/databundle/request',
      JSON_TYPE,
      JSON.stringify({ ...order, agentReference: 1700000001 }),
    )
    expect(bought).toMatchObject({ transactionStatus: 'success' })
    const again = await send(
      'GET',
      '/superagent/transaction/requery',
      JSON_TYPE,
      JSON.stringify({ agentReference: '1700000001' }),
    )
    expect(again).toMatchObject({ transactionReference: bought.transactionReference, transactionStatus: 'success' })
  })

  it('that buy a bouquet with the values of the list', async () => {
    const bouquets = (await send(
      'POST',
      '/services/multichoice/list',
      JSON_TYPE,
      '{"service_type":"startimes"}',
    )) as unknown as { code: string; availablePricingOptions: { monthsPaidFor: number; price: number }[] }[]
    const { code, availablePricingOptions } = bouquets.find((one) => one.code === 'novaday')!
    const body = {
      smartcard_number: '02110144711',
      total_amount: availablePricingOptions[0]!.price,
      product_code: code,
      product_monthsPaidFor: '1',
      service_type: 'startimes',
      agentId: 'a-secret-word',
      agentReference: 'nova-1',
    }
    const bought = await send('POST', '/services/multichoice/request', JSON_TYPE, JSON.stringify(body))
    expect(bought).toMatchObject({ transactionStatus: 'success', statusCode: '0' })
  })

  it('that send no agentId and use newer names of fields and paths', async () => {
    const person = { phone: '08031234567', reference: 'not the one that counts' }
    const data = { ...person, service_type: 'mtn', data_code: '1000', amount: 1000, agentReference: 'new-1' }
    const bought = await send('POST', '/services/data/request', JSON_TYPE, JSON.stringify(data))
    expect(bought).toMatchObject({ transactionMessage: 'Data bundle successful on 08031234567' })
    const pins = { ...person, service_type: 'waec', pinValue: 1800, pinCount: 2, amount: 3600, agentReference: 'new-2' }
    const sold = await send('POST', '/services/epin/request', JSON_TYPE, JSON.stringify(pins))
    expect(sold.pins).toHaveLength(2)
    const again = await send('GET', '/superagent/transaction?reference=new-1')
    expect(again).toMatchObject({ transactionReference: bought.transactionReference, transactionStatus: 'success' })
  })

  it('that decide by the code whether to requery, and always read errors (Python)', async () => {
    const order = { service_type: 'mtn', plan: 'prepaid', amount: 100, phone: '08031234567', agentId: 1 }
    const body = JSON.stringify({ ...order, agentReference: 'twice' })
    await send('POST', '/services/airtime/request', JSON_TYPE, body)
    const twice = await callRaw(service.url, 'POST', `${BASE}/services/airtime/request`, {
      headers: { 'x-api-key': service.key, ...JSON_TYPE },
      body,
    })
    expect([twice.status, twice.body]).toEqual([
      400,
      { status: 'error', message: expect.any(String), code: 'BX0023', errors: expect.anything() },
    ])
  })
})
