import { z } from 'zod'
import { amount, id, timestamp } from '../fields.ts'

/** The kinds of objects that the search finds, in the order in which they are shown. */
export const hitKinds = [
  'collection_request',
  'collection',
  'payment',
  'contact',
  'invoice',
  'receipt',
  'purchase',
  'payment_link',
] as const
export type HitKind = (typeof hitKinds)[number]

/** Object found by a search. */
export const Hit = z.object({
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
})
export type Hit = z.output<typeof Hit>

/** The objects of one kind that were found: the best ones first, and then the newest. */
export const HitGroup = z.object({
  kind: z.enum(hitKinds),
  hits: z.array(Hit),
  /** True if there are more than are shown. */
  more: z.boolean(),
})
export type HitGroup = z.output<typeof HitGroup>

export const SearchResult = z.object({ groups: z.array(HitGroup) })
