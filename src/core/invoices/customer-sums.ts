import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type Table, type TableHeading, type TableRow, titleColumns } from '../../lib/table-files/table.ts'
import { fillTemplate } from '../../lib/template.ts'
import type { Language } from '../../lib/text/languages.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { contactsTagged } from '../contacts/numbered.ts'
import { amount, documented, id } from '../fields.ts'
import { exactText } from '../filters.ts'
import { matches } from '../list-query.ts'
import { customerSumColumns, customerSumWords } from './customer-sum-words.ts'
import { type InvoiceFilters, invoiceFilters, invoiceList } from './invoices.ts'

/** State of a customer's payments. `none`: no issued invoice. `part`: something is paid, and not all. */
const payStates = ['none', 'unpaid', 'part', 'paid'] as const

const sums = {
  currency: documented(z.string().nullable(), 'Three-letter code; null without invoices.', 'UGX'),
  invoiced: documented(amount, 'Total of issued invoices, without void ones.', '850000.0000'),
  paid: documented(amount, 'Amount received for them.', '400000.0000'),
  open: documented(amount, 'Open amount.', '450000.0000'),
}

/** The invoices of all customers with a tag, in a currency. */
export const TagSum = z
  .object({
    tag: documented(z.string().nullable(), 'The tag, such as a class; null for customers without one.', 'P5'),
    ...sums,
    invoices: documented(z.int(), 'Issued invoices, without void ones.', 120),
    drafts: documented(z.int(), 'Drafts; no other figure includes them.', 0),
    unpaid_invoices: documented(z.int(), 'Issued invoices without a payment.', 60),
    part_invoices: documented(z.int(), 'Partly paid invoices.', 20),
    paid_invoices: documented(z.int(), 'Fully paid invoices.', 40),
    overdue_invoices: documented(z.int(), 'Unpaid invoices past their due date.', 5),
  })
  .meta({ id: 'InvoiceTagSum' })
export type TagSum = z.output<typeof TagSum>

/** Customer with a tag, with debt and payments in a currency. */
export const CustomerSum = z
  .object({
    contact: documented(id, 'The customer.'),
    customer_number: documented(z.string().nullable(), 'The number of the customer.', 'P5-017'),
    name: documented(z.string(), 'The name of the customer.', 'Jane Doe'),
    phonenumber: documented(
      z.string(),
      'Phone number of the customer or its first payer; empty for none.',
      '+80000000000',
    ),
    ...sums,
    invoices: documented(z.int(), 'Issued invoices, without void ones.', 1),
    state: documented(z.enum(payStates), '`none`: no issued invoice. `part`: something is paid, and not all.', 'part'),
    overdue: documented(z.boolean(), 'Whether one of them is overdue.', false),
  })
  .meta({ id: 'InvoiceCustomerSum' })
export type CustomerSum = z.output<typeof CustomerSum>

/** Filters of the invoices to add up. */
export const sumFilters = {
  tag: invoiceFilters.tag,
  currency: invoiceFilters.currency,
  batch: invoiceFilters.batch,
  due_after: invoiceFilters.due_after,
  due_before: invoiceFilters.due_before,
}
type SumFilters = Pick<InvoiceFilters, keyof typeof sumFilters>

/** The filters of a class list. It has a tag. */
export const customerSumFilters = {
  ...sumFilters,
  tag: z
    .string()
    .trim()
    .min(1)
    .meta({ description: exactText('The tag, such as a class.', 'P5').meta()?.description, examples: ['P5'] }),
}

const is_open = sql`i.state = 'issued'`
const counts = sql`i.state in ('issued', 'paid')`
const open = sql`greatest(i.total - i.amount_paid, 0)`

function invoicesIn(organization: number, filters: SumFilters, now: Date, source: Fragment = sql`invoices`): Fragment {
  return sql`select * from ${source} where ${matches(invoiceList(now), organization, filters)} and state <> 'void'`
}

/** The sums of an organization's invoices by the tags of their customers. A customer with two tags is in both. */
export async function sumByTag(db: AnyReader, organization: number, filters: SumFilters, now: Date): Promise<TagSum[]> {
  const { tag } = filters
  return db<TagSum[]>`
    with i as (${invoicesIn(organization, filters, now)})
    select min(t.tag) as tag, i.currency, ${sumsOf()},
      count(*) filter (where ${counts}) as invoices, count(*) filter (where i.state = 'draft') as drafts,
      count(*) filter (where ${is_open} and i.amount_paid = 0) as unpaid_invoices,
      count(*) filter (where ${is_open} and i.amount_paid > 0) as part_invoices,
      count(*) filter (where i.state = 'paid') as paid_invoices,
      count(*) filter (where ${is_open} and i.overdue_at <= ${now}) as overdue_invoices
    from i left join contact_tags t on t.contact = i.contact
    where ${tag === undefined ? sql.always : sql`lower(t.tag) = lower(${tag})`}
    group by lower(t.tag), i.currency order by lower(t.tag) nulls last, i.currency`
}

