import { z } from 'zod'
import type { App } from '../../app.ts'
import { booleanField, optional, requiredText, text } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Confirmation } from '../access/confirmation.ts'
import { makeChange, PendingAnswer } from '../control/changes.ts'

const permission = 'manage_organization'
const response = { 202: PendingAnswer, 204: z.undefined() }

const params = z.object({
  slug: z.string(),
  account: z
    .string()
    .regex(/^\d{1,16}$/, getMessage('wallets.choose'))
    .transform(Number),
})

const Place = z.object({
  number: requiredText(100).transform((number) => number.trim()),
  country: optional(text(2)).transform((country) => country?.toUpperCase() ?? null),
  collects: booleanField.default(true),
  pays_out: booleanField.default(true),
  unrequested: booleanField.default(true),
})

/** The routes that say which wallets use a connection. They answer 204, or 202 if the change waits for a second manager. */
export function addPlaceRoutes(server: Server, app: App, connections: string): void {
  const url = `${connections}/:slug/places/:account`

  server.put(url, {
    config: { permission },
    schema: { params, body: Place.and(Confirmation), response },
    handler: async (request, reply) => {
      const { slug: connection, account } = request.params
      const { number, country, collects, pays_out, unrequested } = request.body
      const place = { number, country, collects, pays_out, unrequested }
      const change = { kind: 'connection_place', connection, account, place } as const
      const result = await makeChange(app, request, change, request.body)
      if (result.is_pending) return reply.code(202).send({ pending: result.change! })
      await app.providers.refresh()
      return reply.code(204).send()
    },
  })

  server.delete(url, {
    config: { permission },
    schema: { params, body: Confirmation, response },
    handler: async (request, reply) => {
      const { slug: connection, account } = request.params
      const change = { kind: 'connection_place', connection, account, place: null } as const
      const result = await makeChange(app, request, change, request.body)
      if (result.is_pending) return reply.code(202).send({ pending: result.change! })
      await app.providers.refresh()
      return reply.code(204).send()
    },
  })
}
