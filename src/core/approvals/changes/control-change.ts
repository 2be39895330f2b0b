import { z } from 'zod'
import { id, timestamp } from '../../fields.ts'

/** The states of a change. An expired change is stored as pending. */
export const changeStates = ['pending', 'applied', 'confirmed', 'rejected', 'withdrawn', 'expired'] as const
export type ChangeState = (typeof changeStates)[number]

/** A change of who may move money and how much. */
export const ControlChange = z.object({
  id,
  organization: id,
  kind: z.string(),
  /** The change in words. */
  description: z.string(),
  /** The collection whose money is matched. */
  collection: id.nullable(),
  state: z.enum(changeStates),
  /** Author of the request; null: an operator. */
  author: id.nullable(),
  author_name: z.string().nullable(),
  created: timestamp,
  /** Time when a pending change lapses. Null if it was applied at once. */
  expires: timestamp.nullable(),
  /** User who confirmed, rejected or withdrew it; null: nobody, or an operator. */
  decided_by: id.nullable(),
  decided_by_name: z.string().nullable(),
  decided_at: timestamp.nullable(),
})
export type ControlChange = z.output<typeof ControlChange>

/** The answer of a door whose change waits for a second manager (202). */
export const PendingAnswer = z.object({ pending: ControlChange })
