import type { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'
import { exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
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
import { requestCountQuery } from './request-counts.ts'

/** The filters of the list (interface 4.3.2, and `network` of the wider interface). Texts match exactly, case included. */
export const requestFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  collection: exactId('Id of the collection that fulfilled the request.'),
  phonenumber: exactPhone(),
  remote_transaction_id: exactText(
    "The network operator's own id of the collection that fulfilled the request.",
    'TX1',
  ),
  ...timeFilters,
  status: exactText('Status; one that does not exist finds nothing.', 'successful'),
  reason: exactText('The whole text of the reason.', 'Order 7'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
  network: exactText('Code of the network that serves the phone number.', 'sandbox'),
  payment_link: exactId('Id of the payment link on whose page the request was made.'),
  plan: exactId('Id of the plan whose first or later request it is.'),
}
export type RequestFilters = z.output<z.ZodObject<typeof requestFilters>>

const filterNames = Object.keys(requestFilters) as (keyof RequestFilters)[]

/** The list of an organization's requests. Every filter has an index (migrations/0005_list-indexes.sql). */
const requestList: List<RequestFilters> = {
  table: 'collection_requests',
  conditions: (organization) => ({
    amount: equals('amount'),
    currency: equals('currency'),
    collection: (id) => sql`id in (select collection_request from collections where id = ${id})`,
    phonenumber: equals('phonenumber'),
    remote_transaction_id: (id) => sql`
      id in (select collection_request from collections where remote_transaction_id = ${id})`,
    ...timeConditions,
    status: equals('status'),
    // The index leaves out requests without a reason. This filter cannot ask for them.
    reason: (reason) => sql`reason = ${reason} and reason <> ''`,
    contact_first_name: contactHas(organization, 'first_name'),
    contact_last_name: contactHas(organization, 'last_name'),
    network: equals('network'),
    payment_link: (link) => sql`id in (select request from payment_link_visits where link = ${link})`,
    plan: (plan) => sql`id in (select collection_request from occurrences where plan = ${plan})`,
  }),
}

/**
 * The statement that finds one page of an organization's requests (see `pageQuery`). Without a filter, or with the status
 * alone, it would count a large part of the table, so that it reads the kept counts (core/collections/request-counts.ts).
 */
export function requestPageQuery(organization: number, filters: RequestFilters, page: ListPage): Fragment {
  const has_count = filterNames.every((name) => name === 'status' || filters[name] === undefined)
  const count = has_count ? requestCountQuery(organization, filters.status) : undefined
  return pageQuery(requestList, organization, filters, page, count)
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
