import { z } from 'zod'
import { action } from '../access/action.ts'
import { dismissCallbacks, requeueCallbacks } from './callbacks.ts'

/* Callbacks of networks that were not processed. */

const ids = z.array(z.int()).min(1)

/** Process callbacks once more. */
export const processCallbacksAction = action({
  name: 'process callbacks',
  permission: 'operator',
  input: z.object({ ids }),
  run: (tx, { now }, { ids }) => requeueCallbacks(tx, now, ids),
  audit: (_, { ids }) => ({ details: { callbacks: ids.map(String) } }),
})

/** End failed callbacks, because a person has dealt with what they report. */
export const dismissCallbacksAction = action({
  name: 'dismiss callbacks',
  permission: 'operator',
  input: z.object({ ids, reason: z.string() }),
  run: (tx, { now, actor }, { ids, reason }) => dismissCallbacks(tx, now, ids, `Dismissed by ${actor.name}: ${reason}`),
  audit: (_, { ids, reason }) => ({ details: { callbacks: ids.map(String), reason } }),
})
