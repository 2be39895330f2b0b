import { z } from 'zod'
import { amount } from '../../core/fields.ts'

/** What was paid over a link. */
export const LinkTotalsView = z.object({ count: z.int(), amount })
