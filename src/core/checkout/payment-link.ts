import { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, type Row, table } from '../../db/table.ts'
import { formatNumber } from '../documents/series.ts'
import { amount, documented, id, timestamp, updatedBy } from '../fields.ts'
import { OwnField } from './own-fields.ts'

/** `paid`: a link for one use that was used. `expired`: its time is over. Only `active` ones take payments. */
export const linkStates = ['active', 'paid', 'closed', 'expired'] as const
export type LinkState = (typeof linkStates)[number]

/** A payment link as the API shows it. */
export const PaymentLink = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    url: documented(z.string(), 'The page for customers.', 'https://pay.example.com/pay/3q2-7wAAAAAAAAAAAAAAAAAAAAAA'),
    number: documented(
      z.string().nullable(),
      'Number that payers to the till type; null for the link of an invoice or a request.',
      'LNK-000007',
    ),
    state: documented(z.enum(linkStates), 'Only an active link takes payments.', 'active'),
    title: documented(z.string(), 'What is paid; the reason of the requests.', 'School fees, term 2'),
    description: documented(z.string(), 'Text below the title.', 'For one child.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id.nullable(), 'The wallet that receives the money; null for the local one.', null),
    country: documented(z.string(), 'Country whose phone numbers need no country code (ISO 3166-1).', 'XX'),
    amount: documented(amount.nullable(), 'The amount, if it is fixed.', '1500.0000'),
    min_amount: documented(amount.nullable(), 'The smallest amount, if the customer chooses.', null),
    max_amount: documented(amount.nullable(), 'The largest amount, if the customer chooses.', null),
    amounts: documented(z.array(z.string()).nullable(), 'The amounts to choose from.', null),
    single_use: documented(z.boolean(), 'Whether it can be paid only once.', false),
    expiry_date: documented(timestamp.nullable(), 'When it stops taking payments.', null),
    fields: documented(z.array(OwnField), 'Further fields for the customer.', []),
    success_message: documented(z.string(), 'Text on the receipt and of the SMS.', 'Thank you!'),
    return_url: documented(z.string().nullable(), 'URL that the customer returns to.', 'https://shop.example/thanks'),
    frame_ancestors: documented(z.array(z.string()), 'Origins whose pages may show the page in a frame.', []),
    created: timestamp,
    author: documented(id, 'The user who made the link, and the author of its requests.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null, '7'),
  })
  .meta({ id: 'PaymentLink' })
export type PaymentLink = z.output<typeof PaymentLink>

export const linkTable = table('payment_links', {
  id: column.id(),
  organization: column.bigint(),
  token: column.text(),
  number: column.bigint().later(),
  title: column.text(),
  description: column.text(),
  currency: column.text(),
  account: column.bigint().nullable(),
  country: column.text(),
  amount: column.numeric().nullable(),
  min_amount: column.numeric().nullable(),
  max_amount: column.numeric().nullable(),
  amounts: column.jsonb<string[]>().nullable(),
  single_use: column.boolean(),
  expiry_date: column.timestamptz().nullable(),
  fields: column.jsonb<PaymentLink['fields']>(),
  success_message: column.text(),
  return_url: column.text().nullable(),
  frame_ancestors: column.texts(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
  closed: column.boolean().default(false),
})
const shownLink = linkTable.omit('closed')

/** A link as stored, with its state at the time of reading. */
export type LinkRow = Row<typeof shownLink> & { state: LinkState }

/** A link with its address. @param base_url the public address of the service */
export function withUrl({ token, number, ...link }: LinkRow, base_url: string): PaymentLink {
  return {
    ...link,
    number: number === null ? null : formatNumber('payment_link', number),
    url: linkUrl(base_url, token),
  }
}

/** The address of a link's page. */
export function linkUrl(base_url: string, token: string): string {
  return `${base_url.replace(/\/$/, '')}/pay/${token}`
}

/** States of requests whose money came. A request that was reversed later still used the link. */
export const PAID_STATUSES = ['successful', 'reversed']

/** The SQL of a link's state at a time. */
export function stateAt(now: Date): Fragment {
  return sql`case
    when single_use and exists (select from payment_link_visits v join collection_requests r on r.id = v.request
      where v.link = payment_links.id and r.status = any(${PAID_STATUSES}::text[])) then 'paid'
    when single_use and exists (select from allocations a where a.payment_link = payment_links.id and a.ended is null) then 'paid'
    when closed then 'closed'
    when expiry_date <= ${now} then 'expired'
    else 'active' end`
}

/** The columns of `LinkRow`. */
export function linkColumns(now: Date): Fragment {
  return sql`${shownLink.columns}, ${stateAt(now)} as state`
}
