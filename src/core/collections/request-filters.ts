import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { formatAmount } from '../../lib/money.ts'
import { integer } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import {
  buildCondition,
  type Condition,
  type ConditionBuilders,
  exactAmount,
  exactPhone,
  exactText,
  timestampFilter,
} from '../filters.ts'
import { requestCountQuery } from './request-counts.ts'

/** The fields that a list of collection requests can be ordered by; ties go by id. */
export type RequestOrdering = 'id' | 'created' | 'modified' | 'amount'

/** The filters of the list (interface 4.3.2, and `network` of the wider interface). Texts match exactly, case included. */
export const requestFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  collection: integer()
    .optional()
    .meta({ description: 'Id of the collection that fulfilled the request.', examples: [12] }),
  phonenumber: exactPhone(),
  remote_transaction_id: exactText(
    "The network operator's own id of the collection that fulfilled the request.",
    'TX1',
  ),
  created_after: timestampFilter('Created later than this moment.'),
  created_before: timestampFilter('Created earlier than this moment.'),
  modified_after: timestampFilter('Modified later than this moment.'),
  modified_before: timestampFilter('Modified earlier than this moment.'),
  status: exactText('Status; one that does not exist finds nothing.', 'successful'),
  reason: exactText('The whole text of the reason.', 'Order 7'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
  network: exactText('Code of the network that serves the phone number.', 'sandbox'),
}
export type RequestFilters = z.output<z.ZodObject<typeof requestFilters>>

/** Where a page of requests begins and ends, and in which order. */
export type RequestPageOptions = PageOptions & { field: RequestOrdering }

/**
 * The statement that finds one page of an organization's requests: their ids in order, and the exact count of all that
 * match. Every filter has an index (migrations/0005_list-indexes.sql); what would mean counting a good part of the table
 * is kept counted (core/collections/request-counts.ts).
 */
export function requestPageQuery(organization: number, filters: RequestFilters, slice: RequestPageOptions) {
  const { field, limit, offset } = slice
  const direction = slice.descending ? sql`desc` : sql`asc`
  // Ids and times rise together, which PostgreSQL does not know: it would walk from the newest id to a distant month in
  // the hope of meeting its requests soon. So what lies between two moments is gathered first, and then put in order.
  const gathered = timeFilters.some((time) => filters[time] !== undefined) ? sql`materialized` : sql`not materialized`
  const counted = filterNames.every((name) => name === 'status' || filters[name] === undefined)
  return sql`
    with found as ${gathered} (
      select id, ${sql.identifier(field)} as place from collection_requests
      where organization = ${organization} and ${requestConditions(organization, filters)})
    select ${counted ? requestCountQuery(organization, filters.status) : sql`(select count(*) from found)`} as count, array(
      select id from found order by place ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
}

/** The ids of the next requests that match the filters, oldest first: a walk over all of them, a piece at a time. */
export function requestsAfterQuery(
  organization: number,
  filters: RequestFilters,
  piece: { after: number; limit: number },
) {
  return sql`
    select id from collection_requests
    where organization = ${organization} and id > ${piece.after} and ${requestConditions(organization, filters)}
    order by id limit ${piece.limit}`
}

const filterNames = Object.keys(requestFilters) as (keyof RequestFilters)[]
const timeFilters = ['created_after', 'created_before', 'modified_after', 'modified_before'] as const

/** The filters that are given, each as a condition. */
function requestConditions(organization: number, filters: Partial<RequestFilters>): Condition {
  const contacts = (field: 'first_name' | 'last_name', name: string) =>
    sql`contact in (select id from contacts where organization = ${organization} and ${sql.identifier(field)} = ${name})`
  const written: ConditionBuilders<RequestFilters> = {
    amount: (amount) => sql`amount = ${formatAmount(amount)}`,
    currency: (code) => sql`currency = ${code}`,
    collection: (id) => sql`id in (select collection_request from collections where id = ${id})`,
    phonenumber: (number) => sql`phonenumber = ${number}`,
    remote_transaction_id: (id) =>
      sql`id in (select collection_request from collections where remote_transaction_id = ${id})`,
    created_after: (moment) => sql`created > ${moment}`,
    created_before: (moment) => sql`created < ${moment}`,
    modified_after: (moment) => sql`modified > ${moment}`,
    modified_before: (moment) => sql`modified < ${moment}`,
    status: (status) => sql`status = ${status}`,
    // The index leaves out requests without a reason, for whom nobody can ask.
    reason: (reason) => sql`reason = ${reason} and reason <> ''`,
    contact_first_name: (name) => contacts('first_name', name),
    contact_last_name: (name) => contacts('last_name', name),
    network: (code) => sql`network = ${code}`,
  }
  return buildCondition(written, filters)
}
