import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAllocations, readCredit } from '../../../src/core/allocations/allocations.ts'
import { readLinkTotals } from '../../../src/core/checkout/payment-links.ts'
import { cancelRequest, matchManually } from '../../../src/core/collections/actions.ts'
import type { IncomingPaymentReport } from '../../../src/core/collections/incoming-payments.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { addCustomers } from '../invoices/customers.ts'
import { openInvoiceShop } from '../invoices/invoice-shop.ts'
import { amount } from '../shop.ts'
import { matchByHand } from './match-by-hand.ts'

let invoices: Awaited<ReturnType<typeof openInvoiceShop>>
beforeAll(async () => {
  invoices = await openInvoiceShop()
})
afterAll(() => invoices.close())
beforeEach(() => keep('keep'))

const MOTHER = '+80002900001'

function keep(overpayment: 'keep' | 'credit' | 'return') {
  const { db, organization, now } = invoices.shop
  return begin(db, (tx) => setMatchingSettings(tx, now(), organization, { overpayment }))
}

/** Issue an invoice over this many BXC. */
function issue(total: string, changes: object = {}) {
  return invoices.issue({ lines: [{ text: 'Fees', unit_price: total }], ...changes })
}

/** Issue an invoice over this many BXC to a customer. */
function issueTo(contact: number | undefined, total: string) {
  return issue(total, { contact, phonenumber: undefined, first_name: undefined })
}

/** Money comes to the till. @returns its collection */
async function pay(total: string, changes: Partial<IncomingPaymentReport> = {}) {
  const report = invoices.shop.paymentReport({ phonenumber: invoices.newPhone(), amount: amount(total), ...changes })
  expect(await invoices.shop.ingest(report)).toEqual(['recorded'])
  await invoices.countMoney()
  const [row] = (await invoices.shop.collections()).filter((one) => one.remote_transaction_id === report.remote_id)
  return { report, ...row! }
}

/** Return the allocations of a collection, as `invoice 12: 100 (reason)`. */
async function purposes({ id }: { id: number }) {
  const found = (await readAllocations(invoices.shop.db, [id])).get(id) ?? []
  return found.map(({ invoice, contact, amount: part, reason }) => ({
    ...(invoice === null ? { contact } : { invoice }),
    amount: part,
    reason,
  }))
}

describe('an invoice that is paid to the till with its number, in parts', () => {
  it('is partly paid and then paid, however the number is typed', async () => {
    const { id, number } = await issue('200')
    await pay('80', { reference: number })
    expect(await invoices.read(id)).toMatchObject({ state: 'issued', amount_paid: '80.0000', amount_open: '120.0000' })
    await pay('120', { reference: `inv ${Number(number.slice(4))} Betty` })
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', amount_paid: '200.0000', amount_open: '0.0000' })
    expect(await invoices.eventsOf(id)).toEqual(['invoice.issued', 'invoice.partly_paid', 'invoice.paid'])
  })

  it('is the one whose six digits are typed in two groups, and none of two that may be meant', async () => {
    const [first, later] = [await issue('200'), await issue('200')]
    const renumber = async ({ id }: { id: number }, number: number) =>
      void (await invoices.shop.db`update invoices set number = ${number} where id = ${id}`)
    await renumber(later, 90_001)
    await renumber(first, 90)
    expect(await purposes(await pay('60', { reference: 'INV 090 001' }))).toMatchObject([{ invoice: later.id }])
    expect(await purposes(await pay('70', { reference: 'INV 90 001' }))).toEqual([])
    await renumber(first, 91)
    expect(await purposes(await pay('80', { reference: 'INV 90 001' }))).toMatchObject([{ invoice: later.id }])
  })

  it('fulfils its open request when the amount is the same, whose phone ever pays', async () => {
    const { id, number } = await issue('200')
    await invoices.collect(id)
    const paid = await pay('200', { reference: number })
    expect(paid).toMatchObject({ match_reason: 'invoice_number', allocated: 0n })
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', requests: [{ status: 'successful' }] })
  })

  it('does not take the money of the request of another child with the same fee and phone', async () => {
    const phonenumber = invoices.newPhone()
    const [first, second] = [await issue('850', { phonenumber }), await issue('850', { phonenumber })]
    await invoices.collect(first.id)
    await pay('850', { phonenumber, reference: second.number })
    expect(await invoices.read(second.id)).toMatchObject({ state: 'paid' })
    expect(await invoices.read(first.id)).toMatchObject({ state: 'issued', amount_paid: '0.0000' })
  })
})

