import type { FastifyRequest } from 'fastify'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { Endpoint, findEndpoint, readEndpoints } from '../../core/events/endpoints.ts'
import { CredentialsView, findCredentials, WEBHOOK_KEY_PURPOSE } from '../../core/events/webhooks.ts'
import type { Reader } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'

const permission = 'manage_integrations'

/** The routes that read endpoints with their health, and the user name of credentials. */
export function addWebhookManagement(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/webhooks/:id/health',
    permission,
    answer: Endpoint,
    source: 'primary',
    of: (tx, { id }) => findEndpoint(tx, id),
    read: async (tx, { now, of: { id } }) => (await readEndpoints(tx, now, [id]))[0]!,
  })
  addView(server, app, {
    url: '/console/api/webhook-credentials',
    permission,
    answer: CredentialsView,
    source: 'statements',
    async read(db, { organization }) {
      const found = await findCredentials(db, organization, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
      return found ?? { user: null, modified: null }
    },
  })
}

/** Find the endpoint of a webhook of the caller's organization. @throws NotFound, Forbidden */
export async function findOwnEndpoint(tx: Reader, request: FastifyRequest, webhook: number): Promise<{ id: number }> {
  return requireOwned(request.caller.organization, await findEndpoint(tx, webhook))
}
