import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../../src/db/client.ts'
import { sendReviewed } from '../reviewed.ts'
import { openShop, type Shop } from '../shop.ts'

/* The search field and the days of lists in the console. */

let shop: Shop
let ids: Record<'requests' | 'customers' | 'incoming' | 'payment-summaries', number>

beforeAll(async () => {
  shop = await openShop()
  const { owner } = shop
  const grace = { phonenumber: '+80077200183', first_name: 'Grace', last_name: 'Nakato' }
  const other = { phonenumber: '+80075511122', first_name: 'Peter', last_name: 'Okello' }
  const request = { currency: 'BXC', amount: '4100', reason: 'School fees, term 2' }
  const made = await owner.post('/collectionrequests', { ...grace, ...request })
  await owner.post('/collectionrequests', { ...other, currency: 'BXC', amount: '900', reason: 'Bus' })
  const description = 'Wages of the cleaners'
  const recipients = [other, grace].map(({ phonenumber }) => ({ phonenumber, amount: '15' }))
  const payment = await sendReviewed(owner, '/payments', { currency: 'BXC', description, recipient_data: recipients })
  if (payment.status !== 201) throw new Error(JSON.stringify(payment.body))
  ids = {
    requests: made.body.id,
    customers: made.body.contact.id,
    incoming: await collect(shop, made.body.contact.id),
    'payment-summaries': payment.body.id,
  }
})
afterAll(() => shop.testApp.close())

/** Money of Grace with a reference. */
async function collect({ testApp: { db, organization } }: Shop, contact: number): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    insert into collections (organization, account, network, connection, remote_transaction_id, amount, currency, phonenumber,
      contact, reference, status, payment_date, created, author, modified)
    select organization, account, network, connection, 'MP77QX', amount, currency, phonenumber, contact, 'Hall booking 77-b',
      'successful', created, created, author, modified
    from collection_requests where organization = ${organization} and contact = ${contact} returning id`
  return row!.id
}

async function find(list: string, query: string): Promise<number[]> {
  const { status, body } = await shop.owner.get(`/${list}?${query}`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  expect(body.count).toBe(body.results.length)
  return body.results.map(({ id }: { id: number }) => id)
}

describe('the search field of a list', () => {
  it.each([
    ['requests', 'naka'],
    ['requests', 'nakato grace'],
    ['requests', '0183'],
    ['requests', '+80077200183'],
    ['requests', 'FEES, t'],
    ['requests', 'BXC 4,100'],
    ['customers', 'naka'],
    ['customers', '77200'],
    ['incoming', 'naka'],
    ['incoming', 'booking'],
    ['incoming', '77-B'],
    ['incoming', 'mp77qx'],
    ['payment-summaries', 'naka'],
    ['payment-summaries', '0183'],
    ['payment-summaries', 'clean'],
  ] as const)('%s: %s', async (list, typed) =>
    expect(await find(list, `search=${encodeURIComponent(typed)}`)).toEqual([ids[list]]),
  )

  it.each(['requests', 'customers', 'incoming', 'payment-summaries'] as const)(
    '%s: finds one by its id, nothing of others, and all without a text',
    async (list) => {
      expect(await find(list, `search=%23${ids[list]}`)).toEqual([ids[list]])
      expect(await find(list, 'search=mukasa')).toEqual([])
      expect(await find(list, "search=%25'")).toEqual([])
      expect(await find(list, 'search=%20')).toContain(ids[list])
      const { body } = await shop.otherOwner.get(`/${list}?search=naka`)
      expect(body.count).toBe(0)
      expect((await shop.otherOwner.get(`/${list}/${ids[list]}`)).status).toBe(403)
      expect((await shop.owner.get(`/${list}/${ids[list]}`)).body.id).toBe(ids[list])
      expect((await shop.owner.get(`/${list}?search=${'x'.repeat(101)}`)).status).toBe(400)
    },
  )

  it.each(['requests', 'customers', 'incoming', 'payment-summaries'] as const)(
    '%s: says in how many rows it looked for parts: here in all',
    async (list) => expect((await shop.owner.get(`/${list}?search=naka`)).body.searched_rows).toBeNull(),
  )

  it('joins the other filters', async () => {
    expect(await find('requests', 'search=naka&currency=BXC')).toEqual([ids.requests])
    expect(await find('requests', 'search=naka&currency=UGX')).toEqual([])
  })
})

describe('the search field of a long list', () => {
  const read = async (query: string) => (await shop.owner.get(`/payment-summaries?${query}`)).body

  beforeAll(async () => {
    const { db, clock } = shop.testApp
    await begin(db, async (tx) => {
      // It skips the foreign keys, and takes as long as a busy machine needs.
      await tx`set local session_replication_role = replica`
      await tx`set local statement_timeout = 0`
      await tx`
        insert into payments (organization, purpose, payment_type, amount, currency, account, source, description, metadata,
          send_sms_message, state, cancelled_by, created, author, modified, approvals_required)
        select organization, purpose, payment_type, 1, currency, account, source, 'Bus', '{}', false, 'cancelled', author,
          ${clock.now()}::timestamptz + interval '1 day', author, ${clock.now()}, 0
        from payments, generate_series(1, 100000) where id = ${ids['payment-summaries']}`
    })
  }, 120_000)

  it('finds parts of texts in the newest rows, and says in how many', async () => {
    expect(await read('search=us')).toMatchObject({ count: 100_000, searched_rows: 100_000 })
    expect(await read('search=clean')).toMatchObject({ count: 0, searched_rows: 100_000 })
    expect(await read('search=720018')).toMatchObject({ count: 0, searched_rows: 100_000 })
  })

  it('finds ids, whole phone numbers, names and chosen days in all rows', async () => {
    const found = { count: 1, results: [{ id: ids['payment-summaries'] }] }
    for (const typed of [`%23${ids['payment-summaries']}`, '%2B80077200183', '077200183', 'naka'])
      expect(await read(`search=${typed}`)).toMatchObject(found)
    expect(await read('search=clean&days=today')).toMatchObject({ ...found, searched_rows: null })
  })
})

describe('the days of a list', () => {
  // It is 15 January 2030, 15:00 in Kampala. The first moment of that day is 21:00 of the day before in UTC.
  beforeAll(async () => {
    const {
      testApp: { db, organization },
    } = shop
    await db`update collection_requests set created = '2030-01-14T21:00:00Z' where id = ${ids.requests}`
    await db`
      update collection_requests set created = '2030-01-14T20:59:59Z'
      where organization = ${organization} and id <> ${ids.requests}`
  })

  it.each([
    ['today', 1],
    ['7_days', 2],
    ['month', 2],
    ['2030-01-14..2030-01-14', 1],
    ['2030-01-15..', 1],
    ['..2030-01-14', 1],
    ['2029-12-01..2029-12-31', 0],
  ])('%s', async (days, count) => expect(await find('requests', `days=${days}`)).toHaveLength(count))

  it.each(['yesterday', '2030-02-30..', '2030-01-02..2030-01-01', '2030-01-01'])('are not %s', async (days) => {
    const { status, body } = await shop.owner.get(`/requests?days=${days}`)
    expect([status, Object.keys(body)]).toEqual([400, ['days']])
  })
})
