import { z } from 'zod'
import { deliverInvitation, LinkDelivery } from '../../actions/link-delivery.ts'
import type { App } from '../../app.ts'
import { ControlChange } from '../../core/approvals/changes/control-change.ts'
import {
  confirmChangeAction,
  rejectChangeAction,
  withdrawChangeAction,
} from '../../core/approvals/changes/decisions.ts'
import type { Server } from '../../http/server.ts'
import { addAction } from '../actor.ts'
import { requireSession } from '../guard.ts'

/** The routes that decide about changes of who may move money, which wait for a second manager. */
export function addChanges(server: Server, app: App): void {
  for (const action of [confirmChangeAction, rejectChangeAction, withdrawChangeAction])
    addAction(server, app, action, {
      method: 'POST',
      url: `/console/api/control-changes/:id/${action.name.split(' ')[0]}`,
      answer: z.object({ change: ControlChange, link: LinkDelivery.nullable() }),
      input: ({ params }) => params,
      async view({ change, link }, request) {
        const inviter = change.author_name ?? requireSession(request).name
        return { change, link: link ? await deliverInvitation(app, inviter, link) : null }
      },
    })
}
