import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const PATH = '/invoices/totals'

it("the sums of lines match an invoice's, and nothing is stored", async () => {
  const lines = [{ text: 'Uniform', quantity: '3', unit_price: '0.335', tax_rate: '18' }]
  const { status, body } = await shop.owner.send('POST', PATH, { currency: 'BXC', lines })
  expect([status, body]).toEqual([
    200,
    {
      lines: [{ text: 'Uniform', quantity: '3.0000', unit_price: '0.3350', tax_rate: '18.0000', amount: '1.0100' }],
      taxes: [{ rate: '18.0000', net: '1.0100', amount: '0.1800' }],
      subtotal: '1.0100',
      total: '1.1900',
    },
  ])
  expect((await shop.owner.send('POST', PATH, { currency: 'BXC', lines: [] })).status).toBe(400)
  expect((await shop.owner.get('/invoices')).body.count).toBe(0)
})
