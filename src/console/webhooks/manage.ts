import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { CredentialsView } from '../../core/events/actions.ts'
import {
  deleteWebhooks,
  findCredentials,
  findWebhook,
  listWebhooks,
  readSealedSecret,
  readWebhookHealth,
  rotateSecret,
  WEBHOOK_KEY_PURPOSE,
  WebhookHealth,
  type WebhookRow,
} from '../../core/events/webhooks.ts'
import { begin, type Reader, type Tx } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { decrypt } from '../../lib/secrets.ts'
import { recordRequestAction } from '../audit.ts'

const permission = 'manage_integrations'

/** The routes for webhooks that the interface does not have: health, delete, secrets and credentials. */
export function addWebhookManagement(server: Server, app: App): void {
  addHealth(server, app)
  addDelete(server, app)
  addSecret(server, app)
  addCredentials(server, app)
}

function addHealth(server: Server, app: App): void {
  server.get('/console/api/webhooks/health', {
    config: { permission },
    schema: {
      querystring: listQuery({ event: z.string().optional() }),
      response: { 200: listOf(WebhookHealth) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const slice = {
        limit: page.limit,
        offset: page.offset,
        field: 'id',
        descending: page.ordering.descending,
      } as const
      const list = await withSnapshot(app.db, async (tx) => {
        const { rows, count } = await listWebhooks(tx, request.caller.organization, request.query, slice)
        return { rows: await readWebhookHealth(tx, app.clock.now(), rows), count }
      })
      return answerPage(app, request, page, list)
    },
  })

  server.get('/console/api/webhooks/:id/health', {
    config: { permission },
    schema: { params: idParams, response: { 200: WebhookHealth } },
    handler: (request) =>
      withSnapshot(app.db, async (tx) => {
        const [health] = await readWebhookHealth(tx, app.clock.now(), [
          await findOwnWebhook(tx, request, request.params.id),
        ])
        return health!
      }),
  })
}

function addDelete(server: Server, app: App): void {
  server.post('/console/api/webhooks/:id/delete', {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await begin(app.db, async (tx) => {
        const { id, event, target } = await findOwnWebhook(tx, request, request.params.id)
        await deleteWebhooks(tx, app.clock.now(), [id])
        await recordRequestAction(tx, app, request, {
          ...webhookAction('delete webhook', id),
          details: { event, target },
        })
      })
      return reply.code(204).send()
    },
  })
}

/** The routes that show and rotate a secret. Each use is recorded in the audit log. */
function addSecret(server: Server, app: App): void {
  const Secret = z.object({ secret: z.string() })
  const show = async (tx: Tx, id: number) => ({
    secret: decrypt(app.sealingKeys(WEBHOOK_KEY_PURPOSE), await readSealedSecret(tx, id)),
  })

  server.post('/console/api/webhooks/:id/secret', {
    config: { permission },
    schema: { params: idParams, response: { 200: Secret } },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const { id } = await findOwnWebhook(tx, request, request.params.id)
        await recordRequestAction(tx, app, request, webhookAction('show webhook secret', id))
        return show(tx, id)
      }),
  })

  server.post('/console/api/webhooks/:id/secret/rotate', {
    config: { permission },
    schema: { params: idParams, response: { 200: Secret } },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const { id } = await findOwnWebhook(tx, request, request.params.id)
        await rotateSecret(tx, app.clock.now(), id, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
        await recordRequestAction(tx, app, request, webhookAction('rotate webhook secret', id))
        return show(tx, id)
      }),
  })
}

/** The routes for the Basic credentials of an organization's notifications. The password can be set and never read. */
function addCredentials(server: Server, app: App): void {
  const url = '/console/api/webhook-credentials'
  const keys = () => app.sealingKeys(WEBHOOK_KEY_PURPOSE)

  server.get(url, {
    config: { permission },
    schema: { response: { 200: CredentialsView } },
    handler: async (request) =>
      (await findCredentials(app.db, request.caller.organization, keys())) ?? { user: null, modified: null },
  })
}

/** @throws NotFound, Forbidden */
export async function findOwnWebhook(tx: Reader, request: FastifyRequest, id: number): Promise<WebhookRow> {
  return requireOwned(request.caller.organization, await findWebhook(tx, id))
}

function webhookAction(action: string, object: number): AuditAction {
  return { action, object_type: 'webhook', object }
}
