import { z } from 'zod'
import type { App } from '../../app.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { listOpenWork } from '../../core/control/restored-data.ts'
import { booleanField, optional, requiredText } from '../../core/fields.ts'
import { holdSending, MAX_HOLD_REASON, readSendingHold, releaseSending } from '../../core/sending.ts'
import { begin, type Reader } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { SendingView } from './sending-view.ts'

/**
 * The routes that show whether sending is held, and hold or release it. It concerns all organizations, so the console can
 * do it only when there is one: its managers then operate the service. Otherwise the operator does it at the command line.
 */
export function addSending(server: Server, app: App): void {
  const url = '/console/api/sending'
  server.get(url, {
    config: { permission: 'view', open_in_maintenance: true },
    schema: { response: { 200: SendingView } },
    handler: ({ caller }) => readSending(app.db, caller.organization),
  })

  server.put(url, {
    config: { permission: 'manage_organization', open_in_maintenance: true },
    schema: {
      body: z.object({ held: booleanField, reason: optional(requiredText(MAX_HOLD_REASON)) }),
      response: { 200: SendingView },
    },
    handler: async (request) => {
      const { held, reason = null } = request.body
      const { organization, user } = request.caller
      await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        if (held) {
          const by = await readUserName(tx, user)
          if (await holdSending(tx, app.clock.now(), { by, reason }))
            await recordRequestAction(tx, app, request, { action: 'hold sending', details: { reason } })
        } else if (await releaseSending(tx)) await recordRequestAction(tx, app, request, { action: 'release sending' })
      })
      app.wake()
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

async function readUserName(db: Reader, user: number): Promise<string> {
  const [row] = await db<{ name: string }[]>`select name from users where id = ${user}`
  return row?.name ?? 'a user'
}
