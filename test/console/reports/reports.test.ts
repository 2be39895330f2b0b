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

it.each([
  ['sw', 'Mteja', 'Malipo', 'Siku,Sarafu,Idadi,Kabla ya kurudi,Zilizorudi,Halisi'],
  ['fr', 'Client', 'Paiement', 'Jour,Devise,Nombre,Brut,Retourné,Net'],
  ['en', 'contact', 'collection', 'day,currency,count,gross,returned,net'],
])(
  'a report and the reports of today are files in the language %s of the reader',
  async (language, customer, payment, head) => {
    const open = async (path: string) => {
      const answer = await shop.viewer.open(`${path}&format=csv`, { 'accept-language': language })
      return (await answer.text()).replace('\ufeff', '').split('\r\n')[0]
    }
    expect(await open('/reports/file?kind=collections&by=day&from=2030-01-01&to=2030-01-31')).toBe(head)
    expect(await open(`/reports/ageing?language=${language}`)).toMatch(new RegExp(`^${customer},`))
    expect(await open(`/reports/unmatched?language=${language}`)).toMatch(new RegExp(`^${payment},`))
  },
)
