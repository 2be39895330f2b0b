import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import { contactHas, createPageQuery, equals, type List, timeConditions, timeFilters } from '../list-query.ts'

/** The filters of the list ("The wider interface"). Texts match exactly, case included. */
export const collectionFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  phonenumber: exactPhone(),
  reference: exactText('The reference that the customer typed.', '123'),
  remote_transaction_id: exactText("The network operator's own id of the payment.", 'TX1'),
  collection_request: exactId('Id of the request that the collection fulfilled.'),
  ...timeFilters,
  status: exactText('Status; one that does not exist finds nothing.', 'successful'),
  network: exactText('Code of the network that the money came through.', 'sandbox'),
  contact_first_name: exactText('First name of the contact.', 'Jane'),
  contact_last_name: exactText('Last name of the contact.', 'Doe'),
}

/** Besides the filters of the interface, `unmatched` finds money that no request, user or refund has used up. */
export type CollectionFilters = z.output<z.ZodObject<typeof collectionFilters>> & { unmatched?: true }

/** The list of an organization's collections. Every filter has an index (migrations/0009_collections.sql). */
export const collectionList: List<CollectionFilters> = {
  table: 'collections',
  conditions: (organization) => ({
    amount: equals('amount'),
    currency: equals('currency'),
    phonenumber: equals('phonenumber'),
    reference: (text) => sql`md5(reference) = md5(${text}) and reference = ${text}`,
    remote_transaction_id: equals('remote_transaction_id'),
    collection_request: equals('collection_request'),
    ...timeConditions,
    status: equals('status'),
    network: equals('network'),
    contact_first_name: contactHas(organization, 'first_name'),
    contact_last_name: contactHas(organization, 'last_name'),
    unmatched: () => sql`
      collection_request is null and claimed_by is null and status in ('successful', 'failed') and refunded + reversed_in_parts < amount`,
  }),
}

/** The statement that finds one page of an organization's collections (see `pageQuery`). */
export const collectionPageQuery = createPageQuery(collectionList)
