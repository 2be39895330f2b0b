import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remindOfInvoices } from '../../../src/jobs/invoices/remind-of-invoices.ts'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'

const PATH = '/api/invoices'

let invoices: InvoiceShop
let api: InvoiceShop['api']
let shop: InvoiceShop['shop']

beforeAll(async () => {
  invoices = await openInvoiceShop()
  ;({ api, shop } = invoices)
})
afterAll(() => invoices.close())

/** A customer of a class, and the drafts of these customers. */
async function draftsOf(tag: string, count: number) {
  const phones = Array.from({ length: count }, () => invoices.newPhone())
  const contacts = await addCustomers(
    shop.db,
    shop.organization,
    phones.map((phone, index) => ({ phone, tags: [tag], number: `${tag}-${String(index + 1).padStart(3, '0')}` })),
  )
  const drafts = []
  for (const contact of contacts)
    drafts.push(await invoices.draft({ contact, phonenumber: undefined, first_name: undefined }))
  return drafts.map(({ id }): number => id)
}

describe('many invoices', () => {
  it('are issued by tag in the order of their ids, without gaps; what cannot be issued says why', async () => {
    const ids = await draftsOf('P1', 5)
    await shop.db`update invoices set due_date = '2029-12-31' where id = ${ids[2]!}`
    const { status, body } = await api.post(`${PATH}/issue`, { filter: { tag: 'p1' } })
    expect([status, body]).toEqual([
      200,
      { done: 4, left_out: [{ invoice: ids[2], number: null, message: 'The due date has passed. Change it first.' }] },
    ])
    const issued = await shop.db<{ id: number }[]>`select id from invoices where number is not null order by number`
    expect(issued.map(({ id }) => id)).toEqual(ids.filter((_, index) => index !== 2))
    expect(await invoices.eventsOf(ids[0]!)).toEqual(['invoice.issued'])
    expect((await api.post(`${PATH}/issue`, { filter: { tag: 'P1' } })).body).toMatchObject({ done: 0 })
    const [audit] = await shop.db`select details from audit_log where action = 'issue invoices' order by id limit 1`
    expect(audit!.details).toMatchObject({ count: 4, first: ids[0], last: ids[4] })
  })

  it('get numbers without gaps when several calls issue them at once', async () => {
    const ids = await draftsOf('P2', 9)
    const calls = [{ filter: { tag: 'P2' } }, { invoices: ids.slice(0, 5) }, { filter: { tag: 'P2', state: 'draft' } }]
    const answers = await Promise.all(calls.map((body) => api.post(`${PATH}/issue`, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.reduce((sum, { body }) => sum + body.done, 0)).toBe(9)
    const [row] = await shop.db<{ numbers: number[] }[]>`
      select array_agg(number order by number) as numbers from invoices where number is not null`
    expect(row!.numbers).toEqual(row!.numbers.map((_, index) => index + 1))
  })

  it('are voided by ids with a reason; one with an open request stays', async () => {
    const ids = await draftsOf('P3', 3)
    await api.post(`${PATH}/issue`, { invoices: ids })
    await invoices.collect(ids[1]!)
    const { body } = await api.post(`${PATH}/void`, { invoices: ids, reason: 'Wrong term' })
    expect(body).toEqual({
      done: 2,
      left_out: [
        {
          invoice: ids[1],
          number: expect.stringMatching(/^INV-/),
          message: expect.stringMatching(
            /^Collection request \d+ can still be paid\. Cancel it, or wait until it ends\.$/,
          ),
        },
      ],
    })
    expect(await invoices.read(ids[0]!)).toMatchObject({ state: 'void', void_reason: 'Wrong term' })
  })

  it('are reminded of by the job, once a day, if there is a phone', async () => {
    const ids = await draftsOf('P4', 2)
    const [orphan, child] = await addCustomers(shop.db, shop.organization, [
      { number: 'P4-901', tags: ['P4'] },
      { number: 'P4-902', tags: ['P4'], payers: ['+80000029999'] },
    ])
    for (const contact of [orphan, child]) {
      const made = await invoices.draft({ contact, phonenumber: undefined, first_name: undefined })
      ids.push(made.id)
    }
    await api.post(`${PATH}/issue`, { invoices: ids })
    const { body } = await api.post(`${PATH}/remind`, { filter: { tag: 'P4' } })
    expect(body).toEqual({
      done: 3,
      left_out: [
        { invoice: ids[2], number: expect.any(String), message: 'The customer has no phone number, and no payer.' },
      ],
    })
    const job = remindOfInvoices(shop.testApp.app)
    await job.run(await job.claim(100))
    expect((await invoices.read(ids[0]!)).reminders).toHaveLength(1)
    expect((await invoices.read(ids[3]!)).phonenumber).toBe('+80000029999')
    const texts = await shop.db`select 1 from sms_messages where phonenumber = '+80000029999'`
    expect(texts).toHaveLength(1)
    const again = await api.post(`${PATH}/remind`, { invoices: [ids[0]] })
    expect(again.body).toMatchObject({ done: 0, left_out: [{ message: 'The customer was already reminded today.' }] })
  })

  it('are chosen by ids or by a filter of the list, within the organization', async () => {
    const bad: [object, object][] = [
      [{}, { invoices: ['Give invoices or a filter.'] }],
      [{ filter: {} }, { invoices: ['Give invoices or a filter.'] }],
      [{ invoices: [1], filter: { tag: 'P1' } }, { invoices: ['Give invoices or a filter.'] }],
      [{ invoices: [999_999] }, { invoices: ['You have no invoice 999999.'] }],
    ]
    for (const [body, errors] of bad) {
      const answer = await api.post(`${PATH}/issue`, body)
      expect([answer.status, answer.body]).toEqual([400, errors])
    }
    const typo = await api.post(`${PATH}/issue`, { filter: { tga: 'P1' } })
    expect([typo.status, JSON.stringify(typo.body)]).toEqual([400, expect.stringContaining('tga')])
  })
})

describe('the list of invoices', () => {
  it('is filtered by tag, customer number, and paid amount', async () => {
    const [first, second] = await draftsOf('S1', 3)
    await api.post(`${PATH}/issue`, { filter: { tag: 'S1' } })
    await invoices.collect(first!, { amount: '1000' })
    await invoices.pay(first!)
    await invoices.countMoney()
    await invoices.collect(second!)
    await invoices.pay(second!)
    await invoices.countMoney()
    const find = async (query: string) =>
      (await api.get(`${PATH}?ordering=id&${query}`)).body.results.map((one: { id: number }) => one.id)
    expect(await find('tag=s1&state=part')).toEqual([first])
    expect(await find('tag=S1&state=paid')).toEqual([second])
    expect(await find('tag=S1&state=unpaid')).toHaveLength(1)
    expect(await find('customer_number=s1%202')).toEqual([second])
    expect(await find('tag=S')).toEqual([])
    expect(await invoices.read(first!)).toMatchObject({ customer_number: 'S1-001', tags: ['S1'] })
  })

  it('is added up by tag and by customer', async () => {
    await addCustomers(shop.db, shop.organization, [{ number: 'S1-099', tags: ['S1'], last_name: 'Aaa' }])
    const { body: tags } = await api.get(`${PATH}/tags?tag=S1`)
    expect(tags.results).toEqual([
      {
        tag: 'S1',
        currency: 'BXC',
        invoiced: '5310.0000',
        paid: '2770.0000',
        open: '2540.0000',
        invoices: 3,
        drafts: 0,
        unpaid_invoices: 1,
        part_invoices: 1,
        paid_invoices: 1,
        overdue_invoices: 0,
      },
    ])
    const { body } = await api.get(`${PATH}/customers?tag=S1&limit=3`)
    expect([body.count, body.results.map((one: { state: string }) => one.state)]).toEqual([4, ['none', 'part', 'paid']])
    expect(body.results[1]).toMatchObject({
      customer_number: 'S1-001',
      invoiced: '1770.0000',
      paid: '1000.0000',
      open: '770.0000',
      overdue: false,
    })
    expect((await api.get(`${PATH}/customers`)).status).toBe(400)
  })
})
