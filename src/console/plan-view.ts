import { z } from 'zod'
import { id, timestamp } from '../core/fields.ts'

/** A recurring request as its page shows it. */
export const PlanView = z.object({
  id,
  /** The first request, which the later ones copy. */
  collection_request: id,
  frequencies: z.array(z.string()),
  end_date: timestamp,
  /** The number of requests so far, including the first. */
  occurrence_count: z.int(),
  stopped: timestamp.nullable(),
  next_dates: z.array(timestamp),
})
