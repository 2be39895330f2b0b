import type { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'
import { type Condition, exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import { contactHas, createPageQuery, equals, type List, timeConditions, timeFilters } from '../list-query.ts'
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

/** The filters of the list ("The wider interface"). Texts match exactly, case included. */
export const collectionFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  phonenumber: exactPhone(),
  reference: exactText('The reference that the customer typed.', '123'),
  remote_transaction_id: exactText("The network operator's own id of the payment.", 'TX1'),
  collection_request: exactId('Id of the request that the collection fulfilled.'),
  ...timeFilters,
  status: exactText('Status; an unknown status finds nothing.', 'successful'),
  network: exactText('Code of the network that the money came through.', 'sandbox'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
}

/**
 * Filters of collections: those of the interface, `unmatched` for money with a part that has no purpose yet, and
 * `search` for a typed text.
 */
export type CollectionFilters = z.output<z.ZodObject<typeof collectionFilters>> & SearchFilters & { unmatched?: true }

/** The list of an organization's collections. Every filter has an index (migrations/0009_collections.sql). */
export const collectionList: List<CollectionFilters> = {
  table: 'collections',
  conditions: (organization, filters) => ({
    amount: equals('amount'),
    currency: equals('currency'),
    phonenumber: equals('phonenumber'),
    reference: isReference,
    remote_transaction_id: equals('remote_transaction_id'),
    collection_request: equals('collection_request'),
    ...timeConditions,
    status: equals('status'),
    network: equals('network'),
    contact_first_name: contactHas(organization, 'first_name'),
    contact_last_name: contactHas(organization, 'last_name'),
    unmatched: () => isUnmatched('collections'),
    search: () =>
      isFoundBy('collections', organization, filters, (terms) => ({
        indexed: [
          hasId(terms),
          hasWholePhone('phonenumber', organization, terms),
          ...terms.exact.map(isReference),
          hasAmountOfNetwork('collections', organization, terms),
          hasContactNamed(organization, terms),
          sql`connection in (select slug from connections) and remote_transaction_id = any(${terms.exact}::text[])`,
        ],
        parts: [hasPhone('phonenumber', terms), hasText('reference', terms)],
      })),
    searched_rows: () => sql.always,
  }),
}

/** The condition that a collection has exactly this reference. */
function isReference(text: string): Condition {
  return sql`md5(reference) = md5(${text}) and reference = ${text}`
}

/** The statement that finds one page of an organization's collections (see `pageQuery`). */
export const collectionPageQuery = createPageQuery(collectionList)

/**
 * SQL: the rest of a collection for use: not refunded, not reversed by the network, and not allocated. It is not above
 * zero when nothing is left.
 * @param alias the name of the table, or its alias
 */
export function leftForUse(alias: string): Fragment {
  const c = sql.identifier(alias)
  return sql`(${c}.amount - ${c}.refunded - ${c}.reversed_in_parts - ${c}.allocated)`
}

/**
 * SQL: condition that a part of a collection has no purpose yet: no request, user, allocation or refund has used it up.
 */
export function isUnmatched(alias: string): Fragment {
  return sql`(${isWithoutUse(alias)} and ${leftForUse(alias)} > 0)`
}

/** Condition of the index `collections_unmatched`. Rows whose money was returned meet it, too. */
export function isWithoutUse(alias: string): Fragment {
  const c = sql.identifier(alias)
  return sql`${c}.collection_request is null and ${c}.claimed_by is null and ${c}.allocated < ${c}.amount
    and ${c}.status in ('successful', 'failed')`
}
