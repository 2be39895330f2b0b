import { z } from 'zod'
import type { App } from '../app.ts'
import { Overview, readOverview } from '../core/collections/overviews.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { describeSpace } from '../lib/disk-space.ts'

/** What the home page shows: the overview, and sentences about what threatens the service, for those who manage it. */
export const Home = Overview.extend({ warnings: z.array(z.string()) })

/** The route with all data of the home page. */
export function addHome(server: Server, app: App): void {
  server.get('/console/api/home', {
    config: { permission: 'view' },
    schema: { response: { 200: Home } },
    handler: async ({ caller }) => {
      const overview = await withSnapshot(app.db, (tx) => readOverview(tx, app.clock.now(), caller.organization))
      const space = app.disk?.state()
      const warnings = [space && describeSpace(space)].filter((text) => typeof text === 'string')
      return {
        ...overview,
        warnings: caller.permissions.has('manage_organization') ? warnings : [],
        // Only users who may list webhooks see their targets.
        webhooks: caller.permissions.has('manage_organization') ? overview.webhooks : [],
        // It belongs to no organization yet, so only the operator sees it: a manager of the only organization here.
        unassigned: caller.permissions.has('manage_organization') ? overview.unassigned : [],
      }
    },
  })
  refuseOtherMethods(server, '/console/api/home', ['GET'])
}
