import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import {
  type RequestOrdering,
  type RequestPageOptions,
  requestFilters,
  requestPageQuery,
} from '../../../src/core/collections/request-filters.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'

const MINUTE_MS = 60_000
const START = new Date('2030-01-01T00:00:00Z')
const minute = (count: number) => new Date(START.getTime() + count * MINUTE_MS).toISOString().replace('.000Z', 'Z')

let house: TestApp
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  house = await buildTestApp()
  const service = await house.startService({ jobs: false })
  api = createApiClient(service.url, house.api_key)
  await fill(house.db, house.organization, { requests: 300, contacts: 12 })
})
afterAll(() => house.close())

/** What a list answers to a query. */
async function list(query: Record<string, string>) {
  const { status, body } = await api.get(`/api/collectionrequests?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as { count: number; results: Record<string, unknown>[]; next: string | null; previous: string | null }
}

const idsOf = (page: { results: Record<string, unknown>[] }) => page.results.map((request) => request.id)

describe('the filters of collection requests', () => {
  it('find by each field exactly what a look at every request finds, alone and together, in any order', {
    timeout: 150_000,
  }, async () => {
    const all = await readAll(house.db)
    const mine = all.filter((one) => one.organization === house.organization)
    const asked = fc.record(
      {
        amount: fc.constantFrom('100', '100.0000', '0101.50', '7'),
        currency: fc.constantFrom('BXC', 'UGX', 'bxc'),
        collection: fc.constantFrom(...mine.slice(0, 40).map((one) => String(one.collection ?? 9_999))),
        phonenumber: fc.constantFrom('+80000000001', '80000000002', ' 80000000004', '8000000000'),
        remote_transaction_id: fc.constantFrom('TX10', 'TX15', 'tx15'),
        created_after: fc.nat(300).map(minute),
        created_before: fc.nat(300).map(minute),
        modified_after: fc.nat(300).map(minute),
        modified_before: fc.nat(300).map(minute),
        status: fc.constantFrom('successful', 'failed', 'reversed', 'nonsense'),
        reason: fc.constantFrom('Order 1', 'Order 2', 'Order'),
        contact_first_name: fc.constantFrom('Amina', 'Brian', 'amina'),
        contact_last_name: fc.constantFrom('Okello', 'Wanjiru', 'Nobody'),
        network: fc.constantFrom('sandbox', 'other', 'neither'),
      },
      { requiredKeys: [] },
    )
    // Few filters together find something, all of them nothing: both must be tried.
    const few = asked.map((query) => Object.fromEntries(Object.entries(query).slice(0, 3)) as Query)
    const ordering = fc.constantFrom('id', '-id', 'created', '-created', 'modified', '-modified', 'amount', '-amount')
    await fc.assert(
      fc.asyncProperty(fc.oneof(few, few, asked), ordering, fc.nat(30), async (query, order, offset) => {
        const expected = inOrder(
          mine.filter((one) => matches(one, query as Query)),
          order,
        )
        const page = await list({ ...query, ordering: order, limit: '20', offset: String(offset) })
        expect(page.count).toBe(expected.length)
        expect(idsOf(page)).toEqual(expected.slice(offset, offset + 20).map((one) => one.id))
      }),
      { numRuns: 300 },
    )
  })

  it('leave out what is empty', async () => {
    const query = Object.keys(requestFilters).map((name) => `${name}=`)
    const { body } = await api.get(`/api/collectionrequests?${query.join('&')}`)
    expect(body.count).toBe(200)
  })

  it('read dates in every form, and take before and after strictly', async () => {
    const { count } = await list({ created_after: minute(10), created_before: minute(13) })
    for (const [after, before] of [
      ['2030-01-01 00:10', '2030-01-01 00:13:00'],
      ['2030-01-01T03:10:00+03:00', '2030-01-01T00:13:00Z'],
      ['01/01/2030 00:10:00', '01/01/2030 00:13'],
    ])
      expect((await list({ created_after: after!, created_before: before! })).count).toBe(count)
    const [between] = await house.db`
      select count(*) from collection_requests where organization = ${house.organization}
        and created in (${minute(11)}, ${minute(12)})`
    expect(count).toBe(between!.count)
  })

  it('find the request that a collection fulfilled by either of its ids', async () => {
    const [collection] = await house.db<CollectionRow[]>`
      select * from collections where organization = ${house.organization} and collection_request is not null limit 1`
    const by_id = await list({ collection: String(collection!.id) })
    const by_remote_id = await list({ remote_transaction_id: collection!.remote_transaction_id })
    expect(idsOf(by_id)).toEqual([collection!.collection_request])
    expect(idsOf(by_remote_id)).toEqual([collection!.collection_request])
  })

  it("never show another organization's requests, nor through its contacts and collections", async () => {
    const [other] = await house.db<CollectionRow[]>`
      select * from collections where organization <> ${house.organization} and collection_request is not null limit 1`
    expect((await list({ collection: String(other!.id) })).count).toBe(0)
    expect((await list({ remote_transaction_id: other!.remote_transaction_id })).count).toBe(0)
    expect((await list({ phonenumber: '+80000000003' })).count).toBe(0)
  })

  it('name every faulty parameter in one answer', async () => {
    const { status, body } = await api.get(
      '/api/collectionrequests?amount=1,500&collection=first&created_after=soon&created_before=31/02/2030' +
        '&modified_after=2030-13-01&modified_before=x&ordering=-reason&status=nonsense&limit=many&offset=-1',
    )
    const moment = ['Enter a valid date/time (e.g. 2030-01-31 or 2030-01-31T18:00:00Z).']
    expect(status).toBe(400)
    expect(body).toEqual({
      amount: ['A valid number is required.'],
      collection: ['A valid integer is required.'],
      created_after: moment,
      created_before: moment,
      modified_after: moment,
      modified_before: moment,
      ordering: ['"-reason" is not a valid choice.'],
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
})

describe('among 200,000 requests', () => {
  let crowd: TestApp

  beforeAll(async () => {
    crowd = await buildTestApp()
    await fill(crowd.db, crowd.organization, { requests: 200_000, contacts: 20_000 })
    await crowd.db`vacuum analyze collection_requests`
    await crowd.db`vacuum analyze contacts`
    await crowd.db`vacuum analyze collections`
  }, 300_000)
  afterAll(() => crowd.close())

  const filters: [Query, string[]][] = [
    [{ amount: '1234' }, ['collection_requests_amount']],
    [{ currency: 'UGX' }, ['collection_requests_amount']],
    [{ network: 'other' }, ['collection_requests_amount']],
    [{ currency: 'UGX', amount: '1234' }, ['collection_requests_amount']],
    [{ phonenumber: '+80000000007' }, ['collection_requests_phonenumber']],
    [{ status: 'failed' }, ['collection_requests_status']],
    [{ status: 'reversed' }, ['collection_requests_status']],
    [{ status: 'failed', modified_after: minute(199_000) }, ['collection_requests_modified']],
    [{ modified_after: minute(199_000) }, ['collection_requests_modified']],
    [{ modified_before: minute(1_000) }, ['collection_requests_modified']],
    [{ created_after: minute(199_000) }, ['collection_requests_created']],
    [{ created_before: minute(1_000) }, ['collection_requests_created']],
    [{ reason: 'Order 777' }, ['collection_requests_reason']],
    [{ collection: '777' }, ['collections_pkey']],
    [{ remote_transaction_id: 'TX777' }, ['collections_network_remote_transaction_id_key']],
    [{ contact_first_name: 'First 77' }, ['contacts_first_name', 'collection_requests_contact']],
    [{ contact_last_name: 'Last 78' }, ['contacts_last_name', 'collection_requests_contact']],
  ]

  it.each(filters)('%j is found through an index', async (given, indexes) => {
    const plan = await explain(crowd, given, { limit: 10, offset: 0, field: 'id', descending: true })
    const scanned = plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
    expect(scanned.filter((table) => !table!.startsWith('collection_request_count'))).toEqual([])
    expect(plan.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes))
  })

  it.each([{}, { status: 'expired' }])('the first page of %j reads no more than it shows', async (given) => {
    const plan = await explain(crowd, given, { limit: 20, offset: 0, field: 'id', descending: true })
    const scans = plan.filter((node) => node['Relation Name'] === 'collection_requests')
    expect(scans.map((node) => node['Actual Rows'])).toEqual([20])
  })

  it('those of a status that only the oldest have are found without walking past all others', async () => {
    await crowd.db`
      update collection_requests set status = 'pending' where id in (
        select id from collection_requests where organization = ${crowd.organization} and status = 'failed' order by id limit 30)`
    await crowd.db`analyze collection_requests`
    const plan = await explain(crowd, { status: 'pending' }, { limit: 20, offset: 0, field: 'id', descending: true })
    const scans = plan.filter((node) => node['Relation Name'] === 'collection_requests')
    expect(scans.map((node) => node['Actual Rows'])).toEqual([20])
    expect(scans.map((node) => node['Index Name'])).toEqual(['collection_requests_status'])
  })

  it('the order that clients ask for with every list comes out of an index', async () => {
    const plan = await explain(crowd, {}, { limit: 20, offset: 0, field: 'created', descending: true })
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    expect(plan.map((node) => node['Index Name'])).toContain('collection_requests_created')
  })

  it('those of one hour long ago are found without walking over all that came later', async () => {
    const hour = { created_after: minute(1_000), created_before: minute(1_060) }
    const plan = await explain(crowd, hour, { limit: 10, offset: 0, field: 'id', descending: true })
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

/** Every node of the plan by which the list runs, with sequential scans allowed as on any connection. */
async function explain(crowd: TestApp, query: Query, slice: RequestPageOptions): Promise<PlanNode[]> {
  const filters = z.object(requestFilters).parse(query)
  return withSnapshot(crowd.db, async (tx) => {
    await tx`set local enable_seqscan = on`
    const [row] = await tx<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
      explain (analyze, timing off, format json) ${requestPageQuery(crowd.organization, filters, slice)}`
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
    return flatten(row!['QUERY PLAN'][0].Plan)
  })
}

