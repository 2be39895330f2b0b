import { z } from 'zod'
import { Overview } from '../../core/collections/overviews.ts'
import { amount } from '../../core/fields.ts'
import { attentionKinds } from '../../core/figures/attention.ts'
import { periods } from '../../core/figures/periods.ts'

/**
 * Present state on the home page: the overview, and warnings. Sentences about threats to the service are for those who
 * manage it.
 */
export const Home = Overview.extend({
  networks: z.array(Overview.shape.networks.element.extend({ name: z.string() })),
  warnings: z.array(z.string()),
  attention: z.array(z.object({ kind: z.enum(attentionKinds), count: z.int() })),
})

const Money = z.object({
  currency: z.string(),
  count: z.int(),
  gross: amount,
  /** Sum of reversals by networks and refunds. */
  returned: amount,
  fees: amount,
  /** Rest of `gross`. */
  net: amount,
})
const Rate = z.object({ ended: z.int(), successful: z.int() })

/** The figures of one period. */
const Totals = z.object({
  from: z.string(),
  to: z.string(),
  money: z.array(Money),
  requests: Rate,
  networks: z.array(Rate.extend({ network: z.string(), name: z.string() })),
  failures: z.array(z.object({ reason: z.string(), count: z.int() })),
})

/** Figures of a period, of the one before, and of each day. Days are in the zone. */
export const Figures = z.object({
  period: z.enum(periods),
  zone: z.string(),
  /** The day it is in the zone. */
  today: z.string(),
  current: Totals,
  before: Totals,
  days: z.array(z.object({ day: z.string(), money: z.array(Money), requests: Rate })),
})
export type Figures = z.output<typeof Figures>
export type Totals = z.output<typeof Totals>

/** Networks that an organization can collect over. */
export const NetworksState = z.object({
  /** `none`: none is connected. `unused`: all connections are drafts or paused. */
  state: z.enum(['ready', 'none', 'unused']),
})
