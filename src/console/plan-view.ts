import { z } from 'zod'
import { id, timestamp } from '../core/fields.ts'

/** A recurring request as its page shows it. */
export const PlanView = z.object({
  id,
  /** Its first request, from which all others are copied. */
  collection_request: id,
  frequencies: z.array(z.string()),
  end_date: timestamp,
  /** How many requests there are, the first included. */
  occurrence_count: z.int(),
  stopped: timestamp.nullable(),
  next_dates: z.array(timestamp),
})
