import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw, fieldTypes, type Json, openTestService, type TestService } from '../../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const ask = (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) =>
  callRaw(service.url, method, path, {
    headers: { 'x-api-key': service.key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  })

/** The data of a successful response. */
async function dataOf(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await ask(method, `/api/gateway${path}`, body)
  expect([path, answer.status, answer.body]).toEqual([
    path,
    200,
    { status: 'success', message: 'Successful', code: 200, data: expect.anything() },
  ])
  return answer.body.data
}

const list = async (method: string, path: string, body?: object) => (await dataOf(method, path, body)) as Json[]
const providers = async (method: string, path: string) =>
  ((await dataOf(method, path)) as { providers: Json[] }).providers
const user = async (path: string, body: object) => ((await dataOf('POST', path, body)) as { user: Json }).user

/** Every look-up with its other paths and a valid body. */
const LOOKUPS: [method: string, path: string, body: object | undefined, others: string[]][] = [
  [
    'GET',
    '/superagent/account/balance',
    undefined,
    ['/services/superagent/account/balance', '/superagent/balance', '/services/superagent/balance'],
  ],
  ['GET', '/billers/category/all', undefined, ['/services/billers/category/all']],
  [
    'GET',
    '/billers/services/list',
    undefined,
    ['/services/billers/services/list', '/superagent/services/refresh', '/services/superagent/services/refresh'],
  ],
  ['GET', '/billers/provider/all', undefined, ['/services/billers/provider/all', '/billers/providers/all']],
  [
    'GET',
    '/billers/services/category?service_type=epin',
    undefined,
    ['/billers/services/category/epin', '/services/billers/services/category/epin'],
  ],
  ['POST', '/billers/services/category', { service_type: 'epin' }, ['/services/billers/services/category']],
  ['GET', '/services/airtime/providers', undefined, []],
  ['GET', '/services/databundle/providers', undefined, ['/services/data/providers']],
  ['POST', '/services/databundle/bundles', { service_type: 'mtn' }, ['/services/data/bundles']],
  ['GET', '/services/electricity/billers', undefined, []],
  ['POST', '/services/electricity/billers', {}, []],
  [
    'POST',
    '/services/electricity/verify',
    { service_type: 'ikeja_electric_prepaid', account_number: '04042404048' },
    [],
  ],
  ['GET', '/services/cabletv/providers', undefined, ['/services/multichoice/providers']],
  ['POST', '/services/cabletv/list', { service_type: 'gotv' }, ['/services/multichoice/list']],
  [
    'POST',
    '/services/cabletv/addons',
    { service_type: 'dstv', product_code: 'COMPE36' },
    ['/services/multichoice/addons'],
  ],
  ['GET', '/services/epin/providers', undefined, []],
  ['POST', '/services/epin/bundles', { service_type: 'glo' }, []],
  ['GET', '/services/exampin/products?service_type=jamb', undefined, ['/exampins/products?service_type=jamb']],
  ['POST', '/services/exampin/products', { service_type: 'jamb' }, ['/exampins/products']],
  [
    'POST',
    '/services/namefinder/query',
    { service_type: 'dstv', account_number: '4131953321' },
    ['/services/namefinder'],
  ],
  [
    'GET',
    '/services/namefinder/query?service_type=gotv&account_number=2005129242',
    undefined,
    ['/services/namefinder?service_type=gotv&account_number=2005129242'],
  ],
]

describe('a look-up', () => {
  it.each(LOOKUPS)('%s %s has the same response under every path', async (method, path, body, others) => {
    const first = await ask(method, `/api/gateway${path}`, body)
    expect([first.status, first.body.status]).toEqual([200, 'success'])
    const names = [path, ...others].flatMap((one) => [
      `/api/baxipay${one}`,
      `/api/gateway${one}`,
      `/api/v1/baxipay${one}`,
      `/api/v5/gateway${one.replace(/(\?|$)/, '/$1')}`,
    ])
    for (const name of names) {
      const answer = await ask(method, name, body)
      expect([name, answer.status, answer.body]).toEqual([name, 200, first.body])
    }
  })

  it.each(LOOKUPS.filter(([method, , body]) => method === 'POST' && body && Object.keys(body).length > 0))(
    '%s %s accepts a form, and the query when there is no body',
    async (_method, path, body) => {
      const first = await ask('POST', `/api/gateway${path}`, body)
      const fields = String(new URLSearchParams(body as Record<string, string>))
      const form = await ask('POST', `/api/gateway${path}`, fields, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect([form.status, form.body]).toEqual([200, first.body])
      for (const headers of [{}, { 'content-type': 'application/json' }] as Record<string, string>[]) {
        const query = await ask('POST', `/api/gateway${path}?${fields}`, undefined, headers)
        expect([query.status, query.body]).toEqual([200, first.body])
      }
    },
  )

  it('accepts the body of a GET without a query', async () => {
    const body = { service_type: 'jamb' }
    expect((await ask('GET', '/api/gateway/services/exampin/products', body)).status).toBe(200)
    const broken = await ask('GET', '/api/gateway/services/exampin/products', '{"service_type":')
    expect([broken.status, broken.body.code]).toEqual([400, 'BX0003'])
  })
})

describe('the catalogue', () => {
  it('lists services by category', async () => {
    expect(await list('GET', '/billers/category/all')).toContainEqual({
      name: 'Power / Electricity Payments',
      service_type: 'electricity',
    })
    const pins = await list('POST', '/billers/services/category', { service_type: 'epin' })
    expect(pins.map((one) => one.serviceType)).toEqual([
      'mtn',
      'airtel',
      'glo',
      '9mobile',
      'spectranet',
      'waec',
      'bulksms',
    ])
    expect(pins[0]).toMatchObject({ serviceCategory: 'epin', serviceEnabled: true, biller_id: expect.any(Number) })
    expect(await list('GET', '/billers/services/category/epin')).toEqual(pins)
    const all = await list('GET', '/billers/services/list')
    expect(all).toContainEqual(pins[0])
    expect(await providers('GET', '/billers/provider/all')).toHaveLength(all.length)
  })

  it('lists the providers of each category', async () => {
    const fields = {
      service_type: 'string',
      shortname: 'string',
      biller_id: 'number',
      product_id: 'number',
      name: 'string',
    }
    for (const [path, count] of [
      ['/services/databundle/providers', 6],
      ['/services/electricity/billers', 17],
      ['/services/cabletv/providers', 3],
      ['/services/epin/providers', 7],
    ] as const) {
      const found = await providers('GET', path)
      expect(found).toHaveLength(count)
      expect(found.map(fieldTypes)).toEqual(found.map(() => fields))
    }
    expect(await providers('GET', '/services/electricity/billers')).toContainEqual({
      service_type: 'kedco_electric_prepaid',
      shortname: 'kedco electric prepaid',
      biller_id: 10,
      product_id: 22,
      name: 'Kano Prepaid',
    })
  })

  it('has the prices of bundles', async () => {
    const bundles = await list('POST', '/services/databundle/bundles', { service_type: 'airtel' })
    expect(bundles).toContainEqual({
      name: expect.any(String),
      allowance: '2GB',
      price: 500,
      validity: '2 Days',
      datacode: '499.03',
    })
    const other = await list('POST', '/services/databundle/bundles', { service_type: 'etisalat' })
    expect(other).toHaveLength(16)
  })

  it('has the prices of bouquets and add-ons by months', async () => {
    const bouquets = await list('POST', '/services/cabletv/list', { service_type: 'dstv' })
    const french = bouquets.find((one) => one.code === 'PRWFRNSE36')!
    const options = french.availablePricingOptions as { monthsPaidFor: number; price: number; invoicePeriod: number }[]
    expect(options.map((one) => one.monthsPaidFor)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
    expect(options[9]).toEqual({ monthsPaidFor: 10, price: 456_000, invoicePeriod: 1 })
    expect(options[10]).toEqual({ monthsPaidFor: 12, price: 501_600, invoicePeriod: 12 })
    expect(await list('POST', '/services/cabletv/addons', { service_type: 'gotv', product_code: 'GOTVMAX' })).toEqual(
      [],
    )
  })

  it('has the prices of exam pins, and of pins with their stock', async () => {
    const exams = await list('GET', '/services/exampin/products?service_type=jamb')
    expect(exams).toEqual([
      { id: expect.any(Number), amount: 4_000, product_code: 'DE' },
      { id: expect.any(Number), amount: 4_000, product_code: 'UTME' },
    ])
    expect(await list('POST', '/services/epin/bundles', { service_type: 'glo' })).toContainEqual({
      amount: 50,
      available: 1_000,
      description: '₦50 Airtime',
    })
  })

  it('shows the balance of the account in naira', async () => {
    expect(await dataOf('GET', '/superagent/account/balance')).toEqual({
      balance: 5_000_000,
      lastDeposit: '2030-01-15T12:00:00Z',
    })
    const poor = await callRaw(service.url, 'GET', '/api/gateway/superagent/account/balance', {
      headers: { 'x-api-key': service.otherShop.key },
    })
    expect([poor.status, poor.body.code]).toEqual([503, 'EXC00105'])
  })
})

describe('the holder of an account', () => {
  it.each([
    ['ikeja_electric_prepaid', '04042404048'],
    ['ikeja_electric_postpaid', '04042404139'],
    ['abuja_electric_prepaid', '45060582249'],
    ['dstv', '4131953321'],
    ['gotv', '2005129242'],
    ['startimes', '02110144711'],
    ['spectranet', '210001245'],
    ['smile', '1402000567'],
    ['mtn', '07035361770'],
    ['glo', '+2347035361770'],
    ['9mobile', '08090000000'],
  ])('is found for %s', async (service_type, account_number) => {
    const found = await user('/services/namefinder/query', { service_type, account_number })
    expect(found).toMatchObject({
      name: expect.stringMatching(/\S/),
      rawOutput: expect.any(Object),
      errorMessage: null,
    })
  })

  it('of a meter is the same at both paths', async () => {
    const meter = { service_type: 'ikeja_electric_prepaid', account_number: '04042404048' }
    const found = await user('/services/electricity/verify', meter)
    expect(found).toMatchObject({ name: 'TESTMETER1', address: 'ABULE - EGBA BU ABULE', accountNumber: '04042404048' })
    expect(await user('/services/namefinder/query', meter)).toEqual(found)
  })

  it('of a TV service comes with the current subscription', async () => {
    const found = await user('/services/namefinder/query', { service_type: 'dstv', account_number: 4_131_953_321 })
    expect(found).toMatchObject({
      outstandingBalance: expect.any(Number),
      dueDate: expect.stringMatching(/\+01:00$/),
      hasDiscount: false,
      currentBouquet: expect.any(String),
      currentBouquetRaw: { amount: expect.any(Number), items: expect.any(Array) },
    })
  })

  it('of an exam code is stored with the phone for the purchase of the pin', async () => {
    const query = { service_type: 'jamb', account_number: '9678528341', product_code: 'DE' }
    const { rawOutput } = await user('/services/namefinder/query', query)
    const rows = await service.testApp.db`select service_type, account_number, product_code, phone from bill_validations
      where organization = ${service.organization} and service_type = 'jamb'`
    expect([...rows]).toEqual([{ ...query, phone: (rawOutput as Json).gsmNo }])
  })

  it('that does not exist is BX0025', async () => {
    const unknown = { service_type: 'dstv', account_number: '0001234567' }
    const { status, body } = await ask('POST', '/api/gateway/services/namefinder/query', unknown)
    expect([status, body]).toEqual([400, { status: 'error', message: expect.any(String), code: 'BX0025', errors: [] }])
  })
})

describe('the bill-payment API refuses', () => {
  it.each([
    ['/services/namefinder/query', {}, 400, 'BX0003', ['account_number', 'service_type']],
    [
      '/services/namefinder/query',
      { service_type: 'jamb', account_number: '9678528341' },
      400,
      'BX0003',
      ['product_code'],
    ],
    [
      '/services/namefinder/query',
      { service_type: 'jamb', account_number: '9678528341', product_code: 'XX' },
      400,
      'BX0003',
      ['product_code'],
    ],
    ['/services/namefinder/query', { service_type: 'waec', account_number: '1' }, 404, 'BX0026', []],
    ['/services/namefinder/query', { service_type: 'mtn', account_number: '12345' }, 400, 'BX0003', ['account_number']],
    [
      '/services/electricity/verify',
      { service_type: 'ikeja_electric_prepaid', account_number: '04042404049' },
      400,
      'BX0003',
      ['account_number'],
    ],
    ['/services/electricity/verify', { service_type: 'dstv', account_number: '4131953321' }, 404, 'BX0026', []],
    ['/services/databundle/bundles', { service_type: 'dstv' }, 404, 'BX0026', []],
    ['/services/databundle/bundles', { service_type: 'spectranet' }, 400, 'BX0003', ['account_number']],
    ['/services/databundle/bundles', { service_type: 'smile', account_number: '1' }, 400, 'BX0003', ['account_number']],
    ['/services/cabletv/addons', { service_type: 'dstv' }, 400, 'BX0003', ['product_code']],
    ['/services/cabletv/addons', { service_type: 'dstv', product_code: 'NONE' }, 400, 'BX0003', ['product_code']],
    ['/services/epin/bundles', { service_type: null }, 400, 'BX0003', ['service_type']],
    ['/services/epin/bundles', { service_type: ['glo'] }, 400, 'BX0003', ['service_type']],
    ['/billers/services/category', { service_type: 'betting' }, 404, 'BX0026', []],
  ] as const)('%s with %j', async (path, body, status, code, fields) => {
    const answer = await ask('POST', `/api/gateway${path}`, body)
    expect([answer.status, answer.body.status, answer.body.code]).toEqual([status, 'error', code])
    expect(Object.keys(answer.body.errors as object).sort()).toEqual(fields)
    expect(answer.body.message).toMatch(/\S/)
  })

  it('unreadable requests and unknown paths in its own error format', async () => {
    const pins = '/api/gateway/services/epin/bundles'
    for (const [response, status, code] of [
      [ask('POST', pins, '{'), 400, 'BX0003'],
      [ask('POST', pins, '[]'), 400, 'BX0003'],
      [ask('POST', pins, 'x', { 'content-type': 'text/plain' }), 415, 'BX0003'],
      [ask('GET', pins, undefined, { accept: 'text/html' }), 406, 'BX0003'],
      [ask('GET', pins), 405, 'BX0018'],
      [ask('PUT', pins, {}), 405, 'BX0018'],
      [ask('GET', '/api/gateway/services/nowhere'), 404, 'BX0018'],
      [ask('POST', '/api/baxipay/nowhere', {}), 404, 'BX0018'],
      [ask('GET', '/api/gateway'), 404, 'BX0018'],
      [ask('GET', '/api/baxipay/services/%zz'), 404, 'BX0018'],
      [ask('POST', pins, 'x'.repeat(1_100_000)), 413, 'BX0003'],
    ] as const) {
      const answer = await response
      expect([answer.status, answer.body]).toEqual([
        status,
        { status: 'error', message: expect.stringMatching(/\S/), code, errors: expect.anything() },
      ])
    }
  })

  it('a disabled service', async () => {
    await service.testApp.db`update catalogue_services set enabled = false where service_type = 'gotv'`
    const { status, body } = await ask('POST', '/api/gateway/services/cabletv/list', { service_type: 'gotv' })
    expect([status, body.code]).toEqual([503, 'EXC00103'])
    expect((await providers('GET', '/services/cabletv/providers')).map((one) => one.service_type)).toEqual([
      'dstv',
      'startimes',
    ])
    await service.testApp.db`update catalogue_services set enabled = true`
  })
})
