import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { approveDifferencesAction } from '../../core/bills/actions.ts'
import { ownBillConnections } from '../../core/bills/differences.ts'
import { listProviderFloats } from '../../core/bills/provider-floats.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'
import { ProviderFloatView } from './views.ts'

/** Offers and differences decide where each product is bought, so only managers see and decide them. */
const permission = 'manage_organization'

/** Add the routes about bill providers: our floats there, our offers, and the differences from their catalogues. */
export function addProviders(server: Server, app: App): void {
  server.get('/console/api/bill-floats', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(ProviderFloatView) }) } },
    handler: async (request) => ({ results: await listProviderFloats(app.db, await ownConnections(app, request)) }),
  })
  addDifferences(server, app)
}

function addDifferences(server: Server, app: App): void {
  const url = '/console/api/bill-differences'
  server.post(`${url}/:id/approve`, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await performAction(app, request, approveDifferencesAction, {
        name: requireSession(request).name,
        input: request.params,
      })
      return reply.code(204).send()
    },
  })
}

/** Return the connections about which the caller decides. */
function ownConnections(app: App, { caller }: FastifyRequest): Promise<string[]> {
  return ownBillConnections(app.db, listBillConnections(app), caller.organization)
}
