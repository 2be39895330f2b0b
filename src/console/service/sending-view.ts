import { z } from 'zod'
import { SendingHold } from '../../core/sending.ts'

/** Hold on sending. `by` and `reason` are null if others operate the service. */
export const SendingView = SendingHold.extend({
  held: z.boolean(),
  /**
   * Number of open orders, purchases and payments of the whole service; null if not held, or where others operate it.
   */
  open: z.int().nullable(),
  /** True if managers of this organization may hold and release. */
  yours: z.boolean(),
})
