import { z } from 'zod'
import type { ActionContext } from '../../access/action.ts'
import { integer } from '../../fields.ts'
import { decisionAction } from '../decisions.ts'
import { type ChangeContext, changeApproval, type DecidedChange } from './changes.ts'

declare module '../../access/action.ts' {
  interface ActionService {
    changes: ChangeContext
  }
}

const decision = {
  input: z.object({ id: integer() }),
  context: ({ service }: ActionContext) => service.changes,
  audit: ({ change: { id, organization, description } }: DecidedChange) => ({
    organization,
    details: { change: id, description },
  }),
} as const
const typed = { id: ['<id>', 'as `organizations changes list` shows it'] } as const

/** Make a change that waits for a second manager. An operator confirms it where no second manager can. */
export const confirmChangeAction = decisionAction(changeApproval, 'approve', {
  ...decision,
  verb: 'confirm',
  cli: {
    path: 'organizations changes confirm',
    description: 'make a change that waits for a second manager',
    typed,
  },
})

export const rejectChangeAction = decisionAction(changeApproval, 'reject', {
  ...decision,
  cli: {
    path: 'organizations changes reject',
    description: 'reject a change that waits for a second manager',
    typed,
  },
})

/** Withdraw the own change. */
export const withdrawChangeAction = decisionAction(changeApproval, 'withdraw', decision)
