import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { collectionFilters, collectionPageQuery } from '../../../src/core/collections/filters.ts'
import type { ListPage } from '../../../src/core/list-query.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'

const MINUTE_MS = 60_000
const START = new Date('2030-01-01T00:00:00Z')
const minute = (count: number) => new Date(START.getTime() + count * MINUTE_MS).toISOString().replace('.000Z', 'Z')

let testApp: TestApp
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService({ jobs: false })
  api = createApiClient(service.url, testApp.api_key)
  await fill(testApp.db, testApp.organization, { collections: 300, contacts: 12 })
})
afterAll(() => testApp.close())

/** The answer of the list to a query. */
async function list(query: Record<string, string>) {
  const { status, body } = await api.get(`/api/collections?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as { count: number; results: { id: number }[]; next: string | null; previous: string | null }
}

const idsOf = (page: { results: { id: number }[] }) => page.results.map((collection) => collection.id)

describe('the filters of collections', () => {
  it('find exactly the collections that match, alone and together, in any order', {
    timeout: 150_000,
  }, async () => {
    const own = (await readAll(testApp.db)).filter((row) => row.organization === testApp.organization)
    const anyQuery = fc.record(
      {
        amount: fc.constantFrom('100', '100.0000', '0101.50', '7'),
        currency: fc.constantFrom('BXC', 'UGX', 'bxc'),
        phonenumber: fc.constantFrom('+80000000001', '80000000002', ' 80000000004', '8000000000'),
        reference: fc.constantFrom('Rent 1', 'Rent 2', 'rent 1', 'Rent'),
        remote_transaction_id: fc.constantFrom('TX10', 'TX15', 'tx15'),
        collection_request: fc.constantFrom('1', '6', '11', '9999'),
        created_after: fc.nat(300).map(minute),
        created_before: fc.nat(300).map(minute),
        modified_after: fc.nat(300).map(minute),
        modified_before: fc.nat(300).map(minute),
        status: fc.constantFrom('successful', 'failed', 'pending', 'reversed', 'cashed_out'),
        network: fc.constantFrom('sandbox', 'other', 'neither'),
        contact_first_name: fc.constantFrom('Amina', 'Brian', 'amina'),
        contact_last_name: fc.constantFrom('Okello', 'Wanjiru', 'Unknown'),
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
      { numRuns: 200 },
    )
  })

  it('ignore empty values', async () => {
    const query = [...Object.keys(collectionFilters), 'claim'].map((name) => `${name}=`)
    expect((await api.get(`/api/collections?${query.join('&')}`)).body.count).toBe(200)
  })

  it("do not find another organization's collections, nor through its contacts", async () => {
    const [other] = await testApp.db<{ remote_transaction_id: string; phonenumber: string }[]>`
      select * from collections where organization <> ${testApp.organization} limit 1`
    expect((await list({ remote_transaction_id: other!.remote_transaction_id })).count).toBe(0)
    expect((await list({ phonenumber: other!.phonenumber })).count).toBe(0)
  })

  it('report every invalid parameter in one answer', async () => {
    const error = ['Enter a valid date/time (e.g. 2030-01-31 or 2030-01-31T18:00:00Z).']
    const { status, body } = await api.get(
      '/api/collections?amount=1,500&collection_request=first&created_after=soon&modified_before=x&claim=maybe&ordering=-reason',
    )
    expect(status).toBe(400)
    expect(body).toEqual({
      amount: ['A valid number is required.'],
      collection_request: ['A valid integer is required.'],
      created_after: error,
      modified_before: error,
      claim: ['Must be a valid boolean.'],
      ordering: [expect.stringContaining('"-reason" is not a valid choice.')],
    })
  })

  it('go along with the links to the next page', async () => {
    const first = await list({ currency: 'UGX', ordering: 'amount', limit: '7' })
    const seen = idsOf(first)
    for (let next = first.next; next; ) {
      const { pathname, search } = new URL(next)
      const { body } = await api.get(pathname + search)
      seen.push(...idsOf(body))
      next = body.next
    }
    expect(seen).toHaveLength(first.count)
    expect(new Set(seen).size).toBe(first.count)
  })
})

describe('among 100,000 collections', () => {
  let large: TestApp

  beforeAll(async () => {
    large = await buildTestApp()
    await fill(large.db, large.organization, { collections: 100_000, contacts: 20_000 })
    await large.db`vacuum analyze contacts`
    await large.db`vacuum analyze collections`
  }, 300_000)
  afterAll(() => large.close())

  const filters: [Query & { unmatched?: true }, string[]][] = [
    [{ amount: '1234' }, ['collections_amount']],
    [{ currency: 'UGX', amount: '1234' }, ['collections_amount']],
    [{ network: 'other' }, ['collections_amount']],
    [{ phonenumber: '+80000000007' }, ['collections_phonenumber']],
    [{ reference: 'Rent 77' }, ['collections_reference']],
    [{ remote_transaction_id: 'TX777' }, ['collections_connection_remote_id']],
    [{ collection_request: '776' }, ['collections_one_per_request']],
    [{ status: 'reversed' }, ['collections_status']],
    [{ status: 'failed', modified_after: minute(50_000) }, ['collections_status']],
    [{ modified_after: minute(99_500) }, ['collections_modified']],
    [{ created_after: minute(99_000) }, ['collections_created']],
    [{ created_before: minute(1_000) }, ['collections_created']],
    [{ contact_first_name: 'First 77' }, ['contacts_first_name', 'collections_contact']],
    [{ contact_last_name: 'Last 78' }, ['contacts_last_name', 'collections_contact']],
    [{ unmatched: true }, ['collections_unmatched']],
  ]

  it.each(filters)('%j uses an index', async (query, indexes) => {
    const plan = await explain(large, query, { limit: 10, offset: 0, field: 'id', descending: true })
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(plan.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes))
  })

  it('the order that clients use for every list comes from an index', async () => {
    const plan = await explain(large, {}, { limit: 20, offset: 0, field: 'created', descending: true })
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    expect(plan.map((node) => node['Index Name'])).toContain('collections_created')
  })
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  Plans?: PlanNode[]
}

/** All nodes of the plan of the list. Sequential scans are allowed, as in the service. */
async function explain(
  large: TestApp,
  { unmatched, ...query }: Query & { unmatched?: true },
  page: ListPage,
): Promise<PlanNode[]> {
  const filters = { ...z.object(collectionFilters).parse(query), unmatched }
  return withSnapshot(large.db, async (tx) => {
    const [row] = await tx<
      { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
    >`explain (format json) ${collectionPageQuery(large.organization, filters, page)}`
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
    return flatten(row!['QUERY PLAN'][0].Plan)
  })
}

/** Insert collections: two thirds of this organization, one third of another, mixed. Most have fulfilled a request. */
async function fill(db: Database, organization: number, size: { collections: number; contacts: number }) {
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
  // The requests that these collections name need not exist: foreign keys are off for this transaction.
  await begin(db, async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into collections (organization, account, network, connection, remote_transaction_id, amount, currency, phonenumber,
        contact, reference, status, payment_date, collection_request, created, author, modified)
      select c.organization, 1, (array['sandbox', 'other'])[1 + n % 7 / 5], 'sandbox', 'TX' || n,
        case when ${small}::boolean then 100 + n % 3 * 0.75 else 100 + n * 7919::bigint % 3000 end,
        (array['BXC', 'UGX'])[1 + n % 5 / 3], c.phone_number, c.id,
        case when n % 4 = 0 then 'Rent ' || n % (${size.collections}::integer / 100) end,
        case when n % 40 = 0 then 'failed' when n % 40 = 2 then 'pending' when n % 100 = 1 then 'reversed' else 'successful' end,
        ${START}, case when n % 20 <> 0 and n % 40 <> 2 and n % 16 <> 3 then n end, ${START}::timestamptz + n * interval '1 minute', 1,
        ${START}::timestamptz + (n + n % 50) * interval '1 minute'
      from generate_series(1, ${size.collections}::integer) n
      join contacts c on c.id = (select min(id) from contacts) + n % (select count(*) from contacts)
      order by n`
  })
}

