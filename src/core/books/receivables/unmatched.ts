import { z } from 'zod'
import type { AnyReader } from '../../../db/client.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { displayAmount } from '../../../lib/money.ts'
import { type Table, type TableHeading, type TableRow, titleColumns } from '../../../lib/table-files/table.ts'
import { fillTemplate } from '../../../lib/template.ts'
import { countryDay } from '../../../lib/text/country-dates.ts'
import { addDays, dayIn, startOfDayIn } from '../../../lib/text/time-zones.ts'
import { isUnmatched, leftForUse } from '../../collections/filters.ts'
import { knownName } from '../../contacts/contacts.ts'
import { amount, documented, id, timestamp } from '../../fields.ts'
import { receivablesWords, unmatchedColumns } from './table-words.ts'

const UnmatchedRow = z
  .object({
    collection: documented(id, 'The payment.', 41),
    payment_date: timestamp,
    days: documented(z.int(), 'Days since the payment; 0 for today.', 3),
    phonenumber: documented(z.string(), 'The phone number that paid.', '+80000000000'),
    contact: documented(id, 'The contact with this number.', 3),
    payer_name: documented(z.string(), 'The name of the payer; empty if it is not known.', 'Betty Namutebi'),
    reference: documented(z.string().nullable(), 'The reference that the customer typed.', null, 'INV-2'),
    network: documented(z.string(), 'The code of the network.', 'sandbox'),
    remote_transaction_id: documented(z.string(), "The network's own id of the payment.", 'TX1'),
    status: documented(
      z.enum(['successful', 'failed']),
      '`failed`: you rejected it, and it waits to be returned.',
      'successful',
    ),
    account: documented(id, 'The wallet.', 5),
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    amount: documented(amount, 'What was received.', '120000.0000'),
    left_amount: documented(amount, 'Unmatched part of the amount.', '35000.0000'),
  })
  .meta({ id: 'UnmatchedRow' })
export type UnmatchedRow = z.output<typeof UnmatchedRow>

const amounts = {
  days_0_7_amount: documented(amount, 'Unmatched amount from today and the last 7 days.', '35000.0000'),
  days_8_30_amount: documented(amount, 'Unmatched amount, 8 to 30 days old.', '0.0000'),
  days_31_90_amount: documented(amount, 'Unmatched amount, 31 to 90 days old.', '0.0000'),
  days_over_90_amount: documented(amount, 'Unmatched amount, more than 90 days old.', '0.0000'),
  left_amount: documented(amount, 'Total unmatched amount.', '35000.0000'),
}

const UnmatchedSum = z
  .object({
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    payments: documented(z.int(), 'Number of payments.', 1),
    ...amounts,
  })
  .meta({ id: 'UnmatchedSum' })
export type UnmatchedSum = z.output<typeof UnmatchedSum>

/** Unmatched money, by age. */
export const UnmatchedMoney = z
  .object({
    day: documented(z.string(), 'The day of the report, in the time zone of the organization.', '2030-03-05'),
    zone: documented(z.string(), 'The time zone of the organization.', 'Africa/Kampala'),
    count: documented(z.int(), 'Total number of rows on all pages.', 1),
    rows: documented(z.array(UnmatchedRow), 'One row per payment, oldest first.', []),
    totals: documented(z.array(UnmatchedSum), 'Totals of all rows, one per currency.', []),
  })
  .meta({ id: 'UnmatchedMoney' })
export type UnmatchedMoney = z.output<typeof UnmatchedMoney>

/** Organization and day of a report of unmatched money. */
export interface UnmatchedQuery {
  organization: number
  /** Today, in the time zone of the organization. */
  day: string
  zone: string
  currency?: string | undefined
}

/** Reads one page of the unmatched money, with the totals of all pages. */
export async function readUnmatched(
  db: AnyReader,
  query: UnmatchedQuery,
  page: { limit: number; offset: number },
): Promise<UnmatchedMoney> {
  const { day, zone } = query
  const sums = await db<UnmatchedSum[]>`
    select c.currency, count(*) as payments, ${sumsOn(query)} from collections c where ${wanted(query)}
    group by c.currency order by c.currency`
  return {
    day,
    zone,
    count: sums.reduce((sum, { payments }) => sum + payments, 0),
    rows: await readRows(db, query, sql`${wanted(query)} order by c.id limit ${page.limit} offset ${page.offset}`),
    totals: [...sums],
  }
}

type StoredRow = Omit<UnmatchedRow, 'days' | 'payer_name'> & {
  first_name: string
  last_name: string
  name_on_network: string
  erased: boolean
}

