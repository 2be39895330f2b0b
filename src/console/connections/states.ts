import { z } from 'zod'
import type { App } from '../../app.ts'
import { readView, requireAllowed } from '../../connections/operate.ts'
import { type ConnectionRow, hasPassed } from '../../core/connections/connections.ts'
import { Invalid } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Confirmation } from '../access/confirmation.ts'
import { makeChange, PendingAnswer } from '../control/changes.ts'
import { getOwn } from './own.ts'
import { slugParams } from './views.ts'

const permission = 'manage_organization'

/** Names of the actions that lead to each state. */
const ACTIONS = { activate: 'active', pause: 'paused', remove: 'removed' } as const

/**
 * The routes that put a connection into use, pause it, and remove it. They answer 204, or 202 if the change waits for a
 * second manager.
 */
export function addStateRoutes(server: Server, app: App, connections: string): void {
  for (const [action, state] of Object.entries(ACTIONS)) {
    const url = `${connections}/:slug/${action}`
    server.post(url, {
      config: { permission },
      schema: { params: slugParams, body: Confirmation, response: { 202: PendingAnswer, 204: z.undefined() } },
      handler: async (request, reply) => {
        const row = await getOwn(app, request, request.params.slug)
        const { slug } = row
        if (state === 'active') requireAllowed(app, await readView(app, slug))
        if (state === 'active') requireTested(row)
        const change = { kind: 'connection_state', connection: slug, state } as const
        const result = await makeChange(app, request, change, request.body)
        if (result.is_pending) return reply.code(202).send({ pending: result.change! })
        await app.providers.refresh()
        return reply.code(204).send()
      },
    })
  }
}

/** Refuse an untested connection in the words of the console; core's words fit the command line. @throws Invalid */
function requireTested(row: ConnectionRow): void {
  if (row.state === 'active' || hasPassed(row)) return
  const message = row.last_test ? getMessage('connections.failed_last_test') : getMessage('connections.not_tested')
  throw new Invalid({ state: [message] })
}
