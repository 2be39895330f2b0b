import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import { actorOf } from '../../actions/routes.ts'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { booleanField, optional, requiredText } from '../../core/fields.ts'
import { holdSendingAction, releaseSendingAction } from '../../core/operations/actions.ts'
import { listOpenWork } from '../../core/operations/restored-data.ts'
import { MAX_HOLD_REASON, readSendingHold } from '../../core/sending.ts'
import type { Reader } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'

import { SendingView } from './sending-view.ts'

/**
 * The routes that show whether sending is held, and hold or release it. It concerns all organizations, so the console can
 * do it only when there is one: its managers then operate the service. Otherwise the operator does it at the command line.
 */
export function addSending(server: Server, app: App): void {
  const url = '/console/api/sending'
  addView(server, app, {
    url,
    permission: 'view',
    open_in_maintenance: true,
    answer: SendingView,
    source: 'statements',
    read: (db, { organization }) => readSending(db, organization),
  })

  server.put(url, {
    config: { permission: 'manage_organization', open_in_maintenance: true },
    schema: {
      body: z.object({ held: booleanField, reason: optional(requiredText(MAX_HOLD_REASON)) }),
      response: { 200: SendingView },
    },
    handler: async (request) => {
      const { held, reason } = request.body
      const { organization } = request.caller
      const actor = actorOf(request, requireSession(request).name)
      if (held) await runAction(app, actor, holdSendingAction, { reason })
      else await runAction(app, actor, releaseSendingAction, {})
      return readSending(app.db, organization)
    },
  })
}

async function readSending(db: Reader, organization: number): Promise<z.output<typeof SendingView>> {
  const hold = await readSendingHold(db)
  const yours = await isOnlyOrganization(db, organization)
  const { since = null, by = null, reason = null } = hold ?? {}
  // The operator's text may concern another organization, and the counts cover all.
  const details = yours ? { by, reason } : { by: null, reason: null }
  const open = yours && hold ? (await listOpenWork(db, 1)).count : null
  return { held: hold !== null, since, ...details, open, yours }
}
