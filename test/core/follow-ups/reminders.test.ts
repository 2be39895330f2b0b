import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InvoiceShop, openInvoiceShop } from '../invoices/invoice-shop.ts'
import { amount } from '../shop.ts'

let invoices: InvoiceShop

beforeAll(async () => {
  invoices = await openInvoiceShop()
})
afterAll(() => invoices.close())

describe('a reminder of a request for an invoice', () => {
  /** An invoice over 1,770 BXC whose customer is asked for all of it. */
  async function askedInvoice() {
    const { id, number, phonenumber } = await invoices.issue()
    const { body } = await invoices.collect(id)
    await invoices.shop.db`
      update collection_requests set status = 'processing_started', instructions = 'Pay to 123.' where id = ${body.id}`
    return { id, number, phonenumber, request: body.id as number }
  }
  const remind = async (request: number) => {
    const { status, body } = await invoices.api.post(`/api/collectionrequests/${request}/remind`, {})
    return [status, body.collection_request]
  }

  it('is sent while all that it asks for is open', async () => {
    const { request } = await askedInvoice()
    expect((await remind(request))[0]).toBe(201)
  })

  it('is refused while money of the customer waits for a match', async () => {
    const { phonenumber, request } = await askedInvoice()
    await invoices.shop.ingest(invoices.shop.paymentReport({ phonenumber, amount: amount('500') }))
    expect(await remind(request)).toEqual([400, [expect.stringContaining('BXC 500 of this customer has arrived')]])
  })

  it('is refused once less is open than it asks for', async () => {
    const { id, number, request } = await askedInvoice()
    const money = { phonenumber: invoices.newPhone(), reference: number }
    await invoices.shop.ingest(invoices.shop.paymentReport({ ...money, amount: amount('500') }))
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({ amount_open: '1270.0000' })
    expect(await remind(request)).toEqual([400, ['Only BXC 1,270 is still due.']])
  })
})
