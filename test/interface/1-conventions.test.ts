import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../test-app.ts'
import { callRaw, type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService
const created: Json[] = []

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  for (let number = 1; number <= 7; number += 1) {
    created.push(await service.createRequest({ amount: number * 100, reason: number % 2 ? 'odd' : 'even' }))
    service.testApp.clock.advance(60)
  }
})
afterAll(() => service.close())

const path = '/api/collectionrequests'
const idsOf = (body: { results: Json[] }) => body.results.map(({ id }) => id)

describe('interface 1: requests and responses', () => {
  it('"Requests and responses are JSON … a response includes a status code and content-type"', async () => {
    for (const [method, where, status] of [
      ['GET', '/api/currencies', 200],
      ['GET', '/api/currencies/999', 404],
      ['POST', path, 400],
      ['GET', '/nowhere', 404],
    ] as const) {
      const answer = await service.shop.send(method, where)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  it('"id is a long integer"', () => {
    for (const { id } of created) expect(Number.isSafeInteger(id)).toBe(true)
  })

  it('"UTC, format YYYY-MM-DDTHH:MM:SSZ"', () => {
    expect(created[0]).toMatchObject({ created: '2030-01-15T12:00:00Z', modified: '2030-01-15T12:00:00Z' })
    expect(created[1]).toMatchObject({ created: '2030-01-15T12:01:00Z' })
  })

  it('answers 201 to a creation and 200 to a read, and never with a redirect', async () => {
    const authorization = { authorization: `Token ${service.key}` }
    for (const url of [path, `${path}/`, `/api/v2${path.slice(4)}/`]) {
      const headers = { ...authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ phonenumber: '+80000000001', amount: 1, currency: 'BXC', expiry_date: '1 minute' })
      expect((await callRaw(service.url, 'POST', url, { headers, body })).status).toBe(201)
    }
    for (const url of [path, `${path}/`, `${path}?`, `${path}/?limit=1&`, `${path}/${created[0]!.id}/`])
      expect((await callRaw(service.url, 'GET', url, { headers: authorization })).status).toBe(200)
  })

  it('answers HEAD like GET without a body, and OPTIONS with the methods', async () => {
    const headers = { authorization: `Token ${service.key}` }
    const head = await callRaw(service.url, 'HEAD', `${path}/${created[0]!.id}`, { headers })
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await callRaw(service.url, 'OPTIONS', path, { headers })
    expect([options.status, options.headers.allow]).toEqual([200, 'GET, POST, HEAD, OPTIONS'])
  })

  it('answers /healthz and /readyz without a key', async () => {
    for (const where of ['/healthz', '/readyz', '/metrics'])
      expect((await callRaw(service.url, 'GET', where)).status).toBe(200)
  })
})

describe('interface 1: list responses', () => {
  it('"Object with count (integer), next, previous (string URL or null), results (array of objects)"', async () => {
    const { body } = await service.shop.get('/api/currencies')
    expect(Object.keys(body).sort()).toEqual(['count', 'next', 'previous', 'results'])
    expect(body).toMatchObject({ count: 4, next: null, previous: null })
    expect(body.results).toHaveLength(4)
  })

  it('"Next/previous URLs carry limit and offset", and the links lead through the whole list and back', async () => {
    const count = (await service.shop.get(path)).body.count
    const seen: number[] = []
    let page = (await service.shop.get(`${path}?limit=3`)).body
    let last = ''
    for (;;) {
      expect(page.count).toBe(count)
      seen.push(...idsOf(page))
      if (page.next === null) break
      const url = new URL(page.next)
      expect(url.searchParams.get('limit')).toBe('3')
      expect(url.searchParams.get('offset')).toBe(String(seen.length))
      last = page.next
      page = (await createApiClient('', service.key).get(page.next)).body
    }
    expect(new Set(seen).size).toBe(count)
    const back = (await createApiClient('', service.key).get(page.previous)).body
    expect(idsOf(back)).toEqual(seen.slice(-idsOf(page).length - 3, -idsOf(page).length))
    expect(last).toContain(`${service.url}${path}?`)
  })

  it('keeps every other parameter in the links', async () => {
    const { body } = await service.shop.get(`${path}?reason=odd&limit=2&ordering=created&offset=1`)
    expect(idsOf(body)).toEqual([created[2]!.id, created[4]!.id])
    for (const [link, offset] of [
      [body.next, '3'],
      [body.previous, '0'],
    ]) {
      const query = Object.fromEntries(new URL(link).searchParams)
      expect(query).toEqual({ reason: 'odd', ordering: 'created', limit: '2', offset })
    }
  })

  it('shows 10 by default and at most 1000, and ignores an invalid limit', async () => {
    for (const query of ['', '?limit=', '?limit=0', '?limit=many', '?limit=-5', '?offset=x'])
      expect((await service.shop.get(path + query)).body.results).toHaveLength(10)
    const { body } = await service.shop.get(`${path}?limit=5000`)
    expect(body.results).toHaveLength(body.count)
    expect((await service.shop.get(`${path}?limit=5000&offset=1`)).body.previous).toContain('limit=1000&offset=0')
  })

  it('shows the newest first or the requested ordering, and refuses an unknown ordering', async () => {
    const newest = idsOf((await service.shop.get(`${path}?limit=1000`)).body)
    expect(newest).toEqual([...newest].sort((a, b) => b - a))
    const cheapest = (await service.shop.get(`${path}?ordering=amount&reason=odd`)).body
    expect(idsOf(cheapest)).toEqual([0, 2, 4, 6].map((index) => created[index]!.id))
    const dearest = (await service.shop.get(`${path}?ordering=-amount&reason=odd`)).body
    expect(idsOf(dearest)).toEqual(idsOf(cheapest).reverse())
    const refused = await service.shop.get(`${path}?ordering=contact`)
    expect([refused.status, refused.body]).toEqual([
      400,
      { ordering: [expect.stringContaining('"contact" is not a valid choice.')] },
    ])
  })

  it('is empty after the last item, with the same count', async () => {
    const { status, body } = await service.shop.get(`${path}?offset=5000&limit=2`)
    expect(status).toBe(200)
    expect(body.results).toEqual([])
    expect(body.count).toBeGreaterThan(0)
    expect(body.next).toBeNull()
  })

  it('uses PUBLIC_URL for its links when it is set', async () => {
    const with_public_url = await openTestService({ jobs: false, settings: { PUBLIC_URL: 'https://pay.example.com' } })
    try {
      const { body } = await with_public_url.shop.get('/api/currencies?limit=1')
      expect(body.next).toBe('https://pay.example.com/api/currencies?limit=1&offset=1')
    } finally {
      await with_public_url.close()
    }
  })
})

describe('interface 1: filters', () => {
  it('"Several filters can be combined. Matching is exact"', async () => {
    const find = async (query: string) => idsOf((await service.shop.get(`${path}?${query}`)).body).sort((a, b) => a - b)
    expect(await find('reason=even')).toEqual([1, 3, 5].map((index) => created[index]!.id))
    expect(await find('reason=even&amount=400')).toEqual([created[3]!.id])
    expect(await find('reason=odd&amount=400')).toEqual([])
    expect(await find('reason=Even')).toEqual([])
    expect(await find('reason=eve')).toEqual([])
  })

  it('ignores a filter without a value and an unknown parameter', async () => {
    const all = (await service.shop.get(path)).body.count
    expect((await service.shop.get(`${path}?reason=&status=&amount=&created_after=`)).body.count).toBe(all)
    expect((await service.shop.get(`${path}?colour=blue`)).body.count).toBe(all)
  })

  it('accepts dates in every form of existing clients, and compares strictly', async () => {
    const count = async (query: string) => (await service.shop.get(`${path}?reason=odd&${query}`)).body.count
    // The requests with the reason "odd" were created at 12:00, 12:02, 12:04 and 12:06.
    for (const date of [
      '2030-01-15T12:02:00Z',
      '2030-01-15T12:02:00',
      '2030-01-15 12:02:00',
      '2030-01-15 12:02',
      '15/01/2030 12:02:00',
      '2030-01-15T15:02:00%2B03:00',
      '2030-01-15T15:02:00+03:00',
    ]) {
      expect([date, await count(`created_after=${date}`)]).toEqual([date, 2])
      expect([date, await count(`created_before=${date}`)]).toEqual([date, 1])
    }
    expect(await count('created_after=2030-01-15&created_before=2030-01-16')).toBe(4)
    expect(await count('modified_after=15/01/2030&modified_before=16/01/2030')).toBe(4)
    for (const filter of ['created_after', 'created_before', 'modified_after', 'modified_before']) {
      const { status, body } = await service.shop.get(`${path}?${filter}=yesterday`)
      expect([status, Object.keys(body)]).toEqual([400, [filter]])
    }
  })
})
