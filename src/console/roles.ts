import { z } from 'zod'
import type { App } from '../app.ts'
import { listMembers } from '../core/access/organizations.ts'
import { listRoles, Role } from '../core/access/roles.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Server } from '../http/server.ts'

/** Add the list of the roles of an organization. */
export function addRoles(server: Server, app: App): void {
  server.get('/console/api/roles', {
    config: { permission: 'manage_organization' },
    schema: { response: { 200: z.object({ results: z.array(Role) }) } },
    handler: (request) =>
      withSnapshot(app.db, async (tx) => {
        const { organization } = request.caller
        return { results: await listRoles(tx, organization, await listMembers(tx, organization)) }
      }),
  })
}
