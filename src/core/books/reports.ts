import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Table, type TableHeading, type TableRow, titleColumns } from '../../lib/table-files/table.ts'
import { fillTemplate } from '../../lib/template.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import { addDays, startOfDayIn } from '../../lib/text/time-zones.ts'
import type { Period } from '../../lib/text/zoned-times.ts'
import { amount } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { isOwn } from './own.ts'
import type { ReportGroup, ReportKind } from './report-kinds.ts'
import { reportWords } from './report-words.ts'

/** The sums of one group in one currency. */
export const ReportRow = z.object({
  /** The day, the month, the code of the network, the slug of the connection, or the id of the wallet; empty where there is none. */
  group: z.string(),
  /** The name of the wallet; otherwise the same as `group`. */
  name: z.string(),
  currency: z.string(),
  /** Number of movements of money; later returns are not counted. */
  count: z.int(),
  /** Sum before returns. */
  gross: amount,
  /** Amount that came back: reversals, and for settlements the money taken out. */
  returned: amount,
  net: amount,
})
export type ReportRow = z.output<typeof ReportRow>

interface ReportQuery {
  kind: ReportKind
  by: ReportGroup
  period: Period
  /** The id of one wallet, the code of one network, the slug of one connection, one currency. */
  account?: number | undefined
  network?: string | undefined
  connection?: string | undefined
  currency?: string | undefined
}

/** A report, ordered by group, with the total of each currency. */
export interface Report {
  rows: ReportRow[]
  totals: ReportRow[]
}

/** Maximum number of days in a report. */
const MAX_DAYS = 366
const DAY_MS = 24 * 60 * 60 * 1_000

/** The same period, if a report can have it. @throws Invalid when it is too long */
export function reportPeriod(period: Period): Period {
  if (period.until.getTime() - period.from.getTime() > (MAX_DAYS + 1) * DAY_MS)
    throw new Invalid({ to: [getMessage('reports.many_days', { max: MAX_DAYS })] })
  return period
}

/** Adds up the ledger of an organization. One statement, so that all sums are of the same moment. */
export async function readReport(db: AnyReader, organization: number, query: ReportQuery): Promise<Report> {
  const { kind, by, period, account, network, connection, currency } = query
  const only = (column: string, value: string | number | undefined) =>
    value === undefined ? sql.always : sql`m.${sql.identifier(column)} = ${value}`
  const rows = await db<ReportRow[]>`
    select g.key as "group", coalesce(a.name, g.key) as name, g.currency, g.count, g.gross, g.returned,
      (g.gross - g.returned)::numeric(38,4) as net
    from (
      select coalesce((${groupOf(by, period)})::text, '') as key, m.currency,
        count(*) filter (where not m.came_back) as count,
        coalesce(sum(m.amount) filter (where not m.came_back), 0)::numeric(38,4) as gross,
        coalesce(sum(m.amount) filter (where m.came_back), 0)::numeric(38,4) as returned
      from (${movementsOf(kind, organization, period)}) m
      where ${only('account', account)} and ${only('network', network)} and ${only('connection', connection)}
        and ${only('currency', currency)}
      group by 1, 2) g
    left join accounts a on ${by === 'account' ? sql`a.id::text = g.key` : sql`false`}
    order by g.currency, ${by === 'account' ? sql`a.id` : sql`g.key`}`
  return { rows: [...rows], totals: totalsOf(rows) }
}

function groupOf(by: ReportGroup, period: Period): Fragment {
  if (by !== 'day' && by !== 'month') return sql`m.${sql.identifier(by)}`
  // Node decides when days begin (lib/text/time-zones.ts), not the time zones of PostgreSQL.
  const days = daysOf(period)
  const names = days.map(({ day }) => (by === 'day' ? day : day.slice(0, 7)))
  const starts = days.map(({ start }) => start)
  return sql`(${names}::text[])[width_bucket(m.created, ${starts}::timestamptz[])]`
}

function daysOf({ first_day, last_day, zone }: Period): { day: string; start: Date }[] {
  const days: { day: string; start: Date }[] = []
  for (let day = first_day; day <= last_day; day = addDays(day, 1)) days.push({ day, start: startOfDayIn(day, zone) })
  return days
}

