import { z } from 'zod'
import type { AnyReader } from '../../../db/client.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { type Table, type TableHeading, type TableRow, titleColumns } from '../../../lib/table-files/table.ts'
import { countryDay } from '../../../lib/text/country-dates.ts'
import { addDays } from '../../../lib/text/time-zones.ts'
import { knownName } from '../../contacts/contacts.ts'
import { selectShownPhone } from '../../contacts/phones.ts'
import { amount, documented, id } from '../../fields.ts'
import { ageingColumns, receivablesWords } from './table-words.ts'

const amounts = {
  not_due_amount: documented(amount, 'Open amount, not overdue.', '850000.0000'),
  days_1_30_amount: documented(amount, 'Open amount, 1 to 30 days overdue.', '0.0000'),
  days_31_60_amount: documented(amount, 'Open amount, 31 to 60 days overdue.', '0.0000'),
  days_61_90_amount: documented(amount, 'Open amount, 61 to 90 days overdue.', '0.0000'),
  days_over_90_amount: documented(amount, 'Open amount, more than 90 days overdue.', '0.0000'),
  overdue_amount: documented(amount, 'Total overdue amount.', '0.0000'),
  open_amount: documented(amount, 'Total open amount.', '850000.0000'),
}

const AgeingRow = z
  .object({
    contact: documented(id, 'The customer.', 3),
    customer_number: documented(z.string().nullable(), 'The customer number.', 'P5-0012'),
    customer_name: documented(z.string(), 'The name of the customer; empty if it is not known.', 'Jane Doe'),
    phonenumber: documented(z.string(), 'The phone number of the customer; empty without one.', '+80000000000'),
    tags: documented(z.array(z.string()), 'The tags of the customer.', ['P5']),
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    invoices: documented(z.int(), 'How many invoices are open.', 1),
    oldest_due_date: documented(z.string(), 'The due date of the oldest of them.', '2030-02-28'),
    ...amounts,
  })
  .meta({ id: 'AgeingRow' })
export type AgeingRow = z.output<typeof AgeingRow>

const AgeingTotal = z
  .object({
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    customers: documented(z.int(), 'How many customers have open invoices.', 40),
    invoices: documented(z.int(), 'How many invoices are open.', 43),
    ...amounts,
  })
  .meta({ id: 'AgeingTotal' })
export type AgeingTotal = z.output<typeof AgeingTotal>

/** The open amounts of customers by how long they are overdue. */
export const Ageing = z
  .object({
    day: documented(z.string(), 'The day of the report, in the time zone of the organization.', '2030-03-05'),
    zone: documented(z.string(), 'The time zone of the organization.', 'Africa/Kampala'),
    count: documented(z.int(), 'Total number of rows on all pages.', 40),
    rows: documented(z.array(AgeingRow), 'One row per customer and currency, highest overdue amount first.', []),
    totals: documented(z.array(AgeingTotal), 'Totals of all rows, one per currency.', []),
  })
  .meta({ id: 'Ageing' })
export type Ageing = z.output<typeof Ageing>

/** Organization and day of a report of open amounts. */
export interface AgeingQuery {
  organization: number
  /** Today, in the time zone of the organization. */
  day: string
  zone: string
  currency?: string | undefined
  /** Limits the report to customers with this tag; case does not matter. */
  tag?: string | undefined
}

/**
 * Reads one page of the open amounts by age, with the totals of all pages. Money received until now reduces the open
 * amounts.
 */
export async function readAgeing(
  db: AnyReader,
  query: AgeingQuery,
  page: { limit: number; offset: number },
): Promise<Ageing> {
  const totals = await db<AgeingTotal[]>`
    select currency, count(distinct contact) as customers, ${sumsOn(query.day)} from ${openInvoices(query)} i
    group by currency order by currency`
  return {
    day: query.day,
    zone: query.zone,
    count: totals.reduce((sum, { customers }) => sum + customers, 0),
    rows: await readRows(db, query, page),
    totals: [...totals],
  }
}

type StoredRow = Omit<AgeingRow, 'customer_name'> & { first_name: string; last_name: string; erased: boolean }