function sumsOf(): Fragment {
  return sql`coalesce(sum(i.total) filter (where ${counts}), 0)::numeric(19,4) as invoiced,
    coalesce(sum(i.amount_paid) filter (where ${counts}), 0)::numeric(19,4) as paid,
    coalesce(sum(${open}) filter (where ${is_open}), 0)::numeric(19,4) as open`
}

/**
 * Lists the customers with a tag by name, with their count. Each has the invoiced, paid and open sums: one row for each
 * currency, and one for a customer without invoices.
 */
export async function sumByCustomer(
  db: AnyReader,
  organization: number,
  filters: SumFilters & { tag: string },
  { now, limit, offset }: { now: Date; limit: number; offset: number },
): Promise<{ rows: CustomerSum[]; count: number }> {
  const { tag, ...others } = filters
  // The invoices of each customer are found by the customer alone, also where PostgreSQL has no statistics of a new term yet.
  const own = sql`(select * from invoices where contact = c.id offset 0) invoices`
  const found = await db<(CustomerSum & { count: number })[]>`
    with sums as (
        select c.id as contact, c.number as customer_number, lower(c.last_name || ' ' || c.first_name) as place,
          trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) as name,
          case when starts_with(c.phone_number, '+') then c.phone_number else coalesce((
            select p.phone_number from contact_payers p where p.contact = c.id order by p.position limit 1), '')
            end as phonenumber,
          i.currency, ${sumsOf()}, count(i.id) as invoices,
          coalesce(bool_or(${is_open} and i.overdue_at <= ${now}), false) as overdue
        from contacts c
          left join lateral (${invoicesIn(organization, others, now, own)} and state <> 'draft') i on true
        where c.id in (${contactsTagged(organization, tag)}) and c.erased is null
        group by c.id, i.currency)
    select contact, customer_number, name, phonenumber, currency, invoiced, paid, open, invoices, overdue,
      case when invoices = 0 then 'none' when open = 0 then 'paid' when paid > 0 then 'part' else 'unpaid' end as state,
      count(*) over () as count
    from sums order by place, contact, currency limit ${limit} offset ${offset}`
  return { rows: found.map(({ count: _, ...row }) => row), count: found[0]?.count ?? 0 }
}

const MAX_CUSTOMERS = 10_000

/** Writes a class list as a file: the customers with a tag, with their debts and payments. */
export async function customerSumTable(
  db: AnyReader,
  organization: number,
  filters: SumFilters & { tag: string },
  about: TableHeading & { zone: string },
): Promise<Table> {
  const { now, zone, language = 'en' } = about
  const words = customerSumWords[language]
  const { rows: found } = await sumByCustomer(db, organization, filters, { now, limit: MAX_CUSTOMERS, offset: 0 })
  const currencies = [...new Set(found.flatMap(({ currency }) => currency ?? []))]
  return {
    name: `customers-${filters.tag.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}-${dayIn(now, zone)}`,
    title: fillTemplate(words.title, { tag: filters.tag }),
    organization: about.organization,
    facts: [[words.customers, String(new Set(found.map(({ contact }) => contact)).size)]],
    columns: titleColumns(customerSumColumns, words.columns),
    chunks: (async function* () {
      yield found.map((row) => toRow(row, words))
    })(),
    totals: () => currencies.map((currency) => totalOf(currency, found, words.total)),
    zone,
    created: now,
    letterhead: about.letterhead,
    country: about.country,
    language,
  }
}

function toRow(row: CustomerSum, words: (typeof customerSumWords)[Language]): TableRow {
  const state = words.states[row.state]
  return [
    row.customer_number ?? '',
    row.name,
    row.phonenumber,
    row.currency ?? '',
    row.invoiced,
    row.paid,
    row.open,
    row.overdue ? `${state}, ${words.overdue}` : state,
  ]
}

function totalOf(currency: string, rows: readonly CustomerSum[], total: string): TableRow {
  const some = rows.filter((row) => row.currency === currency)
  const sum = (name: 'invoiced' | 'paid' | 'open') => some.reduce((all, row) => all + row[name], 0n)
  return [total, '', '', currency, sum('invoiced'), sum('paid'), sum('open'), '']
}
