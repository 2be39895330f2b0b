import { z } from 'zod'
import { amount, id, timestamp } from '../../core/fields.ts'

/** A payment prompt on a phone. */
const PromptView = z.object({
  reference: z.string(),
  collection_request: id,
  amount,
  currency: z.string(),
  /** Name of the organization that requests the money. */
  from: z.string(),
  reason: z.string(),
  created: timestamp,
})

/** The messages and prompts of one organization on one phone. */
export const PhoneView = z.object({
  now: timestamp,
  prompts: z.array(PromptView),
  texts: z.array(
    z.object({
      id,
      /** Null: no request has caused it. */
      collection_request: id.nullable(),
      why: z.string(),
      body: z.string(),
      state: z.string(),
      created: timestamp,
    }),
  ),
  /** Id of the newest request to this phone, so that a page can show its status. */
  latest_request: id.nullable(),
})