/** Two thirds of the requests are ours, one third a stranger's, all mixed; three states in ten are an ended collection. */
async function fill(db: Database, organization: number, size: { requests: number; contacts: number }): Promise<void> {
  const stranger = await begin(db, (tx) => createOrganization(tx, START, 'Stranger'))
  const small = size.contacts < 100
  await db`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author)
    select case when n % 3 = 0 then ${stranger.id}::bigint else ${organization}::bigint end,
      case when ${small}::boolean then (array['Amina', 'Brian'])[1 + n % 2] else 'First ' || n % 500 end,
      case when ${small}::boolean then (array['Okello', 'Wanjiru'])[1 + n / 2 % 2] else 'Last ' || n % 700 end,
      '+800' || lpad(n::text, 8, '0'),
      'employee', 'active', 'yes', 'unknown', '', 'unchecked', 0, 'Sandbox Network', ${START}::timestamptz, ${START}::timestamptz, 1
    from generate_series(1, ${size.contacts}::integer) n`
  await db`
    insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, reason,
      metadata, success_message, send_instructions, status, collection, expiry_date, max_attempts, created, author,
      modified)
    select c.organization, case when ${small}::boolean then 100 + n % 3 * 0.75 else 100 + n * 7919::bigint % 3000 end,
      (array['BXC', 'UGX'])[1 + n % 5 / 3], 1, c.phone_number, c.id, (array['sandbox', 'other'])[1 + n % 7 / 5],
      case when n % 4 = 0 then 'Order ' || n % (${size.requests}::integer / 100) else '' end, '{}', '', true,
      case when n % 10 in (1, 5, 6) then 'successful' when n % 10 = 2 then 'failed' else 'expired' end,
      case when n % 10 in (1, 5, 6) then n end, ${START}::timestamptz, 3, ${START}::timestamptz + n * interval '1 minute', 1,
      ${START}::timestamptz + (n + n % 50) * interval '1 minute'
    from generate_series(1, ${size.requests}::integer) n
    join contacts c on c.id = (select min(id) from contacts) + n % (select count(*) from contacts)
    order by n`
  await db`
    insert into collections (id, organization, account, network, remote_transaction_id, amount, currency, phonenumber,
      contact, status, payment_date, collection_request, created, author, modified)
    overriding system value
    select collection, organization, account, network, 'TX' || collection, amount, currency, phonenumber, contact,
      'successful', modified, id, modified, 1, modified
    from collection_requests where collection is not null`
  await db`
    insert into collection_request_counts
    select organization, status, count(*) from collection_requests group by organization, status`
}

