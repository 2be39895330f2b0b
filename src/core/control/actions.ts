import { z } from 'zod'
import { action, authorOf } from '../access/action.ts'
import { integer, optional, requiredText } from '../fields.ts'
import { setFlag } from '../flags.ts'
import { holdSending, MAX_HOLD_REASON, releaseSending } from '../sending.ts'
import { type ChangeContext, type ChangeDecision, decideChange } from './changes.ts'

declare module '../access/action.ts' {
  interface ActionService {
    changes: ChangeContext
  }
}

/* Actions on the whole service, which the console has for the managers of a sole organization; and decisions about changes. */

const service = { permission: 'manage_organization', is_operators: true } as const

/** Hold everything that would go to networks and billers. A hold that exists keeps its description. */
export const holdSendingAction = action({
  ...service,
  name: 'hold sending',
  input: z.object({ reason: optional(requiredText(MAX_HOLD_REASON)) }),
  run: (tx, { now, actor }, { reason }) => holdSending(tx, now, { by: actor.name, reason: reason ?? null }),
  audit: (was_released, { reason }) => (was_released ? { details: { reason: reason ?? null } } : undefined),
  wakes: true,
})

export const releaseSendingAction = action({
  ...service,
  name: 'release sending',
  input: z.object({}),
  run: (tx) => releaseSending(tx),
  audit: (was_held) => (was_held ? {} : undefined),
  wakes: true,
})

export const beginMaintenanceAction = action({
  ...service,
  name: 'begin maintenance',
  input: z.object({}),
  run: (tx) => setFlag(tx, 'maintenance', 'on'),
  audit: () => ({}),
})

export const endMaintenanceAction = action({
  ...service,
  name: 'end maintenance',
  input: z.object({}),
  run: (tx) => setFlag(tx, 'maintenance', 'off'),
  audit: () => ({}),
})

/** Make a change that waits for a second manager. An operator confirms it where no second manager can. */
export const confirmChangeAction = decision('confirm')
export const rejectChangeAction = decision('reject')
/** Withdraw the own change. */
export const withdrawChangeAction = decision('withdraw')

function decision(verdict: ChangeDecision['verdict']) {
  return action({
    name: `${verdict} change`,
    permission: 'manage_organization',
    // To reject or withdraw a change weakens nothing.
    ...(verdict === 'confirm' && { confirmed: true }),
    input: z.object({ id: integer() }),
    run(tx, context, { id }) {
      const { actor, service } = context
      const by = { ...actor, user: authorOf(context), operator: actor.name }
      return decideChange(tx, service.changes, by, { id, verdict })
    },
    audit: ({ change: { id, organization, description } }) => ({ organization, details: { change: id, description } }),
    wakes: true,
    ...(verdict !== 'withdraw' && {
      cli: {
        path: `organizations changes ${verdict}`,
        description: `${verdict === 'confirm' ? 'make' : verdict} a change that waits for a second manager`,
        typed: { id: ['<id>', 'as `organizations changes list` shows it'] },
      },
    }),
  })
}
