import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { formatAmount } from '../../lib/money.ts'
import { integer } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import { buildCondition, type Condition, exactAmount, exactPhone, exactText, timestampFilter } from '../filters.ts'

/** The fields that a list of payments can be ordered by; ties go by id. */
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
  remote_transaction_id: exactText("The network operator's own id of what was sent.", 'TX9'),
  created_after: timestampFilter('Created later than this moment.'),
  created_before: timestampFilter('Created earlier than this moment.'),
  modified_after: timestampFilter('Modified later than this moment.'),
  modified_before: timestampFilter('Modified earlier than this moment.'),
  payment_state: exactText('State of the payment; one that does not exist finds nothing.', 'processed'),
  state: exactText('State of the payment or of one of its recipients.', 'complete'),
  network: exactText('Code of the network of a recipient.', 'sandbox'),
  first_name: exactText('First name of a recipient.', 'Jane'),
  last_name: exactText('Last name of a recipient.', 'Doe'),
}
export type PaymentFilters = z.output<z.ZodObject<typeof paymentFilters>>

/** Where a page of payments begins and ends, and in which order. */
export type PaymentPageOptions = PageOptions & { field: PaymentOrdering }

/** The statement that finds one page of an organization's payments: their ids in order, and the exact count of all. */
export function paymentPageQuery(organization: number, filters: PaymentFilters, slice: PaymentPageOptions) {
  const { field, limit, offset } = slice
  const direction = slice.descending ? sql`desc` : sql`asc`
  // What lies between two moments is gathered first and then put in order, for the reason told in findRequests.
  const gathered = timeFilters.some((time) => filters[time] !== undefined) ? sql`materialized` : sql`not materialized`
  return sql`
    with found as ${gathered} (
      select id, ${sql.identifier(field)} as place from payments
      where organization = ${organization} and ${matchesFilters(organization, filters)})
    select (select count(*) from found) as count, array(
      select id from found order by place ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
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
      created_after: (moment) => sql`created > ${moment}`,
      created_before: (moment) => sql`created < ${moment}`,
      modified_after: (moment) => sql`modified > ${moment}`,
      modified_before: (moment) => sql`modified < ${moment}`,
      payment_state: (state) => sql`state = ${state}`,
      state: (state) => sql`(state = ${state} or ${recipients(sql`state = ${state}`)})`,
      network: (code) => recipients(sql`network = ${code}`),
      first_name: (name) => contacts('first_name', name),
      last_name: (name) => contacts('last_name', name),
    },
    filters,
  )
}
