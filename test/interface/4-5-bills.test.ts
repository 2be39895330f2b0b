import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw, fieldTypes, openTestService, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** Call the bill-payment API as the interface describes it, under this prefix. */
const call = (method: string, path: string, body?: object, prefix = '/api/gateway') =>
  callRaw(service.url, method, prefix + path, {
    headers: { authorization: `Api-key ${service.key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })

const ENVELOPE = { status: 'success', message: 'Successful', code: 200 }
const AIRTIME = ['service_type', 'shortname', 'name', 'plans']

describe('interface 4.5: bill payments', () => {
  it('POST namefinder/query with x-api-key answers with data.user', async () => {
    const answer = await callRaw(service.url, 'POST', '/api/gateway/services/namefinder/query', {
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ service_type: 'jamb', account_number: '9678528341', product_code: 'DE' }),
    })
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(ENVELOPE)])
    const { user } = answer.body.data as { user: Record<string, object> }
    expect(fieldTypes(user)).toEqual({
      name: 'string',
      address: 'null',
      outstandingBalance: 'null',
      dueDate: 'null',
      district: 'null',
      accountNumber: expect.stringMatching(/^(null|string)$/),
      minimumAmount: 'null',
      rawOutput: 'object',
      errorMessage: 'null',
    })
    expect(fieldTypes(user.rawOutput!)).toEqual({
      firstName: 'string',
      lastName: 'string',
      middleName: 'string',
      gsmNo: 'string',
      error: 'null',
    })
  })

  it('GET airtime/providers answers with data.providers', async () => {
    const { status, body } = await call('GET', '/services/airtime/providers')
    expect([status, body]).toEqual([200, { ...ENVELOPE, data: { providers: expect.any(Array) } }])
    const { providers } = body.data as { providers: Record<string, unknown>[] }
    expect(providers.map((one) => one.service_type)).toEqual(['mtn', 'airtel', 'glo', '9mobile', 'smile'])
    for (const provider of providers) {
      expect(Object.keys(provider)).toEqual(AIRTIME)
      for (const plan of provider.plans as string[]) expect(['prepaid', 'postpaid']).toContain(plan)
    }
  })

  it('GET airtime/providers answers 404 with a message when there is no provider', async () => {
    await service.testApp.db`update catalogue_services set enabled = false where category = 'airtime'`
    const { status, body } = await call('GET', '/services/airtime/providers')
    await service.testApp.db`update catalogue_services set enabled = true where category = 'airtime'`
    expect([status, body]).toEqual([
      404,
      { status: 'error', message: 'No providers were found.', code: 'BX0026', errors: [] },
    ])
  })

  it('POST electricity/request with Service-date answers with the result, and prepaid with its token', async () => {
    const buy = (fields: object) =>
      callRaw(service.url, 'POST', '/api/gateway/services/electricity/request', {
        headers: {
          authorization: `Api-key ${service.key}`,
          'service-date': 'Thu, 19 Dec 2019 17:40:26 GMT',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ phone: '08012345678', amount: '2000', agentId: 207, ...fields }),
      })
    const common = { transactionStatus: 'success', transactionReference: expect.any(Number), statusCode: '0' }
    const prepaid = await buy({
      account_number: '04042404048',
      service_type: 'ikeja_electric_prepaid',
      agentRefernce: 'order-1',
    })
    expect([prepaid.status, prepaid.body]).toEqual([200, expect.objectContaining(ENVELOPE)])
    expect(prepaid.body.data).toMatchObject({
      ...common,
      transactionMessage: expect.stringMatching(/\S/),
      tokenCode: expect.stringMatching(/^\d{20}$/),
      amountOfPower: expect.stringMatching(/^[\d.]+ ?kWh$/i),
      tokenAmount: 2000,
    })
    const postpaid = await buy({
      account_number: '04042404139',
      service_type: 'ikeja_electric_postpaid',
      agentRefernce: 'order-2',
    })
    expect([postpaid.status, postpaid.body]).toEqual([200, expect.objectContaining(ENVELOPE)])
    expect(postpaid.body.data).toMatchObject(common)
    for (const field of ['tokenCode', 'amountOfPower', 'tokenAmount'])
      expect(postpaid.body.data).not.toHaveProperty(field)
  })

  it('errors name agentRefernce and its other spelling as they were sent; both with different contents are refused', async () => {
    const order = { phone: '08031234567', amount: '100', service_type: 'mtn', plan: 'prepaid' }
    for (const [fields, names] of [
      [{ agentRefernce: ' ' }, ['agentRefernce']],
      [{ agentReference: { toString: 1 } }, ['agentReference']],
      [{ agentRefernce: 'x'.repeat(101), amount: 'x' }, ['agentRefernce', 'amount']],
      [{ agentRefernce: 'a', agentReference: 'b' }, ['agentReference']],
      [{ agentRefernce: { toString: 1 }, agentReference: 'b' }, ['agentReference']],
      [{ agentRefernce: 'c', 'the service': 7 }, ['the service']],
    ] as const) {
      const { status, body } = await call('POST', '/services/airtime/request', { ...order, ...fields })
      expect([fields, status, Object.keys(body.errors as object).sort()]).toEqual([fields, 400, names])
    }
  })

  it('POST cabletv/addons answers with the add-ons of a bouquet', async () => {
    for (const path of ['/services/cabletv/addons', '/services/multichoice/addons']) {
      const { status, body } = await call('POST', path, { product_code: 'COMPE36', service_type: 'dstv' })
      expect([status, body]).toEqual([200, { ...ENVELOPE, data: expect.any(Array) }])
      const addons = body.data as unknown as Record<string, object[]>[]
      expect(addons.length).toBeGreaterThan(0)
      for (const addon of addons) {
        expect(fieldTypes(addon)).toEqual({
          availablePricingOptions: 'array',
          code: 'string',
          name: 'string',
          description: 'string',
        })
        for (const option of addon.availablePricingOptions!)
          expect(fieldTypes(option)).toEqual({ monthsPaidFor: 'number', price: 'number', invoicePeriod: 'number' })
      }
    }
  })

  it('POST epin/bundles with Service-date answers with the pins of a provider', async () => {
    for (const service_type of ['glo', 'mtn', 'airtel', '9mobile', 'spectranet']) {
      const { status, body } = await callRaw(service.url, 'POST', '/api/gateway/services/epin/bundles', {
        headers: {
          authorization: `Token ${service.key}`,
          'service-date': 'Thu, 19 Dec 2019 17:40:26 GMT',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ service_type }),
      })
      expect([status, body]).toEqual([200, { ...ENVELOPE, data: expect.any(Array) }])
      for (const bundle of body.data as unknown as object[])
        expect(fieldTypes(bundle)).toEqual({ amount: 'number', available: 'number', description: 'string' })
    }
  })
})
