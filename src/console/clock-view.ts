import { z } from 'zod'
import { timestamp } from '../core/fields.ts'

/** The time of the sandbox, and the real time. */
export const ClockView = z.object({ now: timestamp, real: timestamp })

/** The progress of the clock towards `target`. */
export const ClockAdvanceView = z.object({
  begun: timestamp,
  now: timestamp,
  target: timestamp,
  done: z.boolean(),
  /** The tables with work that is due and not done yet. */
  waiting_for: z.array(z.string()),
})
