import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { CollectionRequest } from '../core/collections/collection-request.ts'
import { cancelRequest } from '../core/collections/manual-actions.ts'
import { requestsById } from '../core/collections/requests.ts'
import { begin } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { requireSession } from './guard.ts'

/** The route that cancels a collection request, which the interface does not have. */
export function addManualRequestActions(server: Server, app: App): void {
  const cancel = '/console/api/collectionrequests/:id/cancel'

  server.post(cancel, {
    config: { permission: 'initiate_collections' },
    schema: { params: idParams, response: { 200: CollectionRequest } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = requireOwned(
        organization,
        (await requestsById(app.db, [request.params.id])).get(request.params.id),
      )
      const by = { user, name: requireSession(request).name }
      const cancelled = await begin(app.db, (tx) => cancelRequest(tx, app.clock.now(), { request: id, by }))
      app.wake()
      return cancelled
    },
  })
}
