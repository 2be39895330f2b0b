import type { z } from 'zod'
import type { AnyReader, Reader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { parseNumber } from '../documents/series.ts'
import { exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import { equals, type List, pageQuery, type SortedPage, timeConditions, timeFilters } from '../list-query.ts'
import { readDocumentSends } from '../sms/document-sends.ts'
import { type Receipt, type ReceiptRow, toReceipt } from './receipt.ts'

export const receiptFilters = {
  number: exactText('The number, with or without its letter and zeros.', 'R-000012'),
  collection: exactId('Id of the payment.'),
  collection_request: exactId('Id of the request that the payment fulfilled.'),
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  phonenumber: exactPhone(),
  remote_transaction_id: exactText("The network operator's own id of the payment.", 'TX1'),
  ...timeFilters,
}
type ReceiptFilters = z.output<z.ZodObject<typeof receiptFilters>>

const receiptList: List<ReceiptFilters> = {
  table: 'receipts',
  conditions: (organization) => {
    const ofCollections = (condition: Fragment) =>
      sql`collection in (select id from collections where organization = ${organization} and ${condition})`
    return {
      number: (text) => sql`number = ${parseNumber('receipt', text) ?? 0}`,
      collection: equals('collection'),
      collection_request: (request) => ofCollections(sql`collection_request = ${request}`),
      amount: (amount) => ofCollections(sql`amount = ${amount}`),
      currency: (currency) => ofCollections(sql`currency = ${currency}`),
      phonenumber: (number) => ofCollections(sql`phonenumber = ${number}`),
      remote_transaction_id: (text) => ofCollections(sql`remote_transaction_id = ${text}`),
      ...timeConditions,
    }
  },
}

/** Lists one page of an organization's receipts, with the exact count of all that match. */
export async function listReceipts(
  db: AnyReader,
  organization: number,
  filters: ReceiptFilters,
  page: SortedPage<'id' | 'created' | 'modified'>,
  base_url: string,
): Promise<{ rows: Receipt[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${pageQuery(receiptList, organization, filters, page)}`
  const { count, ids } = found!
  const receipts = await receiptsById(db, ids, base_url)
  return { rows: ids.map((id) => receipts.get(id)!), count }
}

/** Receipts as the API shows them, of any organization, by id. */
export async function receiptsById(
  db: AnyReader,
  ids: readonly number[],
  base_url: string,
): Promise<Map<number, Receipt>> {
  const [rows, sends] = await Promise.all([readReceipts(db, ids), readDocumentSends(db, 'receipt', ids)])
  return new Map(rows.map((row) => [row.id, toReceipt(row, sends.get(row.id) ?? [], base_url)]))
}

/** Receipts with their payments. */
export function readReceipts(db: AnyReader, ids: readonly number[]): Promise<ReceiptRow[]> {
  return findReceipts(db, sql`r.id = any(${[...ids]}::bigint[])`)
}

/** The receipt at an address. */
export async function findReceiptByCode(db: Reader, code: string): Promise<ReceiptRow | undefined> {
  const [row] = await findReceipts(db, sql`r.code = ${code}`)
  return row
}

/** The random part of the address of a payment's receipt, if it has one. */
export async function findReceiptCode(db: Reader, collection: number): Promise<string | undefined> {
  const [row] = await db<{ code: string }[]>`select code from receipts where collection = ${collection}`
  return row?.code
}

function findReceipts(db: AnyReader, condition: Fragment): Promise<ReceiptRow[]> {
  return db<ReceiptRow[]>`
    select r.id, r.organization, o.time_zone, o.country, r.number, r.code, r.issuer, r.created, r.modified, r.collection, c.collection_request,
      c.amount, c.currency, c.phonenumber, c.reference, c.remote_transaction_id, c.payment_date,
      case when c.status = 'reversed' then c.amount else c.reversed_in_parts end as reversed_amount,
      c.refunded as refunded_amount, coalesce(q.reason, '') as reason,
      json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email,
        'number', p.number, 'erased', p.erased is not null) as contact,
      l.fields as link_fields, q.metadata, n.number as invoice
    from receipts r join organizations o on o.id = r.organization join collections c on c.id = r.collection join contacts p on p.id = c.contact
    left join collection_requests q on q.id = c.collection_request
    left join payment_link_visits v on v.request = q.id
    left join payment_links l on l.id = v.link
    left join invoice_requests ir on ir.request = q.id
    left join invoices n on n.id = ir.invoice
    where ${condition} order by r.id`
}
