import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { formatAmount } from '../../lib/money.ts'
import { integer } from '../fields.ts'
import type { PageOptions } from '../filters.ts'
import { buildCondition, type Condition, exactAmount, exactPhone, exactText, timestampFilter } from '../filters.ts'

/** The fields that a list of collections can be ordered by; ties go by id. */
export type CollectionOrdering = 'id' | 'created' | 'modified' | 'amount'

/** The filters of the list ("The wider interface"). Texts match exactly, case included. */
export const collectionFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  phonenumber: exactPhone(),
  reference: exactText('What the customer typed as the reference.', '123'),
  remote_transaction_id: exactText("The network operator's own id of the payment.", 'TX1'),
  collection_request: integer()
    .optional()
    .meta({ description: 'Id of the request that the collection fulfilled.', examples: [12] }),
  created_after: timestampFilter('Created later than this moment.'),
  created_before: timestampFilter('Created earlier than this moment.'),
  modified_after: timestampFilter('Modified later than this moment.'),
  modified_before: timestampFilter('Modified earlier than this moment.'),
  status: exactText('Status; one that does not exist finds nothing.', 'successful'),
  network: exactText('Code of the network that the money came through.', 'sandbox'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
}

/** Beside the interface's filters: `unmatched` money fulfilled no request, was claimed by nobody and was not given back. */
export type CollectionFilters = z.output<z.ZodObject<typeof collectionFilters>> & { unmatched?: true }

/** Where a page of collections begins and ends, and in which order. */
export type CollectionPageOptions = PageOptions & { field: CollectionOrdering }

/**
 * The statement that finds one page of an organization's collections: their ids in order, and the exact count of all that
 * match. Every filter has an index (migrations/0011_collections.sql).
 */
export function collectionPageQuery(organization: number, filters: CollectionFilters, slice: CollectionPageOptions) {
  const { field, limit, offset } = slice
  const direction = slice.descending ? sql`desc` : sql`asc`
  // What lies between two moments is gathered first and then put in order, for the reason told in findRequests.
  const gathered = timeFilters.some((time) => filters[time] !== undefined) ? sql`materialized` : sql`not materialized`
  return sql`
    with found as ${gathered} (
      select id, ${sql.identifier(field)} as place from collections
      where organization = ${organization} and ${matchesFilters(organization, filters)})
    select (select count(*) from found) as count, array(
      select id from found order by place ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
}

/** What the filters ask of a row of `collections`. */
export function matchesFilters(organization: number, filters: CollectionFilters): Condition {
  const contacts = (field: 'first_name' | 'last_name', name: string) =>
    sql`contact in (select id from contacts where organization = ${organization} and ${sql.identifier(field)} = ${name})`
  return buildCondition<CollectionFilters>(
    {
      amount: (amount) => sql`amount = ${formatAmount(amount)}`,
      currency: (code) => sql`currency = ${code}`,
      phonenumber: (number) => sql`phonenumber = ${number}`,
      reference: (text) => sql`md5(reference) = md5(${text}) and reference = ${text}`,
      remote_transaction_id: (id) => sql`remote_transaction_id = ${id}`,
      collection_request: (id) => sql`collection_request = ${id}`,
      created_after: (moment) => sql`created > ${moment}`,
      created_before: (moment) => sql`created < ${moment}`,
      modified_after: (moment) => sql`modified > ${moment}`,
      modified_before: (moment) => sql`modified < ${moment}`,
      status: (status) => sql`status = ${status}`,
      network: (code) => sql`network = ${code}`,
      contact_first_name: (name) => contacts('first_name', name),
      contact_last_name: (name) => contacts('last_name', name),
      unmatched: () => sql`
        collection_request is null and claimed_by is null and status in ('successful', 'failed') and refunded < amount`,
    },
    filters,
  )
}

const timeFilters = ['created_after', 'created_before', 'modified_after', 'modified_before'] as const
