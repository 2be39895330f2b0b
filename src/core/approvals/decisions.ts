import type { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { type Action, type ActionContext, action, type InputOf } from '../access/action.ts'
import type { Permission } from '../access/api-keys.ts'
import {
  type ApprovalKind,
  type Decision,
  type DecisionContext,
  decide,
  deciderOf,
  type Proposal,
  type Verdict,
} from './proposals.ts'

type Chosen = Pick<Decision, 'id' | 'reason'>

/** Parts of an action that its kind does not say. */
interface Declared<Fields extends z.ZodRawShape, Context, Result>
  extends Pick<Action<Fields, Result>, 'input' | 'object_type' | 'audit' | 'events' | 'console' | 'cli'> {
  /** Verb of its name; the verdict if missing. */
  verb?: string
  /** Return the clock and settings of the kind. @throws Refusal */
  context(context: ActionContext, input: InputOf<Fields>, tx: Tx): Context | Promise<Context>
  /** Return which proposal is meant, and the explanation for its author: `id` and `reason` of the input if missing. */
  choose?(input: InputOf<Fields>): Chosen
}

/** Declare the action by which persons decide about proposals of a kind. */
export function decisionAction<
  Fields extends z.ZodRawShape,
  P extends Proposal,
  Context extends DecisionContext,
  Result,
>(
  kind: ApprovalKind<P, Context, Result>,
  verdict: Verdict,
  { verb = verdict, context: contextOf, choose, ...declared }: Declared<Fields, Context, Result>,
): Action<Fields, Result, Permission> {
  return action<Fields, Result, Permission>({
    ...declared,
    name: `${verb} ${kind.noun}`,
    permission: permissionFor(kind, verdict),
    // To reject or withdraw a change weakens nothing.
    ...(kind.deciders === 'managers' && verdict === 'approve' && { confirmed: true }),
    async run(tx, context, input) {
      const { id, reason } = choose ? choose(input) : (input as unknown as Chosen)
      return decide(tx, await contextOf(context, input, tx), kind, { id, reason, verdict, by: deciderOf(context) })
    },
    wakes: true,
  })
}

/** Return the permission of the door. Authors withdraw without the permission to approve payments. */
function permissionFor(
  { deciders, withdrawal }: Pick<ApprovalKind<Proposal, DecisionContext, unknown>, 'deciders' | 'withdrawal'>,
  verdict: Verdict,
): Permission {
  if (deciders === 'managers') return 'manage_organization'
  const is_withdrawal = verdict === 'withdraw' || (verdict === 'reject' && withdrawal === 'rejection')
  return is_withdrawal ? 'view' : 'approve_payments'
}
