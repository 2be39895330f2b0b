import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deliverInvitation, LinkDelivery } from '../../actions/link-delivery.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { confirmChangeAction, rejectChangeAction, withdrawChangeAction } from '../../core/control/actions.ts'
import type { ChangeResult } from '../../core/control/changes.ts'
import { ControlChange } from '../../core/control/control-change.ts'
import type { ControlRequest } from '../../core/control/kinds.ts'
import { begin } from '../../db/client.ts'
import { changeForCaller } from '../../http/change-context.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { Confirmation, confirmIdentity } from '../access/confirmation.ts'
import { requireSession } from '../guard.ts'

const permission = 'manage_organization'

/** The answer of a route whose change waits for a second manager (202). */
export const PendingAnswer = z.object({ pending: ControlChange })

/**
 * Make a change for the caller of a request, or ask a second manager for it. Callers confirm who they are, so that a
 * session that was left open changes nothing about who may move money. @throws as confirmIdentity and requestChange
 */
export async function makeChange(
  app: App,
  request: FastifyRequest,
  change: ControlRequest,
  confirmation: Confirmation,
): Promise<ChangeResult> {
  await confirmIdentity(app, request, confirmation)
  const result = await begin(app.db, (tx) => changeForCaller(tx, app, request, change))
  app.wake()
  return result
}

/** The routes that list the changes of who may move money, and decide about those that wait for a second manager. */
export function addChanges(server: Server, app: App): void {
  for (const action of [confirmChangeAction, rejectChangeAction, withdrawChangeAction]) addDecision(server, app, action)
}

function addDecision(server: Server, app: App, action: typeof confirmChangeAction): void {
  const url = `/console/api/control-changes/:id/${action.name.split(' ')[0]}`
  // To reject or withdraw a change weakens nothing.
  const body: z.ZodType<Confirmation | undefined> =
    action === confirmChangeAction ? Confirmation : z.unknown().transform(() => undefined)
  server.post(url, {
    config: { permission },
    schema: {
      params: idParams,
      body,
      response: { 200: z.object({ change: ControlChange, link: LinkDelivery.nullable() }) },
    },
    handler: async (request) => {
      if (request.body) await confirmIdentity(app, request, request.body)
      const { id } = request.params
      const { change, link } = await performAction(app, request, action, { input: { id } })
      const inviter = change.author_name ?? requireSession(request).name
      return { change, link: link ? await deliverInvitation(app, inviter, link) : null }
    },
  })
}
