import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type Amount, parseAmount } from '../../lib/money.ts'
import { isoDay } from '../../lib/text/time-zones.ts'
import { readKept } from '../allocations/allocations.ts'
import { contactsNumbered, contactsTagged } from '../contacts/numbered.ts'
import { selectAskedPhone, selectCustomersAskedAt, selectShownPhone } from '../contacts/phones.ts'
import { parseNumber } from '../documents/series.ts'
import { fieldMessages } from '../fields.ts'
import { exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import { equals, type List, pageQuery, type SortedPage, timeConditions, timeFilters } from '../list-query.ts'
import { readDocumentSends } from '../sms/document-sends.ts'
import {
  type Invoice,
  type InvoiceAllocation,
  type InvoiceReminder,
  type InvoiceRequest,
  type InvoiceRow,
  toInvoice,
} from './invoice.ts'
import type { Line, Tax } from './totals.ts'
import { readWaitingMoney } from './waiting-money.ts'

const day = z
  .string()
  .refine((text) => isoDay(text) !== undefined, fieldMessages.timestamp)
  .optional()
  .meta({ description: 'A day.', examples: ['2030-01-31'] })

export const invoiceFilters = {
  number: exactText('The number, with or without its letters and zeros.', 'INV-000012'),
  state: exactText(
    'State. `part`: partly paid. `unpaid`: issued, without a payment. An unknown state finds nothing.',
    'issued',
  ),
  overdue: exactText('`true`: only overdue ones; `false`: only others.', 'true'),
  contact: exactId('Id of the customer.'),
  customer_number: exactText('The number of the customer, as payers type it.', 'P5-017'),
  tag: exactText('A tag of the customer, such as a class.', 'P5'),
  batch: exactId('Id of the batch that made it.'),
  phonenumber: exactPhone(),
  collection_request: exactId('Id of one of its requests.'),
  collection: exactId('Id of one of its payments.'),
  currency: exactText('Currency code.', 'BXC'),
  total: exactAmount(),
  due_after: day.meta({ description: 'Due after this day.', examples: ['2030-01-31'] }),
  due_before: day.meta({ description: 'Due before this day.', examples: ['2030-01-31'] }),
  ...timeFilters,
}
export type InvoiceFilters = z.output<z.ZodObject<typeof invoiceFilters>>

/** Builds the list of invoices, with the condition of each filter. */
export function invoiceList(now: Date): List<InvoiceFilters> {
  return {
    table: 'invoices',
    conditions: (organization) => ({
      number: (text) => sql`number = ${parseNumber('invoice', text) ?? 0}`,
      state: (text) => {
        if (text === 'part') return sql`(state = 'issued' and amount_paid > 0)`
        return text === 'unpaid' ? sql`(state = 'issued' and amount_paid = 0)` : sql`state = ${text}`
      },
      overdue: (text) => {
        const overdue = sql`(state = 'issued' and overdue_at <= ${now})`
        return text === 'true' ? overdue : sql`${overdue} is not true`
      },
      contact: equals('contact'),
      customer_number: (text) => sql`contact in (${contactsNumbered(organization, text)})`,
      tag: (tag) => sql`contact in (${contactsTagged(organization, tag)})`,
      batch: (batch) => sql`id in (select invoice from invoice_batch_items where batch = ${batch})`,
      phonenumber: (number) => sql`contact = any(array(${selectCustomersAskedAt(organization, number)}))`,
      collection_request: (request) => sql`id in (select invoice from invoice_requests where request = ${request})`,
      collection: (collection) => sql`
        id in (select i.invoice from invoice_requests i join collections c on c.collection_request = i.request
          where c.id = ${collection}
          union select invoice from allocations where collection = ${collection} and ended is null)`,
      currency: equals('currency'),
      total: equals('total'),
      due_after: (text) => sql`due_date > ${text}::date`,
      due_before: (text) => sql`due_date < ${text}::date`,
      ...timeConditions,
    }),
  }
}

/** Time of reading, and the public address of the service. */
export interface ReadOptions {
  now: Date
  base_url: string
}

/** Lists one page of an organization's invoices, with the exact count of all that match. */
export async function listInvoices(
  db: Reader,
  organization: number,
  filters: InvoiceFilters,
  page: SortedPage<'id' | 'created' | 'modified' | 'total'>,
  options: ReadOptions,
): Promise<{ rows: Invoice[]; count: number }> {
  const list = invoiceList(options.now)
  const [found] = await db<{ count: number; ids: number[] }[]>`${pageQuery(list, organization, filters, page)}`
  const { count, ids } = found!
  const invoices = await invoicesById(db, ids, options)
  return { rows: ids.map((id) => invoices.get(id)!), count }
}

/** Invoices as the API shows them, of any organization, by id. */
export async function invoicesById(
  db: Reader,
  ids: readonly number[],
  { now, base_url }: ReadOptions,
): Promise<Map<number, Invoice>> {
  const [rows, sends, reminders, requests, allocations, waiting] = await Promise.all([
    readInvoices(db, ids),
    readDocumentSends(db, 'invoice', ids),
    readReminders(db, ids),
    readRequests(db, ids),
    readInvoiceAllocations(db, ids),
    readWaitingMoney(db, ids),
  ])
  return new Map(
    rows.map((row) => {
      const { id } = row
      const parts = {
        sends: sends.get(id) ?? [],
        reminders: reminders.get(id) ?? [],
        requests: requests.get(id) ?? [],
        allocations: allocations.get(id) ?? [],
        waiting_money: waiting.get(id) ?? [],
      }
      return [id, toInvoice(row, parts, now, base_url)]
    }),
  )
}

/** Invoices with their customers. */
export function readInvoices(db: Reader, ids: readonly number[]): Promise<InvoiceRow[]> {
  return findInvoices(db, sql`i.id = any(${[...ids]}::bigint[])`)
}

/** The invoice at an address, if it was issued. */
export async function findInvoiceByCode(db: Reader, code: string): Promise<InvoiceRow | undefined> {
  const [row] = await findInvoices(db, sql`i.code = ${code} and i.state <> 'draft'`)
  return row
}

/** Locks an invoice until the transaction ends, and reads it. */
export async function lockInvoice(tx: Tx, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await lockInvoices(tx, [id])
  return row
}

/** Locks invoices in the order of their ids until the transaction ends, and reads them in this order. */
export async function lockInvoices(tx: Tx, ids: readonly number[]): Promise<InvoiceRow[]> {
  await tx`select id from invoices where id = any(${[...ids]}::bigint[]) order by id for update`
  return readInvoices(tx, ids)
}

/** The invoice that a collection request belongs to. */
export async function findInvoiceOfRequest(db: Reader, request: number): Promise<number | undefined> {
  const [row] = await db<{ invoice: number }[]>`select invoice from invoice_requests where request = ${request}`
  return row?.invoice
}

/** The invoice whose page leads to a payment link. */
export async function findInvoiceOfLink(db: Reader, link: number): Promise<InvoiceRow | undefined> {
  const [row] = await findInvoices(db, sql`i.id in (select invoice from invoice_links where payment_link = ${link})`)
  return row
}

type StoredLine = { [Name in keyof Line]: Line[Name] extends string ? string : string | null }

async function findInvoices(db: Reader, condition: Fragment): Promise<InvoiceRow[]> {
  const rows = await db<(Omit<InvoiceRow, 'lines' | 'taxes'> & { lines: StoredLine[]; taxes: StoredTax[] })[]>`
    select i.id, i.organization, o.time_zone, o.country, i.number, i.code, i.state, i.contact, i.currency, i.account, i.lines, i.taxes, i.subtotal,
      i.total, i.due_date::text as due_date, i.notes, i.language, i.reminder_days, i.reminder_prompts, i.min_part,
      i.issuer,
      case when i.state = 'draft' then
        trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) else i.customer_name end
        as customer_name,
      i.amount_paid, i.amount_reversed, i.amount_refunded, i.overdue_at, i.issued, i.paid, i.voided, i.void_reason,
      i.due_at, i.created, i.author, i.modified, i.updated_by,
      json_build_object('first_name', c.first_name, 'last_name', c.last_name, 'email', c.email,
        'phone_number', coalesce(${selectAskedPhone('c')}, ${selectShownPhone('c')}), 'number', c.number,
        'erased', c.erased is not null,
        'tags', array(select t.tag from contact_tags t where t.contact = c.id order by lower(t.tag))) as customer
    from invoices i join organizations o on o.id = i.organization join contacts c on c.id = i.contact where ${condition} order by i.id`
  return rows.map((row) => ({ ...row, lines: row.lines.map(readLine), taxes: row.taxes.map(readTax) }))
}

type StoredTax = Record<keyof Tax, string>

/** Amounts are texts in JSON. */
function readLine({ text, quantity, unit_price, tax_rate, amount }: StoredLine): Line {
  return {
    text: String(text),
    quantity: exact(quantity),
    unit_price: exact(unit_price),
    amount: exact(amount),
    tax_rate: tax_rate === null ? null : exact(tax_rate),
  }
}

function readTax({ rate, net, amount }: StoredTax): Tax {
  return { rate: exact(rate), net: exact(net), amount: exact(amount) }
}

function exact(text: string | null): Amount {
  return parseAmount(text ?? '0') ?? 0n
}

async function readReminders(db: Reader, invoices: readonly number[]): Promise<Map<number, InvoiceReminder[]>> {
  const reminders = await db<(InvoiceReminder & { invoice: number })[]>`
    select invoice, day::text as day, sms_message, request as collection_request, problem, created
    from invoice_reminders where invoice = any(${[...invoices]}::bigint[]) order by id desc`
  return groupByInvoice(reminders)
}

/** Reads the collection requests of invoices with the state of their money. */
async function readRequests(db: Reader, invoices: readonly number[]): Promise<Map<number, InvoiceRequest[]>> {
  const requests = await db<(InvoiceRequest & { invoice: number })[]>`
    select i.invoice, i.request as id, i.source, r.status, r.phonenumber, r.amount, c.id as collection, i.created,
      case when ${hasArrived} then c.payment_date end as paid, ${moneyOfRequest}
    from invoice_requests i join collection_requests r on r.id = i.request
    left join collections c on c.collection_request = r.id
    where i.invoice = any(${[...invoices]}::bigint[]) order by i.request desc`
  return groupByInvoice(requests)
}

const hasArrived = sql`c.status in ('successful', 'reversed')`

/** SQL: money received for a request, with the collection `c` that fulfilled it, if any. */
const moneyOfRequest = sql`
  case when c.status = 'successful' then c.amount - c.reversed_in_parts else 0 end::numeric(19,4) as amount_paid,
  case when c.status = 'reversed' then c.amount when c.status = 'successful' then c.reversed_in_parts else 0
    end::numeric(19,4) as amount_reversed,
  case when ${hasArrived} then c.refunded else 0 end::numeric(19,4) as amount_refunded`

/** Reads the money received for an invoice: through its requests, and by allocations. */
export async function readMoney(
  db: Reader,
  invoice: number,
): Promise<Pick<InvoiceRow, 'amount_paid' | 'amount_reversed' | 'amount_refunded'>> {
  const [requested, allocated] = await Promise.all([
    db<Pick<InvoiceRow, 'amount_paid' | 'amount_reversed' | 'amount_refunded'>[]>`
      select ${moneyOfRequest} from invoice_requests i join collections c on c.collection_request = i.request
      where i.invoice = ${invoice}`,
    readInvoiceAllocations(db, [invoice]),
  ])
  const money = [...requested, ...(allocated.get(invoice) ?? [])]
  const sum = (name: 'amount_paid' | 'amount_reversed' | 'amount_refunded') =>
    money.reduce((total, part) => total + part[name], 0n)
  return {
    amount_paid: sum('amount_paid'),
    amount_reversed: sum('amount_reversed'),
    amount_refunded: sum('amount_refunded'),
  }
}

/** Reads the allocations to invoices, newest first. */
async function readInvoiceAllocations(
  db: Reader,
  invoices: readonly number[],
): Promise<Map<number, InvoiceAllocation[]>> {
  const kept = await readKept(db, sql`coalesce(a.invoice = any(${[...invoices]}::bigint[]), false)`)
  const items = kept.toReversed().map(({ row, arrived, reversed, refunded }) => ({
    invoice: row.invoice!,
    id: row.id,
    collection: row.collection,
    reason: row.reason,
    note: row.note,
    author: row.author,
    created: row.created,
    amount_paid: arrived,
    amount_reversed: reversed,
    amount_refunded: refunded,
  }))
  return groupByInvoice(items)
}

function groupByInvoice<Item>(items: readonly (Item & { invoice: number })[]): Map<number, Item[]> {
  const groups = Map.groupBy(items, ({ invoice }) => invoice)
  return new Map(
    Array.from(groups, ([id, list]) => [id, list.map(({ invoice: _, ...item }) => item as unknown as Item)]),
  )
}
