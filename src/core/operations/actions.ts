import { z } from 'zod'
import { action } from '../access/action.ts'
import { optional, requiredText } from '../fields.ts'
import { setFlag } from '../flags.ts'
import { holdSending, MAX_HOLD_REASON, releaseSending } from '../sending.ts'

/* Actions on the whole service, which the console has for the managers of a sole organization. */

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
