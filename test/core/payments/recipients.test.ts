import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPayments } from '../../../src/core/payments/create.ts'
import type { Payment } from '../../../src/core/payments/payments.ts'
import { listPaymentRecipients, sumRecipients } from '../../../src/core/payments/recipients.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const people = [
  ['+256772000101', 'Amina', 'Nakato', '100'],
  ['+256772000102', 'Moses', 'Okello', '200'],
  ['+256772000103', 'Grace', 'Nakato', '300'],
  ['+256701000104', 'Joe', 'Soap', '400'],
] as const

let shop: Shop
let payment: Payment
beforeAll(async () => {
  shop = await openShop()
  const { id: account, author } = await shop.wallet()
  const recipients = people.map(([phonenumber, first_name, last_name, sum]) => ({
    phonenumber,
    first_name,
    last_name,
    amount: amount(sum),
    description: 'Wages',
    metadata: {},
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    national_id: null,
    national_id_type: null,
  }))
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: amount('1000'),
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients,
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  payment = made!.value
  const set = (phone: string, state: string) =>
    shop.db`update payment_recipients set state = ${state}, due_at = null where phonenumber = ${phone}`
  await set('+256772000101', 'complete')
  await set('+256772000102', 'error')
  await shop.db`
    update contacts set name_on_network = 'NAKATO AMINA', name_matches_network_status = 'checked',
      name_matches_network_score = 90, phone_is_mm_registered = 'yes' where phone_number = '+256772000101'`
  await shop.db`update contacts set phone_is_mm_registered = 'no' where phone_number = '+256701000104'`
})
afterAll(() => shop.close())

const PAGE = { limit: 10, offset: 0 }

async function find(filters: Parameters<typeof listPaymentRecipients>[2], page = PAGE) {
  const { rows, count } = await listPaymentRecipients(shop.db, payment, filters, page)
  return { count, names: rows.map(({ name }) => name) }
}

describe('the recipients of a payment', () => {
  it('come a page at a time, in the order of the request', async () => {
    expect(await find({}, { limit: 3, offset: 0 })).toEqual({
      count: 4,
      names: ['Amina Nakato', 'Moses Okello', 'Grace Nakato'],
    })
    expect(await find({}, { limit: 3, offset: 3 })).toEqual({ count: 4, names: ['Joe Soap'] })
    const [first] = (await listPaymentRecipients(shop.db, payment, {}, PAGE)).rows
    expect(first).toMatchObject({
      phonenumber: '+256772000101',
      amount: amount('100'),
      state: 'complete',
      name_on_network: 'NAKATO AMINA',
      check: 'same',
      reversed_amount: 0n,
    })
  })

  it.each([
    ['nakato', ['Amina Nakato', 'Grace Nakato']],
    ['nak gra', ['Grace Nakato']],
    ['0772 000 102', ['Moses Okello']],
    ['+256701', ['Joe Soap']],
    ['%', []],
    ['0', ['Amina Nakato', 'Moses Okello', 'Grace Nakato', 'Joe Soap']],
  ])('are found by %s', async (search, names) => {
    expect((await find({ search })).names).toEqual(names)
  })

  it('are shown and summed by their states', async () => {
    expect((await find({ show: 'waiting' })).names).toEqual(['Grace Nakato', 'Joe Soap'])
    expect((await find({ show: 'paid', search: 'moses' })).count).toBe(0)
    expect((await find({ show: 'failed' })).names).toEqual(['Moses Okello'])
    expect((await find({ show: 'names' })).names).toEqual(['Joe Soap'])
    expect(await sumRecipients(shop.db, payment)).toEqual([
      { state: 'waiting', count: 2, amount: amount('700') },
      { state: 'paid', count: 1, amount: amount('100') },
      { state: 'failed', count: 1, amount: amount('200') },
    ])
  })

  it('belong to its organization', async () => {
    const { rows } = await listPaymentRecipients(shop.db, { ...payment, organization: 0 }, {}, PAGE)
    expect(rows).toEqual([])
  })
})
