import { z } from 'zod'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { nextDates, type PlanView as Plan, planOfRequest, stopPlan } from '../core/collections/plans.ts'
import { nextOccurrence, readSchedule } from '../core/collections/recurrence.ts'
import { requestsById } from '../core/collections/requests.ts'
import { timestamp } from '../core/fields.ts'
import { Invalid, NotFound } from '../core/refusals.ts'
import { type AnyReader, begin } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { recordRequestAction } from './audit.ts'
import { PlanView } from './plan-view.ts'

/** Enough dates to check the settings. */
const MAX_DATES = 5

/** The routes for recurring requests: preview of the dates, progress, and stop. */
export function addPlans(server: Server, app: App): void {
  addPreview(server, app)
  addPlan(server, app)
}

/** Previews the dates of a recurring request before it is created. */
function addPreview(server: Server, app: App): void {
  const url = '/console/api/plans/preview'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ subscription_settings: z.string() }),
      response: { 200: z.object({ dates: z.array(timestamp), more: z.boolean() }) },
    },
    handler: async ({ query }) => {
      const schedule = readSchedule(query.subscription_settings, null, app.clock.now())
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
  refuseOtherMethods(server, url, ['GET'])
}

function addPlan(server: Server, app: App): void {
  const url = '/console/api/collectionrequests/:id/plan'

  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ plan: PlanView.nullable() }) } },
    handler: async ({ caller, params }) => {
      const plan = await app.reads.read((db) => findPlan(db, caller.organization, params.id))
      return { plan: plan ? toPlanView(plan) : null }
    },
  })
  refuseOtherMethods(server, url, ['GET'])

  server.post(`${url}/stop`, {
    config: { permission: 'initiate_collections' },
    schema: { params: idParams, response: { 200: z.object({ plan: PlanView }) } },
    handler: async (request) =>
      begin(app.db, async (tx) => {
        const plan = await findPlan(tx, request.caller.organization, request.params.id)
        if (!plan) throw new NotFound('This request is not repeated.')
        await recordRequestAction(tx, app, request, {
          action: 'stop repeating',
          object_type: 'collectionrequest',
          object: plan.collection_request,
          details: { plan: plan.id },
        })
        return { plan: toPlanView(await stopPlan(tx, app.clock.now(), plan.id)) }
      }),
  })
  refuseOtherMethods(server, `${url}/stop`, ['POST'])
}

/** @throws NotFound, Forbidden */
async function findPlan(db: AnyReader, organization: number, request: number): Promise<Plan | undefined> {
  const { id } = requireOwned(organization, (await requestsById(db, [request])).get(request))
  return planOfRequest(db, id)
}

function toPlanView(plan: Plan): z.output<typeof PlanView> {
  return { ...plan, next_dates: nextDates(plan, MAX_DATES) }
}
