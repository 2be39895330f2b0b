import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { findPlan } from '../core/collections/plans.ts'
import { pausePlanAction, resumePlanAction, stopPlanAction } from '../core/collections/recurring/actions.ts'
import { readPlans } from '../core/collections/recurring/plan-list.ts'
import { PlanView } from '../core/collections/recurring/plan-view.ts'
import type { AnyReader } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

const TAG = 'Plans'
const PATH = '/api/plans'

const ACTIONS = {
  pause: {
    action: pausePlanAction,
    summary: 'Pause a plan',
    description: 'No request is made while it is paused; dates in that time are skipped.',
  },
  resume: {
    action: resumePlanAction,
    summary: 'Resume a plan at its next date',
    description: 'Makes the plan active again. Dates in the pause stay skipped.',
  },
  stop: {
    action: stopPlanAction,
    summary: 'Stop a plan permanently',
    description: 'Ends the plan for good: it makes no further request. Open requests stay open.',
  },
} as const

/** Add plans: recurring collection requests, which a request with `subscription_settings` starts. */
export function addPlans(server: Server, app: App): void {
  for (const verb of ['pause', 'resume', 'stop'] as const) addAction(server, app, verb)
}

function addAction(server: Server, app: App, verb: keyof typeof ACTIONS): void {
  const { action, summary, description } = ACTIONS[verb]
  server.post(`${PATH}/:id/${verb}`, {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: `${verb}Plan`,
      summary,
      description,
      params: idParams,
      response: { 200: PlanView },
    },
    handler: async (request) => {
      const { organization, id } = await performAction(app, request, action)
      return app.reads.snapshot((tx) => readOwn(tx, organization, id))
    },
  })
}

/** @throws NotFound, Forbidden */
async function readOwn(db: AnyReader, organization: number, id: number): Promise<PlanView> {
  requireOwned(organization, await findPlan(db, id))
  return requireOwned(organization, (await readPlans(db, organization, [id])).get(id))
}
