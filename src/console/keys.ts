import { z } from 'zod'
import type { App } from '../app.ts'
import { ApiKeyView, countKeys, createKey, keyState, listKeys } from '../core/access/api-keys.ts'
import { permissionList } from '../core/access/invitations.ts'
import { listMembers } from '../core/access/organizations.ts'
import { requestLimits } from '../core/access/request-limits.ts'
import { errorMessage, fieldMessages, id, integer, optional, requiredText } from '../core/fields.ts'
import { timestampFilter } from '../core/filters.ts'
import { Invalid } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { answerPage, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { Confirmation, confirmIdentity } from './access/confirmation.ts'
import { recordRequestAction } from './audit.ts'

const permission = 'manage_integrations'

const perMinute = optional(integer({ min: 1, max: 1_000_000 }))

const NewKey = z.object({
  name: requiredText(100),
  permissions: permissionList.nullish(),
  read_only: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
  expires: optional(timestampFilter('When the key expires.')),
  reads_per_minute: perMinute,
  writes_per_minute: perMinute,
})

/** The routes that list and create API keys. A key acts for the user who creates it, who confirms it. */
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
    schema: { body: NewKey.and(Confirmation), response: { 201: z.object({ id, key: z.string() }) } },
    handler: async (request, reply) => {
      const { caller, body } = request
      const excess = body.permissions?.filter((one) => !caller.permissions.has(one)) ?? []
      if (excess.length > 0) throw new Invalid({ permissions: [getMessage('keys.more_permissions')] })
      requireLimitsOfOrganization(app, body)
      await confirmIdentity(app, request, body)
      const { organization, user } = caller
      const max_keys = app.config.KEYS_PER_ORGANIZATION
      const created = await begin(app.db, async (tx) => {
        const { key, row } = await createKey(tx, app.clock.now(), { organization, user, max_keys, ...body })
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
}

/** Refuse limits of a key above its organization's: only the operator gives such limits. @throws Invalid */
function requireLimitsOfOrganization(app: App, { reads_per_minute, writes_per_minute }: z.output<typeof NewKey>): void {
  const { read, write } = requestLimits(app.config)
  const isAbove = (limit: number | undefined, most: number) => limit !== undefined && limit > most
  const message = (most: number) => [getMessage('fields.at_most', { max: most })]
  const errors = {
    ...(isAbove(reads_per_minute, read.organization) && { reads_per_minute: message(read.organization) }),
    ...(isAbove(writes_per_minute, write.organization) && { writes_per_minute: message(write.organization) }),
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
