import { type Plan, recurrenceOf } from '../../src/core/collections/plans.ts'
import { nextOccurrence } from '../../src/core/collections/recurring/recurrence.ts'
import type { Database } from '../../src/db/client.ts'

/** Every date of a plan is one of its recurrence, and none was missed, except while no process ran. */
export async function checkPlans(db: Database): Promise<string[]> {
  const plans = await db<Plan[]>`select * from plans order by id`
  const rows = await db<{ plan: number; date: Date; created: Date; alike: boolean }[]>`
    select o.plan, o.date, r.created,
      (r.amount, r.phonenumber, r.account) = (f.amount, f.phonenumber, f.account) as alike
    from occurrences o join collection_requests r on r.id = o.collection_request
    join plans p on p.id = o.plan join collection_requests f on f.id = p.collection_request order by o.plan, o.date`
  const made = Map.groupBy(rows, (row) => row.plan)
  return plans.flatMap((plan) => {
    const dates = made.get(plan.id) ?? []
    if (dates.length !== plan.occurrence_count)
      return `Plan ${plan.id} counts ${plan.occurrence_count} dates and has ${dates.length}.`
    if (plan.due_at) return `Plan ${plan.id} is not at its end.`
    return dates.flatMap(({ date, created, alike }, index) => {
      if (!alike) return `An occurrence of plan ${plan.id} differs from its first.`
      if (index > 0 && created < date) return `Plan ${plan.id} has made ${date.toISOString()} too early.`
      // A missed request is made up once: the next date is the first that had not come when the last was made.
      const next = nextOccurrence(recurrenceOf(plan), index === 0 || created < date ? date : created)
      const follows = dates[index + 1]?.date ?? null
      return next?.getTime() === follows?.getTime() ? [] : `Plan ${plan.id} has lost ${next?.toISOString()}.`
    })
  })
}
