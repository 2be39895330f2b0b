import { z } from 'zod'
import { amount } from '../../core/fields.ts'

/** Payments over a link, and the number of phones that get no prompt at the moment. */
export const LinkTotalsView = z.object({ count: z.int(), amount, locked_phones: z.int() })
