import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const codesOf = (body: { results: { code: string }[] }) => body.results.map(({ code }) => code).sort()

describe('interface 4.1: currencies', () => {
  it('"lists the currencies supported for local wallets, each with its country and a USD rate"', async () => {
    const { status, body } = await service.shop.get('/api/currencies')
    expect(status).toBe(200)
    expect(codesOf(body)).toEqual(['BXC', 'KES', 'NGN', 'UGX'])
    const countries = Object.fromEntries(body.results.map((one: { code: string; country: object }) => [one.code, one]))
    expect(countries.BXC.country).toEqual({
      iso: 'XX',
      iso3: 'XXX',
      iso_numeric: 0,
      name: 'TESTLAND',
      printable_name: 'Testland',
      phone_prefix: '800',
      supported: true,
    })
    expect(countries.UGX.country).toMatchObject({
      iso: 'UG',
      iso3: 'UGA',
      iso_numeric: 800,
      name: 'UGANDA',
      printable_name: 'Uganda',
      phone_prefix: '256',
    })
    expect(countries.KES.country).toMatchObject({ iso: 'KE', phone_prefix: '254' })
    expect(countries.NGN.country).toMatchObject({ iso: 'NG', phone_prefix: '234' })
    for (const { usd_rate } of body.results) expect(usd_rate).toBeGreaterThan(0)
  })

  it('"Filtering is not supported": filters are ignored', async () => {
    const { body } = await service.shop.get('/api/currencies?code=UGX&name=x&country=UG')
    expect(body.count).toBe(4)
  })

  it('has pages and orderings as every list', async () => {
    const first = await service.shop.get('/api/currencies?limit=1')
    expect([first.body.count, first.body.results.length]).toEqual([4, 1])
    const all = (await service.shop.get('/api/currencies')).body.results
    const turned = (await service.shop.get('/api/currencies?ordering=-id')).body.results
    expect(turned.map(({ id }: { id: number }) => id)).toEqual(
      all.map(({ id }: { id: number }) => id).sort((a: number, b: number) => b - a),
    )
  })

  it('"Returns one Currency object" by its id', async () => {
    for (const currency of (await service.shop.get('/api/currencies')).body.results) {
      const { status, body } = await service.shop.get(`/api/currencies/${currency.id}`)
      expect([status, body]).toEqual([200, currency])
    }
  })

  it('answers 404 for an unknown id and 400 for one that is not an integer', async () => {
    expect(await service.shop.get('/api/currencies/4711')).toMatchObject({
      status: 404,
      body: { detail: 'Not found.' },
    })
    expect([400, 404]).toContain((await service.shop.get('/api/currencies/UGX')).status)
  })

  it('is read-only', async () => {
    for (const path of ['/api/currencies', '/api/currencies/1'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, body, headers } = await service.shop.send(method, path)
        expect([status, body]).toEqual([405, { detail: `Method "${method}" not allowed.` }])
        expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      }
  })

  it('does not contain the test currency in live mode', async () => {
    const live = await openTestService({
      jobs: false,
      settings: { MODE: 'live', SECRET_KEY: 'k'.repeat(32) },
    })
    try {
      expect(codesOf((await live.shop.get('/api/currencies')).body)).toEqual(['KES', 'NGN', 'UGX'])
    } finally {
      await live.close()
    }
  })
})
