import Fastify, { type FastifyInstance } from 'fastify'
import { begin, type Database } from '../db/client.ts'
import { addBillerRoutes } from './biller-routes.ts'
import type { Door } from './doors/door.ts'
import { addFaults } from './fault-hooks.ts'
import type { FaultList } from './faults.ts'
import { type CallCounts, SANDBOX } from './simulator.ts'
import { endTokens } from './world/door-values.ts'
import type { World } from './world/world.ts'

/**
 * Create the HTTP server of the simulated networks. Each door is below its code (`/sandbox/orders`, `/mtn-momo/…`), the
 * simulated biller below `/sandbox/biller`.
 */
export function createSimulatorServer(options: {
  db: Database
  now(): Date
  doors: readonly Door[]
  worldOf(door: string): World
  faults: FaultList
  calls: CallCounts
  /** Add routes that belong to no network. */
  addMore?(server: FastifyInstance): void
  onError(error: unknown): void
}): FastifyInstance {
  const { db, doors, faults, calls } = options
  const server = Fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 1_000 },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
  })
  server.decorateRequest('fault', undefined)
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'unreadable', message: error.message })
    options.onError(error)
    return reply.code(500).send({ error: 'internal', message: 'The network failed.' })
  })

  for (const door of doors) {
    const counts = new Map<string, number>()
    calls.set(door.code, counts)
    server.register(
      async (scope) => {
        addFaults(scope, door.code, {
          faults,
          endTokens: () => begin(db, (tx) => endTokens(tx, door.code)),
          onCall: (verb) => counts.set(verb, (counts.get(verb) ?? 0) + 1),
        })
        door.routes(scope, options.worldOf(door.code))
        if (door.code === SANDBOX) addBillerRoutes(scope, options)
      },
      { prefix: `/${door.code}` },
    )
  }
  options.addMore?.(server)
  return server
}

/** Routes here have no schemas, so the compilers of Fastify need not be loaded. */
function refuseSchemas(): never {
  throw new Error('Simulated networks have no schemas.')
}
