import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPayments } from '../../../src/core/payments/create.ts'
import { search } from '../../../src/core/search/search.ts'
import type { SearchResultKind } from '../../../src/core/search/search-results.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/* The order of search results, among a thousand people with the same surname. */

const GRACE = '+256772000183'
const NAMESAKES = 1_000
const OTHER_RECIPIENTS = 182

let shop: Shop
let grace: { contact: number; request: number }
let payroll: number

const phoneOf = (index: number) => `+2567${String(10_000_000 + index)}`

beforeAll(async () => {
  shop = await openShop()
  const request = await shop.createRequest({
    phonenumber: GRACE,
    reason: 'School fees, term 2',
    first_name: 'Grace',
    last_name: 'Nakato',
  })
  grace = { contact: request.contact.id, request: request.id }
  await insertNamesakes(shop)
  payroll = await payTogether(shop)
  await shop.ingest(
    shop.paymentReport({ phonenumber: phoneOf(5_000), amount: amount('700'), reference: 'Hall booking 77-b' }),
  )
})
afterAll(() => shop.close())

/** Newer contacts than Grace: a thousand with her surname, and twenty whose surnames only begin like hers. */
async function insertNamesakes({ db, organization, now }: Shop): Promise<void> {
  await db`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author)
    select ${organization}, 'Customer', case when n < ${NAMESAKES} then 'Nakato' else 'Nakatonda' end,
      '+2567' || (10000000 + n), 'personal', 'active', 'unknown', 'unknown', '', 'unknown', 0, '', ${now()}, ${now()}, 1
    from generate_series(0, ${NAMESAKES + 19}) n`
}

/** A payment to 183 people, of whom Grace is the last. */
async function payTogether({ db, organization, now, wallet, requestInput }: Shop): Promise<number> {
  const phones = [...Array.from({ length: OTHER_RECIPIENTS }, (_, index) => `+25670${1_000_000 + index}`), GRACE]
  const account = (await wallet()).id
  const [made] = await begin(db, (tx) =>
    createPayments(tx, now(), [
      {
        organization,
        author: requestInput().author,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: amount(String(phones.length)),
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages of the cleaners',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: phones.map((phonenumber) => ({
          phonenumber,
          amount: amount('1'),
          network: NETWORK,
          description: '',
          metadata: {},
          national_id: null,
          national_id_type: null,
        })),
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  return made!.value.id
}

const groupsOf = (typed: string) =>
  search(shop.db, typed, { organization: shop.organization, may_see_purchases: true, now: shop.now() })

async function hitsOf(kind: SearchResultKind, typed: string) {
  return (await groupsOf(typed)).find((one) => one.kind === kind)?.hits ?? []
}

describe('a frequent surname', () => {
  it('finds the customer with a request, then the request, and then a payment to many people', async () => {
    const groups = await groupsOf('Nakato')
    expect(groups.map(({ kind }) => kind)).toEqual(['contact', 'collection_request', 'payment'])
    const [contacts, requests, payments] = groups
    expect(contacts).toMatchObject({ more: true, hits: [{ id: grace.contact, name: 'Grace Nakato' }, {}, {}, {}, {}] })
    expect(requests!.hits).toMatchObject([{ id: grace.request, name: 'Grace Nakato', others: 0 }])
    expect(payments!.hits).toMatchObject([
      { id: payroll, name: 'Grace Nakato', phonenumber: GRACE, others: OTHER_RECIPIENTS },
    ])
  })

  it('comes before longer names that begin with it', async () => {
    const names = (await hitsOf('contact', 'nakato')).map(({ name }) => name)
    expect(names).toEqual(['Grace Nakato', ...Array(4).fill('Customer Nakato')])
    expect((await hitsOf('contact', 'nakaton')).map(({ name }) => name)).toEqual(Array(5).fill('Customer Nakatonda'))
  })

  it('finds one person by both names', async () =>
    expect(await groupsOf('grace nakato')).toMatchObject([
      { kind: 'contact', more: false, hits: [{ id: grace.contact }] },
      { kind: 'collection_request', hits: [{ id: grace.request }] },
      { kind: 'payment', hits: [{ id: payroll, others: OTHER_RECIPIENTS }] },
    ]))
})

describe('a payment to many people', () => {
  it('shows its first recipient when none of them was found', async () =>
    expect(await hitsOf('payment', '183')).toMatchObject([
      { id: payroll, phonenumber: '+256701000000', others: OTHER_RECIPIENTS },
    ]))
})

describe('parts of texts are found', () => {
  it.each([
    ['collection_request', 'fees, T'],
    ['collection_request', 'term 2'],
    ['collection', 'booking'],
    ['collection', '77-B'],
    ['payment', 'cleaners'],
  ] as const)('a %s by %s', async (kind, typed) => expect(await hitsOf(kind, typed)).toHaveLength(1))

  it('after whole texts and their beginnings', async () => {
    const whole = await shop.createRequest({ phonenumber: GRACE, reason: 'Fees' })
    const beginning = await shop.createRequest({ phonenumber: GRACE, reason: 'Fees of 2030' })
    const found = await hitsOf('collection_request', 'fees')
    expect(found.map(({ id }) => id)).toEqual([whole.id, beginning.id, grace.request])
  })
})
