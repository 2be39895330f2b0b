import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import { actorOf } from '../../actions/routes.ts'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { booleanField } from '../../core/fields.ts'
import { readFlag } from '../../core/flags.ts'
import { beginMaintenanceAction, endMaintenanceAction } from '../../core/operations/actions.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'

/**
 * Maintenance mode stops the API for all organizations. The console can turn it on only when there is one organization,
 * because its managers then operate the service. Otherwise the operator does it at the command line.
 */
export function addMaintenance(server: Server, app: App): void {
  const url = '/console/api/maintenance'
  const config = { permission: 'manage_organization', open_in_maintenance: true } as const
  const view = z.object({ on: z.boolean(), yours: z.boolean() })

  addView(server, app, {
    url,
    ...config,
    answer: view,
    source: 'statements',
    read: async (db, { organization }) => ({
      on: (await readFlag(db, 'maintenance')) === 'on',
      yours: await isOnlyOrganization(db, organization),
    }),
  })

  server.put(url, {
    config,
    schema: { body: z.object({ on: booleanField }), response: { 200: view } },
    handler: async (request) => {
      const { on } = request.body
      const actor = actorOf(request, requireSession(request).name)
      await runAction(app, actor, on ? beginMaintenanceAction : endMaintenanceAction, {})
      return { on, yours: true }
    },
  })
}
