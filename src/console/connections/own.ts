import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { type ConnectionRow, getConnection } from '../../core/connections/connections.ts'
import { Invalid, NotFound } from '../../core/refusals.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { WrongKey } from '../../lib/secrets.ts'

/** Read a connection of the caller's organization. @throws NotFound for connections of others and of the operator */
export async function getOwn(app: App, request: FastifyRequest, slug: string): Promise<ConnectionRow> {
  const row = await getConnection(app.db, slug)
  if (row.organization !== request.caller.organization)
    throw new NotFound(getMessage('connections.none', { connection: slug }))
  return row
}

/** Do work that needs the secrets of a connection. @throws Invalid when they were encrypted with another key */
export async function withSecrets<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WrongKey)) throw error
    throw new Invalid({ non_field_errors: [`The secrets of this connection cannot be read. ${error.message}`] })
  }
}