function totalsOf(rows: readonly ReportRow[]): ReportRow[] {
  const totals = new Map<string, ReportRow>()
  for (const { currency, count, gross, returned, net } of rows) {
    const sum = totals.get(currency) ?? { group: '', name: '', currency, count: 0, gross: 0n, returned: 0n, net: 0n }
    sum.count += count
    sum.gross += gross
    sum.returned += returned
    sum.net += net
    totals.set(currency, sum)
  }
  return [...totals.values()]
}

/** The movements of money that a report adds up: created, currency, amount, came_back, account, network, connection. */
function movementsOf(kind: ReportKind, organization: number, period: Period): Fragment {
  const within = sql`t.created >= ${period.from} and t.created < ${period.until}`
  switch (kind) {
    case 'collections':
      return collections(organization, within)
    case 'payments':
      return payouts(organization, within, sql`p.purpose = 'payment'`)
    case 'refunds':
      return payouts(organization, within, sql`p.purpose in ('return', 'refund')`)
    case 'bills':
      return bills(organization, within)
    case 'fees':
      return fees(organization, within)
    case 'network_fees':
      return networkFees(organization, within)
    case 'settlements':
      return settlements(organization, within)
  }
}

const WALLETS = sql`('local', 'cross_border')`

/** Collected money comes into its wallet, and leaves it again when the network takes it back. */
function collections(organization: number, within: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, t.kind = 'mobile_collection_reversal' as came_back, w.id as account, c.network,
      c.connection
    from transfers t
    join accounts w on w.id = case t.kind when 'mobile_collection' then t.to_account else t.from_account end
      and w.organization = ${organization} and w.kind in ${WALLETS}
    left join collections c on c.id = ${collectionOf(sql`t.reference`)}
    where t.kind in ('mobile_collection', 'mobile_collection_reversal') and ${within}`
}

/** Sent money leaves the account for held money, or a wallet when it was sent late; returned money comes back to where it was. */
function payouts(organization: number, within: Fragment, purpose: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, t.kind in ('mobile_payment_reversal', 'airtime_topup_reversal') as came_back,
      p.account, r.network, r.connection
    from transfers t
    join accounts w on w.organization = ${organization} and w.id = case
      when t.kind in ('mobile_payment', 'airtime_topup') then t.from_account else t.to_account end
    join payment_recipients r on r.id = ${idAfter('payment', sql`t.reference`)}
    join payments p on p.id = r.payment and ${purpose}
    where t.kind in ('mobile_payment', 'mobile_payment_reversal', 'airtime_topup', 'airtime_topup_reversal') and ${within}`
}

function bills(organization: number, within: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, t.kind in ('bill_payment_reversal', 'airtime_topup_reversal') as came_back,
      b.account, o.connection as network, o.connection
    from transfers t
    join accounts w on w.organization = ${organization} and w.id = case
      when t.kind in ('bill_payment', 'airtime_topup') then t.from_account else t.to_account end
    join bill_purchases b on b.id = ${idAfter('bill', sql`t.reference`)}
    join network_orders o on o.bill_purchase = b.id and o.attempt = b.attempt
    where t.kind in ('bill_payment', 'bill_payment_reversal', 'airtime_topup', 'airtime_topup_reversal') and ${within}`
}

/** A fee is charged when it reaches the account for fees. Until then it is on hold, like the money it is for. */
function fees(organization: number, within: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, t.kind = 'service_charge_reversal' as came_back,
      coalesce(c.account, p.account, b.account) as account, coalesce(c.network, r.network, o.connection) as network,
      coalesce(c.connection, r.connection, o.connection) as connection
    from transfers t
    join accounts f on f.kind = 'fees' and f.organization = ${organization}
      and f.id = case t.kind when 'service_charge' then t.to_account else t.from_account end
    left join collections c on c.id = ${collectionOf(sql`t.reference`)}
    left join payment_recipients r on r.id = ${idAfter('payment', sql`t.reference`)}
    left join payments p on p.id = r.payment
    left join bill_purchases b on b.id = ${idAfter('bill', sql`t.reference`)}
    left join network_orders o on o.bill_purchase = b.id and o.attempt = b.attempt
    where t.kind in ('service_charge', 'service_charge_reversal') and ${within}`
}

