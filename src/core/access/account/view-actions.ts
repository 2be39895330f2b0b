import { z } from 'zod'
import { integer } from '../../fields.ts'
import { type ActionContext, action, organizationOf, userOf } from '../action.ts'
import { changeView, createView, deleteView, NewView, SavedView, ViewChanges } from '../saved-views.ts'

/* Views of lists that a user stores. Nothing of the organization changes, so the audit log has no entries. */

const silent = { permission: 'view', audit: () => undefined } as const

export const saveViewAction = action({
  ...silent,
  name: 'save view',
  input: NewView,
  run: (tx, context, view) => createView(tx, context.real, ownerOf(context), view),
  console: { method: 'POST', path: '/views', answer: SavedView, status: 201 },
})

export const changeViewAction = action({
  ...silent,
  name: 'change view',
  input: ViewChanges.extend({ id: integer() }),
  run: (tx, context, view) => changeView(tx, context.real, ownerOf(context), view),
  console: { method: 'PUT', path: '/views/:id', answer: SavedView },
})

export const deleteViewAction = action({
  ...silent,
  name: 'delete view',
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => deleteView(tx, ownerOf(context), id),
  console: { method: 'DELETE', path: '/views/:id' },
})

function ownerOf(context: ActionContext) {
  return { organization: organizationOf(context), user: userOf(context) }
}
