import { z } from 'zod'
import { amount, id, timestamp } from '../core/fields.ts'

/** A prompt as it stands on the phone. */
const PromptView = z.object({
  reference: z.string(),
  collection_request: id,
  amount,
  currency: z.string(),
  /** Who asks for the money. */
  from: z.string(),
  reason: z.string(),
  created: timestamp,
})

/** What one phone shows of the messages and prompts of one organization. */
export const Phone = z.object({
  now: timestamp,
  prompts: z.array(PromptView),
  texts: z.array(
    z.object({
      id,
      collection_request: id,
      why: z.string(),
      body: z.string(),
      state: z.string(),
      created: timestamp,
    }),
  ),
  /** The newest request to this phone, whose fate a reader wants to follow. */
  latest_request: id.nullable(),
})
