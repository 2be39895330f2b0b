import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { type ActionContext, action, requireOwn } from '../../access/action.ts'
import { integer } from '../../fields.ts'
import { findPlan, type PlanView as PlanRow, pausePlan, resumePlan, stateOfPlan, stopPlan } from '../plans.ts'
import { readPlans } from './plan-list.ts'
import { PlanView } from './plan-view.ts'

/** Plan after an action: its row, and as the API shows it. */
interface Changed {
  plan: PlanRow
  shown: PlanView
}

/** Declaration that actions on a plan share. In the audit log they are actions on the request that the plan repeats. */
const ofPlan = (verb: string, change: typeof stopPlan, cli: string, words: { summary: string; description: string }) =>
  ({
    object_type: 'collectionrequest',
    permission: 'initiate_collections',
    input: z.object({ id: integer() }),
    async run(tx: Tx, context: ActionContext, { id }: { id: number }): Promise<Changed> {
      requireOwn(context, await findPlan(tx, id), getMessage('requests.no_plan', { plan: id }))
      const plan = await change(tx, context.now, id)
      return { plan, shown: (await readPlans(tx, plan.organization, [id])).get(id)! }
    },
    audit: ({ plan: { id: plan, organization, collection_request: object } }: Changed) => ({
      object,
      organization,
      details: { plan },
    }),
    wakes: true,
    api: {
      method: 'POST',
      path: `/plans/:id/${verb}`,
      tag: 'Plans',
      operation: `${verb}Plan`,
      ...words,
      answer: PlanView,
      view: ({ shown }: Changed) => shown,
    },
    cli: {
      path: `plans ${verb}`,
      description: cli,
      typed: { id: ['<id>', 'as `plans list` shows it'] },
      text: ({ plan }: Changed) => `Plan ${plan.id} is ${stateOfPlan(plan)}; ${describeNext(plan)}.`,
      view: ({ plan }: Changed) => plan,
    },
  }) as const

function describeNext({ due_at, occurrence_count: count }: PlanRow): string {
  if (due_at) return `the next request is on ${formatTimestamp(due_at)}`
  return count === 1
    ? 'the request that it created stays as it is'
    : `the ${count} requests that it created stay as they are`
}

/** Make no request of a plan until it is resumed. */
export const pausePlanAction = action({
  ...ofPlan('pause', pausePlan, 'pause a plan: no requests until it is resumed', {
    summary: 'Pause a plan',
    description: 'No request is made while it is paused; dates in that time are skipped.',
  }),
  name: 'pause repeating',
})

/** Resume a plan at its next date. */
export const resumePlanAction = action({
  ...ofPlan('resume', resumePlan, 'resume a paused plan at its next date; the dates that passed are not requested', {
    summary: 'Resume a plan at its next date',
    description: 'Makes the plan active again. Dates in the pause stay skipped.',
  }),
  name: 'resume repeating',
})

/** Stop a plan permanently. */
export const stopPlanAction = action({
  ...ofPlan('stop', stopPlan, 'stop a plan permanently; the requests that it created stay as they are', {
    summary: 'Stop a plan permanently',
    description: 'Ends the plan for good: it makes no further request. Open requests stay open.',
  }),
  name: 'stop repeating',
})
