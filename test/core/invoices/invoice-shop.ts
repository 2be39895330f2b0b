import { expect } from 'vitest'
import { matchIncomingMoney } from '../../../src/jobs/invoices/match-money.ts'
import { createApiClient } from '../../test-app.ts'
import { amount, openShop } from '../shop.ts'

const PATH = '/api/invoices'

/** The demo shop with a service on loopback whose jobs the test runs, and what tests of invoices do. */
export async function openInvoiceShop() {
  const shop = await openShop({ overrides: { mailer: { send: async () => {} } } })
  const { url } = await shop.testApp.startService({ jobs: false })
  const api = createApiClient(url, shop.testApp.api_key)
  let phones = 0

  /** A number of the sandbox that no other test uses. */
  const newPhone = () => {
    phones += 1
    return `+800020${String(phones).padStart(5, '0')}`
  }

  /** Make a draft of 1,770 BXC with tax. */
  const draft = async (changes: object = {}) => {
    const lines = [
      { text: 'Consulting', quantity: '2', unit_price: '750', tax_rate: '18' },
      { text: 'Travel', unit_price: '100' },
      { text: 'Discount', unit_price: '-100' },
    ]
    const body = { phonenumber: newPhone(), first_name: 'Jane', currency: 'BXC', lines, ...changes }
    const answer = await api.post(PATH, body)
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ state: 'draft' })])
    return answer.body
  }

  const read = async (id: number) => (await api.get(`${PATH}/${id}`)).body

  return {
    shop,
    url,
    api,
    newPhone,
    draft,
    read,
    close: () => shop.close(),
    async issue(changes: object = {}) {
      const { id } = await draft(changes)
      const { status, body } = await api.post(`${PATH}/${id}/issue`, {})
      expect([status, body.state]).toEqual([200, 'issued'])
      return body
    },
    collect: (id: number, body: object = {}) => api.post(`${PATH}/${id}/collect`, body),
    /** The customer pays the newest request of an invoice. @returns the report of the network */
    async pay(id: number) {
      const [open] = (await read(id)).requests
      const report = shop.paymentReport({ phonenumber: open.phonenumber, amount: amount(open.amount) })
      await shop.ingest(report)
      return report
    },
    /** Run the job that counts payments once. */
    async countMoney() {
      await matchIncomingMoney(shop.testApp.app).claim(100)
    },
    /** The types of the events of an invoice. */
    async eventsOf(id: number) {
      const events = await shop.events()
      return events.filter(({ type, data }) => type.startsWith('invoice.') && data.id === id).map(({ type }) => type)
    },
  }
}

export type InvoiceShop = Awaited<ReturnType<typeof openInvoiceShop>>
