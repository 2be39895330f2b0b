import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Kusanya } from '../../../packages/client/src/index.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

const ROWS = 250
let service: TestService
let proxy: FaultyProxy
let kusanya: Kusanya

beforeAll(async () => {
  // PUBLIC_URL is in the addresses of the next pages, and nothing answers there.
  service = await openTestService({ jobs: false, settings: { PUBLIC_URL: 'https://pay.example.com' } })
  proxy = await openProxy(service.url)
  kusanya = new Kusanya({ url: proxy.url, key: service.key })
  const numbers = Array.from({ length: ROWS }, (_, number) => number)
  await Promise.all(numbers.map((number) => service.createRequest({ metadata: { number } })))
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

describe('a list', () => {
  it(`gives ${ROWS} objects, each once, in three reads`, async () => {
    proxy.seen = []
    const ids: number[] = []
    for await (const { id } of kusanya.collectionRequests.list()) ids.push(id)
    expect(new Set(ids).size).toBe(ROWS)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(proxy.seen).toHaveLength(3)
  })

  it('reads no unneeded page', async () => {
    proxy.seen = []
    expect(await kusanya.collectionRequests.list({ limit: 20 }).toArray(30)).toHaveLength(30)
    expect(proxy.seen).toHaveLength(2)
    expect(await kusanya.collectionRequests.list().toArray(0)).toEqual([])
    expect(proxy.seen).toHaveLength(2)
  })

  it('keeps filters and order over pages', async () => {
    const list = kusanya.collectionRequests.list({ ordering: 'id', limit: 60, currency: 'BXC', offset: 10 })
    const numbers = (await list.toArray()).map(({ id }) => id)
    expect(numbers).toHaveLength(ROWS - 10)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    const sizes: number[] = []
    for await (const { results } of list.pages()) sizes.push(results.length)
    expect(sizes).toEqual([60, 60, 60, 60])
    expect(await list.page()).toMatchObject({ count: ROWS })
    expect(await kusanya.collectionRequests.list({ currency: 'KES' }).toArray()).toEqual([])
  })

  it('gives an object once when newer ones come between two pages', async () => {
    const ids: number[] = []
    for await (const { id } of kusanya.collectionRequests.list({ limit: 100 })) {
      if (ids.push(id) === 50) await service.createRequest()
    }
    expect(ids).toHaveLength(ROWS)
    expect(new Set(ids).size).toBe(ROWS)
  })

  it('skips no object when others leave it between two pages', async () => {
    const links = Array.from({ length: 7 }, (_, number) => ({ title: `Link ${number}`, amount: '5', currency: 'BXC' }))
    for (const link of links) await kusanya.paymentLinks.create(link)
    for await (const { id } of kusanya.paymentLinks.list({ state: 'active', limit: 2 }))
      await kusanya.paymentLinks.close(id)
    expect((await kusanya.paymentLinks.list({ state: 'active' }).page()).count).toBe(0)
  })
})
