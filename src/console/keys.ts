import { z } from 'zod'
import type { App } from '../app.ts'
import { createKeyAction } from '../core/access/actions.ts'
import { requestLimits } from '../core/access/request-limits.ts'
import { id } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { addAction } from './actor.ts'

const NewKey = createKeyAction.input.omit({ user: true })

/** The route that creates API keys. A key acts for the user who creates it, who confirms it. */
export function addKeys(server: Server, app: App): void {
  addAction(server, app, createKeyAction, {
    method: 'POST',
    url: '/console/api/keys',
    body: NewKey,
    answer: z.object({ id, key: z.string() }),
    status: 201,
    input({ body }) {
      requireLimitsOfOrganization(app, body)
      return body
    },
    view: ({ row, key }) => ({ id: row.id, key }),
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
