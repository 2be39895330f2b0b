import type { App } from '../app.ts'
import { Overview, readOverview } from '../core/collections/overviews.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'

/** The route with all data of the home page. */
export function addHome(server: Server, app: App): void {
  server.get('/console/api/home', {
    config: { permission: 'view' },
    schema: { response: { 200: Overview } },
    handler: async ({ caller }) => {
      const overview = await withSnapshot(app.db, (tx) => readOverview(tx, app.clock.now(), caller.organization))
      return {
        ...overview,
        // Only users who may list webhooks see their targets.
        webhooks: caller.permissions.has('manage_organization') ? overview.webhooks : [],
      }
    },
  })
  refuseOtherMethods(server, '/console/api/home', ['GET'])
}
