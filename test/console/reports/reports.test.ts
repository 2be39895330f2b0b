import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
let wallet: number
beforeAll(async () => {
  shop = await openShop()
  ;[{ id: wallet }] = (await shop.owner.get('/accounts')).body.results
})
afterAll(() => shop.testApp.close())

it('a report names its days in the time zone of the organization', async () => {
  const report = await shop.viewer.get('/reports?kind=collections&by=day&from=2030-01-01&to=2030-01-31')
  expect(report).toMatchObject({ status: 200, body: { from: '2030-01-01', to: '2030-01-31', zone: 'Africa/Kampala' } })
  expect((await shop.viewer.get('/reports?kind=collections&by=day&from=2030-02-01&to=2030-01-31')).status).toBe(400)
  expect((await shop.viewer.get('/reports?kind=rumours&by=day')).status).toBe(400)
})

it('the money on hold and the transactions of a wallet are read by its own organization alone', async () => {
  expect((await shop.viewer.get(`/wallets/${wallet}/held`)).body).toEqual({ held: '0.0000' })
  expect((await shop.otherOwner.get(`/wallets/${wallet}/held`)).status).toBe(403)
  expect((await shop.otherOwner.get(`/wallets/${wallet}/statement?format=csv`)).status).toBe(403)
  expect((await shop.otherOwner.get(`/wallets/${wallet}/transactions`)).body).toMatchObject({ count: 0, results: [] })
  const { results } = (await shop.viewer.get(`/wallets/${wallet}/transactions?ordering=id`)).body
  expect(results.at(-1).balance).toBe(`${(await shop.owner.get(`/accounts/${wallet}`)).body.balance}.0000`)
})
