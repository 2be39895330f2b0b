import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { knownName } from '../contacts/contacts.ts'
import { documented } from '../fields.ts'
import type { ListPage } from '../list-query.ts'
import { type PaymentFilters, paymentPageQuery } from './filters.ts'
import { Payment, type PaymentRow, paymentTable, shownStartDate } from './payments.ts'

/**
 * A payment as a list shows it: with the number of its recipients instead of all of them. A page of payments with 1,000 recipients
 * each is as short as one of payments with one.
 */
export const PaymentSummary = Payment.omit({ phone_nos: true, transactions: true }).extend({
  recipients: documented(z.int(), 'How many phones get money or airtime.', 1),
  phonenumber: documented(z.string().nullable(), 'The phone, if there is one recipient.', '+80000000003'),
  contact_name: documented(
    z.string().nullable(),
    'The name of its contact, if there is one recipient; may be empty.',
    'Jane Doe',
  ),
})
export type PaymentSummary = z.output<typeof PaymentSummary>

/** Counts of the recipients of a payment by the database, and the name of the only one. */
type Counted = Pick<PaymentSummary, 'recipients' | 'phonenumber' | 'remote_transaction_id' | 'charged_fee'> & {
  first_name: string | null
  last_name: string | null
}

/**
 * Lists one page of the organization's payments that match the filters, without their recipients, with the exact count
 * of all matches.
 */
export async function listPaymentSummaries(
  db: AnyReader,
  organization: number,
  filters: PaymentFilters,
  page: ListPage,
): Promise<{ rows: PaymentSummary[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${paymentPageQuery(organization, filters, page)}`
  const summaries = await findPaymentSummaries(db, found!.ids)
  return { rows: found!.ids.map((id) => summaries.get(id)!), count: found!.count }
}

/** The payments of any organization with these ids, by id, without their recipients. */
export async function findPaymentSummaries(
  db: AnyReader,
  ids: readonly number[],
): Promise<Map<number, PaymentSummary>> {
  const one = sql`r.recipients = 1`
  const rows = await db<(PaymentRow & Counted)[]>`
    select p.*, r.recipients, r.charged_fee, case when ${one} then r.phonenumber end as phonenumber,
      case when ${one} then r.remote_transaction_id end as remote_transaction_id,
      c.first_name, c.last_name
    from (select ${paymentTable.columns} from payments where id = any(${ids}::bigint[])) p
    cross join lateral (
      select count(*) as recipients, coalesce(sum(fee) filter (where state = 'complete'), 0)::numeric(19,4) as charged_fee,
        min(phonenumber) as phonenumber, min(remote_transaction_id) as remote_transaction_id, min(contact) as contact
      from payment_recipients where payment = p.id and organization = p.organization) r
    left join contacts c on ${one} and c.id = r.contact and c.organization = p.organization`
  return new Map(rows.map((row) => [row.id, toSummary(row)]))
}

function toSummary({ first_name, last_name, ...row }: PaymentRow & Counted): PaymentSummary {
  const { purpose, collection, source, ...shared } = row
  const contact_name = first_name === null || last_name === null ? null : knownName({ first_name, last_name })
  return { ...shared, start_date: shownStartDate(row), contact_name }
}
