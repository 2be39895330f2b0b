import type { z } from 'zod'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type Condition, exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import {
  contactHas,
  equals,
  type List,
  type ListPage,
  matches,
  pageQuery,
  timeConditions,
  timeFilters,
} from '../list-query.ts'
import {
  hasAmountOfNetwork,
  hasContactNamed,
  hasId,
  hasPhone,
  hasText,
  hasWholePhone,
  isFoundBy,
  type SearchFilters,
} from '../typed-search/list-text.ts'
import { openStatuses } from './collection-request.ts'
import { requestCountQuery } from './request-counts.ts'

/** The filters of the list (interface 4.3.2, and `network` of the wider interface). Texts match exactly, case included. */
export const requestFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  collection: exactId('Id of the collection that fulfilled the request.'),
  phonenumber: exactPhone(),
  remote_transaction_id: exactText(
    "The network operator's id of the collection that fulfilled it, or the id or reference of its order.",
    'TX1',
  ),
  ...timeFilters,
  status: exactText('Status; an unknown status finds nothing.', 'successful'),
  reason: exactText('Reason, exact.', 'Order 7'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
  network: exactText('Code of the network that serves the phone number.', 'sandbox'),
  payment_link: exactId('Id of the payment link on whose page the request was made.'),
  plan: exactId('Id of the plan whose first or later request it is.'),
}
/** Filters of requests in the console: the interface's filters, and `search` for a typed text. */
export type RequestFilters = z.output<z.ZodObject<typeof requestFilters>> & SearchFilters

const filterNames = [...Object.keys(requestFilters), 'search'] as (keyof RequestFilters)[]

/** The list of an organization's requests. Every filter has an index (migrations/0009_collections.sql). */
const requestList: List<RequestFilters> = {
  table: 'collection_requests',
  conditions: (organization, filters) => ({
    amount: equals('amount'),
    currency: equals('currency'),
    collection: (id) => sql`id in (select collection_request from collections where id = ${id})`,
    phonenumber: equals('phonenumber'),
    remote_transaction_id: (id) => hasRemoteId(organization, id),
    ...timeConditions,
    status: (status) => hasStatus(organization, status),
    reason: hasReason,
    contact_first_name: contactHas(organization, 'first_name'),
    contact_last_name: contactHas(organization, 'last_name'),
    network: equals('network'),
    payment_link: (link) => sql`id in (select request from payment_link_visits where link = ${link})`,
    plan: (plan) => sql`id in (select collection_request from occurrences where plan = ${plan})`,
    search: () =>
      isFoundBy('collection_requests', organization, filters, (terms) => ({
        indexed: [
          hasId(terms),
          hasWholePhone('phonenumber', organization, terms),
          ...terms.exact.map(hasReason),
          hasAmountOfNetwork('collection_requests', organization, terms),
          hasContactNamed(organization, terms),
          ...terms.exact.map((id) => hasRemoteId(organization, id)),
        ],
        parts: [hasPhone('phonenumber', terms), hasText('reason', terms)],
      })),
    searched_rows: () => sql.always,
  }),
}

/**
 * The condition that a request has this status. An index of the status would be written at each change, so each status is
 * found by what else it has: open requests by their row in open_collection_requests, paid ones by their collection.
 */
function hasStatus(organization: number, status: string): Condition {
  if (status === 'failed' || status === 'expired' || status === 'reversed') return sql`unsuccessful = ${status}`
  if (openStatuses.some((open) => open === status))
    return sql`status = ${status} and id = any(array(
      select collection_request from open_collection_requests where organization = ${organization}))`
  return sql`status = ${status} and id in (select collection_request from collections where organization = ${organization})`
}

/** The condition that a request has exactly this reason. The index leaves out requests without one: nothing asks for them. */
function hasReason(reason: string): Condition {
  return sql`reason = ${reason} and reason <> ''`
}

