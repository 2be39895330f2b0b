import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAllocations } from '../../../src/core/allocations/allocations.ts'
import type { IncomingPaymentReport } from '../../../src/core/collections/incoming-payments.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { openInvoiceShop } from '../invoices/invoice-shop.ts'
import { amount } from '../shop.ts'
import { matchByHand } from './match-by-hand.ts'

let shop: Awaited<ReturnType<typeof openInvoiceShop>>
beforeAll(async () => {
  shop = await openInvoiceShop()
  const { db, organization, now } = shop.shop
  await begin(db, (tx) => setMatchingSettings(tx, now(), organization, { overpayment: 'credit' }))
})
afterAll(() => shop.close())

const lines = (total: string) => [{ text: 'Fees', unit_price: total }]

async function pay(total: string, changes: Partial<IncomingPaymentReport>) {
  const report = shop.shop.paymentReport({ phonenumber: shop.newPhone(), amount: amount(total), ...changes })
  await shop.shop.ingest(report)
  await shop.countMoney()
  const [row] = (await shop.shop.collections()).filter((one) => one.remote_transaction_id === report.remote_id)
  return { report, collection: row!.id }
}

/** Return the events about a customer's credit, newest last. */
async function changesOf(contact: number) {
  const events = await shop.shop.events()
  return events
    .filter(({ type, data }) => type === 'contact.credit_changed' && data.id === contact)
    .map(({ data: { amount: change, balance, collection, invoice, currency } }) => ({
      amount: change,
      balance,
      collection,
      invoice,
      currency,
    }))
}

it('reports that credit came in with too much money, and that it paid the next invoice', async () => {
  const first = await shop.issue({ lines: lines('100') })
  const { collection } = await pay('250', { reference: first.number })
  const came = { amount: '150.0000', balance: '150.0000', collection, invoice: null, currency: 'BXC' }
  expect(await changesOf(first.contact)).toEqual([came])
  const next = await shop.issue({ contact: first.contact, phonenumber: undefined, lines: lines('60') })
  await shop.countMoney()
  const used = { amount: '-60.0000', balance: '90.0000', collection, invoice: next.id, currency: 'BXC' }
  expect(await changesOf(first.contact)).toEqual([came, used])
})

it('reports that a person kept money for a customer and took it back', async () => {
  const { contact } = await shop.issue({ lines: lines('100') })
  const { collection } = await pay('40', {})
  const { organization, db, testApp } = shop.shop
  await matchByHand(testApp.app, organization, { collection, parts: [{ target: { contact } }] })
  const [made] = (await readAllocations(db, [collection])).get(collection)!
  await matchByHand(testApp.app, organization, { collection, parts: [], instead_of: made!.id })
  expect(await changesOf(contact)).toMatchObject([
    { amount: '40.0000', balance: '40.0000', collection, invoice: null },
    { amount: '-40.0000', balance: '0.0000', collection, invoice: null },
  ])
})

it("reports that a network took credit back, before it takes an invoice's money", async () => {
  const { contact, number } = await shop.issue({ lines: lines('100') })
  const { report, collection } = await pay('150', { reference: number })
  const reversals = [{ remote_id: `${report.remote_id}-R`, amount: amount('20') }]
  await shop.shop.ingest({ ...report, reversals })
  await shop.shop.ingest({ ...report, reversals, status: 'reversed' })
  expect(await changesOf(contact)).toMatchObject([
    { amount: '50.0000', balance: '50.0000', collection },
    { amount: '-20.0000', balance: '30.0000', collection },
    { amount: '-30.0000', balance: '0.0000', collection },
  ])
})

it('reports nothing when an invoice gets exactly its total', async () => {
  const { contact, number } = await shop.issue({ lines: lines('100') })
  await pay('100', { reference: number })
  expect(await changesOf(contact)).toEqual([])
})