type Query = Partial<Record<keyof typeof requestFilters, string>>

interface Known {
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
}

async function readAll(db: Database): Promise<Known[]> {
  return [
    ...(await db<Known[]>`
      select r.*, c.first_name, c.last_name, m.remote_transaction_id from collection_requests r
      join contacts c on c.id = r.contact left join collections m on m.collection_request = r.id`),
  ]
}

/** The filters once more, as plainly as they can be said. */
function matches(one: Known, query: Query): boolean {
  const checks: Record<keyof Query, (value: string) => boolean> = {
    amount: (value) => one.amount === parseAmount(value),
    currency: (value) => one.currency === value,
    collection: (value) => one.collection === Number(value),
    phonenumber: (value) => one.phonenumber === `+${value.trim().replace(/^\+/, '')}`,
    remote_transaction_id: (value) => one.remote_transaction_id === value,
    created_after: (value) => one.created > new Date(value),
    created_before: (value) => one.created < new Date(value),
    modified_after: (value) => one.modified > new Date(value),
    modified_before: (value) => one.modified < new Date(value),
    status: (value) => one.status === value,
    reason: (value) => one.reason === value,
    contact_first_name: (value) => one.first_name === value,
    contact_last_name: (value) => one.last_name === value,
    network: (value) => one.network === value,
  }
  return Object.entries(query).every(([name, value]) => checks[name as keyof Query](value))
}

function inOrder(requests: Known[], order: string): Known[] {
  const field = order.replace('-', '') as RequestOrdering
  const sign = order.startsWith('-') ? -1 : 1
  const compare = (a: Known, b: Known) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id)
  return requests.toSorted((a, b) => sign * compare(a, b))
}
