import { z } from 'zod'
import { timestamp } from '../core/fields.ts'

/** What the clock of the sandbox shows, and the real one. */
export const ClockView = z.object({ now: timestamp, real: timestamp })

/** How far the clock has come on its way to `target`. */
export const ClockAdvanceView = z.object({
  begun: timestamp,
  now: timestamp,
  target: timestamp,
  done: z.boolean(),
  /** The tables in which something is due that nobody has done yet. */
  waiting_for: z.array(z.string()),
})
