import { z } from 'zod'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { getPlan, planOfRequest, totalOfPlan } from '../core/collections/plans.ts'
import { readPlans } from '../core/collections/recurring/plan-list.ts'
import { PlanView } from '../core/collections/recurring/plan-view.ts'
import { nextOccurrence, readSchedule } from '../core/collections/recurring/recurrence.ts'
import { requestsById } from '../core/collections/requests.ts'
import { amount, timestamp } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

/** Enough dates to check the settings. */
const MAX_DATES = 5

/** The routes for recurring requests: preview of the dates, the plan of a request, and the total of a plan. The API has the rest. */
export function addPlans(server: Server, app: App): void {
  addPreview(server, app)
  addPlan(server, app)
  addTotal(server, app)
}

/** Preview the dates of a recurring request before it is created. */
function addPreview(server: Server, app: App): void {
  const url = '/console/api/plans/preview'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ subscription_settings: z.string() }),
      response: { 200: z.object({ dates: z.array(timestamp), more: z.boolean() }) },
    },
    handler: async ({ query, caller: { time_zone } }) => {
      const at = { now: app.clock.now(), time_zone }
      const schedule = readSchedule(query.subscription_settings, null, at)
      if (Array.isArray(schedule)) throw new Invalid({ subscription_settings: schedule })
      const dates: Date[] = []
      let next: Date | null = schedule.first
      while (next && dates.length < MAX_DATES) {
        dates.push(next)
        next = nextOccurrence(schedule.recurrence, next)
      }
      return { dates, more: next !== null }
    },
  })
}

function addPlan(server: Server, app: App): void {
  const url = '/console/api/collectionrequests/:id/plan'

  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ plan: PlanView.nullable() }) } },
    handler: ({ caller: { organization }, params }) =>
      app.reads.snapshot(async (tx) => {
        const { id } = requireOwned(organization, (await requestsById(tx, [params.id])).get(params.id))
        const plan = await planOfRequest(tx, id)
        return { plan: (plan && (await readPlans(tx, organization, [plan.id])).get(plan.id)) ?? null }
      }),
  })
}

function addTotal(server: Server, app: App): void {
  server.get('/console/api/plans/:id/total', {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ count: z.int(), amount }) } },
    handler: async ({ caller: { organization }, params }) =>
      totalOfPlan(requireOwned(organization, await app.reads.read((db) => getPlan(db, params.id)))),
  })
}
