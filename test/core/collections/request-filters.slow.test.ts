import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { requestFilters, requestPageQuery } from '../../../src/core/collections/request-filters.ts'
import type { ListPage } from '../../../src/core/list-query.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { fillOrders } from './fill-orders.ts'

const MINUTE_MS = 60_000
const START = new Date('2030-01-01T00:00:00Z')
const minute = (count: number) => new Date(START.getTime() + count * MINUTE_MS).toISOString().replace('.000Z', 'Z')

let testApp: TestApp
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService({ jobs: false })
  api = createApiClient(service.url, testApp.api_key)
  await fill(testApp.db, testApp.organization, { requests: 300, contacts: 12 })
})
afterAll(() => testApp.close())

/** The answer of the list to a query. */
async function list(query: Record<string, string>) {
  const { status, body } = await api.get(`/api/collectionrequests?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as { count: number; results: Record<string, unknown>[]; next: string | null; previous: string | null }
}

const idsOf = (page: { results: Record<string, unknown>[] }) => page.results.map((request) => request.id)

describe('the filters of collection requests', () => {
  it('find the pages of many phone numbers that are read together', async () => {
    const all = await readAll(testApp.db)
    const phones = ['+80000000001', '+80000000002', '+80000000004', '+80000009999']
    const orders = ['-id', 'id', '-created', 'modified', '-amount']
    const wanted = phones.flatMap((phonenumber) =>
      orders.flatMap((ordering) => [0, 2, 500].map((offset) => ({ phonenumber, ordering, offset }))),
    )
    const pages = await Promise.all(
      wanted.map(({ offset, ...query }) => list({ ...query, limit: '3', offset: String(offset) })),
    )
    for (const [index, { phonenumber, ordering, offset }] of wanted.entries()) {
      const own = all.filter((row) => row.organization === testApp.organization && row.phonenumber === phonenumber)
      const expected = inOrder(own, ordering).map((row) => row.id)
      expect({ ...wanted[index], count: pages[index]!.count, ids: idsOf(pages[index]!) }).toEqual({
        ...wanted[index],
        count: expected.length,
        ids: expected.slice(offset, offset + 3),
      })
    }
    expect(pages[0]!.count).toBeGreaterThan(3)
    expect(pages.at(-1)!.count).toBe(0)
  })

  it('find exactly the requests that match, alone and together, in any order', {
    timeout: 150_000,
  }, async () => {
    const all = await readAll(testApp.db)
    const own = all.filter((row) => row.organization === testApp.organization)
    const anyQuery = fc.record(
      {
        amount: fc.constantFrom('100', '100.0000', '0101.50', '7'),
        currency: fc.constantFrom('BXC', 'UGX', 'bxc'),
        collection: fc.constantFrom(...own.slice(0, 40).map((row) => String(row.collection ?? 9_999))),
        phonenumber: fc.constantFrom('+80000000001', '80000000002', ' 80000000004', '8000000000'),
        remote_transaction_id: fc.constantFrom('TX10', 'TX15', 'tx15'),
        created_after: fc.nat(300).map(minute),
        created_before: fc.nat(300).map(minute),
        modified_after: fc.nat(300).map(minute),
        modified_before: fc.nat(300).map(minute),
        status: fc.constantFrom('successful', 'failed', 'reversed', 'nonsense'),
        reason: fc.constantFrom('Order 1', 'Order 2', 'Order'),
        contact_first_name: fc.constantFrom('Amina', 'Brian', 'amina'),
        contact_last_name: fc.constantFrom('Okello', 'Wanjiru', 'Unknown'),
        network: fc.constantFrom('sandbox', 'other', 'neither'),
        payment_link: fc.constantFrom('1', '9999'),
        plan: fc.constantFrom('1', '9999'),
      },
      { requiredKeys: [] },
    )
    // A few filters together find something, all of them find nothing. Both cases are tested.
    const fewFilters = anyQuery.map((query) => Object.fromEntries(Object.entries(query).slice(0, 3)) as Query)
    const ordering = fc.constantFrom('id', '-id', 'created', '-created', 'modified', '-modified', 'amount', '-amount')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fewFilters, fewFilters, anyQuery),
        ordering,
        fc.nat(30),
        async (query, order, offset) => {
          const expected = inOrder(
            own.filter((row) => matches(row, query as Query)),
            order,
          )
          const page = await list({ ...query, ordering: order, limit: '20', offset: String(offset) })
          expect(page.count).toBe(expected.length)
          expect(idsOf(page)).toEqual(expected.slice(offset, offset + 20).map((row) => row.id))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('ignore empty values', async () => {
    const query = Object.keys(requestFilters).map((name) => `${name}=`)
    const { body } = await api.get(`/api/collectionrequests?${query.join('&')}`)
    expect(body.count).toBe(200)
  })

  it('read dates in every form, and exclude the date itself', async () => {
    const { count } = await list({ created_after: minute(10), created_before: minute(13) })
    for (const [after, before] of [
      ['2030-01-01 00:10', '2030-01-01 00:13:00'],
      ['2030-01-01T03:10:00+03:00', '2030-01-01T00:13:00Z'],
      ['01/01/2030 00:10:00', '01/01/2030 00:13'],
    ])
      expect((await list({ created_after: after!, created_before: before! })).count).toBe(count)
    const [between] = await testApp.db`
      select count(*) from collection_requests where organization = ${testApp.organization}
        and created in (${minute(11)}, ${minute(12)})`
    expect(count).toBe(between!.count)
  })

  it('find a request by either id of its collection', async () => {
    const [collection] = await testApp.db<CollectionRow[]>`
      select * from collections where organization = ${testApp.organization} and collection_request is not null limit 1`
    const by_id = await list({ collection: String(collection!.id) })
    const by_remote_id = await list({ remote_transaction_id: collection!.remote_transaction_id })
    expect(idsOf(by_id)).toEqual([collection!.collection_request])
    expect(idsOf(by_remote_id)).toEqual([collection!.collection_request])
  })

  it("do not find another organization's requests, nor through its contacts and collections", async () => {
    const [other] = await testApp.db<CollectionRow[]>`
      select * from collections where organization <> ${testApp.organization} and collection_request is not null limit 1`
    expect((await list({ collection: String(other!.id) })).count).toBe(0)
    expect((await list({ remote_transaction_id: other!.remote_transaction_id })).count).toBe(0)
    expect((await list({ phonenumber: '+80000000003' })).count).toBe(0)
  })

  it('report every invalid parameter in one answer', async () => {
    const { status, body } = await api.get(
      '/api/collectionrequests?amount=1,500&collection=first&created_after=soon&created_before=31/02/2030' +
        '&modified_after=2030-13-01&modified_before=x&ordering=-reason&status=nonsense&limit=many&offset=-1',
    )
    const error = ['Enter a valid date/time (e.g. 2030-01-31 or 2030-01-31T18:00:00Z).']
    expect(status).toBe(400)
    expect(body).toEqual({
      amount: ['A valid number is required.'],
      collection: ['A valid integer is required.'],
      created_after: error,
      created_before: error,
      modified_after: error,
      modified_before: error,
      ordering: [expect.stringContaining('"-reason" is not a valid choice.')],
    })
  })

  it('go along with the links to the next and the previous page', async () => {
    const first = await list({ currency: 'UGX', ordering: 'amount', limit: '7' })
    const seen = idsOf(first)
    let next = first.next
    while (next) {
      const { pathname, search } = new URL(next)
      const { body } = await api.get(pathname + search)
      seen.push(...idsOf(body))
      expect(new URL(body.previous).searchParams.get('currency')).toBe('UGX')
      next = body.next
    }
    expect(seen).toHaveLength(first.count)
    expect(new Set(seen).size).toBe(first.count)
  })

  it('find pages by time of change, however long ago the changes were', async () => {
    const { db, organization } = testApp
    await db`
      update collection_requests set created = now() - interval '5 years', modified = now() - (id % 40) ^ 3 * interval '30 minutes'
      where organization = ${organization}`
    const own = (await readAll(db)).filter((row) => row.organization === organization)
    for (const ordering of ['-modified', 'modified'])
      for (const offset of [0, 20, 150, own.length - 3, own.length + 5]) {
        const expected = inOrder(own, ordering).slice(offset, offset + 10)
        const page = await list({ ordering, limit: '10', offset: String(offset) })
        expect({ ordering, offset, ids: idsOf(page) }).toEqual({ ordering, offset, ids: expected.map(({ id }) => id) })
      }
  })
})

describe('among 200,000 requests', () => {
  let large: TestApp

  beforeAll(async () => {
    large = await buildTestApp()
    await fill(large.db, large.organization, { requests: 200_000, contacts: 20_000 })
    await fillOrders(large.db)
    await large.db`vacuum analyze collection_requests`
    await large.db`vacuum analyze contacts`
    await large.db`vacuum analyze collections`
  }, 300_000)
  afterAll(() => large.close())

  const filters: [Query, string[]][] = [
    [{ amount: '1234' }, ['collection_requests_amount']],
    [{ currency: 'UGX' }, ['collection_requests_amount']],
    [{ network: 'other' }, ['collection_requests_amount']],
    [{ currency: 'UGX', amount: '1234' }, ['collection_requests_amount']],
    [{ phonenumber: '+80000000007' }, ['collection_requests_phonenumber']],
    [{ status: 'failed' }, ['collection_requests_unsuccessful']],
    [{ status: 'reversed' }, ['collection_requests_unsuccessful']],
    [{ status: 'failed', modified_after: minute(199_000) }, ['collection_requests_modified']],
    [{ modified_after: minute(199_000) }, ['collection_requests_modified']],
    [{ modified_before: minute(1_000) }, ['collection_requests_modified']],
    [{ created_after: minute(199_000) }, ['collection_requests_created']],
    [{ created_before: minute(1_000) }, ['collection_requests_created']],
    [{ reason: 'Order 777' }, ['collection_requests_reason']],
    [{ collection: '777' }, ['collections_pkey']],
    [
      { remote_transaction_id: 'TX777' },
      ['collections_connection_remote_id', 'network_order_remote_ids_pkey', 'network_orders_pkey'],
    ],
    [{ contact_first_name: 'First 77' }, ['contacts_first_name', 'collection_requests_contact']],
    [{ contact_last_name: 'Last 78' }, ['contacts_last_name', 'collection_requests_contact']],
  ]

  it.each(filters)('%j uses an index', async (query, indexes) => {
    const plan = await explain(large, query, { limit: 10, offset: 0, field: 'id', descending: true })
    const scanned = plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
    expect(scanned.filter((table) => !/^(collection_request_count|connection)/.test(table!))).toEqual([])
    expect(plan.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes))
  })

  it.each([{}, { status: 'expired' }, { status: 'successful' }])(
    'the first page of %j reads only the rows that it shows',
    async (query) => {
      const plan = await explain(large, query, { limit: 20, offset: 0, field: 'id', descending: true })
      const scans = plan.filter((node) => node['Relation Name'] === 'collection_requests')
      expect(scans.map((node) => node['Actual Rows'])).toEqual([20])
    },
  )

  it('a status that only the oldest requests have is found without reading all others', async () => {
    await large.db`
      update collection_requests set status = 'pending' where id in (
        select id from collection_requests where organization = ${large.organization} and status = 'failed' order by id limit 30)`
    await large.db`
      insert into open_collection_requests (collection_request, organization, account, phonenumber, amount, due_at)
      select id, organization, account, phonenumber, amount, created from collection_requests where status = 'pending'`
    await large.db`analyze collection_requests, open_collection_requests`
    const plan = await explain(large, { status: 'pending' }, { limit: 20, offset: 0, field: 'id', descending: true })
    const scans = plan.filter((node) => node['Relation Name'] === 'collection_requests')
    expect(scans.map((node) => node['Index Name'])).toEqual(['collection_requests_pkey'])
    expect(scans.map((node) => node['Actual Rows'])).toEqual([20])
  })

  it('the order that clients use for every list comes from an index', async () => {
    const plan = await explain(large, {}, { limit: 20, offset: 0, field: 'created', descending: true })
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    expect(plan.map((node) => node['Index Name'])).toContain('collection_requests_created')
  })

  it('the requests of an hour long ago are found without reading all later ones', async () => {
    const hour = { created_after: minute(1_000), created_before: minute(1_060) }
    const plan = await explain(large, hour, { limit: 10, offset: 0, field: 'id', descending: true })
    const scans = plan.filter((node) => node['Relation Name'] === 'collection_requests')
    expect(scans.map((node) => node['Actual Rows'])).toEqual([39])
  })
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  Plans?: PlanNode[]
}

interface CollectionRow {
  id: number
  collection_request: number
  remote_transaction_id: string
}

/** All nodes of the plan of the list. Sequential scans are allowed, as in the service. */
async function explain(large: TestApp, query: Query, page: ListPage): Promise<PlanNode[]> {
  const filters = z.object(requestFilters).parse(query)
  return withSnapshot(large.db, async (tx) => {
    await tx`set local enable_seqscan = on`
    const [row] = await tx<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
      explain (analyze, timing off, format json) ${requestPageQuery(large.organization, filters, page)}`
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
    return flatten(row!['QUERY PLAN'][0].Plan)
  })
}

