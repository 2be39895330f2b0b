import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const PATH = '/receipts/settings'

it('managers decide which receipts are made and sent by themselves', async () => {
  const off = { every_payment: false, sms: false, email: false, language: 'en' }
  expect((await shop.viewer.get(PATH)).body).toEqual(off)
  expect((await shop.viewer.send('PUT', PATH, { ...off, sms: true })).status).toBe(403)
  // Automatic sending includes automatic receipts.
  const set = await shop.owner.send('PUT', PATH, { ...off, sms: true, language: 'sw' })
  expect([set.status, set.body]).toEqual([200, { every_payment: true, sms: true, email: false, language: 'sw' }])
  expect((await shop.owner.send('PUT', PATH, { ...off, language: 'xx' })).status).toBe(400)
  expect((await shop.otherOwner.get(PATH)).body).toEqual(off)
  const [entry] = (await shop.owner.get('/audit?limit=1')).body.results
  expect(entry).toMatchObject({ action: 'change receipt settings', details: { sms: true, language: 'sw' } })
})