/**
 * SQL: charges of networks for the organization's merchant accounts; for the operator's if there is no other
 * organization.
 */
function networkFees(organization: number, within: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, false as came_back, coalesce(c.account, p.account) as account,
      coalesce(c.network, r.network) as network, coalesce(c.connection, r.connection) as connection
    from transfers t
    join accounts e on e.id = t.from_account and ${isOwn(sql`e.organization`, organization)}
    left join collections c on c.id = ${idAfter('collection', sql`t.reference`)}
    left join payment_recipients r on r.id = ${idAfter('recipient', sql`t.reference`)}
    left join payments p on p.id = r.payment
    where t.kind = 'network_fee' and ${within}`
}

/** Entries by hand: in wallets, and in the floats of the organization's merchant accounts. */
function settlements(organization: number, within: Fragment): Fragment {
  return sql`
    select t.created, t.currency, t.amount, t.from_account = w.id as came_back, w.id as account, null::text as network,
      null::text as connection
    from transfers t
    join accounts w on w.id in (t.from_account, t.to_account) and w.organization = ${organization} and w.kind in ${WALLETS}
    where t.kind in ('admin_funds_update', 'test_funds_refill') and ${within}
    union all
    select t.created, t.currency, t.amount, t.to_account = w.id, null::bigint, n.driver, w.connection
    from transfers t
    join accounts w on w.id in (t.from_account, t.to_account) and ${isOwn(sql`w.organization`, organization)}
      and w.connection is not null
    left join connections n on n.slug = w.connection
    where t.kind in ('float_adjustment', 'float_settlement') and ${within}`
}

/** The id behind a word in the reference of a transfer, such as `end:payment:3:fee`. */
function idAfter(word: 'collection' | 'payment' | 'bill' | 'recipient', reference: Fragment): Fragment {
  return sql`substring(${reference} from ${`(?:^|:)${word}:(\\d+)`})::bigint`
}

/** The collection of a credit, of its fee, or of a reversal: `collection:7`, `collection:7:fee`, `reversal:7:part:X`. */
function collectionOf(reference: Fragment): Fragment {
  return sql`substring(${reference} from '^(?:collection|reversal):(\\d+)')::bigint`
}

/** A report as a table, with its totals. */
export function reportTable({ rows, totals }: Report, { kind, by, period }: ReportQuery, about: TableHeading): Table {
  const { language = 'en' } = about
  const words = reportWords[language]
  const day = (text: string) => countryDay(text, about.country ?? null)
  const toRow = (group: string, { name, currency, count, gross, returned, net }: ReportRow): TableRow => [
    ...(by === 'account' ? [group, name] : [group]),
    currency,
    count,
    gross,
    returned,
    net,
  ]
  return {
    name: `${kind.replaceAll('_', '-')}-by-${by}-${period.first_day}-${period.last_day}`,
    title: fillTemplate(words.title, { kind: words.kinds[kind], group: words.by[by] }),
    organization: about.organization,
    facts: [[words.period, fillTemplate(words.days, { from: day(period.first_day), to: day(period.last_day) })]],
    columns: titleColumns(
      [
        { name: by, kind: by === 'day' ? 'day' : 'text' },
        ...(by === 'account' ? [{ name: 'name', kind: 'text', width: 2 } as const] : []),
        { name: 'currency', kind: 'text', width: 0.6 },
        { name: 'count', kind: 'count' },
        { name: 'gross', kind: 'amount' },
        { name: 'returned', kind: 'amount' },
        { name: 'net', kind: 'amount' },
      ],
      words.columns,
    ),
    chunks: (async function* () {
      yield rows.map((row) => toRow(row.group, row))
    })(),
    totals: () => totals.map((row) => toRow(words.total, row)),
    zone: period.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
  }
}
