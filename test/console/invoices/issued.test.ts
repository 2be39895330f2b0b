import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const PATH = '/invoices/issued'
const invoice = (changes: object = {}) => ({
  phonenumber: '+80000000077',
  currency: 'BXC',
  lines: [{ text: 'Uniform', quantity: '2', unit_price: '750' }],
  ...changes,
})
const count = async () => (await shop.owner.get('/invoices')).body.count

it('an invoice is created and issued at once, once for each key', async () => {
  const send = () => shop.owner.send('POST', PATH, invoice(), { 'duplicate-check-key': 'form-1' })
  const { status, body } = await send()
  expect([status, body]).toMatchObject([201, { state: 'issued', number: 'INV-000001', total: '1500.0000' }])
  expect(body.url).toContain('/pay/')
  const again = await send()
  expect([again.status, again.body.id, await count()]).toEqual([409, body.id, 1])
  expect((await shop.audit()).slice(-2)).toEqual(['create invoice', 'issue invoice'])
  const { body: events } = await shop.owner.get('/events?type=invoice.issued')
  expect(events.count).toBe(1)
})

it('an invoice that cannot be issued leaves no draft and takes no number', async () => {
  const before = await count()
  const late = await shop.owner.post(PATH, invoice({ due_date: '2000-01-01' }))
  expect([late.status, Object.keys(late.body)]).toEqual([400, ['due_date']])
  expect((await shop.owner.post(PATH, invoice({ lines: [] }))).status).toBe(400)
  expect(await count()).toBe(before)
  expect((await shop.owner.post(PATH, invoice())).body.number).toBe('INV-000002')
})

it('needs the permission to collect', async () => {
  expect((await shop.viewer.post(PATH, invoice())).status).toBe(403)
})
