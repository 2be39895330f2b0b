import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
  await service.advanceUntilStatus((await service.createRequest({ amount: '75.5' })).id, 'successful')
})
afterAll(() => service.close())

describe('GET /api/transactions', () => {
  it('lists the newest first: the payment of a customer and the initial funds', async () => {
    const { body } = await service.shop.get('/api/transactions')
    expect(body).toMatchObject({ count: 5, next: null, previous: null })
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      account: expect.any(Number),
      amount: '75.5000',
      currency: 'BXC',
      description: expect.stringMatching(/^Collection \d+$/),
      created: expect.stringMatching(/^2030-01-15T12:/),
      type: 'mobile_collection',
    })
    const demo = body.results.slice(1).map((one: { type: string; description: string }) => [one.type, one.description])
    expect(demo).toEqual(Array(4).fill(['admin_funds_update', 'Demo funds']))
  })

  it('filters by wallet, type and date', async () => {
    const count = async (query: string) => (await service.shop.get(`/api/transactions?${query}`)).body.count
    const [bxc] = (await service.shop.get('/api/accounts?currency=BXC')).body.results
    expect(await count(`account=${bxc.id}`)).toBe(2)
    expect(await count(`account=${bxc.id}&type=mobile_collection`)).toBe(1)
    expect(await count('type=nonsense')).toBe(0)
    expect(await count('start_date=2030-01-15&end_date=2030-01-15')).toBe(5)
    expect(await count('start_date=16/01/2030')).toBe(0)
    expect(await count(`account=${service.otherShop.account}`)).toBe(0)
  })

  it('pages through all of them in the requested order', async () => {
    const seen: string[] = []
    let next = '/api/transactions?limit=2&ordering=amount'
    while (next) {
      const { body } = await service.shop.get(next)
      seen.push(...body.results.map((one: { amount: string }) => one.amount))
      next = body.next && new URL(body.next).pathname + new URL(body.next).search
    }
    expect(seen).toEqual(['75.5000', '100000.0000', '500000.0000', '5000000.0000', '10000000.0000'])
  })

  it('names every invalid parameter', async () => {
    const { status, body } = await service.shop.get('/api/transactions?account=mine&start_date=soon&end_date=later')
    const errors = ['Enter a valid date/time (e.g. 2030-01-31 or 2030-01-31T18:00:00Z).']
    expect(status).toBe(400)
    expect(body).toEqual({ account: ['A valid integer is required.'], start_date: errors, end_date: errors })
  })
})

describe('GET /api/transactions/<id>', () => {
  it('shows one transaction', async () => {
    const [newest] = (await service.shop.get('/api/transactions?limit=1')).body.results
    expect((await service.shop.get(`/api/transactions/${newest.id}`)).body).toEqual(newest)
  })
})
