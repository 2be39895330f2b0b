import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCollections } from '../../../src/core/collections/collections.ts'
import { listCollectionRequests } from '../../../src/core/collections/requests.ts'
import { listContacts } from '../../../src/core/contacts/details.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { listPaymentSummaries } from '../../../src/core/payments/summaries.ts'
import { readSearchedRows, type SearchFilters } from '../../../src/core/typed-search/list-text.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/* The search field of lists that look for parts of texts only in their two newest rows. Each list has four rows, a day apart. */

const SEARCHED_ROWS = 2
const NEWEST_FIRST = { field: 'id', descending: true, limit: 10, offset: 0 } as const
const names = ['Grace Nakato', 'Moses Okello', 'Amina Wanjiru', 'Brian Kato']
const phoneOf = (index: number) => `+25677200018${index}`
const day = (index: number, hour = 12) => new Date(Date.UTC(2030, 0, index + 1, hour))

const tables = {
  requests: 'collection_requests',
  collections: 'collections',
  payments: 'payments',
  contacts: 'contacts',
} as const
type List = keyof typeof tables
const lists = Object.keys(tables) as List[]

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  for (const index of names.keys()) await createRows(index)
})
afterAll(() => shop.close())

/** A row of each list, all of the same person. */
async function createRows(index: number): Promise<void> {
  const { db, organization } = shop
  const phonenumber = phoneOf(index)
  const { contact } = await shop.createRequest({
    phonenumber,
    reason: `Fees 77-${index}`,
    amount: amount(`41${index}`),
  })
  const [first_name, last_name] = names[index]!.split(' ')
  await db`
    update contacts set first_name = ${first_name!}, last_name = ${last_name!}, email = ${`p${index}@school.example`}
    where id = ${contact.id}`
  await db`insert into contact_tags (contact, organization, tag) values (${contact.id}, ${organization}, ${`Bus ${index}`})`
  await db`
    insert into contact_payers (contact, organization, phone_number, name, position)
    values (${contact.id}, ${organization}, ${`+25675100029${index}`}, ${`Sponsor Otim${index}`}, 1)`
  const paid = { phonenumber, amount: amount(`52${index}`), reference: `Hall 88-${index}`, remote_id: `MP55QX${index}` }
  await shop.ingest(shop.paymentReport(paid))
  await pay(index)
  for (const table of Object.values(tables))
    await db`
      update ${sql.identifier(table)} set created = ${day(index)} where id = (select max(id) from ${sql.identifier(table)})`
}

async function pay(index: number): Promise<void> {
  const { id: account } = await shop.wallet()
  const { author } = shop.requestInput()
  const recipient = { phonenumber: phoneOf(index), amount: amount(`63${index}`), network: NETWORK, description: '' }
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: recipient.amount,
        currency: 'BXC',
        account,
        source: account,
        description: `Wages 99-${index}`,
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [{ ...recipient, metadata: {}, national_id: null, national_id_type: null }],
      },
    ]),
  )
  if (!made!.ok) throw made!.error
}

/** The indexes of the rows that a search finds. */
async function find(list: List, search: string, filters: SearchFilters = { searched_rows: SEARCHED_ROWS }) {
  const { db, organization } = shop
  const given = { ...filters, search } as never
  const { rows } =
    list === 'requests'
      ? (await listCollectionRequests(db, [{ organization, filters: given, page: NEWEST_FIRST }]))[0]!
      : list === 'collections'
        ? await listCollections(db, organization, given, NEWEST_FIRST)
        : list === 'payments'
          ? await listPaymentSummaries(db, organization, given, NEWEST_FIRST)
          : await listContacts(db, organization, given, NEWEST_FIRST)
  return rows.map(({ created }) => created.getUTCDate() - 1)
}

const idOf = async (list: List, index: number) => {
  const [row] = await shop.db<{ id: number }[]>`
    select id from ${sql.identifier(tables[list])} where created = ${day(index)}`
  return `#${row!.id}`
}

const phones = ['+256772000180', '256772000180', '00256 772 000180', '0772000180', '772000180']
const whole: Record<List, string[]> = {
  requests: [...phones, 'Grace', 'naka gra', 'Fees 77-0', 'fees 77-0', '410', 'BXC 410'],
  collections: [...phones, 'Grace', 'naka gra', 'Hall 88-0', '520', 'BXC 520', 'mp55qx0'],
  payments: [...phones, 'Grace', 'naka gra', '630', 'BXC 630'],
  contacts: [...phones, 'Grace', 'naka gra', 'P0@school.example', 'bus 0', '0751000290', '+256751000290', 'otim0'],
}
const parts: Record<List, string[]> = {
  requests: ['2000', '+256772', 'ees 77'],
  collections: ['2000', '+256772', 'all 88'],
  payments: ['2000', '+256772', 'ages 99'],
  contacts: ['2000', '+256772', 'school.ex', 'us', 'ponsor', '5100'],
}

describe.each(lists)('the search field of %s', (list) => {
  it('finds whole numbers, texts and names in all rows', async () => {
    const typed = [...whole[list], await idOf(list, 0)]
    for (const one of typed) expect([one, await find(list, one)]).toEqual([one, [0]])
  })

  it('finds parts of them in the newest rows only', async () => {
    for (const one of parts[list]) expect([one, await find(list, one)]).toEqual([one, [3, 2]])
    for (const one of parts[list]) expect([one, await find(list, one, {})]).toEqual([one, [3, 2, 1, 0]])
  })

  it('finds parts of them in the newest rows of the chosen days', async () => {
    const [part] = parts[list]
    const days = { created_before: day(1, 18), searched_rows: SEARCHED_ROWS }
    expect(await find(list, part!, days)).toEqual([1, 0])
    expect(await find(list, part!, { ...days, created_before: day(2, 18) })).toEqual([2, 1])
    expect(await find(list, part!, { ...days, created_after: day(0, 18) })).toEqual([1])
  })

  it('says in how many rows it looked', async () => {
    const read = (filters: SearchFilters) => readSearchedRows(shop.db, tables[list], shop.organization, filters)
    const search = 'x'
    expect(await read({ search, searched_rows: SEARCHED_ROWS })).toBe(SEARCHED_ROWS)
    expect(await read({ search, searched_rows: 4 })).toBeNull()
    expect(await read({ search, searched_rows: SEARCHED_ROWS, created_after: day(1, 18) })).toBeNull()
    expect(await read({ search })).toBeNull()
    expect(await read({ search: ' ', searched_rows: SEARCHED_ROWS })).toBeNull()
    expect(await read({ searched_rows: SEARCHED_ROWS })).toBeNull()
  })
})
