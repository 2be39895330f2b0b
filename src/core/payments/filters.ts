import type { z } from 'zod'
import type { Reader } from '../../db/client.ts'
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
export function paymentPageQuery(db: Reader, organization: number, filters: PaymentFilters, slice: PaymentPageOptions) {
  const { field, limit, offset } = slice
  const direction = slice.descending ? db`desc` : db`asc`
  // What lies between two moments is gathered first and then put in order, for the reason told in findRequests.
  const gathered = timeFilters.some((time) => filters[time] !== undefined) ? db`materialized` : db`not materialized`
  return db<{ count: number; ids: number[] }[]>`
    with found as ${gathered} (
      select id, ${db(field)} as place from payments
      where organization = ${organization} and ${matchesFilters(db, organization, filters)})
    select (select count(*) from found) as count, array(
      select id from found order by place ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
}

const timeFilters = ['created_after', 'created_before', 'modified_after', 'modified_before'] as const

function matchesFilters(db: Reader, organization: number, filters: PaymentFilters): Condition {
  const recipients = (condition: Condition) =>
    db`id in (select payment from payment_recipients where organization = ${organization} and ${condition})`
  const contacts = (field: 'first_name' | 'last_name', name: string) =>
    recipients(db`contact in (
      select id from contacts where organization = ${organization} and ${db(field)} = ${name})`)
  return buildCondition<PaymentFilters>(
    db,
    {
      amount: (amount) => db`amount = ${formatAmount(amount)}`,
      currency: (code) => db`currency = ${code}`,
      payment_type: (type) => db`payment_type = ${type}`,
      payment_id: (id) => db`id = ${id}`,
      phone_number: (number) => recipients(db`phonenumber = ${number}`),
      remote_transaction_id: (id) => recipients(db`remote_transaction_id = ${id}`),
      created_after: (moment) => db`created > ${moment}`,
      created_before: (moment) => db`created < ${moment}`,
      modified_after: (moment) => db`modified > ${moment}`,
      modified_before: (moment) => db`modified < ${moment}`,
      payment_state: (state) => db`state = ${state}`,
      state: (state) => db`(state = ${state} or ${recipients(db`state = ${state}`)})`,
      network: (code) => recipients(db`network = ${code}`),
      first_name: (name) => contacts('first_name', name),
      last_name: (name) => contacts('last_name', name),
    },
    filters,
  )
}