async function readRows(db: AnyReader, { day, zone }: UnmatchedQuery, which: Fragment): Promise<UnmatchedRow[]> {
  const rows = await db<StoredRow[]>`
    select c.id as collection, c.payment_date, c.phonenumber, c.contact, k.first_name, k.last_name, k.name_on_network,
      k.erased is not null as erased, c.reference, c.network, c.remote_transaction_id, c.status, c.account, c.currency,
      c.amount, ${leftForUse('c')}::numeric(19,4) as left_amount
    from collections c join contacts k on k.id = c.contact where ${which}`
  return rows.map(({ first_name, last_name, name_on_network, erased, ...row }) => ({
    ...row,
    days: Math.max(0, daysBetween(dayIn(row.payment_date, zone), day)),
    payer_name: erased ? '' : knownName({ first_name, last_name }) || name_on_network,
  }))
}

function wanted({ organization, currency }: UnmatchedQuery): Fragment {
  return sql`c.organization = ${organization} and ${isUnmatched('c')}
    and ${currency === undefined ? sql.always : sql`c.currency = ${currency}`}`
}

const DAY_MS = 24 * 60 * 60 * 1_000

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS
}

/** The sums of money by age. Node decides when days begin. */
function sumsOn({ day, zone }: UnmatchedQuery): Fragment {
  const isOlder = (days: number) => sql`c.payment_date < ${startOfDayIn(addDays(day, -days), zone)}`
  const sumOf = (condition: Fragment) =>
    sql`coalesce(sum(${leftForUse('c')}) filter (where ${condition}), 0)::numeric(38,4)`
  return sql`
    ${sumOf(sql`not ${isOlder(7)}`)} as days_0_7_amount,
    ${sumOf(sql`${isOlder(7)} and not ${isOlder(30)}`)} as days_8_30_amount,
    ${sumOf(sql`${isOlder(30)} and not ${isOlder(90)}`)} as days_31_90_amount,
    ${sumOf(isOlder(90))} as days_over_90_amount,
    sum(${leftForUse('c')})::numeric(38,4) as left_amount`
}

const MAX_CHUNK_ROWS = 1_000

/** The unmatched money as a table, with the totals of each currency. */
export async function unmatchedTable(db: AnyReader, query: UnmatchedQuery, about: TableHeading): Promise<Table> {
  const { language = 'en' } = about
  const { unmatched: words, ...common } = receivablesWords[language]
  const { totals } = await readUnmatched(db, query, { limit: 0, offset: 0 })
  async function* chunks(): AsyncGenerator<TableRow[]> {
    for (let after = 0; ; ) {
      const next = sql`${wanted(query)} and c.id > ${after} order by c.id limit ${MAX_CHUNK_ROWS}`
      const rows = await readRows(db, query, next)
      yield rows.map((row) => toTableRow(row, words.statuses[row.status] ?? row.status))
      if (rows.length < MAX_CHUNK_ROWS) return
      after = rows.at(-1)!.collection
    }
  }
  return {
    name: `unmatched-${query.day}`,
    title: words.title,
    organization: about.organization,
    facts: [
      [common.day, countryDay(query.day, about.country ?? null)],
      ...totals.map(
        ({ currency, ...sums }) => [fillTemplate(words.by_age, { currency }), describeAges(sums, words.ages)] as const,
      ),
    ],
    columns: titleColumns(unmatchedColumns, words.columns),
    chunks: chunks(),
    totals: () => totals.map((sum) => toTotalRow(sum, common.total)),
    zone: query.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
  }
}

function toTableRow(row: UnmatchedRow, status: string): TableRow {
  return [
    row.collection,
    row.payment_date,
    row.days,
    row.phonenumber,
    row.payer_name,
    row.reference,
    row.network,
    row.remote_transaction_id,
    status,
    row.currency,
    row.amount,
    row.left_amount,
  ]
}

function toTotalRow({ currency, payments, left_amount }: UnmatchedSum, total: string): TableRow {
  return [payments, null, null, null, total, null, null, null, null, currency, null, left_amount]
}

function describeAges(sums: Omit<UnmatchedSum, 'currency'>, ages: readonly string[]): string {
  const { days_0_7_amount, days_8_30_amount, days_31_90_amount, days_over_90_amount } = sums
  const amounts = [days_0_7_amount, days_8_30_amount, days_31_90_amount, days_over_90_amount]
  return amounts.map((sum, index) => `${ages[index]} ${displayAmount(sum)}`).join(', ')
}
