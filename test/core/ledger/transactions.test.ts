import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { createAccount } from '../../../src/core/ledger/accounts.ts'
import {
  findTransaction,
  listTransactions,
  streamTransactions,
  type Transaction,
  type TransactionPageOptions,
  transactionFilters,
  transactionPageQuery,
} from '../../../src/core/ledger/transactions.ts'
import { moveMoney } from '../../../src/core/ledger/transfers.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const NEWEST: TransactionPageOptions = { field: 'id', descending: true, limit: 10, offset: 0 }

describe('the transactions of an organization', () => {
  let shop: Shop

  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  it('show incoming money with its sign, its wallet and its type', async () => {
    await shop.ingest(shop.paymentReport({ amount: amount('1500') }))
    const [newest] = await list()
    const wallet = await shop.wallet()
    expect(newest).toEqual({
      id: expect.any(Number),
      account: wallet.id,
      amount: amount('1500'),
      currency: 'BXC',
      description: expect.stringMatching(/^Collection \d+$/),
      created: shop.now(),
      type: 'mobile_collection',
    })
  })

  it('show a reversal with the type of the original and the opposite sign', async () => {
    const money = shop.paymentReport({ amount: amount('70') })
    await shop.ingest(money)
    await shop.ingest({ ...money, status: 'reversed' })
    const [back, came] = await list({ type: 'mobile_collection' })
    expect([came!.amount, back!.amount]).toEqual([amount('70'), amount('-70')])
    expect(back!.type).toBe('mobile_collection')
  })

  it('show a hold and its release, and not the transfers between other accounts', async () => {
    const { id: wallet } = await shop.wallet('UGX')
    const [held] = await shop.db<{ id: number }[]>`select id from accounts where kind = 'held' and currency = 'UGX'`
    const part = { currency: 'UGX', amount: amount('25'), description: 'Payment 1', author: 1 }
    await begin(shop.db, async (tx) => {
      await moveMoney(tx, shop.now(), [
        { ...part, reference: 'a', kind: 'mobile_payment_hold', from_account: wallet, to_account: held!.id },
      ])
      await moveMoney(tx, shop.now(), [
        { ...part, reference: 'b', kind: 'mobile_payment_release', from_account: held!.id, to_account: wallet },
      ])
    })
    const seen = await list({ account: String(wallet), type: 'mobile_payment' })
    expect(seen.map((one) => one.amount)).toEqual([amount('25'), amount('-25')])
  })

  it('show a transfer between two wallets of one organization once for each wallet', async () => {
    const [from, to] = [await shop.wallet('KES'), await openWallet(shop, 'KES')]
    await begin(shop.db, (tx) =>
      moveMoney(tx, shop.now(), [
        {
          reference: 'between',
          kind: 'admin_funds_update',
          from_account: from.id,
          to_account: to.id,
          currency: 'KES',
          amount: amount('5'),
          description: 'Moved',
          author: 1,
        },
      ]),
    )
    const seen = (await list()).filter((one) => one.description === 'Moved')
    expect(seen.map((one) => [one.account, one.amount])).toEqual([
      [from.id, amount('-5')],
      [to.id, amount('5')],
    ])
    expect(await findTransaction(shop.db, seen[0]!.id)).toMatchObject({ account: from.id, amount: amount('-5') })
  })

  it('sum to the balance of each wallet', async () => {
    for (const currency of ['BXC', 'UGX', 'KES']) {
      const wallet = await shop.wallet(currency)
      const all = await list({ account: String(wallet.id) }, { ...NEWEST, limit: 1_000 })
      expect(all.reduce((sum, one) => sum + one.amount, 0n)).toBe(wallet.balance)
    }
  })

  it("never include another organization's, even by the id of its wallet", async () => {
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    const filters = { account: (await shop.wallet()).id }
    expect(await listTransactions(shop.db, other.id, {}, NEWEST)).toEqual({ rows: [], count: 0 })
    expect(await listTransactions(shop.db, other.id, filters, NEWEST)).toEqual({ rows: [], count: 0 })
  })

  it('include the last day or second of a range', async () => {
    const today = shop.now().toISOString().slice(0, 10)
    const time = shop.now().toISOString().slice(0, 19)
    const { count } = await page({})
    expect((await page({ start_date: today, end_date: today })).count).toBe(count)
    expect((await page({ start_date: time, end_date: time })).count).toBe(count)
    expect((await page({ end_date: '2030-01-14' })).count).toBe(0)
    expect((await page({ end_date: '9999-12-31' })).count).toBe(count)
    expect((await page({ created_after: time })).count).toBe(0)
  })

  it('can be exported completely in chunks of any size', async () => {
    const all = (await list({}, { ...NEWEST, descending: false, limit: 1_000 })).map((one) => [one.id, one.account])
    for (const chunk of [1, 2, 3, 1_000]) {
      const exported: unknown[] = []
      for await (const some of streamTransactions(shop.db, shop.organization, {}, chunk))
        exported.push(...some.map((one) => [one.id, one.account]))
      expect(exported).toEqual(all)
    }
  })

  function page(query: Record<string, string>, slice = NEWEST) {
    return listTransactions(shop.db, shop.organization, z.object(transactionFilters).parse(query), slice)
  }

  async function list(query: Record<string, string> = {}, slice = NEWEST): Promise<Transaction[]> {
    return (await page(query, slice)).rows
  }
})

