import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseRefundConnection } from '../../../src/connections/choose.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { NO_SELLER, type Seller, setSeller } from '../../../src/core/documents/seller.ts'
import { refundCollection } from '../../../src/core/payments/refunds.ts'
import { begin } from '../../../src/db/client.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'
import { amount } from '../../core/shop.ts'
import { openCustomer, textOf } from '../../pay/customer.ts'

const PATH = '/api/invoices'

let shop: InvoiceShop['shop']
let api: InvoiceShop['api']
let url: string
let invoices: InvoiceShop
const customer = openCustomer()

beforeAll(async () => {
  invoices = await openInvoiceShop()
  ;({ shop, api, url } = invoices)
})
afterAll(() => invoices.close())

describe('a draft', () => {
  it('has sums and no number, and can be changed and deleted', async () => {
    const made = await invoices.draft({ due_date: '31/01/2030', notes: ' Thanks ', reminder_days: [7, -3, 7] })
    expect(made).toMatchObject({
      number: null,
      url: null,
      pdf_url: null,
      subtotal: '1500.0000',
      total: '1770.0000',
      amount_open: '0.0000',
      taxes: [{ rate: '18.0000', net: '1500.0000', amount: '270.0000' }],
      due_date: '2030-01-31',
      notes: 'Thanks',
      reminder_days: [-3, 7],
      customer_name: 'Jane',
      overdue: false,
    })
    const changes = { lines: [{ text: 'One', unit_price: '2.5', quantity: '3' }], due_date: '14 days', notes: '' }
    const changed = await api.send('PATCH', `${PATH}/${made.id}`, changes)
    expect(changed.body).toMatchObject({ total: '7.5000', due_date: '2030-01-29', notes: '', reminder_days: [-3, 7] })
    for (const verb of ['send', 'collect', 'void'])
      expect((await api.post(`${PATH}/${made.id}/${verb}`, {})).status, verb).toBe(400)
    expect((await api.send('DELETE', `${PATH}/${made.id}`)).status).toBe(200)
    expect((await api.get(`${PATH}/${made.id}`)).status).toBe(404)
  })

  it('is refused with every fault, and leaves nothing behind', async () => {
    const before = await shop.db`select count(*) from invoices`
    const bad: [object, object][] = [
      [{ lines: [] }, { lines: ['An invoice has at least one line.'] }],
      [{ lines: [{ text: 'x', unit_price: '0' }] }, { lines: ['The total must be greater than 0.'] }],
      [{ lines: [{ text: 'x', unit_price: '1', tax_rate: '101' }] }, { lines: ['Enter a tax rate from 0 to 100.'] }],
      [{ lines: String.raw`[{"text": "\ud800", "unit_price": "5"}]` }, { lines: [expect.stringContaining('list')] }],
      [{ due_date: 'soon' }, { due_date: ['Enter a date such as 2030-01-31, 31/01/2030 or 14 days.'] }],
      [{ contact: 1 }, { contact: ['Give contact or phonenumber.'] }],
      [{ phonenumber: null, contact: 99_999 }, { contact: ['Invalid pk "99999" - object does not exist.'] }],
      [{ phonenumber: null }, { contact: ['Give contact or phonenumber.'] }],
      [{ reminder_days: '-3, 500' }, { reminder_days: ['Ensure this value is less than or equal to 180.'] }],
    ]
    for (const [changes, errors] of bad) {
      const body = {
        phonenumber: invoices.newPhone(),
        currency: 'BXC',
        lines: [{ text: 'x', unit_price: '5' }],
        ...changes,
      }
      const answer = await api.post(PATH, body)
      expect([answer.status, answer.body]).toEqual([400, errors])
    }
    expect(await shop.db`select count(*) from invoices`).toEqual(before)
  })
})

