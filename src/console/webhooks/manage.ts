import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { Endpoint, findEndpoint, readEndpoints } from '../../core/events/endpoints.ts'
import { CredentialsView, findCredentials, WEBHOOK_KEY_PURPOSE } from '../../core/events/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'

const permission = 'manage_integrations'

/** The routes that read endpoints with their health, and the user name of credentials. */
export function addWebhookManagement(server: Server, app: App): void {
  addHealth(server, app)
  addCredentials(server, app)
}

function addHealth(server: Server, app: App): void {
  server.get('/console/api/webhooks/:id/health', {
    config: { permission },
    schema: { params: idParams, response: { 200: Endpoint } },
    handler: (request) =>
      withSnapshot(app.db, async (tx) => {
        const { id } = await findOwnEndpoint(tx, request, request.params.id)
        const [endpoint] = await readEndpoints(tx, app.clock.now(), [id])
        return endpoint!
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

/** Find the endpoint of a webhook of the caller's organization. @throws NotFound, Forbidden */
export async function findOwnEndpoint(tx: Reader, request: FastifyRequest, webhook: number): Promise<{ id: number }> {
  return requireOwned(request.caller.organization, await findEndpoint(tx, webhook))
}