/** Insert requests: two thirds of this organization, one third of another, mixed. Three in ten have a collection. */
async function fill(db: Database, organization: number, size: { requests: number; contacts: number }): Promise<void> {
  const other = await begin(db, (tx) => createOrganization(tx, START, 'Other'))
  const small = size.contacts < 100
  await db`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author)
    select case when n % 3 = 0 then ${other.id}::bigint else ${organization}::bigint end,
      case when ${small}::boolean then (array['Amina', 'Brian'])[1 + n % 2] else 'First ' || n % 500 end,
      case when ${small}::boolean then (array['Okello', 'Wanjiru'])[1 + n / 2 % 2] else 'Last ' || n % 700 end,
      '+800' || lpad(n::text, 8, '0'),
      'employee', 'active', 'yes', 'unknown', '', 'unchecked', 0, 'Sandbox Network', ${START}::timestamptz, ${START}::timestamptz, 1
    from generate_series(1, ${size.contacts}::integer) n`
  await db`
    insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection,
      reason, metadata, success_message, send_instructions, status, collection, expiry_date, max_attempts, created, author,
      modified)
    select c.organization, case when ${small}::boolean then 100 + n % 3 * 0.75 else 100 + n * 7919::bigint % 3000 end,
      (array['BXC', 'UGX'])[1 + n % 5 / 3], 1, c.phone_number, c.id, (array['sandbox', 'other'])[1 + n % 7 / 5],
      'sandbox',
      case when n % 4 = 0 then 'Order ' || n % (${size.requests}::integer / 100) else '' end, '{}', '', true,
      case when n % 10 in (1, 5, 6) then 'successful' when n % 10 = 2 then 'failed' else 'expired' end,
      case when n % 10 in (1, 5, 6) then n end, ${START}::timestamptz, 3, ${START}::timestamptz + n * interval '1 minute', 1,
      ${START}::timestamptz + (n + n % 50) * interval '1 minute'
    from generate_series(1, ${size.requests}::integer) n
    join contacts c on c.id = (select min(id) from contacts) + n % (select count(*) from contacts)
    order by n`
  await db`
    insert into collections (id, organization, account, network, connection, remote_transaction_id, amount, currency, phonenumber,
      contact, status, payment_date, collection_request, created, author, modified)
    overriding system value
    select collection, organization, account, network, connection, 'TX' || collection, amount, currency, phonenumber, contact,
      'successful', modified, id, modified, 1, modified
    from collection_requests where collection is not null`
  await db`
    insert into collection_request_counts
    select organization, status, count(*) from collection_requests group by organization, status`
  await db`
    insert into collection_request_count_position select 1, 0, max(id) from collection_requests`
}

