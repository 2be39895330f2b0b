import { z } from 'zod'
import type { App } from '../app.ts'
import { listMembers } from '../core/access/organizations.ts'
import { listRoles, NewRole, Role } from '../core/access/roles.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { Confirmation } from './access/confirmation.ts'
import { makeChange, PendingAnswer } from './control/changes.ts'

const permission = 'manage_organization'
const url = '/console/api/roles'

/** The routes for the roles of an organization. A change that weakens control waits for a second manager (202). */
export function addRoles(server: Server, app: App): void {
  server.get(url, {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(Role) }) } },
    handler: (request) =>
      withSnapshot(app.db, async (tx) => {
        const { organization } = request.caller
        return { results: await listRoles(tx, organization, await listMembers(tx, organization)) }
      }),
  })

  server.post(url, {
    config: { permission },
    schema: { body: NewRole.and(Confirmation), response: { 202: PendingAnswer, 204: z.undefined() } },
    handler: async (request, reply) => {
      const { name, permissions } = request.body
      const role = { kind: 'role', role: null, name, permissions } as const
      const result = await makeChange(app, request, role, request.body)
      return result.is_pending ? reply.code(202).send({ pending: result.change! }) : reply.code(204).send()
    },
  })
  addOneRole(server, app)
}

function addOneRole(server: Server, app: App): void {
  server.patch(`${url}/:id`, {
    config: { permission },
    schema: { params: idParams, body: NewRole.and(Confirmation), response: { 202: PendingAnswer, 204: z.undefined() } },
    handler: async (request, reply) => {
      const { name, permissions } = request.body
      const role = { kind: 'role', role: request.params.id, name, permissions } as const
      const result = await makeChange(app, request, role, request.body)
      return result.is_pending ? reply.code(202).send({ pending: result.change! }) : reply.code(204).send()
    },
  })
}
