import { z } from 'zod'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { getPlan, planOfRequest, totalOfPlan } from '../core/collections/plans.ts'
import { readPlans } from '../core/collections/recurring/plan-list.ts'
import { PlanView } from '../core/collections/recurring/plan-view.ts'
import { nextOccurrence, readSchedule } from '../core/collections/recurring/recurrence.ts'
import { requestsById } from '../core/collections/requests.ts'
import { amount, timestamp } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'

/** Enough dates to check the settings. */
const MAX_DATES = 5

/** The routes for recurring requests: preview of the dates, the plan of a request, and the total of a plan. The API has the rest. */
export function addPlans(server: Server, app: App): void {
  const permission = 'view'
  addView(server, app, {
    url: '/console/api/plans/preview',
    permission,
    query: z.object({ subscription_settings: z.string() }),
    answer: z.object({ dates: z.array(timestamp), more: z.boolean() }),
    source: 'statements',
    read: (_, { query, now, time_zone }) => previewDates(query.subscription_settings, { now, time_zone }),
  })
  addView(server, app, {
    url: '/console/api/collectionrequests/:id/plan',
    permission,
    answer: z.object({ plan: PlanView.nullable() }),
    of: async (db, { id }) => (await requestsById(db, [id])).get(id),
    async read(db, { organization, of: { id } }) {
      const plan = await planOfRequest(db, id)
      return { plan: (plan && (await readPlans(db, organization, [plan.id])).get(plan.id)) ?? null }
    },
  })
  addView(server, app, {
    url: '/console/api/plans/:id/total',
    permission,
    answer: z.object({ count: z.int(), amount }),
    source: 'statement',
    of: (db, { id }) => getPlan(db, id),
    read: (_, { of: plan }) => totalOfPlan(plan),
  })
}

/** Preview the dates of a recurring request before it is created. @throws Invalid */
function previewDates(settings: string, at: { now: Date; time_zone: string }): { dates: Date[]; more: boolean } {
  const schedule = readSchedule(settings, null, at)
  if (Array.isArray(schedule)) throw new Invalid({ subscription_settings: schedule })
  const dates: Date[] = []
  let next: Date | null = schedule.first
  while (next && dates.length < MAX_DATES) {
    dates.push(next)
    next = nextOccurrence(schedule.recurrence, next)
  }
  return { dates, more: next !== null }
}
