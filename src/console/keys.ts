import { z } from 'zod'
import type { App } from '../app.ts'
import { ApiKeyView, countKeys, createKey, findKey, keyState, listKeys, revokeKey } from '../core/access/api-keys.ts'
import { permissionList } from '../core/access/invitations.ts'
import { listMembers, requireOwned } from '../core/access/organizations.ts'
import { errorMessage, fieldMessages, id, integer, optional, requiredText } from '../core/fields.ts'
import { timestampFilter } from '../core/filters.ts'
import { Invalid } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { recordRequestAction } from './audit.ts'

const permission = 'manage_organization'

const perMinute = optional(integer({ min: 1, max: 1_000_000 }))

const NewKey = z.object({
  name: requiredText(100),
  permissions: permissionList.nullish(),
  read_only: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
  expires: optional(timestampFilter('When the key expires.')),
  reads_per_minute: perMinute,
  writes_per_minute: perMinute,
})

/** The routes that list, create and revoke API keys. A key acts for the user who creates it. */
export function addKeys(server: Server, app: App): void {
  const url = '/console/api/keys'

  server.get(url, {
    config: { permission },
    schema: { querystring: listQuery({}), response: { 200: listOf(ApiKeyView) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const { organization } = request.caller
      const [keys, count, members] = await withSnapshot(app.db, (tx) =>
        Promise.all([listKeys(tx, organization, page), countKeys(tx, organization), listMembers(tx, organization)]),
      )
      const names = new Map(members.map((member) => [member.id, member.name]))
      const rows = keys.map((key) => ({
        ...key,
        user_name: names.get(key.user) ?? null,
        state: keyState(key, app.clock.now()),
      }))
      return answerPage(app, request, page, { rows, count })
    },
  })

  server.post(url, {
    config: { permission },
    schema: { body: NewKey, response: { 201: z.object({ id, key: z.string() }) } },
    handler: async (request, reply) => {
      const { caller, body } = request
      const excess = body.permissions?.filter((one) => !caller.permissions.has(one)) ?? []
      if (excess.length > 0) throw new Invalid({ permissions: ['A key cannot have more permissions than you.'] })
      const { organization, user } = caller
      const created = await begin(app.db, async (tx) => {
        const { key, row } = await createKey(tx, app.clock.now(), { organization, user, ...body })
        const { name, read_only } = row
        const details = { name, read_only, permissions: row.permissions ?? 'all' }
        await recordRequestAction(tx, app, request, {
          action: 'create key',
          object_type: 'key',
          object: row.id,
          details,
        })
        return { id: row.id, key }
      })
      return reply.code(201).send(created)
    },
  })
  refuseOtherMethods(server, url, ['GET', 'POST'])

  server.post(`${url}/:id/revoke`, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await begin(app.db, async (tx) => {
        const { id, name } = requireOwned(request.caller.organization, await findKey(tx, request.params.id))
        await revokeKey(tx, app.clock.now(), id)
        await recordRequestAction(tx, app, request, {
          action: 'revoke key',
          object_type: 'key',
          object: id,
          details: { name },
        })
      })
      return reply.code(204).send()
    },
  })
  refuseOtherMethods(server, `${url}/:id/revoke`, ['POST'])
}
