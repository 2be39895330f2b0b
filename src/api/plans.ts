import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { findPlan } from '../core/collections/plans.ts'
import { pausePlanAction, resumePlanAction, stopPlanAction } from '../core/collections/recurring/actions.ts'
import { listOwnPlans, planFilters, readPlans } from '../core/collections/recurring/plan-list.ts'
import { PlanView } from '../core/collections/recurring/plan-view.ts'
import type { AnyReader } from '../db/client.ts'
import { answerList, byId, idParams, listOf, listQuery } from '../http/lists.ts'
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
  addList(server, app)
  addGet(server, app)
  for (const verb of ['pause', 'resume', 'stop'] as const) addAction(server, app, verb)
}

function addList(server: Server, app: App): void {
  server.get(PATH, {
    config: { permission: 'view' },
    schema: {
      tags: [TAG],
      operationId: 'listPlans',
      summary: 'List plans',
      description: 'Returns your recurring collection requests, with their dates and sums.',
      querystring: listQuery(planFilters),
      response: { 200: listOf(PlanView) },
    },
    handler: async (request) => {
      const { query, caller } = request
      return answerList(app, request, byId, (slice) =>
        app.reads.snapshot((tx) => listOwnPlans(tx, caller.organization, query, slice)),
      )
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get(`${PATH}/:id`, {
    config: { permission: 'view' },
    schema: {
      tags: [TAG],
      operationId: 'getPlan',
      summary: 'Get one plan',
      description: 'Returns the plan with its dates and sums.',
      params: idParams,
      response: { 200: PlanView },
    },
    handler: ({ caller, params }) => app.reads.snapshot((tx) => readOwn(tx, caller.organization, params.id)),
  })
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
