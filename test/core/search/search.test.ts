import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { createContact, newContactBody } from '../../../src/core/contacts/details.ts'
import { search } from '../../../src/core/search/search.ts'
import type { SearchResultKind } from '../../../src/core/search/search-results.ts'
import { begin } from '../../../src/db/client.ts'
import { createManyPurchases } from '../many-rows.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const JANE = '+256772123456'
const JOHN = '+256772654321'

let shop: Shop
let jane: { request: number; collection: number; contact: number }

beforeAll(async () => {
  shop = await openShop()
  const request = await shop.createRequest({
    phonenumber: JANE,
    amount: amount('2500'),
    reason: 'Order 71',
    first_name: 'Jane Grace',
    last_name: "O'Doe",
  })
  await shop.createRequest({ phonenumber: JOHN, amount: amount('90000'), first_name: 'John', last_name: 'Mukasa' })
  await shop.ingest(
    shop.paymentReport({ phonenumber: JANE, amount: amount('2500'), remote_id: 'MP12QX', reference: 'TABLE 4' }),
  )
  const [collection] = await shop.collections()
  jane = { request: request.id, collection: collection!.id, contact: collection!.contact }
  await writeDocuments(shop, jane)
  await createManyPurchases(shop)
})
afterAll(() => shop.close())

/** A receipt, an invoice and a payment link, as far as the search reads them. */
async function writeDocuments({ db, organization, now, requestInput }: Shop, ids: typeof jane): Promise<void> {
  const { author } = requestInput()
  await db`
    insert into receipts (organization, number, code, collection, issuer, created, modified)
    values (${organization}, 12, ${'c'.repeat(22)}, ${ids.collection}, 'Shop', ${now()}, ${now()})`
  await db`
    insert into invoices (organization, number, code, state, contact, currency, lines, taxes, subtotal, total, due_date, notes,
      language, reminder_days, reminder_prompts, issuer, issued, overdue_at, created, author, modified)
    values (${organization}, 7, ${'d'.repeat(22)}, 'issued', ${ids.contact}, 'BXC', '[]', '[]', 4200, 4200, '2030-01-10', '',
      'en', '{}', false, 'Shop', ${now()}, ${now()}, ${now()}, ${author}, ${now()})`
  await db`
    insert into payment_links (organization, token, title, description, currency, country, amount, single_use, fields,
      success_message, frame_ancestors, created, author, modified)
    values (${organization}, ${'t'.repeat(24)}, 'School fees, term 2', '', 'BXC', 'XX', 300, false, '[]', '', '{}', ${now()},
      ${author}, ${now()})`
}

const groupsOf = (typed: string, organization = shop.organization, may_see_purchases = true) =>
  search(shop.db, typed, { organization, may_see_purchases, now: shop.now() })

/** The ids that are found of one kind. */
async function find(kind: SearchResultKind, typed: string): Promise<number[]> {
  const group = (await groupsOf(typed)).find((one) => one.kind === kind)
  return group?.hits.map(({ id }) => id) ?? []
}

describe('a person is found with what belongs to the person', () => {
  it.each([
    ['the whole number', '+256 772 123-456'],
    ['the number without a plus', '256772123456'],
    ['the form of the country', '0772 123'],
    ['the country form without its zero', '7721234'],
    ['the end', '3456'],
    ['the middle', '7212'],
    ['the first name', 'jane'],
    ['the beginning of the last name', 'do'],
    ['names in another order', 'Doe Grace'],
    ['a name with a mark', "o'doe"],
    ['the first two letters of each name', 'gr do ja'],
    ['three letters of one and more of another', 'gra jane'],
    ['more than three letters of several, in any order', 'grac jane'],
  ])('by %s: %s', async (_, typed) => {
    expect(await find('contact', typed)).toEqual([jane.contact])
    expect(await find('collection_request', typed)).toEqual([jane.request])
    expect(await find('collection', typed)).toEqual([jane.collection])
    expect(await find('invoice', typed)).toHaveLength(1)
    expect(await find('receipt', typed)).toHaveLength(1)
  })

  it.each(['ja mu', 'janet', 'jane grazia', 'grac janet', 'do do xx'])('by no other beginnings: %s', async (typed) =>
    expect(await find('contact', typed)).toEqual([]),
  )

  it('by no name of another organization', async () => {
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other Shop'))
    for (const typed of ['jane', '3456', 'MP12QX', 'Order 71', '2500', 'R-12', 'INV-7', String(jane.request)])
      expect(await groupsOf(typed, other.id)).toEqual([])
  })

  it.each(['  ', '%', "'", '\\', '*:', "!' & '", '😀', '0', '000', '99999999999999999999999999', '١٢٣'])(
    'no person is found by %j',
    async (typed) => expect(await groupsOf(typed)).toEqual([]),
  )
})