describe('more than an invoice asks for', () => {
  it('stays unmatched unless the organization wants something else', async () => {
    const { id, number } = await issue('200')
    const paid = await pay('205', { reference: number })
    expect(await purposes(paid)).toEqual([{ invoice: id, amount: amount('200'), reason: 'invoice_number' }])
  })

  it('is credit of the customer, and pays the next invoice when it is issued', async () => {
    await keep('credit')
    const phonenumber = invoices.newPhone()
    const { number, contact } = await issue('200', { phonenumber })
    await pay('300', { phonenumber, reference: number })
    const credit = await readCredit(invoices.shop.db, contact)
    expect(credit.map(({ left }) => left)).toEqual([amount('100')])
    const next = await issue('80', { phonenumber })
    await invoices.countMoney()
    expect(await invoices.read(next.id)).toMatchObject({ state: 'paid', allocations: [{ reason: 'credit' }] })
    expect((await readCredit(invoices.shop.db, contact)).map(({ left }) => left)).toEqual([amount('20')])
  })
})

describe('an invoice whose request is open', () => {
  it('is partly paid by earlier money that a person gives to its request', async () => {
    const phonenumber = invoices.newPhone()
    const { id } = await issue('200', { phonenumber })
    await invoices.collect(id)
    const { id: collection } = await pay('80', { phonenumber })
    expect(await invoices.read(id)).toMatchObject({ amount_paid: '0.0000' })
    const by = { user: null, name: 'Grace' }
    const { db, now } = invoices.shop
    const [open] = await db<{ id: number }[]>`select request as id from invoice_requests where invoice = ${id}`
    await begin(db, (tx) => matchManually(tx, now(), { collection, request: open!.id, by }))
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({ state: 'issued', amount_paid: '80.0000' })
    expect(await invoices.eventsOf(id)).toEqual(['invoice.issued', 'invoice.partly_paid'])
  })

  it('leaves as credit what came to the till, when the request is paid, too', async () => {
    await keep('credit')
    const { id, number, contact } = await issue('200')
    await invoices.collect(id)
    await pay('80', { reference: number })
    await invoices.pay(id)
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', amount_paid: '200.0000' })
    expect((await readCredit(invoices.shop.db, contact)).map(({ left }) => left)).toEqual([amount('80')])
  })

  it('gets money of its amount from another phone of the customer only when the request has ended', async () => {
    const { id, contact } = await issue('200')
    await invoices.shop.db`
      insert into contact_payers (contact, organization, phone_number, position)
      values (${contact}, ${invoices.shop.organization}, '+80002900002', 1)`
    await invoices.collect(id)
    await pay('200', { phonenumber: '+80002900002' })
    const asked = await invoices.read(id)
    expect(asked).toMatchObject({ amount_paid: '0.0000', allocations: [] })
    const { db, now } = invoices.shop
    const by = { user: null, name: 'Grace' }
    await begin(db, (tx) => cancelRequest(tx, now(), { request: asked.requests[0].id, by }))
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', allocations: [{ reason: 'same_amount' }] })
  })
})

describe('money that a network took back in part', () => {
  it('counts for its other invoice when one is paid by its request, too', async () => {
    const [asked, other] = [await issue('50'), await issue('50')]
    await invoices.collect(asked.id)
    const { id: collection, report } = await pay('90')
    const { organization } = invoices.shop
    const parts = [
      { target: { invoice: asked.id }, amount: '40' },
      { target: { invoice: other.id }, amount: '50' },
    ]
    await matchByHand(invoices.shop.testApp.app, organization, { collection, parts })
    const reversals = [{ remote_id: `${report.remote_id}-R`, amount: amount('30') }]
    await invoices.shop.ingest({ ...report, reversals })
    await invoices.countMoney()
    expect(await invoices.read(other.id)).toMatchObject({ state: 'issued', amount_paid: '20.0000' })
    await invoices.pay(asked.id)
    await invoices.countMoney()
    expect(await invoices.read(asked.id)).toMatchObject({ state: 'paid', amount_paid: '50.0000' })
    expect(await invoices.read(other.id)).toMatchObject({ state: 'paid', amount_paid: '50.0000' })
  })
})

describe('money that names several', () => {
  it('pays what each child owes when it adds up, however surely each number was typed', async () => {
    const { db, organization } = invoices.shop
    const [first, second] = await addCustomers(db, organization, [
      { number: 'S4-101', phone: invoices.newPhone() },
      { number: 'S4-102', phone: invoices.newPhone() },
    ])
    const [one, two] = [await issueTo(first, '60'), await issueTo(second, '40')]
    await pay('100', { reference: 'S4-101 and S4102' })
    for (const { id } of [one, two])
      expect(await invoices.read(id)).toMatchObject({ state: 'paid', allocations: [{ reason: 'customer_number' }] })
  })

  it('pays the invoice in parts when its customer is typed besides', async () => {
    const { db, organization } = invoices.shop
    const [contact] = await addCustomers(db, organization, [{ number: 'S4-103', phone: invoices.newPhone() }])
    const [{ id, number }] = [await issueTo(contact, '60'), await issueTo(contact, '70')]
    await pay('25', { reference: `S4-103 ${number}` })
    expect(await invoices.read(id)).toMatchObject({
      amount_paid: '25.0000',
      allocations: [{ reason: 'invoice_number' }],
    })
  })
})

