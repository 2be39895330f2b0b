import { z } from 'zod'
import { amount } from '../../core/fields.ts'

/** What was paid over a link, and how many phones get no prompt at the moment. */
export const LinkTotalsView = z.object({ count: z.int(), amount, locked_phones: z.int() })