/** The condition that a network knows the request, an order of it, or its money by this id. */
function hasRemoteId(organization: number, id: string): Condition {
  return sql`
    id in (select collection_request from collections where remote_transaction_id = ${id}
      union all select collection_request from network_orders
      where reference = ${id} and kind = 'charge' and organization = ${organization}
      union all select o.collection_request
      from network_order_remote_ids i join network_orders o on o.id = i.network_order
      where i.remote_id = ${id} and o.kind = 'charge' and o.organization = ${organization})`
}

/** Writes the statement for one page of an organization's requests (see `pageQuery`). */
export function requestPageQuery(organization: number, filters: RequestFilters, page: ListPage): Fragment {
  const has_count = filterNames.every((name) => name === 'status' || filters[name] === undefined)
  if (!has_count) return pageQuery(requestList, organization, filters, page)
  const count = requestCountQuery(organization, filters.status)
  const near = page.field === 'modified' ? nearModified(organization, filters, page) : sql.always
  return pageQuery(requestList, organization, filters, page, count, near)
}

/** Lengths of the times in which a page by time of change is looked for, one after the other. */
const MODIFIED_WITHIN = ['1 hour', '1 day', '1 week', '1 month', '1 year']

/**
 * The condition that limits a page by time of change to the shortest time that has enough rows, from the newest request
 * back or from the first one on. A tree in this order would be written at each change; the BRIN index finds the rows of a time.
 */
function nearModified(organization: number, filters: RequestFilters, page: ListPage): Condition {
  const { descending, limit, offset } = page
  const enough = offset + limit
  const begin = sql`(select ${descending ? sql`max(created) - within` : sql`min(created) + within`}
    from collection_requests where organization = ${organization})`
  const isNear = (time: Fragment) => (descending ? sql`modified >= ${time}` : sql`modified <= ${time}`)
  return isNear(sql`coalesce((
    select time from (select ${begin} as time from unnest(${MODIFIED_WITHIN}::interval[]) within) t
    where ${enough} <= (select count(*) from collection_requests
      where ${matches(requestList, organization, filters)} and ${isNear(sql`t.time`)})
    limit 1), ${descending ? sql`'-infinity'` : sql`'infinity'`}::timestamptz)`)
}

/** Page of the requests of one phone number. */
export interface PhonePage {
  organization: number
  phonenumber: string
  page: ListPage
}

/** The phone number of a list that has no other filter; undefined for all other lists. */
export function onlyPhoneOf(filters: RequestFilters): string | undefined {
  return filterNames.every((name) => name === 'phonenumber' || filters[name] === undefined)
    ? filters.phonenumber
    : undefined
}

/**
 * The statement that finds pages of several phone numbers, in the order given: `ids` and `count` as in `pageQuery`. All must be
 * sorted by the same field in the same direction. To plan a page costs five times as much as to read it, and here one plan
 * serves all. That is right for phone numbers alone: whichever it is, its requests are found by their index.
 */
export function phonePagesQuery(pages: readonly PhonePage[]): Fragment {
  const { field, descending } = pages[0]!.page
  const direction = descending ? sql`desc` : sql`asc`
  const wanted = rows(pages, {
    organization: 'bigint',
    phonenumber: 'text',
    limit: ['integer', ({ page }) => page.limit],
    offset: ['integer', ({ page }) => page.offset],
  })
  const of_phone = sql`from collection_requests r where r.organization = w.organization and r.phonenumber = w.phonenumber`
  // Without `offset 0` PostgreSQL could read all requests of the organization in the order of the page.
  const found = field === 'id' ? of_phone : sql`${of_phone} offset 0`
  return sql`
    select (select count(*) ${of_phone}) as count, array(
      select id from (select id, ${sql.identifier(field)} as sort_value ${found}) found
      order by sort_value ${direction}, id ${direction} limit w.limit offset w.offset) as ids
    from ${wanted.as('w', 'n')} order by n`
}

/** The ids of the next requests that match the filters, oldest first, for reading all of them in chunks. */
export function requestsAfterQuery(
  organization: number,
  filters: RequestFilters,
  chunk: { after: number; limit: number },
): Fragment {
  return sql`
    select id from collection_requests
    where id > ${chunk.after} and ${matches(requestList, organization, filters)}
    order by id limit ${chunk.limit}`
}
