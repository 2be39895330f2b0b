import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../test-app.ts'
import { callRaw, openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

/* These run under the limits of the interface, where all other tests have lifted them. */
const settings = { READS_PER_MINUTE: '30', WRITES_PER_MINUTE: '3000' }
let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false, settings })
})
afterAll(() => service.close())

const read = (api: ReturnType<typeof createApiClient>) => api.get('/api/currencies')

describe('interface 8: limits', () => {
  it('"Read requests: 30 per minute … Over the limit: 429 response"', async () => {
    const api = createApiClient(service.url, await service.newKey())
    for (let number = 1; number <= 30; number += 1) {
      const { status, headers } = await read(api)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-limit')).toBe('30')
      expect(headers.get('ratelimit-remaining')).toBe(String(30 - number))
      // The minute begins with the first request; the thirty requests take long on a busy machine.
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(30)
      expect(headers.get('retry-after')).toBeNull()
    }
    const { status, body, headers } = await read(api)
    const wait_s = Number(headers.get('retry-after'))
    const usual = `Request was throttled. Expected available in ${wait_s} seconds.`
    const hint = 'The operator raises this with READS_PER_MINUTE, or for a new key with --reads-per-minute.'
    const detail = `${usual} This API key may send 30 read requests a minute. ${hint}`
    expect([status, body]).toEqual([429, { detail }])
    expect(wait_s).toBeGreaterThan(30)
    expect(wait_s).toBeLessThanOrEqual(60)
    expect(headers.get('ratelimit-remaining')).toBe('0')
    // Writes have their own count, and a refused read of another kind is still a read.
    expect((await api.post('/api/collectionrequests', REQUIRED_FIELDS)).headers.get('ratelimit-remaining')).toBe('2999')
    expect((await api.send('HEAD', '/api/currencies')).status).toBe(429)
    expect((await api.get('/api/collectionrequests/999999')).status).toBe(429)
  })

  it('"Write requests: 3000 per minute", refused ones included', async () => {
    const api = createApiClient(service.url, await service.newKey({ writes_per_minute: 5 }))
    expect(
      (await createApiClient(service.url, await service.newKey()).post('/api/collectionrequests', {})).headers.get(
        'ratelimit-limit',
      ),
    ).toBe('3000')
    for (let number = 1; number <= 5; number += 1)
      expect((await api.post('/api/collectionrequests', {})).status).toBe(400)
    const refused = await api.post('/api/collectionrequests', REQUIRED_FIELDS)
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([429, '5'])
  })

  it('counts all keys of an organization together, up to ten times the limit of one', async () => {
    const own = await openTestService({ jobs: false, settings: { ...settings, READS_PER_MINUTE: '2' } })
    const newApi = async (limits = {}) => createApiClient(own.url, await own.newKey(limits))
    for (let key = 1; key <= 10; key += 1) {
      const api = await newApi()
      expect([(await read(api)).status, (await read(api)).status, (await read(api)).status]).toEqual([200, 200, 429])
    }
    const eleventh = await read(await newApi())
    expect([eleventh.status, eleventh.headers.get('ratelimit-limit')]).toEqual([429, '20'])
    // The operator has given this key more than its organization has.
    expect((await read(await newApi({ reads_per_minute: 21 }))).status).toBe(200)
    await own.close()
  })

  it('counts every key separately', async () => {
    const [busy, calm] = [
      createApiClient(service.url, await service.newKey()),
      createApiClient(service.url, await service.newKey()),
    ]
    for (let number = 1; number <= 31; number += 1) await read(busy)
    expect((await read(busy)).status).toBe(429)
    expect((await read(calm)).status).toBe(200)
    expect((await read(service.otherShop)).status).toBe(200)
  })

  it('can be raised for one key', async () => {
    const api = createApiClient(service.url, await service.newKey({ reads_per_minute: 40 }))
    for (let number = 1; number <= 40; number += 1) expect((await read(api)).status).toBe(200)
    expect((await read(api)).status).toBe(429)
  })

  it('counts requests without a valid key by IP address', async () => {
    const ask = () => callRaw(service.url, 'GET', '/api/currencies', { headers: { authorization: 'Token wrong' } })
    const statuses: number[] = []
    for (let number = 1; number <= 32; number += 1) statuses.push((await ask()).status)
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429])
    expect((await callRaw(service.url, 'GET', '/api/currencies')).status).toBe(429)
    expect((await read(createApiClient(service.url, await service.newKey()))).status).toBe(200)
  })

  it('adds the RateLimit headers to every response to a key', async () => {
    const viewer = createApiClient(service.url, await service.newKey({ permissions: ['view'] }))
    for (const [method, path] of [
      ['GET', '/api/currencies/999'],
      ['POST', '/api/collectionrequests'],
      ['DELETE', '/api/events'],
      ['GET', '/api/collectionrequests?amount=x'],
    ] as const) {
      const { headers } = await viewer.send(method, path)
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
        expect([method, path, name, headers.get(name)]).toEqual([method, path, name, expect.stringMatching(/^\d+$/)])
    }
  })

  it('does not limit health checks', async () => {
    for (let number = 1; number <= 40; number += 1)
      expect((await callRaw(service.url, 'GET', '/healthz')).status).toBe(200)
  })
})
