import { z } from 'zod'
import { deliverInvitation, LinkDelivery } from '../../actions/link-delivery.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { confirmChangeAction, rejectChangeAction, withdrawChangeAction } from '../../core/control/actions.ts'
import { listChanges } from '../../core/control/changes.ts'
import { ControlChange, changeStates } from '../../core/control/control-change.ts'
import { choiceError } from '../../core/fields.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation } from '../access/confirmation.ts'
import { sessionActor } from '../actor.ts'

const permission = 'manage_organization'

/** The routes that list the changes of who may move money, and decide about those that wait for a second manager. */
export function addChanges(server: Server, app: App): void {
  const url = '/console/api/control-changes'
  const state = z.enum(changeStates, { error: choiceError(changeStates) }).optional()

  server.get(url, {
    config: { permission },
    schema: { querystring: listQuery({ state }), response: { 200: listOf(ControlChange) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const { organization } = request.caller
      const list = await withSnapshot(app.db, (tx) =>
        listChanges(tx, app.clock.now(), organization, { state: request.query.state }, page),
      )
      return answerPage(app, request, page, list)
    },
  })
  for (const action of [confirmChangeAction, rejectChangeAction, withdrawChangeAction]) addDecision(server, app, action)
}

function addDecision(server: Server, app: App, action: typeof confirmChangeAction): void {
  const url = `/console/api/control-changes/:id/${action.name.split(' ')[0]}`
  server.post(url, {
    config: { permission },
    schema: {
      params: idParams,
      ...(action.confirmed && { body: Confirmation }),
      response: { 200: z.object({ change: ControlChange, link: LinkDelivery.nullable() }) },
    },
    handler: async (request) => {
      const { id } = request.params
      const actor = sessionActor(app, request)
      const { change, link } = await performAction(app, request, action, { input: { id }, actor })
      const inviter = change.author_name ?? actor.name
      return { change, link: link ? await deliverInvitation(app, inviter, link) : null }
    },
  })
}
