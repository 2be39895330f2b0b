import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuyer, electricityOrder } from '../../api/bills/buyer.ts'
import { PASSWORD } from '../../password.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

let shop: Shop
const bought = electricityOrder({ amount: '2000' })
/** It stays open: the simulated biller sells it after five seconds, and the clock of a test does not move. */
const open = electricityOrder({ amount: '1000', phone: '08031000203' })

beforeAll(async () => {
  shop = await openShop()
  const counter = createBuyer(shop.testApp, shop.url)
  for (const body of [bought, open]) await counter.post('/services/electricity/request', body)
})
afterAll(() => shop.testApp.close())

const list = async (query = '') => (await shop.owner.get(`/purchases${query}`)).body
const find = async (reference: string) => (await list(`?agent_reference=${reference}`)).results[0]

describe('purchases', () => {
  it('are listed newest first, in pages and with filters', async () => {
    const references = async (query: string) =>
      (await list(query)).results.map((one: { agent_reference: string }) => one.agent_reference)
    expect(await references('')).toEqual([open.agentReference, bought.agentReference])
    expect(await list('?limit=1&offset=1')).toMatchObject({
      count: 2,
      results: [{ agent_reference: bought.agentReference, service_name: 'Ikeja Prepaid' }],
    })
    expect(await references('?ordering=id')).toEqual([bought.agentReference, open.agentReference])
    expect(await references('?status=pending')).toEqual([open.agentReference])
    expect(await references('?kind=epin')).toEqual([])
    expect((await shop.owner.get('/purchases?status=lost')).body).toHaveProperty('status')
  })

  it('show the goods of the customer', async () => {
    const { id } = await find(bought.agentReference)
    const { body } = await shop.owner.get(`/purchases/${id}`)
    expect(body).toMatchObject({
      status: 'success',
      amount: '2000.0000',
      currency: 'NGN',
      kind: 'electricity',
      service_type: 'ikeja_electric_prepaid',
      service_name: 'Ikeja Prepaid',
      account_number: '04042404048',
    })
    const counter = createBuyer(shop.testApp, shop.url)
    const { data } = (await counter.requery(bought.agentReference)).body
    expect(body.vended.token).toBe(data.tokenCode)
  })

  it('are requeried at once while they are open, and not after they are settled', async () => {
    const { id } = await find(open.agentReference)
    await shop.testApp
      .db`update network_orders set due_at = ${new Date('2031-01-01T00:00:00Z')} where bill_purchase = ${id}`
    expect((await shop.owner.post(`/purchases/${id}/requery`)).status).toBe(204)
    const [row] = await shop.testApp
      .db`select due_at < '2030-12-31' as soon from network_orders where bill_purchase = ${id}`
    expect(row).toEqual({ soon: true })
    expect(await shop.audit()).toEqual(['requery purchase'])

    const settled = await find(bought.agentReference)
    const refused = await shop.owner.post(`/purchases/${settled.id}/requery`)
    expect([refused.status, refused.body]).toEqual([400, { status: ['The purchase is settled: success.'] }])
    expect(await shop.audit()).toEqual(['requery purchase'])
  })

  it('need the permission to pay bills, because tokens have the value of money', async () => {
    const { id } = await find(open.agentReference)
    for (const path of ['/purchases', `/purchases/${id}`, '/services'])
      expect([path, (await shop.viewer.get(path)).status]).toEqual([path, 403])
    expect((await shop.viewer.post(`/purchases/${id}/requery`)).status).toBe(403)
    const email = 'cashier@shop.example'
    await addPerson(shop.testApp, { email, organization: shop.testApp.organization, permissions: ['pay_bills'] })
    const cashier = openBrowser(shop.url)
    await cashier.signIn(email, PASSWORD)
    expect((await cashier.get(`/purchases/${id}`)).status).toBe(200)
    expect((await cashier.post(`/purchases/${id}/requery`)).status).toBe(204)
  })

  it('are visible only to their organization', async () => {
    const { id } = await find(open.agentReference)
    expect((await shop.otherOwner.get('/purchases')).body.count).toBe(0)
    expect((await shop.otherOwner.get(`/purchases/${id}`)).status).toBe(403)
    expect((await shop.otherOwner.post(`/purchases/${id}/requery`)).status).toBe(403)
    expect((await shop.owner.get('/purchases/999999')).status).toBe(404)
    expect((await openBrowser(shop.url).get('/purchases')).status).toBe(401)
  })
})

describe('the catalogue', () => {
  it('is listed by category, in pages', async () => {
    const { count, results } = (await shop.owner.get('/services?limit=3')).body
    expect(results).toHaveLength(3)
    const electricity = (await shop.owner.get('/services?category=electricity&limit=100')).body
    expect(electricity.count).toBeLessThan(count)
    expect(electricity.results).toContainEqual(
      expect.objectContaining({ service_type: 'ikeja_electric_prepaid', category: 'electricity', enabled: true }),
    )
    expect(electricity.results.every((one: { category: string }) => one.category === 'electricity')).toBe(true)
    expect((await shop.owner.get('/services?category=bread')).status).toBe(400)
  })

  it('shows the products and prices of a service', async () => {
    const [service] = (await shop.owner.get('/services?category=cabletv')).body.results
    const { products } = (await shop.owner.get(`/services/${service.id}`)).body
    expect(products.length).toBeGreaterThan(0)
    for (const { kind, prices } of products) {
      expect(['bouquet', 'addon']).toContain(kind)
      expect(prices[0]).toEqual({ months: expect.any(Number), price: expect.stringMatching(/^\d+\.\d{4}$/) })
    }
    expect((await shop.viewer.get(`/services/${service.id}`)).status).toBe(403)
    expect((await shop.owner.get('/services/999999')).status).toBe(404)
  })
})
