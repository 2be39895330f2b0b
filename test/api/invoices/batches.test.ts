import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'

const PATH = '/api/invoices/batches'

let invoices: InvoiceShop
let api: InvoiceShop['api']

beforeAll(async () => {
  invoices = await openInvoiceShop()
  api = invoices.api
  const { db, organization } = invoices.shop
  await addCustomers(db, organization, [
    { number: 'P5-001', tags: ['P5'], phone: invoices.newPhone() },
    { number: 'P5-002', tags: ['p5', 'Bus'], payers: ['+80000028888'] },
    { number: 'P5-003', tags: ['P5'] },
    { number: 'P6-001', tags: ['P6'], phone: invoices.newPhone() },
  ])
})
afterAll(() => invoices.close())

const term = { tag: 'P5', text: 'Term 1', amount: '850000', currency: 'UGX', due_date: '28 February' }

describe('an invoice for each customer with a tag', () => {
  it('is previewed: the number, the sum, and the customers who already have it', async () => {
    const { status, body } = await api.post(`${PATH}/preview`, term)
    expect([status, body]).toEqual([
      200,
      {
        tag: 'P5',
        due_date: '2030-02-28',
        customers: 3,
        without_phone: 1,
        duplicates: [],
        all: [{ currency: 'UGX', invoices: 3, total: '2550000.0000' }],
        without_duplicates: [{ currency: 'UGX', invoices: 3, total: '2550000.0000' }],
      },
    ])
    expect((await api.get('/api/invoices')).body.count).toBe(0)
  })

  it('is made and issued, once for each call', async () => {
    const key = { 'duplicate-check-key': 'fees of term 1' }
    const made = await api.post(PATH, { ...term, issue: true, min_part: '100000', reminder_days: '-3, 0' }, key)
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ source: 'tag', name: 'P5', rows: 3, made: 3, skipped: 0, issue: true }),
    ])
    expect(
      (await api.post(PATH, { ...term, issue: true, min_part: '100000', reminder_days: '-3, 0' }, key)).body,
    ).toEqual(made.body)
    const other = await api.post(PATH, { ...term, amount: '1' }, key)
    expect([other.status, other.body.type]).toEqual([409, 'invoicebatch'])
    const { body: list } = await api.get(`/api/invoices?batch=${made.body.id}&ordering=id`)
    expect(list.results).toMatchObject([
      { number: 'INV-000001', customer_number: 'P5-001', total: '850000.0000', min_part: '100000.0000' },
      { number: 'INV-000002', customer_number: 'P5-002', phonenumber: '+80000028888', tags: ['Bus', 'p5'] },
      { number: 'INV-000003', customer_number: 'P5-003', phonenumber: '', next_reminder: '2030-02-25T06:00:00Z' },
    ])
    expect((await api.get(`${PATH}/${made.body.id}`)).body).toEqual(made.body)
    expect((await api.get(PATH)).body.results).toEqual([made.body])
  })

  it('is not made again for a customer who has it, unless people want it', async () => {
    const { body: preview } = await api.post(`${PATH}/preview`, { ...term, text: ' term 1' })
    expect(preview.duplicates).toHaveLength(3)
    expect(preview.duplicates[0]).toMatchObject({ customer_number: 'P5-001', number: 'INV-000001' })
    expect(preview.without_duplicates).toEqual([])
    expect((await api.post(PATH, term)).body).toMatchObject({ made: 0, skipped: 3, issue: false })
    expect((await api.post(PATH, { ...term, duplicates: 'create' })).body).toMatchObject({ made: 3, skipped: 0 })
    expect((await api.post(PATH, { ...term, text: 'Term 2' })).body).toMatchObject({ made: 3, skipped: 0 })
  })

  it('is refused with its faults, and leaves nothing behind', async () => {
    const before = (await api.get(PATH)).body.count
    const bad: [object, object][] = [
      [{ tag: 'P7' }, { tag: ['No customer has the tag P7.'] }],
      [{ amount: undefined }, { amount: ['This field is required.'] }],
      [{ lines: [{ text: 'x', unit_price: '1' }] }, { lines: ['Give lines, or text and amount.'] }],
      [{ due_date: 'soon' }, { due_date: ['Enter a date such as 2030-01-31, 31/01/2030 or 14 days.'] }],
      [{ min_part: '900000' }, { min_part: ['The smallest part is more than the total of UGX 850,000.'] }],
      [{ account: 99_999 }, { account: ['Invalid pk "99999" - object does not exist.'] }],
    ]
    for (const [changes, errors] of bad)
      for (const path of [PATH, `${PATH}/preview`]) {
        const answer = await api.post(path, { ...term, ...changes })
        expect([answer.status, answer.body]).toEqual([400, errors])
      }
    expect((await api.get(PATH)).body.count).toBe(before)
  })
})
