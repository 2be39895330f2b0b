import { z } from 'zod'
import { amount, id, timestamp } from '../fields.ts'

/** The kinds of objects that the search finds, in the order in which equally exact ones are shown. */
export const searchResultKinds = [
  'contact',
  'collection_request',
  'collection',
  'invoice',
  'receipt',
  'payment',
  'purchase',
  'payment_link',
] as const
export type SearchResultKind = (typeof searchResultKinds)[number]

/** Object found by a search. */
export const SearchResult = z.object({
  id,
  /** The number of a document or the title of a link; null for objects that only have an id. */
  title: z.string().nullable(),
  /** The person, where a name is known; otherwise empty. */
  name: z.string(),
  phonenumber: z.string().nullable(),
  /** Purpose of the payment, or the reference that the customer typed. */
  reference: z.string().nullable(),
  state: z.string(),
  amount: amount.nullable(),
  currency: z.string().nullable(),
  created: timestamp,
  /** Number of further recipients of a payment; of more than 10,000 no more are counted. */
  others: z.int(),
})
export type SearchResult = z.output<typeof SearchResult>

/** The objects of one kind that were found: the best ones first, and then the newest. */
export const SearchResultGroup = z.object({
  kind: z.enum(searchResultKinds),
  hits: z.array(SearchResult),
  /** True if there are more than are shown. */
  more: z.boolean(),
})
export type SearchResultGroup = z.output<typeof SearchResultGroup>

export const SearchResults = z.object({ groups: z.array(SearchResultGroup) })
