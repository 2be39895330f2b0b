import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

describe('GET /api/networks', () => {
  it('lists each network once for each of its countries, with its number prefixes', async () => {
    const { body } = await service.shop.get('/api/networks')
    expect(body.count).toBe(7)
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      code: 'sandbox',
      name: 'Sandbox Network',
      country: {
        iso: 'XX',
        iso3: 'XXX',
        iso_numeric: 0,
        name: 'TESTLAND',
        printable_name: 'Testland',
        phone_prefix: '800',
        supported: true,
      },
      phone_regex: '^\\+800\\d{8}$',
    })
    const patterns = body.results.map((one: { phone_regex: string }) => new RegExp(one.phone_regex))
    const countOf = (number: string) => patterns.filter((pattern: RegExp) => pattern.test(number)).length
    for (const number of ['+80000000003', '+2348031234567']) expect(countOf(number)).toBe(1)
    // The organization has its own network and the sandbox's.
    for (const number of ['+256772000001', '+256752000001', '+254712345678']) expect(countOf(number)).toBe(2)
  })

  it('shows the code by which lists are filtered', async () => {
    const { body } = await service.shop.get('/api/networks?limit=1')
    await service.shop.post('/api/collectionrequests', { phonenumber: '+80000000003', amount: '5', currency: 'BXC' })
    const found = await service.shop.get(`/api/collectionrequests?network=${body.results[0].code}`)
    expect(found.body.count).toBe(1)
  })

  it('gives each a permanent id, also under simultaneous first reads', async () => {
    const lists = await Promise.all([1, 2, 3, 4].map(() => service.shop.get('/api/networks')))
    const ids = lists.map(({ body }) => body.results.map((one: { id: number }) => one.id))
    for (const one of ids) expect(one).toEqual(ids[0])
    expect((await service.shop.get(`/api/networks/${ids[0][2]}`)).body).toMatchObject({
      id: ids[0][2],
      country: { iso: 'KE' },
    })
  })
})
