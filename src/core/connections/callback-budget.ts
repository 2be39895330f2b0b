import type { Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'

/*
 * Anyone can send an unverified callback, so their storage in one hour is limited: for each sender, and for all senders
 * together. The counts are in the database, so that all processes count together and a restart forgets nothing.
 */

/** Hourly budget for storing unverified callbacks. */
interface CallbackBudget {
  callbacks: number
  bytes: number
}

/** Share of the budgets that one unverified callback takes. */
interface CallbackCost {
  sender: string
  /** The name under which all senders count together. */
  all: string
  /** Number of bytes to store. */
  bytes: number
}

/** Budget that refuses a callback: its sender's, or the one for all senders. */
type ExceededBudget = 'sender' | 'all'

const countTable = table('unverified_callback_counts', {
  hour: column.timestamptz().key(),
  sender: column.text().key(),
  callbacks: column.integer(),
  bytes: column.bigint(),
})
type SenderCount = Omit<Row<typeof countTable>, 'hour'>

const HOUR_MS = 3_600_000

/** The beginning of the hour of a time. Budgets count real hours. */
export function hourOf(real: Date): Date {
  return new Date(Math.floor(real.getTime() / HOUR_MS) * HOUR_MS)
}

/** Seconds until the next hour begins, at least 1. */
export function secondsToNextHour(real: Date): number {
  return Math.max(1, Math.ceil((hourOf(real).getTime() + HOUR_MS - real.getTime()) / 1_000))
}

/**
 * Counts unverified callbacks against the budgets of their hour.
 * @returns for each callback the budget that refuses it, or null if it may be stored. Refused callbacks count as well.
 */
export async function spendCallbackBudget(
  tx: Tx,
  real: Date,
  costs: readonly CallbackCost[],
  budgets: { sender: CallbackBudget; all: CallbackBudget },
): Promise<(ExceededBudget | null)[]> {
  if (costs.length === 0) return []
  const added = new Map<string, SenderCount>()
  for (const cost of costs)
    for (const sender of [cost.all, cost.sender]) {
      const sum = added.get(sender) ?? { sender, callbacks: 0, bytes: 0 }
      added.set(sender, { sender, callbacks: sum.callbacks + 1, bytes: sum.bytes + cost.bytes })
    }
  const totals = await tx<SenderCount[]>`
    ${insert(countTable.as('c'), [...added.values()], { hour: hourOf(real) })} order by sender
    on conflict (hour, sender) do update set callbacks = c.callbacks + excluded.callbacks, bytes = c.bytes + excluded.bytes
    returning sender, callbacks, bytes`
  const spent = new Map(
    totals.map(({ sender, callbacks, bytes }) => {
      const sum = added.get(sender)!
      return [sender, { callbacks: callbacks - sum.callbacks, bytes: bytes - sum.bytes }]
    }),
  )
  return costs.map(({ sender, all: everyone, bytes }) => {
    const exceeds = (key: string, budget: CallbackBudget): boolean => {
      const sum = spent.get(key)!
      sum.callbacks += 1
      sum.bytes += bytes
      return sum.callbacks > budget.callbacks || sum.bytes > budget.bytes
    }
    const is_over = { sender: exceeds(sender, budgets.sender), all: exceeds(everyone, budgets.all) }
    return is_over.all ? 'all' : is_over.sender ? 'sender' : null
  })
}

/** Deletes the counts of past hours. @returns how many, at most `limit` */
export async function deletePastCallbackCounts(tx: Tx, real: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from unverified_callback_counts where (hour, sender) in (
      select hour, sender from unverified_callback_counts where hour < ${hourOf(real)} limit ${limit})`
  return count
}
