import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buyer, power } from '../api/bills/buyer.ts'
import { openShop, type Shop } from './people.ts'

let shop: Shop
const bought = power({ amount: '2000' })
const open = power({ amount: '1000', phone: '08031000203' })

beforeAll(async () => {
  shop = await openShop()
  const counter = buyer(shop.house, shop.url)
  for (const body of [bought, open]) await counter.post('/services/electricity/request', body)
})
afterAll(() => shop.house.close())

const find = async (reference: string) =>
  (await shop.owner.get(`/purchases?agent_reference=${encodeURIComponent(reference)}`)).body.results[0]

describe('purchases', () => {
  it('are listed, and show what the customer got', async () => {
    expect((await shop.owner.get('/purchases')).body.count).toBe(2)
    expect((await shop.owner.get('/purchases?status=pending')).body.count).toBe(1)
    expect((await shop.owner.get('/purchases?status=lost')).status).toBe(400)
    const { id } = await find(bought.agentReference)
    expect((await shop.owner.get(`/purchases/${id}`)).body).toMatchObject({
      kind: 'electricity',
      amount: '2000.0000',
      status: 'success',
      vended: { token: expect.stringMatching(/^[\d-]{20,}$/), pins: [] },
    })
  })

  it('have their biller asked while they are open, by whoever may pay bills', async () => {
    const { id } = await find(open.agentReference)
    expect((await shop.viewer.post(`/purchases/${id}/requery`)).status).toBe(403)
    expect((await shop.owner.post(`/purchases/${id}/requery`)).status).toBe(204)
    expect(await shop.audit()).toEqual(['requery purchase'])
    const settled = await find(bought.agentReference)
    expect((await shop.owner.post(`/purchases/${settled.id}/requery`)).body).toEqual({
      status: ['The purchase is settled: success.'],
    })
  })

  it('are those of the own organization', async () => {
    const { id } = await find(open.agentReference)
    expect((await shop.stranger.get('/purchases')).body.count).toBe(0)
    expect((await shop.stranger.get(`/purchases/${id}`)).status).toBe(403)
    expect((await shop.stranger.post(`/purchases/${id}/requery`)).status).toBe(403)
  })
})

describe('the catalogue', () => {
  it('is shown by category, a page at a time', async () => {
    const all = (await shop.owner.get('/services?limit=3')).body
    expect(all.results).toHaveLength(3)
    const some = (await shop.owner.get('/services?category=electricity&limit=1000')).body
    expect(some.count).toBeLessThan(all.count)
    expect(some.results.every((one: { category: string }) => one.category === 'electricity')).toBe(true)
  })
})