describe('money without a number', () => {
  it('pays the only open invoice of its customer with this amount', async () => {
    const phonenumber = invoices.newPhone()
    const { id } = await issue('77', { phonenumber })
    await pay('77', { phonenumber })
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', allocations: [{ reason: 'same_amount' }] })
  })

  it('of one mother for three children is not guessed between two with the same fee', async () => {
    const children = [await issue('850'), await issue('850'), await issue('900')]
    for (const { contact } of children)
      await invoices.shop.db`
        insert into contact_payers (contact, organization, phone_number, position)
        values (${contact}, ${invoices.shop.organization}, ${MOTHER}, 1)`
    const paid = await pay('850', { phonenumber: MOTHER })
    expect(await purposes(paid)).toEqual([])
    await pay('900', { phonenumber: MOTHER })
    expect(await invoices.read(children[2]!.id)).toMatchObject({ state: 'paid' })
  })

  it('of a sponsor for many children pays the child that is named, and is guessed among none', async () => {
    const { db, organization } = invoices.shop
    const sponsor = '+80002900003'
    const children = await addCustomers(
      db,
      organization,
      Array.from({ length: 53 }, (_, index) => ({ number: `SP-${101 + index}`, payers: [sponsor] })),
    )
    const fees: { id: number }[] = []
    for (const [index, child] of children.entries())
      fees.push(await issueTo(child, index === 0 || index === 52 ? '850' : String(10 + index)))
    expect(await purposes(await pay('850', { phonenumber: sponsor }))).toEqual([])
    await pay('61', { phonenumber: sponsor, reference: 'SP-152' })
    expect(await invoices.read(fees[51]!.id)).toMatchObject({
      state: 'paid',
      allocations: [{ reason: 'customer_number' }],
    })
    await pay('60', { phonenumber: sponsor })
    expect(await invoices.read(fees[50]!.id)).toMatchObject({ state: 'paid', allocations: [{ reason: 'same_amount' }] })
  })

  it('asks for nothing more from its customer until a person has matched it', async () => {
    const phonenumber = invoices.newPhone()
    const { id } = await issue('200', { phonenumber })
    const { id: collection } = await pay('199', { phonenumber, reference: 'INV-99999' })
    const refused = await invoices.collect(id)
    expect([refused.status, refused.body]).toEqual([
      400,
      { state: [expect.stringContaining(`collection ${collection}`)] },
    ])
    expect((await invoices.read(id)).waiting_money).toEqual([
      expect.objectContaining({ collection, amount: '199.0000', reference: 'INV-99999' }),
    ])
  })
})

describe('a payment link with a number', () => {
  it('is paid to the till when the amount is its own, and only then', async () => {
    const { body } = await invoices.api.post('/api/paymentlinks', {
      title: 'Trip',
      amount: '50',
      currency: 'BXC',
      single_use: true,
    })
    expect(body.number).toMatch(/^LNK-\d{6}$/)
    expect(await purposes(await pay('49', { reference: body.number }))).toEqual([])
    const { report } = await pay('50', { reference: body.number.toLowerCase().replace('-', ' ') })
    expect((await invoices.api.get(`/api/paymentlinks/${body.id}`)).body).toMatchObject({ state: 'paid' })
    const { db, ingest } = invoices.shop
    expect(await readLinkTotals(db, body.id)).toEqual({ count: 1, amount: amount('50') })
    await ingest({ ...report, reversals: [{ remote_id: 'BACK20', amount: amount('20') }] })
    expect(await readLinkTotals(db, body.id)).toEqual({ count: 1, amount: amount('30') })
    await ingest({ ...report, status: 'reversed' })
    expect(await readLinkTotals(db, body.id)).toEqual({ count: 0, amount: 0n })
  })
})

describe('the number of a customer', () => {
  it('pays what the customer owes, whoever pays, also where digits are alike', async () => {
    const { body } = await invoices.api.post('/api/contacts', {
      number: 'P5-017',
      first_name: 'Betty',
      last_name: 'Nakato',
    })
    const { id } = await issue('850', { contact: body.id, phonenumber: undefined })
    await pay('300', { reference: 'p5/17' })
    await pay('550', { reference: 'P5017 Betty term 2' })
    expect(await invoices.read(id)).toMatchObject({ state: 'paid', amount_paid: '850.0000' })
  })
})

describe('money that the network takes back', () => {
  it('opens the invoice that it had paid', async () => {
    const { id, number } = await issue('200')
    const { report } = await pay('200', { reference: number })
    expect(await invoices.read(id)).toMatchObject({ state: 'paid' })
    await invoices.shop.ingest({ ...report, status: 'reversed' })
    await invoices.countMoney()
    expect(await invoices.read(id)).toMatchObject({
      state: 'issued',
      amount_paid: '0.0000',
      amount_reversed: '200.0000',
      amount_open: '200.0000',
    })
  })
})
