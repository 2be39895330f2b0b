import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type ActionContext, action, requireOwn } from '../../access/action.ts'
import { integer } from '../../fields.ts'
import { findPlan, type PlanView, pausePlan, resumePlan, stopPlan } from '../plans.ts'

/** Declaration that actions on a plan share. In the audit log they are actions on the request that the plan repeats. */
const ofPlan = (change: typeof stopPlan) =>
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
  }) as const

/** Make no request of a plan until it is resumed. */
export const pausePlanAction = action({ ...ofPlan(pausePlan), name: 'pause repeating' })

/** Resume a plan at its next date. */
export const resumePlanAction = action({ ...ofPlan(resumePlan), name: 'resume repeating' })

/** Stop a plan permanently. */
export const stopPlanAction = action({ ...ofPlan(stopPlan), name: 'stop repeating' })