describe('issued invoices', () => {
  it('have numbers without gaps, also when many are issued at once and some are refused', async () => {
    const drafts = await Promise.all(Array.from({ length: 6 }, () => invoices.draft()))
    const past = await invoices.draft()
    await shop.db`update invoices set due_date = '2029-12-31' where id = ${past.id}`
    const ids = [...drafts.map(({ id }) => id), past.id, drafts[0]!.id]
    const answers = await Promise.all(ids.map((id) => api.post(`${PATH}/${id}/issue`, {})))
    expect(answers.map(({ status }) => status).filter((status) => status === 400)).toHaveLength(2)
    const [row] = await shop.db<{ numbers: number[] }[]>`
      select array_agg(number order by number) as numbers from invoices where number is not null`
    expect(row!.numbers).toEqual(row!.numbers.map((_, index) => index + 1))
    expect(row!.numbers).toHaveLength(6)
  })

  it('cannot be changed or deleted; a void one keeps its number', async () => {
    const { id, number } = await invoices.issue()
    for (const [method, changes] of [
      ['PATCH', { notes: 'x' }],
      ['DELETE', undefined],
    ] as const)
      expect((await api.send(method, `${PATH}/${id}`, changes)).body).toEqual({
        state: [`This invoice is issued. Only a draft can be ${method === 'PATCH' ? 'changed' : 'deleted'}.`],
      })
    const { body } = await api.post(`${PATH}/${id}/void`, { reason: 'Wrong price' })
    expect(body).toMatchObject({ state: 'void', number, void_reason: 'Wrong price', amount_open: '0.0000' })
    expect((await api.post(`${PATH}/${id}/void`, {})).status).toBe(400)
    expect(await invoices.eventsOf(id)).toEqual(['invoice.issued', 'invoice.voided'])
    const found = await api.get(`${PATH}?number=${number}&state=void&overdue=false&due_before=2030-12-31`)
    expect(found.body.results.map((one: { id: number }) => one.id)).toEqual([id])
  })

  it('are paid in parts, name the receipt, and open again when a network takes money back', async () => {
    const { id, number } = await invoices.issue()
    expect((await invoices.collect(id, { amount: '1770.01' })).body).toEqual({
      amount: ['Only BXC 1,770 is still due.'],
    })
    expect((await invoices.collect(id, { amount: '1000' })).status).toBe(200)
    expect((await invoices.collect(id)).body.state[0]).toMatch(/^Collection request \d+ can still be paid/)
    const first = await invoices.pay(id)
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({
      state: 'issued',
      amount_paid: '1000.0000',
      amount_open: '770.0000',
    })
    expect((await api.post(`${PATH}/${id}/void`, {})).body.state[0]).toContain('Refund it first')
    expect((await invoices.collect(id)).body.requests[0]).toMatchObject({ amount: '770.0000', source: 'manual' })
    await invoices.pay(id)
    await invoices.countMoney()
    await invoices.countMoney()
    const paid = await invoices.read(id)
    expect(paid).toMatchObject({ state: 'paid', amount_paid: '1770.0000', amount_open: '0.0000' })
    const receipt = await api.post('/api/receipts', { collection: paid.requests[0].collection })
    expect(receipt.body.invoice).toBe(number)
    await shop.ingest({ ...first, status: 'reversed' })
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({
      state: 'issued',
      amount_open: '1000.0000',
      amount_reversed: '1000.0000',
    })
    expect(await invoices.eventsOf(id)).toEqual([
      'invoice.issued',
      'invoice.partly_paid',
      'invoice.paid',
      'invoice.reopened',
    ])
    const page = textOf((await customer.open((await invoices.read(id)).url)).text)
    expect(page).toContain('A network reversed a payment of this invoice: BXC 1,000.')
    // A retry of the request would ask beside the invoice.
    const retried = await api.post(`/api/collectionrequests/${paid.requests[1].id}/retry`, {})
    expect(retried.status).toBe(400)
  })

  it('show the money that was refunded, and stay paid', async () => {
    const { id } = await invoices.issue()
    await invoices.collect(id)
    await invoices.pay(id)
    await invoices.countMoney()
    const before = await invoices.read(id)
    expect(before).toMatchObject({ state: 'paid', amount_refunded: '0.0000' })
    const [{ collection }] = before.requests
    const connections = shop.testApp.app.connections.list()
    const { organization } = shop
    const { author } = await shop.wallet()
    await begin(shop.db, (tx) =>
      refundCollection(tx, shop.now(), {
        organization,
        collection,
        author,
        chooseNetwork: (money) => chooseRefundConnection(connections, money),
      }),
    )
    const refunded = { state: 'paid', amount_paid: '1770.0000', amount_open: '0.0000', amount_refunded: '1770.0000' }
    expect(await invoices.read(id)).toMatchObject(refunded)
    expect((await api.get(`${PATH}?contact=${before.contact}`)).body.results).toMatchObject([refunded])
    expect(textOf((await customer.open(before.url)).text)).toMatch(/Refunded BXC 1,770/)
  })

  it('are sent by SMS and e-mail, once for a Duplicate-Check-Key', async () => {
    const { id, phonenumber } = await invoices.issue({ language: 'sw' })
    const headers = { 'duplicate-check-key': 'send-invoice-1' }
    const sent = await api.post(`${PATH}/${id}/send`, {}, headers)
    expect(sent.body.sends).toMatchObject([{ channel: 'sms', recipient: phonenumber, state: 'waiting' }])
    expect((await api.post(`${PATH}/${id}/send`, {}, headers)).status).toBe(409)
    const [sms] = await shop.db<{ body: string }[]>`select body from sms_messages where phonenumber = ${phonenumber}`
    expect(sms!.body).toMatch(/^Demo Shop: ankara INV-\d+ ya BXC 1,770, .* http.*\/i\/[\w-]{24}$/)
    const mailed = await api.post(`${PATH}/${id}/send`, { email: 'jane@example.com' })
    expect(mailed.body.sends[0]).toMatchObject({ channel: 'email', recipient: 'jane@example.com' })
  })
})

