import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReportGroup, type ReportKind, reportGroups, reportKinds } from '../../../src/core/books/report-kinds.ts'
import { readReport, reportPeriod, reportTable } from '../../../src/core/books/reports.ts'
import { csvFile } from '../../../src/lib/table-files/csv-file.ts'
import { periodOf } from '../../../src/lib/text/zoned-times.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { liveThreeDays } from './story.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await liveThreeDays(shop)
})
afterAll(() => shop.close())

const days = (zone = 'UTC') => reportPeriod(periodOf('2030-01-15', '2030-01-17', zone))
const report = (kind: ReportKind, by: ReportGroup, zone?: string) =>
  readReport(shop.db, shop.organization, { kind, by, period: days(zone) })

/** The change of the accounts of a kind by transfers of these kinds, read from the ledger in another way than reports do. */
async function ledgerSum(accounts: readonly string[], kinds: readonly string[]): Promise<bigint> {
  const [row] = await shop.db<{ sum: bigint }[]>`
    select coalesce(sum(case when t.to_account = a.id then t.amount else -t.amount end), 0)::numeric(38,4) as sum
    from transfers t join accounts a on a.id in (t.from_account, t.to_account)
    where a.kind = any(${[...accounts]}::text[]) and a.currency = 'BXC' and a.organization = ${shop.organization}
      and t.kind = any(${[...kinds]}::text[]) and t.created >= ${days().from}`
  return row!.sum
}

const WALLETS = ['local', 'cross_border']

describe('a report', () => {
  it('agrees with the ledger to the last digit, however it is grouped', async () => {
    const paid = await shop.db<{ purpose: string; sum: bigint }[]>`
      select case p.purpose when 'payment' then 'payments' else 'refunds' end as purpose, sum(r.amount) as sum
      from payment_recipients r join payments p on p.id = r.payment where r.state = 'complete' group by 1`
    const sums: Record<ReportKind, bigint> = {
      collections: await ledgerSum(WALLETS, ['mobile_collection', 'mobile_collection_reversal']),
      payments: paid.find(({ purpose }) => purpose === 'payments')!.sum,
      refunds: paid.find(({ purpose }) => purpose === 'refunds')!.sum,
      bills: 0n,
      fees: await ledgerSum(['fees'], ['service_charge', 'service_charge_reversal']),
      network_fees: amount('7.75'),
      settlements: await ledgerSum(WALLETS, ['admin_funds_update', 'test_funds_refill']),
    }
    // The three kinds of money that leave the float are all that networks and wallets say about sent money.
    expect(sums.payments + sums.refunds).toBe(
      await ledgerSum(['external'], ['mobile_payment', 'mobile_payment_reversal']),
    )
    for (const kind of reportKinds)
      for (const by of reportGroups) {
        const { rows, totals } = await report(kind, by)
        const mine = totals.find(({ currency }) => currency === 'BXC')
        expect([kind, by, mine?.net ?? 0n]).toEqual([kind, by, sums[kind]])
        const added = rows.filter(({ currency }) => currency === 'BXC').reduce((sum, { net }) => sum + net, 0n)
        expect([kind, by, added]).toEqual([kind, by, sums[kind]])
      }
  })

  it('shows what came back beside what came', async () => {
    const { totals } = await report('collections', 'network')
    expect(totals).toEqual([
      {
        group: '',
        name: '',
        currency: 'BXC',
        count: 4,
        gross: amount('3180.5'),
        returned: amount('800.5'),
        net: amount('2380'),
      },
    ])
    expect((await report('payments', 'connection')).rows).toMatchObject([
      { group: 'sandbox', count: 2, gross: amount('140'), returned: amount('40'), net: amount('100') },
    ])
  })

  it('has the days of its time zone', async () => {
    const inUtc = await report('collections', 'day')
    expect(inUtc.rows.map(({ group }) => group)).toEqual(['2030-01-15', '2030-01-16', '2030-01-17'])
    // Noon of the 15th in UTC is the first hour of the 16th in the farthest zone.
    const ahead = await report('collections', 'day', 'Pacific/Kiritimati')
    expect(ahead.rows.map(({ group }) => group)).toEqual(['2030-01-16', '2030-01-17'])
    const months = await report('collections', 'month', 'Pacific/Kiritimati')
    expect(months.rows.map(({ group }) => group)).toEqual(['2030-01'])
  })

  it('shows one wallet, network, connection or currency alone, and no other organization', async () => {
    const query = { kind: 'collections', by: 'account', period: days() } as const
    const { id, name } = await shop.wallet()
    const { rows } = await readReport(shop.db, shop.organization, { ...query, account: id })
    expect(rows).toMatchObject([{ group: String(id), name, currency: 'BXC' }])
    for (const other of [{ account: id + 1 }, { network: 'mpesa' }, { connection: 'other' }, { currency: 'UGX' }])
      expect((await readReport(shop.db, shop.organization, { ...query, ...other })).rows).toEqual([])
    for (const kind of reportKinds)
      expect((await readReport(shop.db, shop.organization + 1, { ...query, kind })).rows).toEqual([])
  })

  it('refuses a period of years', () => {
    expect(() => reportPeriod(periodOf('2030-01-01', '2032-01-01', 'UTC'))).toThrow('at most 366 days')
  })

  it('is a table with totals', async () => {
    const query = { kind: 'refunds', by: 'account', period: days() } as const
    const about = { organization: 'Shop', now: shop.now() }
    const table = reportTable(await readReport(shop.db, shop.organization, query), query, about)
    const { id, name } = await shop.wallet()
    let text = ''
    for await (const chunk of csvFile(table)) text += chunk
    expect(text.split('\r\n')).toEqual([
      'account,name,currency,count,gross,returned,net',
      `${id},${name},BXC,2,580.0000,0.0000,580.0000`,
      'Total,,BXC,2,580.0000,0.0000,580.0000',
      '',
    ])
  })

  it.each([
    ['sw', 'Marejesho kwa pochi', 'Kipindi', ['Pochi', 'Jina', 'Sarafu'], 'Jumla'],
    ['fr', 'Remboursements et retours par portefeuille', 'Période', ['Portefeuille', 'Nom', 'Devise'], 'Total'],
  ] as const)('is a table in the language %s', async (language, title, period, titles, total) => {
    const query = { kind: 'refunds', by: 'account', period: days() } as const
    const about = { organization: 'Shop', now: shop.now(), language }
    const table = reportTable(await readReport(shop.db, shop.organization, query), query, about)
    expect(table).toMatchObject({
      title,
      language,
      facts: [[period, expect.stringMatching(/^(du )?\d.* (hadi|au) \d/)]],
    })
    expect(table.columns.slice(0, 3).map((column) => column.title)).toEqual(titles)
    expect(table.totals!()[0]![0]).toBe(total)
  })
})
