import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import {
  CredentialsView,
  findCredentials,
  findWebhook,
  listWebhooks,
  readWebhookHealth,
  WEBHOOK_KEY_PURPOSE,
  WebhookHealth,
  type WebhookRow,
} from '../../core/events/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

const permission = 'manage_integrations'

/** The routes that read what the interface does not tell of webhooks: health, and the user name of credentials. */
export function addWebhookManagement(server: Server, app: App): void {
  addHealth(server, app)
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
