import { z } from 'zod'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { listMembers } from '../core/access/organizations.ts'
import { listRoles, Role } from '../core/access/roles.ts'
import type { Server } from '../http/server.ts'

/** Add the list of the roles of an organization. */
export function addRoles(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/roles',
    permission: 'manage_organization',
    answer: z.object({ results: z.array(Role) }),
    source: 'primary',
    read: async (tx, { organization }) => ({
      results: await listRoles(tx, organization, await listMembers(tx, organization)),
    }),
  })
}
