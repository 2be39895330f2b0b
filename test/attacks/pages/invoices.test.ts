import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../../core/shop.ts'
import { openCustomer } from '../../pay/customer.ts'
import { createApiClient } from '../../test-app.ts'
import { printFigure } from '../figures.ts'

/*
 * Several customers and the office request the money of one invoice at the same moment, while it is voided. A stranger
 * guesses the addresses of invoices.
 */

let shop: Shop
let api: ReturnType<typeof createApiClient>
let url: string
const stranger = openCustomer()

beforeAll(async () => {
  shop = await openShop()
  url = (await shop.testApp.startService({ jobs: false })).url
  api = createApiClient(url, shop.testApp.api_key)
})
afterAll(() => shop.close())

async function createInvoice(): Promise<{ id: number }> {
  const lines = [{ text: 'Fees', unit_price: '100' }]
  return (await api.post('/api/invoices', { phonenumber: '+80000000003', currency: 'BXC', lines })).body
}

it('of ten requests for the money of one invoice at once, one is made', async () => {
  const { id } = await createInvoice()
  const { body } = await api.post(`/api/invoices/${id}/issue`, {})
  const leads = await stranger.open(`${body.url}/pay`)
  const form = new URL(leads.headers.get('location')!, url).href
  const phones = Array.from({ length: 5 }, (_, index) => `+8000000500${index}`)
  await Promise.all([
    ...phones.map((phone) => stranger.pay({ url: form }, { phone })),
    ...phones.map((phonenumber) => api.post(`/api/invoices/${id}/collect`, { phonenumber })),
    api.post(`/api/invoices/${id}/void`, {}),
  ])
  const { body: after } = await api.get(`/api/invoices/${id}`)
  expect(after.requests.length).toBe(after.state === 'void' ? 0 : 1)
  const [all] = await shop.db<{ count: number }[]>`select count(*) as count from collection_requests`
  expect(all!.count).toBe(after.requests.length)
  printFigure('invoices', `${after.requests.length} of 10 requests at once for one invoice was made`)
})

it("all guessed addresses get the same answer, even a draft's", async () => {
  const { id } = await createInvoice()
  const [draft] = await shop.db<{ code: string }[]>`select code from invoices where id = ${id}`
  const guesses = [draft!.code, 'A'.repeat(24), `${draft!.code}A`, '1', 'INV-000001', '%00']
  const answers = await Promise.all(
    guesses.flatMap((guess) =>
      ['', '/pay', '/logo'].map((path) => stranger.open(`${url}/pay/invoices/${guess}${path}`)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  printFigure('invoices', `0 of ${guesses.length} guessed addresses showed an invoice`)
})
