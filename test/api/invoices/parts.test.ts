import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'
import { openCustomer, textOf } from '../../pay/customer.ts'

let invoices: InvoiceShop
const customer = openCustomer()

beforeAll(async () => {
  invoices = await openInvoiceShop()
})
afterAll(() => invoices.close())

/** The payment link behind the button of the page of an invoice. */
async function linkOf({ url }: { url: string }): Promise<{ url: string }> {
  const location = (await customer.open(`${url}/pay`)).headers.get('location')!
  return { url: new URL(location, invoices.url).href }
}

async function pay(invoice: { id: number; url: string }, amount: string) {
  return customer.pay(await linkOf(invoice), { amount, phone: '00000077' })
}

describe('the page of an invoice with a least part', () => {
  it.each([
    ['en', 'You can pay a part: at least BXC 500.'],
    ['sw', 'Unaweza kulipa sehemu: angalau BXC 500.'],
    ['fr', 'Vous pouvez payer une partie : au moins 500 BXC.'],
  ])('says so in %s', async (language, text) => {
    const { url } = await invoices.issue({ min_part: '500', language })
    expect(textOf((await customer.open(url)).text)).toContain(text)
  })

  it('takes an amount from the least part to what is open, and then what is left', async () => {
    const invoice = await invoices.issue({ min_part: '500' })
    expect(invoice.min_part).toBe('500.0000')
    for (const amount of ['499', '1771', '']) expect((await pay(invoice, amount)).receipt, amount).toBe(null)
    const first = await linkOf(invoice)
    expect((await linkOf(invoice)).url).toBe(first.url)
    expect((await pay(invoice, '1400')).status).toBe(303)
    await invoices.pay(invoice.id)
    await invoices.countMoney()
    expect(await invoices.read(invoice.id)).toMatchObject({ amount_paid: '1400.0000', amount_open: '370.0000' })
    const page = textOf((await customer.open(invoice.url)).text)
    expect([page.includes('Pay BXC 370'), page.includes('a part')]).toEqual([true, false])
    const rest = await linkOf(invoice)
    expect(textOf((await customer.open(rest.url)).text)).toContain('BXC 370')
    expect((await customer.pay(rest, { phone: '00000077' })).status).toBe(303)
    await invoices.pay(invoice.id)
    await invoices.countMoney()
    expect(await invoices.read(invoice.id)).toMatchObject({ state: 'paid', amount_open: '0.0000' })
  })

  it('takes nothing from a page that is older than another part', async () => {
    const invoice = await invoices.issue({ min_part: '500' })
    const old = await linkOf(invoice)
    const filled = await customer.fill(old, { amount: '1770', phone: '00000078' })
    expect((await invoices.collect(invoice.id, { amount: '600' })).status).toBe(200)
    await invoices.pay(invoice.id)
    await invoices.countMoney()
    expect((await customer.press(old, filled)).receipt).toBe(null)
    expect((await invoices.read(invoice.id)).requests).toHaveLength(1)
  })
})

it('has a minimum part that changes in a draft, and never exceeds the total', async () => {
  const { id } = await invoices.draft({ min_part: '500' })
  const change = async (body: object) => (await invoices.api.send('PATCH', `/api/invoices/${id}`, body)).body
  expect(await change({ notes: 'x' })).toMatchObject({ min_part: '500.0000' })
  expect(await change({ min_part: '0' })).toMatchObject({ min_part: null })
  expect(await change({ min_part: '1770' })).toMatchObject({ min_part: '1770.0000' })
  expect(await change({ min_part: '1770.01' })).toEqual({
    min_part: ['The smallest part is more than the total of BXC 1,770.'],
  })
  expect(await change({ lines: [{ text: 'One', unit_price: '5' }] })).toEqual({
    min_part: ['The smallest part is more than the total of BXC 5.'],
  })
  expect(await change({ min_part: '-1' })).toEqual({ min_part: ['Enter 0 or more.'] })
})
