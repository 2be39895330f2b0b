import { z } from 'zod'
import { deliverInvitation, LinkDelivery } from '../../actions/link-delivery.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { confirmChangeAction, rejectChangeAction, withdrawChangeAction } from '../../core/control/actions.ts'
import { ControlChange } from '../../core/control/control-change.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation } from '../access/confirmation.ts'
import { sessionActor } from '../actor.ts'

const permission = 'manage_organization'

/** The routes that list the changes of who may move money, and decide about those that wait for a second manager. */
export function addChanges(server: Server, app: App): void {
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
