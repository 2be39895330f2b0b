import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'

const PATH = '/api/collectionrequests/batches'
const trip = { tag: 'P5', amount: '500', currency: 'BXC', reason: 'Trip' }

let shop: InvoiceShop
let api: InvoiceShop['api']

beforeAll(async () => {
  shop = await openInvoiceShop()
  api = shop.api
  const { db, organization } = shop.shop.testApp
  await addCustomers(db, organization, [
    { number: 'P5-017', tags: ['P5'], phone: '+80000000061' },
    { number: 'P5-018', tags: ['P5'], first_name: 'Eve', last_name: 'Other' },
  ])
})
afterAll(() => shop.close())

const count = async () => (await api.get('/api/collectionrequests')).body.count

describe('the same request to each customer with a tag', () => {
  it('is shown first, with those who cannot be asked', async () => {
    const { status, body } = await api.post(`${PATH}/preview`, trip)
    expect([status, body]).toMatchObject([
      200,
      {
        rows: [
          { customer_number: 'P5-017', phone_number: '+80000000061', state: 'ready' },
          { name: 'Eve Other', state: 'refused', problems: [{ message: 'This customer has no phone number.' }] },
        ],
        all: [{ currency: 'BXC', requests: 1, total: '500.0000' }],
      },
    ])
    expect(await count()).toBe(0)
  })

  it('is made once for a key, is skipped for who was asked, and is made again where people want it', async () => {
    const key = { 'duplicate-check-key': 'trip' }
    const made = await api.post(PATH, trip, key)
    expect([made.status, made.body]).toMatchObject([
      201,
      { source: 'tag', name: 'P5', duplicates: 'skip', rows: 2, refused: 1, made: 1, skipped: 0 },
    ])
    expect((await api.post(PATH, trip, key)).body).toEqual(made.body)
    expect(await count()).toBe(1)
    expect((await api.post(PATH, trip)).body).toMatchObject({ made: 0, skipped: 1 })
    expect((await api.post(PATH, { ...trip, duplicates: 'create' })).body).toMatchObject({ made: 1, skipped: 0 })
    expect(await count()).toBe(2)
    expect((await api.get(`${PATH}/${made.body.id}`)).body).toEqual(made.body)
    expect((await api.get(PATH)).body).toMatchObject({ count: 3, results: [{}, {}, { id: made.body.id }] })
    const other = await api.post(PATH, { ...trip, amount: '600' }, key)
    expect([other.status, other.body.type]).toEqual([409, 'requestbatch'])
  })

  it('is refused with what is wrong, and leaves nothing behind', async () => {
    const before = [await count(), (await api.get(PATH)).body.count]
    const bad: [object, object][] = [
      [{ tag: 'P7' }, { tag: ['No customer has the tag P7.'] }],
      [{ amount: undefined }, { amount: ['This field is required.'] }],
      [{ amount: '-5' }, { amount: [expect.any(String)] }],
      [{ expiry_date: 'soon' }, { expiry_date: ['Enter a date such as 31/12/2030, or 24 hours.'] }],
      [{ currency: 'EUR' }, { currency: [expect.any(String)] }],
    ]
    for (const [changes, errors] of bad)
      for (const path of [PATH, `${PATH}/preview`]) {
        const answer = await api.post(path, { ...trip, ...changes })
        expect([answer.status, answer.body]).toEqual([400, errors])
      }
    expect([await count(), (await api.get(PATH)).body.count]).toEqual(before)
  })
})