describe('a customer is found', () => {
  let betty: number

  beforeAll(async () => {
    const make = (fields: object) =>
      begin(shop.db, (tx) =>
        createContact(
          ...([tx, shop.now()] as const),
          { organization: shop.organization, author: 1, network_name: null },
          newContactBody.parse({ last_name: 'Nabukeera', ...fields }),
        ),
      )
    await make({ first_name: 'Peter', number: 'STU-0172', tags: 'Primary six' })
    const payers = 'Rose Okello +256701998877'
    betty = (await make({ first_name: 'Betty', number: 'STU-0017', tags: 'Primary five', payers })).id
    await shop.db`
      insert into invoices (organization, number, code, state, contact, currency, lines, taxes, subtotal, total, due_date, notes,
        language, reminder_days, reminder_prompts, issuer, issued, overdue_at, created, author, modified)
      values (${shop.organization}, 8, ${'e'.repeat(22)}, 'issued', ${betty}, 'BXC', '[]', '[]', 99, 99, '2030-01-10', '',
        'en', '{}', false, 'Shop', ${shop.now()}, ${shop.now()}, ${shop.now()}, 1, ${shop.now()})`
    await shop.createRequest({ phonenumber: '+256701998877', amount: amount('99') })
  })

  it.each([
    ['the number', 'STU-0017'],
    ['the number as payers write it', 'stu 17'],
    ['the number in other digits', 'STU١٧'],
    ['a tag', 'primary FIVE'],
    ['the name', 'bet nabu'],
    ['the name of a payer', 'Okello Rose'],
    ['the beginning of the name of a payer', 'okel'],
  ])('by %s: %s', async (_, typed) => {
    const found = await find('contact', typed)
    expect(found[0]).toBe(betty)
    expect(await find('invoice', typed)).toHaveLength(1)
    expect((await find('collection_request', typed)).length).toBeGreaterThan(0)
  })

  it.each([
    ['the whole phone of a payer', '0701 998877'],
    ['the end of the phone of a payer', '998877'],
    ['the middle of the phone of a payer', '01998'],
  ])('by %s: %s', async (_, typed) => expect(await find('contact', typed)).toContain(betty))

  it('by the whole number first, before ids and before longer numbers', async () => {
    const [first] = await groupsOf('17')
    expect([first!.kind, first!.hits[0]]).toMatchObject([
      'contact',
      { id: betty, name: 'Betty Nabukeera', reference: 'STU-0017' },
    ])
    expect((await find('contact', 'stu-01')).length).toBe(1)
    expect(await find('contact', 'STU-001')).toEqual([betty])
    expect(await find('contact', 'stu')).toHaveLength(2)
  })

  it('by no number, tag or payer of another organization', async () => {
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other School'))
    for (const typed of ['STU-0017', '17', 'Primary five', '998877', 'Okello'])
      expect(await groupsOf(typed, other.id)).toEqual([])
  })
})

describe('things are found', () => {
  it('by our id, before everything else', async () => {
    const [first] = await groupsOf(`#${jane.request}`)
    expect(first).toMatchObject({ kind: 'collection_request', hits: [{ id: jane.request, name: "Jane Grace O'Doe" }] })
  })

  it.each(['MP12QX', 'mp12qx'])('by the id of the network: %s', async (typed) => {
    expect(await find('collection', typed)).toEqual([jane.collection])
    expect(await find('receipt', typed)).toHaveLength(1)
  })

  it('by our reference at the network', async () => {
    await shop.db`
      insert into network_orders (organization, connection, kind, collection_request, attempt, reference, receiver, phonenumber,
        amount, currency, reason, state, created)
      select organization, 'sandbox', 'charge', id, 1, 'KR-ABC-1', '', phonenumber, amount, currency, '', 'accepted', created
      from collection_requests where id = ${jane.request}`
    expect(await find('collection_request', 'kr-abc-1')).toEqual([jane.request])
  })

  it.each(['Order 71', 'order 7', 'ord'])('by what they are for: %s', async (typed) =>
    expect(await find('collection_request', typed)).toEqual([jane.request]),
  )

  it('by the reference that the customer typed', async () =>
    expect(await find('collection', 'table 4')).toEqual([jane.collection]))

  it.each(['2,500', 'BXC 2500', '2500.00 bxc'])('by the amount: %s', async (typed) => {
    expect(await find('collection', typed)).toEqual([jane.collection])
    expect(await find('collection_request', typed)).toEqual([jane.request])
  })

  it('not by the amount in another currency', async () => expect(await groupsOf('UGX 2500')).toEqual([]))

  it.each([
    ['receipt', 'R-000012', 'R-000012', 'paid'],
    ['receipt', 'r-12', 'R-000012', 'paid'],
    ['invoice', 'INV-000007', 'INV-000007', 'overdue'],
    ['invoice', '4,200', 'INV-000007', 'overdue'],
    ['payment_link', 'school', 'School fees, term 2', 'active'],
  ] as const)('a %s by %s', async (kind, typed, title, state) => {
    expect((await groupsOf(typed)).find((one) => one.kind === kind)?.hits).toMatchObject([{ title, state }])
  })

  it('purchases by meter, phone and amount, by those who may see purchases', async () => {
    for (const typed of ['04042404048', '08031234567', '100', 'NGN 100'])
      expect((await find('purchase', typed)).length, typed).toBe(5)
    expect((await groupsOf('04042404048', shop.organization, false)).map(({ kind }) => kind)).not.toContain('purchase')
    expect((await groupsOf('04042404048')).find(({ kind }) => kind === 'purchase')?.more).toBe(true)
  })
})
