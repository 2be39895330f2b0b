import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { type ActionContext, action, requireOwn } from '../../access/action.ts'
import { integer } from '../../fields.ts'
import { findPlan, type PlanView, pausePlan, resumePlan, stateOfPlan, stopPlan } from '../plans.ts'

/** Declaration that actions on a plan share. In the audit log they are actions on the request that the plan repeats. */
const ofPlan = (change: typeof stopPlan, path: string, description: string) =>
  ({
    object_type: 'collectionrequest',
    permission: 'initiate_collections',
    input: z.object({ id: integer() }),
    async run(tx: Tx, context: ActionContext, { id }: { id: number }): Promise<PlanView> {
      requireOwn(context, await findPlan(tx, id), getMessage('requests.no_plan', { plan: id }))
      return change(tx, context.now, id)
    },
    audit: ({ id: plan, organization, collection_request: object }: PlanView) => ({
      object,
      organization,
      details: { plan },
    }),
    wakes: true,
    cli: {
      path,
      description,
      typed: { id: ['<id>', 'as `plans list` shows it'] },
      text: (plan: PlanView) => `Plan ${plan.id} is ${stateOfPlan(plan)}; ${describeNext(plan)}.`,
    },
  }) as const

function describeNext({ due_at, occurrence_count: count }: PlanView): string {
  if (due_at) return `the next request is on ${formatTimestamp(due_at)}`
  return count === 1
    ? 'the request that it created stays as it is'
    : `the ${count} requests that it created stay as they are`
}

/** Make no request of a plan until it is resumed. */
export const pausePlanAction = action({
  ...ofPlan(pausePlan, 'plans pause', 'pause a plan: no requests until it is resumed'),
  name: 'pause repeating',
})

/** Resume a plan at its next date. */
export const resumePlanAction = action({
  ...ofPlan(
    resumePlan,
    'plans resume',
    'resume a paused plan at its next date; the dates that passed are not requested',
  ),
  name: 'resume repeating',
})

/** Stop a plan permanently. */
export const stopPlanAction = action({
  ...ofPlan(stopPlan, 'plans stop', 'stop a plan permanently; the requests that it created stay as they are'),
  name: 'stop repeating',
})