type Query = Partial<Record<keyof typeof collectionFilters, string>>

interface Row {
  id: number
  organization: number
  amount: bigint
  currency: string
  phonenumber: string
  reference: string | null
  remote_transaction_id: string
  collection_request: number | null
  created: Date
  modified: Date
  status: string
  network: string
  first_name: string
  last_name: string
}

async function readAll(db: Database): Promise<Row[]> {
  return [
    ...(await db<Row[]>`
      select m.*, c.first_name, c.last_name from collections m join contacts c on c.id = m.contact`),
  ]
}

/** A second implementation of the filters, as simple as possible. */
function matches(row: Row, query: Query): boolean {
  const checks: Record<keyof Query, (value: string) => boolean> = {
    amount: (value) => row.amount === parseAmount(value),
    currency: (value) => row.currency === value,
    phonenumber: (value) => row.phonenumber === `+${value.trim().replace(/^\+/, '')}`,
    reference: (value) => row.reference === value,
    remote_transaction_id: (value) => row.remote_transaction_id === value,
    collection_request: (value) => row.collection_request === Number(value),
    created_after: (value) => row.created > new Date(value),
    created_before: (value) => row.created < new Date(value),
    modified_after: (value) => row.modified > new Date(value),
    modified_before: (value) => row.modified < new Date(value),
    status: (value) => row.status === value,
    network: (value) => row.network === value,
    contact_first_name: (value) => row.first_name === value,
    contact_last_name: (value) => row.last_name === value,
  }
  return Object.entries(query).every(([name, value]) => checks[name as keyof Query](value))
}

function inOrder(collections: Row[], order: string): Row[] {
  const field = order.replace('-', '') as ListPage['field']
  const sign = order.startsWith('-') ? -1 : 1
  const compare = (a: Row, b: Row) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id)
  return collections.toSorted((a, b) => sign * compare(a, b))
}
