import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { formatAmount } from '../../lib/money.ts'
import { integer } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import { buildCondition, type Condition, exactAmount, exactPhone, exactText, timestampFilter } from '../filters.ts'

/** The fields that can order a list of payments. Equal values are ordered by id. */
export type PaymentOrdering = 'id' | 'created' | 'modified' | 'amount'

/** The filters of the list ("The wider interface"). Texts match exactly, case included. */
export const paymentFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  payment_type: exactText('`money` or `airtime`.', 'money'),
  payment_id: integer()
    .optional()
    .meta({ description: 'Id of the payment.', examples: [12] }),
  phone_number: exactPhone(),
  remote_transaction_id: exactText('The id that the network operator gave the transaction.', 'TX9'),
  created_after: timestampFilter('Created after this time.'),
  created_before: timestampFilter('Created before this time.'),
  modified_after: timestampFilter('Modified after this time.'),
  modified_before: timestampFilter('Modified before this time.'),
  payment_state: exactText('State of the payment. An unknown state matches no payment.', 'processed'),
  state: exactText('State of the payment or of one of its recipients.', 'complete'),
  network: exactText('Code of the network of a recipient.', 'sandbox'),
  first_name: exactText('First name of a recipient.', 'Jane'),
  last_name: exactText('Last name of a recipient.', 'Doe'),
}
export type PaymentFilters = z.output<z.ZodObject<typeof paymentFilters>>

/** The limit, the offset and the order of a page of payments. */
export type PaymentPageOptions = PageOptions & { field: PaymentOrdering }

/** Builds the query for one page of an organization's payments: their ids in order, and the exact count of all matches. */
export function paymentPageQuery(organization: number, filters: PaymentFilters, page: PaymentPageOptions) {
  const { field, limit, offset } = page
  const direction = page.descending ? sql`desc` : sql`asc`
  // With a time filter the matches are collected first and then sorted. findRequests gives the reason.
  const materialization = timeFilters.some((time) => filters[time] !== undefined)
    ? sql`materialized`
    : sql`not materialized`
  return sql`
    with found as ${materialization} (
      select id, ${sql.identifier(field)} as sort_key from payments
      where organization = ${organization} and ${matchesFilters(organization, filters)})
    select (select count(*) from found) as count, array(
      select id from found order by sort_key ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
}

const timeFilters = ['created_after', 'created_before', 'modified_after', 'modified_before'] as const

function matchesFilters(organization: number, filters: PaymentFilters): Condition {
  const recipients = (condition: Condition) =>
    sql`id in (select payment from payment_recipients where organization = ${organization} and ${condition})`
  const contacts = (field: 'first_name' | 'last_name', name: string) =>
    recipients(sql`contact in (
      select id from contacts where organization = ${organization} and ${sql.identifier(field)} = ${name})`)
  return buildCondition<PaymentFilters>(
    {
      amount: (amount) => sql`amount = ${formatAmount(amount)}`,
      currency: (code) => sql`currency = ${code}`,
      payment_type: (type) => sql`payment_type = ${type}`,
      payment_id: (id) => sql`id = ${id}`,
      phone_number: (number) => recipients(sql`phonenumber = ${number}`),
      remote_transaction_id: (id) => recipients(sql`remote_transaction_id = ${id}`),
      created_after: (timestamp) => sql`created > ${timestamp}`,
      created_before: (timestamp) => sql`created < ${timestamp}`,
      modified_after: (timestamp) => sql`modified > ${timestamp}`,
      modified_before: (timestamp) => sql`modified < ${timestamp}`,
      payment_state: (state) => sql`state = ${state}`,
      state: (state) => sql`(state = ${state} or ${recipients(sql`state = ${state}`)})`,
      network: (code) => recipients(sql`network = ${code}`),
      first_name: (name) => contacts('first_name', name),
      last_name: (name) => contacts('last_name', name),
    },
    filters,
  )
}
