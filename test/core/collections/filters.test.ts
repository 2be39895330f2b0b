import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import {
  type CollectionOrdering,
  type CollectionPageOptions,
  collectionFilters,
  collectionPageQuery,
} from '../../../src/core/collections/filters.ts'
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
  await fill(house.db, house.organization, { collections: 300, contacts: 12 })
})
afterAll(() => house.close())

/** What a list answers to a query. */
async function list(query: Record<string, string>) {
  const { status, body } = await api.get(`/api/collections?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body as { count: number; results: { id: number }[]; next: string | null; previous: string | null }
}

const idsOf = (page: { results: { id: number }[] }) => page.results.map((collection) => collection.id)

describe('the filters of collections', () => {
  it('find by each field exactly what a look at every collection finds, alone and together, in any order', {
    timeout: 150_000,
  }, async () => {
    const mine = (await readAll(house.db)).filter((one) => one.organization === house.organization)
    const asked = fc.record(
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
        contact_last_name: fc.constantFrom('Okello', 'Wanjiru', 'Nobody'),
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
      { numRuns: 200 },
    )
  })

  it('leave out what is empty', async () => {
    const query = [...Object.keys(collectionFilters), 'claim'].map((name) => `${name}=`)
    expect((await api.get(`/api/collections?${query.join('&')}`)).body.count).toBe(200)
  })

  it("never show another organization's collections, nor through its contacts", async () => {
    const [other] = await house.db<{ remote_transaction_id: string; phonenumber: string }[]>`
      select * from collections where organization <> ${house.organization} limit 1`
    expect((await list({ remote_transaction_id: other!.remote_transaction_id })).count).toBe(0)
    expect((await list({ phonenumber: other!.phonenumber })).count).toBe(0)
  })

  it('name every faulty parameter in one answer', async () => {
    const moment = ['Enter a valid date/time (e.g. 2030-01-31 or 2030-01-31T18:00:00Z).']
    const { status, body } = await api.get(
      '/api/collections?amount=1,500&collection_request=first&created_after=soon&modified_before=x&claim=maybe&ordering=-reason',
    )
    expect(status).toBe(400)
    expect(body).toEqual({
      amount: ['A valid number is required.'],
      collection_request: ['A valid integer is required.'],
      created_after: moment,
      modified_before: moment,
      claim: ['Must be a valid boolean.'],
      ordering: ['"-reason" is not a valid choice.'],
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
  let crowd: TestApp

  beforeAll(async () => {
    crowd = await buildTestApp()
    await fill(crowd.db, crowd.organization, { collections: 100_000, contacts: 20_000 })
    await crowd.db`vacuum analyze contacts`
    await crowd.db`vacuum analyze collections`
  }, 300_000)
  afterAll(() => crowd.close())

  const filters: [Query & { unmatched?: true }, string[]][] = [
    [{ amount: '1234' }, ['collections_amount']],
    [{ currency: 'UGX', amount: '1234' }, ['collections_amount']],
    [{ network: 'other' }, ['collections_amount']],
    [{ phonenumber: '+80000000007' }, ['collections_phonenumber']],
    [{ reference: 'Rent 77' }, ['collections_reference']],
    [{ remote_transaction_id: 'TX777' }, ['collections_network_remote_transaction_id_key']],
    [{ collection_request: '776' }, ['collections_one_per_request']],
    [{ status: 'reversed' }, ['collections_status']],
    [{ status: 'failed', modified_after: minute(50_000) }, ['collections_status']],
    [{ modified_after: minute(99_500) }, ['collections_status']],
    [{ created_after: minute(99_000) }, ['collections_created']],
    [{ created_before: minute(1_000) }, ['collections_created']],
    [{ contact_first_name: 'First 77' }, ['contacts_first_name', 'collections_contact']],
    [{ contact_last_name: 'Last 78' }, ['contacts_last_name', 'collections_contact']],
    [{ unmatched: true }, ['collections_unmatched']],
  ]

  it.each(filters)('%j is found through an index', async (given, indexes) => {
    const plan = await explain(crowd, given, { limit: 10, offset: 0, field: 'id', descending: true })
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(plan.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes))
  })

  it('the order that clients ask for with every list comes out of an index', async () => {
    const plan = await explain(crowd, {}, { limit: 20, offset: 0, field: 'created', descending: true })
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    expect(plan.map((node) => node['Index Name'])).toContain('collections_created')
  })
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  Plans?: PlanNode[]
}

/** Every node of the plan by which the list runs, with sequential scans allowed as on any connection. */
async function explain(
  crowd: TestApp,
  { unmatched, ...query }: Query & { unmatched?: true },
  slice: CollectionPageOptions,
): Promise<PlanNode[]> {
  const filters = { ...z.object(collectionFilters).parse(query), unmatched }
  return withSnapshot(crowd.db, async (tx) => {
    const [row] = await tx<
      { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
    >`explain (format json) ${collectionPageQuery(crowd.organization, filters, slice)}`
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
    return flatten(row!['QUERY PLAN'][0].Plan)
  })
}

/** Two thirds of the collections are ours, one third a stranger's, all mixed; half of ours fulfilled a request. */
async function fill(db: Database, organization: number, size: { collections: number; contacts: number }) {
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
  // The requests that these collections name need not exist: foreign keys are off for this transaction.
  await begin(db, async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into collections (organization, account, network, remote_transaction_id, amount, currency, phonenumber,
        contact, reference, status, payment_date, collection_request, created, author, modified)
      select c.organization, 1, (array['sandbox', 'other'])[1 + n % 7 / 5], 'TX' || n,
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

interface Known {
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

async function readAll(db: Database): Promise<Known[]> {
  return [
    ...(await db<Known[]>`
      select m.*, c.first_name, c.last_name from collections m join contacts c on c.id = m.contact`),
  ]
}

/** The filters once more, as plainly as they can be said. */
function matches(one: Known, query: Query): boolean {
  const checks: Record<keyof Query, (value: string) => boolean> = {
    amount: (value) => one.amount === parseAmount(value),
    currency: (value) => one.currency === value,
    phonenumber: (value) => one.phonenumber === `+${value.trim().replace(/^\+/, '')}`,
    reference: (value) => one.reference === value,
    remote_transaction_id: (value) => one.remote_transaction_id === value,
    collection_request: (value) => one.collection_request === Number(value),
    created_after: (value) => one.created > new Date(value),
    created_before: (value) => one.created < new Date(value),
    modified_after: (value) => one.modified > new Date(value),
    modified_before: (value) => one.modified < new Date(value),
    status: (value) => one.status === value,
    network: (value) => one.network === value,
    contact_first_name: (value) => one.first_name === value,
    contact_last_name: (value) => one.last_name === value,
  }
  return Object.entries(query).every(([name, value]) => checks[name as keyof Query](value))
}

function inOrder(collections: Known[], order: string): Known[] {
  const field = order.replace('-', '') as CollectionOrdering
  const sign = order.startsWith('-') ? -1 : 1
  const compare = (a: Known, b: Known) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id)
  return collections.toSorted((a, b) => sign * compare(a, b))
}