describe('the page of an invoice, without scripts', () => {
  it('leads to the checkout of the exact open amount, and then says that it is paid', async () => {
    const invoice = await invoices.issue({ language: 'fr', notes: 'Merci <b>' })
    const page = await customer.open(invoice.url)
    expect(page.status).toBe(200)
    expect(textOf(page.text)).toMatch(/Consulting \(taxe 18 %\) 2 750 1\s500 /)
    expect(textOf(page.text)).toContain('Merci <b>')
    expect(textOf((await customer.open(`${invoice.url}?lang=en`)).text)).toContain('Total BXC 1,770')
    const button = /class="button" href="([^"]+)"/.exec(page.text)![1]!
    const leads = await customer.open(new URL(button, url).href)
    const again = await customer.open(new URL(button, url).href)
    expect([leads.status, again.headers.get('location')]).toEqual([303, leads.headers.get('location')])
    const form = new URL(leads.headers.get('location')!, url).href
    const started = await customer.pay({ url: form }, { phone: invoices.newPhone() })
    expect(started.receipt).not.toBeNull()
    expect((await customer.pay({ url: form }, { phone: invoices.newPhone() })).status).toBe(400)
    expect((await customer.open(invoice.url)).text).toContain('Un paiement est en cours')
    expect((await api.post(`${PATH}/${invoice.id}/void`, {})).body.state[0]).toContain('can still be paid')
    await invoices.pay(invoice.id)
    const payment = await customer.open(started.receipt!)
    expect(payment.text).toContain(`href="/pay/invoices/${invoice.url.split('/').at(-1)}?lang=fr"`)
    expect(textOf((await customer.open(invoice.url)).text)).toContain('Cette facture est payée. Merci.')
    expect(await invoices.read(invoice.id)).toMatchObject({ state: 'paid', requests: [{ source: 'page' }] })
    const pdf = await fetch(invoice.pdf_url)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    // Nothing is left to pay, so the button leads back.
    expect((await customer.open(`${invoice.url}/pay`)).headers.get('location')).toMatch(/^\/pay\/invoices\//)
    expect((await customer.open(form)).status).toBe(410)
  })

  it('names the seller of the day on which it was issued, and the terms, on the page and in the PDF', async () => {
    const seller = { ...NO_SELLER, legal_name: 'Demo Shop Limited', tax_number: '100', payment_terms: 'In 14 days.' }
    const set = (days: number, changes: Partial<Seller>) => {
      const at = new Date(shop.now().getTime() + days * 86_400_000)
      return begin(shop.db, (tx) => setSeller(tx, at, shop.organization, { ...seller, ...changes }))
    }
    await set(0, {})
    const invoice = await invoices.issue({})
    await set(1, { tax_number: '200' })
    const page = textOf((await customer.open(invoice.url)).text)
    expect(page).toContain('Demo Shop Limited Tax number: 100')
    expect(page).toContain('Payment terms In 14 days.')
    expect(page).not.toContain('Tax number: 200')
    expect((await fetch(invoice.pdf_url)).status).toBe(200)
  })

  it('asks for nothing while money of the customer waits, and says why', async () => {
    const phonenumber = invoices.newPhone()
    const invoice = await invoices.issue({ phonenumber })
    const button = /class="button" href="([^"]+)"/.exec((await customer.open(invoice.url)).text)![1]!
    const form = (await customer.open(new URL(button, url).href)).headers.get('location')!
    await shop.ingest(shop.paymentReport({ phonenumber, amount: amount('50') }))
    const refused = await customer.pay({ url: new URL(form, url).href }, { phone: invoices.newPhone() })
    expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining('Money for this has just')])
  })

  it('shows no draft, and takes no money of a void invoice, whichever of both comes first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, url: page } = await invoices.issue()
      const leads = await customer.open(`${page}/pay`)
      const form = new URL(leads.headers.get('location')!, url).href
      // The page is open already: once the invoice is void there is none.
      const filled = await customer.fill({ url: form }, { phone: invoices.newPhone() })
      const [paying, voiding] = await Promise.all([
        customer.press({ url: form }, filled),
        api.post(`${PATH}/${id}/void`, {}),
      ])
      const { state, requests } = await invoices.read(id)
      // Either the prompt was first, and the void is refused, or the void, and there is no prompt.
      expect([paying.receipt === null, requests.length, state]).toEqual(
        voiding.status === 200 ? [true, 0, 'void'] : [false, 1, 'issued'],
      )
    }
    const { id } = await invoices.draft()
    const [{ code }] = await shop.db<[{ code: string }]>`select code from invoices where id = ${id}`
    expect((await customer.open(`${url}/pay/invoices/${code}`)).status).toBe(404)
  })
})

describe('erasing a person', () => {
  it('reaches invoices: numbers and amounts stay, the person is gone', async () => {
    const invoice = await invoices.issue({ notes: 'For Jane', reminder_days: [0] })
    const unsent = await invoices.draft({ phonenumber: invoice.phonenumber })
    await api.post(`${PATH}/${invoice.id}/send`, { email: 'jane@example.com' })
    const [user] = await shop.db<{ id: number }[]>`select id from users where kind = 'person'`
    const options = { author: user!.id, lease_end: null }
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), invoice.contact, options))
    const erased = await invoices.read(invoice.id)
    expect(erased).toMatchObject({ number: invoice.number, total: '1770.0000', customer_name: '', notes: '' })
    expect(erased).toMatchObject({ next_reminder: null, sends: [{ recipient: `erased-${invoice.contact}` }] })
    expect((await api.get(`${PATH}/${unsent.id}`)).status).toBe(404)
    const page = await customer.open(invoice.url)
    expect(page.text).not.toContain('Jane')
    expect((await invoices.collect(invoice.id)).body).toEqual({
      phonenumber: ['The phone number was erased. Give one.'],
    })
  })
})
