import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DarajaShop, openDarajaShop } from './daraja-shop.ts'
import { confirmationOf, postReport, type SentPrompt } from './paying-network.ts'

let shop: DarajaShop

beforeAll(async () => {
  shop = await openDarajaShop()
})
afterAll(() => shop.close())

it('The account number that a payer types at a paybill fulfils the request, even if a query reads the payment back', async () => {
  const connection = await shop.connect('shop-paybill', {})
  const { service, network } = shop
  const wanted = { phonenumber: '+254711000001', amount: 300, currency: 'KES', send_instructions: false }
  const { id } = await service.createRequest(wanted)
  // Another phone pays, so that nothing but the account number says for which request.
  const payment: SentPrompt = {
    reference: 'paid without a prompt',
    checkout_id: '',
    account_number: String(id),
    receiver: '174371',
    phonenumber: '+254722000009',
    amount: 300,
    callback_url: '',
    receipt: null,
    paid_at: new Date(Date.now() - 30_000),
  }
  network.prompts.set(payment.reference, payment)
  network.pay(payment)
  const url = `${shop.addressOf(connection)}/confirmation`
  // The report is longer than what is stored of others.
  const report = { padding: 'x'.repeat(2_000), ...confirmationOf(payment, 'masked') }
  expect(await postReport(url, report)).toBe(200)
  await service.waitForStatus(id, 'successful')
  const found = await service.testApp.db`
    select collection_request, remote_transaction_id, reference from collections where connection = ${connection.slug}`
  expect([...found]).toEqual([
    { collection_request: id, remote_transaction_id: payment.receipt, reference: String(id) },
  ])
})