describe('among 50,000 transfers', () => {
  let crowd: TestApp
  let wallets: number[]

  beforeAll(async () => {
    crowd = await buildTestApp()
    wallets = await fill(crowd.db, crowd.organization)
  }, 300_000)
  // The ledger of this app is not complete: its transfers have no source.
  afterAll(() => crowd.close().catch(() => {}))

  const day = '2030-03-01'
  const filters: [Record<string, string>, string[]][] = [
    [{}, ['transfers_to', 'transfers_from']],
    [{ type: 'admin_funds_update' }, ['transfers_to_kind']],
    [{ created_after: '2030-03-01 10:00', created_before: '2030-03-01 11:00' }, ['transfers_created']],
    [{ start_date: day, end_date: day }, ['transfers_created']],
  ]

  it.each(filters)('%j uses an index', async (query, indexes) => {
    const plan = await explain(query)
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])).toEqual([])
    expect(plan.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes))
  })

  it('the newest are read from the indexes without sorting or reading the others', async () => {
    const plan = await explain({})
    const read = plan.filter((node) => node['Relation Name'] === 'transfers')
    expect(read.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBeLessThan(200)
  })

  async function explain(query: Record<string, string>): Promise<PlanNode[]> {
    const filters = z.object(transactionFilters).parse(query)
    return withSnapshot(crowd.db, async (tx) => {
      const [row] = await tx<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
        explain (analyze, timing off, format json) ${transactionPageQuery(wallets, filters, NEWEST)}`
      const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
      return flatten(row!['QUERY PLAN'][0].Plan)
    })
  }
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** Half are collections of ours, the others another organization's; one in a thousand was written by the operator. */
async function fill(db: Database, organization: number): Promise<number[]> {
  const other = await begin(db, async (tx) => {
    const now = new Date('2030-01-01T00:00:00Z')
    const { id } = await createOrganization(tx, now, 'Stranger')
    return createAccount(tx, now, { organization: id, currency: 'BXC', kind: 'local', name: 'wallet', author: 1 })
  })
  await db`
    insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
    select 'T' || n, case when n % 1000 = 0 then 'admin_funds_update' else 'mobile_collection' end, x.id, w.id, 'BXC',
      1 + n % 77, 'Transfer ' || n, '2030-01-01'::timestamptz + n * interval '4 minutes', 1
    from generate_series(1, 50000) n
    join accounts w on w.id = case when n % 2 = 0 then
      (select id from accounts where organization = ${organization} and kind = 'local' and currency = 'BXC') else ${other.id}::bigint end
    join accounts x on x.organization = w.organization and x.kind = 'external' and x.currency = 'BXC'
    order by n`
  await db`vacuum analyze transfers`
  const rows = await db<{ id: number }[]>`
    select id from accounts where organization = ${organization} and kind = 'local' order by id`
  return rows.map((row) => row.id)
}

function openWallet(shop: Shop, currency: string) {
  const input = { organization: shop.organization, currency, kind: 'local' as const, name: 'Second', author: 1 }
  return begin(shop.db, (tx) => createAccount(tx, shop.now(), input))
}
