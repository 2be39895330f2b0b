import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { ProviderConnection } from '../connections/connection.ts'
import { NotFound, requireOwnCell } from '../core/refusals.ts'
import { requireAllowed } from '../http/throttle.ts'
import { cellMark, cellOf } from '../lib/text/cells.ts'

/** Addresses of callbacks, as `tools.callbackUrl` makes them. The shortest form is for networks that sign. */
export const CALLBACK_ADDRESSES = [
  '/api/callbacks/:connection',
  '/api/callbacks/:connection/:secret',
  '/api/callbacks/:connection/:secret/*',
] as const

declare module 'fastify' {
  interface FastifyRequest {
    /** The connection whose callback address was called, once its route has found it before the body is read. */
    called?: CalledConnection
  }
}

/** The connection whose callback address was called, and whether the caller knows the secret of the address. */
export interface CalledConnection {
  connection: ProviderConnection
  knows_secret: boolean
}

/**
 * Find the connection of a callback address. A connection whose callbacks are not signed has an address that only its
 * provider knows: with another secret, or none, there is nothing at that address.
 * @throws NotFound, Throttled, WrongCell
 */
export async function findCalledConnection(app: App, request: FastifyRequest): Promise<CalledConnection> {
  const { connection, secret } = readAddress(app, request)
  if (connection && secret !== undefined && isSame(secret, connection.callback_secret))
    return { connection, knows_secret: true }
  if (connection && secret === undefined && connection.driver.traits.callbacks === 'signed')
    return { connection, knows_secret: false }
  // Guesses of a secret are counted, so that they are few.
  await countUnverifiedCallback(app, request)
  throw new NotFound()
}

/**
 * Return true if a callback may come by GET, as from some providers of SMS and bills. Networks never use it, and a
 * caller without the secret of an address learns nothing about it.
 */
export function acceptsGet(app: App, request: FastifyRequest): boolean {
  const { connection, secret } = readAddress(app, request)
  if (!connection || connection.kind === 'network' || secret === undefined) return false
  return isSame(secret, connection.callback_secret)
}

/**
 * Read the connection of an address, which names its cell, and its secret. The address of a connection that has come from
 * another cell keeps its name and its secret. @throws WrongCell
 */
function readAddress(app: App, request: FastifyRequest) {
  const { connection: code, secret } = request.params as { connection: string; secret?: string }
  const connection = app.providers.find(code.slice(cellMark(cellOf(code)).length))
  const has_come = connection && secret !== undefined && isSame(secret, connection.callback_secret)
  if (!has_come) requireOwnCell('callback', code, app.config.CELL)
  return { connection, secret }
}

/** Count an unverified callback against its IP address, since anyone can send one. @throws Throttled */
export async function countUnverifiedCallback(app: App, request: FastifyRequest): Promise<void> {
  await requireAllowed(app.throttle, `callback ${request.ip}`, app.config.WRITES_PER_MINUTE)
}

/** Compare two texts in a time that does not show where they differ. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(first!, second!)
}