async function readRows(
  db: AnyReader,
  query: AgeingQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgeingRow[]> {
  const rows = await db<StoredRow[]>`
    select s.*, c.number as customer_number, c.first_name, c.last_name, ${selectShownPhone('c')} as phonenumber,
      c.erased is not null as erased,
      array(select t.tag from contact_tags t where t.contact = c.id order by lower(t.tag)) as tags
    from (
      select contact, currency, min(due_date)::text as oldest_due_date, ${sumsOn(query.day)}
      from ${openInvoices(query)} i group by contact, currency) s
    join contacts c on c.id = s.contact
    order by s.currency, s.overdue_amount desc, s.open_amount desc, s.contact limit ${limit} offset ${offset}`
  return rows.map(({ first_name, last_name, erased, ...row }) => ({
    ...row,
    customer_name: erased ? '' : knownName({ first_name, last_name }),
  }))
}

function openInvoices({ organization, currency, tag }: AgeingQuery): Fragment {
  const is_tagged = sql`exists (
    select from contact_tags t where t.contact = o.contact and t.organization = ${organization} and lower(t.tag) = lower(${tag ?? ''}))`
  return sql`(
    select contact, currency, due_date, total - amount_paid as left_open from invoices o
    where organization = ${organization} and state = 'issued' and amount_paid < total
      and ${currency === undefined ? sql.always : sql`currency = ${currency}`}
      and ${tag === undefined ? sql.always : is_tagged})`
}

/** The sums of open invoices by age. An invoice is one day overdue on the day after its due date. */
function sumsOn(day: string): Fragment {
  const dueBy = (days: number) => sql`due_date < ${addDays(day, 1 - days)}::date`
  const sumOf = (condition: Fragment) => sql`coalesce(sum(left_open) filter (where ${condition}), 0)::numeric(38,4)`
  return sql`count(*) as invoices,
    ${sumOf(sql`not ${dueBy(1)}`)} as not_due_amount,
    ${sumOf(sql`${dueBy(1)} and not ${dueBy(31)}`)} as days_1_30_amount,
    ${sumOf(sql`${dueBy(31)} and not ${dueBy(61)}`)} as days_31_60_amount,
    ${sumOf(sql`${dueBy(61)} and not ${dueBy(91)}`)} as days_61_90_amount,
    ${sumOf(dueBy(91))} as days_over_90_amount,
    ${sumOf(dueBy(1))} as overdue_amount,
    sum(left_open)::numeric(38,4) as open_amount`
}

const MAX_CHUNK_ROWS = 1_000
/** Rows that one statement reads. Customers who pay between two statements would move others to pages that were read before. */
const MAX_READ_ROWS = 100_000

/** The open amounts by age as a table, with the totals of its rows in each currency. */
export async function ageingTable(db: AnyReader, query: AgeingQuery, about: TableHeading): Promise<Table> {
  const { day, zone, tag } = query
  const { language = 'en' } = about
  const { ageing: words, ...common } = receivablesWords[language]
  const totals = new Map<string, { currency: string; invoices: number; sums: bigint[] }>()
  async function* chunks(): AsyncGenerator<TableRow[]> {
    for (let offset = 0; ; offset += MAX_READ_ROWS) {
      const rows = await readRows(db, query, { limit: MAX_READ_ROWS, offset })
      for (let at = 0; at < rows.length; at += MAX_CHUNK_ROWS) {
        const chunk = rows.slice(at, at + MAX_CHUNK_ROWS)
        for (const row of chunk) addUp(totals, row)
        yield chunk.map(toTableRow)
      }
      if (rows.length < MAX_READ_ROWS) return
    }
  }
  return {
    name: `ageing-${day}`,
    title: words.title,
    organization: about.organization,
    facts: [
      [common.day, countryDay(day, about.country ?? null)],
      ...(tag === undefined ? [] : [[words.tag, tag] as const]),
    ],
    columns: titleColumns(ageingColumns, words.columns),
    chunks: chunks(),
    totals: () =>
      [...totals.values()].map(({ currency, invoices, sums }) => [
        null,
        null,
        common.total,
        null,
        null,
        currency,
        invoices,
        null,
        ...sums,
      ]),
    zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
  }
}

function addUp(totals: Map<string, { currency: string; invoices: number; sums: bigint[] }>, row: AgeingRow): void {
  const { currency } = row
  const before = totals.get(currency)
  const sums = sumsOf(row).map((sum, at) => sum + (before?.sums[at] ?? 0n))
  totals.set(currency, { currency, invoices: row.invoices + (before?.invoices ?? 0), sums })
}

function toTableRow(row: AgeingRow): TableRow {
  return [
    row.contact,
    row.customer_number,
    row.customer_name,
    row.phonenumber,
    row.tags.join(', '),
    row.currency,
    row.invoices,
    row.oldest_due_date,
    ...sumsOf(row),
  ]
}

function sumsOf(row: Record<keyof typeof amounts, bigint>): bigint[] {
  return Object.keys(amounts).map((name) => row[name as keyof typeof amounts])
}
