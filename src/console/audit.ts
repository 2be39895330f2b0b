import { z } from 'zod'
import type { App } from '../app.ts'
import { type AuditedObject, auditedObjects, findArchivedStretch, readAuditChoices } from '../core/access/audit.ts'
import { id, timestamp } from '../core/fields.ts'
import { begin } from '../db/client.ts'
import { recordRequestAction } from '../http/audit.ts'
import type { Server } from '../http/server.ts'

/** Time of the newest archived entry; null when all entries are here. */
const ArchivedEntries = z.object({ newest: timestamp.nullable() })

/** Add the routes of the audit log: its entries, their filters, and the time up to which some are archived. */
export function addAudit(server: Server, app: App): void {
  server.get('/console/api/audit/choices', {
    config: { permission: 'manage_organization' },
    schema: {
      response: {
        200: z.object({ actions: z.array(z.string()), users: z.array(z.object({ id, name: z.string() })) }),
      },
    },
    handler: (request) => app.reads.snapshot((tx) => readAuditChoices(tx, request.caller.organization)),
  })

  server.get('/console/api/audit/archive', {
    config: { permission: 'manage_organization' },
    schema: { response: { 200: ArchivedEntries } },
    handler: async () => {
      const stretch = await app.reads.snapshot((tx) => findArchivedStretch(tx))
      return { newest: stretch?.newest ?? null }
    },
  })
}

/**
 * Record every successful write that a console user makes through the routes of the interface, unless the route has
 * done so. (The console's own routes record their actions themselves, in the same transaction.)
 */
export function auditWrites(server: Server, app: App): void {
  server.addHook('preSerialization', async (request, reply, payload) => {
    const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string }
    if (request.method === 'GET' || request.method === 'HEAD' || !operationId || reply.statusCode >= 400) return payload
    if (request.audited) return payload
    const object = (payload as { id?: unknown } | null)?.id
    await begin(app.db, (tx) =>
      recordRequestAction(tx, app, request, {
        action: operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        object_type: auditedObjectOf(request.routeOptions.url),
        object: typeof object === 'number' ? object : undefined,
      }),
    )
    return payload
  })
}

/** The object type of a route: `/console/api/collectionrequests` creates a collectionrequest. */
function auditedObjectOf(url = ''): AuditedObject | undefined {
  const resource = url.split('/')[3]
  return auditedObjects.find((object) => `${object}s` === resource)
}