type Query = Partial<Record<keyof typeof requestFilters, string>>

interface Row {
  id: number
  organization: number
  amount: bigint
  currency: string
  collection: number | null
  phonenumber: string
  remote_transaction_id: string | null
  created: Date
  modified: Date
  status: string
  reason: string
  first_name: string
  last_name: string
  network: string
  payment_link: number | null
  plan: number | null
}

async function readAll(db: Database): Promise<Row[]> {
  return [
    ...(await db<Row[]>`
      select r.*, c.first_name, c.last_name, m.remote_transaction_id, v.link as payment_link, o.plan from collection_requests r
      join contacts c on c.id = r.contact left join collections m on m.collection_request = r.id
      left join payment_link_visits v on v.request = r.id left join occurrences o on o.collection_request = r.id`),
  ]
}

/** A second implementation of the filters, as simple as possible. */
function matches(row: Row, query: Query): boolean {
  const checks: Record<keyof Query, (value: string) => boolean> = {
    amount: (value) => row.amount === parseAmount(value),
    currency: (value) => row.currency === value,
    collection: (value) => row.collection === Number(value),
    phonenumber: (value) => row.phonenumber === `+${value.trim().replace(/^\+/, '')}`,
    remote_transaction_id: (value) => row.remote_transaction_id === value,
    created_after: (value) => row.created > new Date(value),
    created_before: (value) => row.created < new Date(value),
    modified_after: (value) => row.modified > new Date(value),
    modified_before: (value) => row.modified < new Date(value),
    status: (value) => row.status === value,
    reason: (value) => row.reason === value,
    contact_first_name: (value) => row.first_name === value,
    contact_last_name: (value) => row.last_name === value,
    network: (value) => row.network === value,
    payment_link: (value) => row.payment_link === Number(value),
    plan: (value) => row.plan === Number(value),
  }
  return Object.entries(query).every(([name, value]) => checks[name as keyof Query](value))
}

function inOrder(requests: Row[], order: string): Row[] {
  const field = order.replace('-', '') as ListPage['field']
  const sign = order.startsWith('-') ? -1 : 1
  const compare = (a: Row, b: Row) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id)
  return requests.toSorted((a, b) => sign * compare(a, b))
}
