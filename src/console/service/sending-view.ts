import { z } from 'zod'
import { SendingHold } from '../../core/sending.ts'

/** Whether sending is held. `by` and `reason` are null where others operate the service. */
export const SendingView = SendingHold.extend({
  held: z.boolean(),
  /** How many orders, purchases and payments of the whole service have no end; null if not held, or where others operate it. */
  open: z.int().nullable(),
  /** Whether managers of this organization may hold and release. */
  yours: z.boolean(),
})
