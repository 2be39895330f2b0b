import { createServer, type RequestListener } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify'
import { begin, type Database } from '../db/client.ts'
import { addBillerRoutes } from './biller-routes.ts'
import type { Door } from './doors/door.ts'
import { addFaults } from './fault-hooks.ts'
import type { FaultList } from './faults.ts'
import { type CallCounts, SANDBOX } from './simulator.ts'
import { endTokens } from './world/door-values.ts'
import type { World } from './world/world.ts'

interface ServerOptions {
  db: Database
  now(): Date
  doors: readonly Door[]
  worldOf(door: string): World
  faults: FaultList
  calls: CallCounts
  /** Add routes that belong to no network. */
  addMore?(server: FastifyInstance): void
  onError(error: unknown): void
}

/**
 * Create the HTTP server of the simulated networks. Each door is below its code (`/sandbox/orders`, `/mtn-momo/…`), the
 * simulated biller below `/sandbox/biller`.
 */
export function createSimulatorServer(options: ServerOptions): FastifyInstance {
  const { doors, calls } = options
  for (const { code } of doors) calls.set(code, new Map())
  const opened = new Map<string, Promise<DoorServer>>()
  /** Return the server of a door. It is made for the first call: a process calls two of the fifteen, and must start quickly. */
  const open = (door: Door) => {
    const server = opened.get(door.code) ?? createDoorServer(door, options)
    opened.set(door.code, server)
    return server
  }
  const server = createPlainServer(options, (answerOthers, { keepAliveTimeout, requestTimeout }) => {
    const answer: RequestListener = (request, response) => {
      const code = request.url?.split(/[/?]/, 2)[1]
      const door = doors.find((one) => one.code === code)
      if (!door) return answerOthers(request, response)
      open(door).then(
        ({ routing }) => routing(request, response),
        (error) => {
          options.onError(error)
          response.destroy()
        },
      )
    }
    return Object.assign(createServer(answer), { keepAliveTimeout, requestTimeout })
  })
  server.addHook('onClose', async () => {
    for (const door of opened.values()) {
      // One that could not be opened has nothing to close.
      const opened_door = await door.catch(() => undefined)
      await opened_door?.close()
    }
  })
  options.addMore?.(server)
  return server
}

type DoorServer = Pick<FastifyInstance, 'routing'> & { close(): Promise<void> }

/** Create the server of one door, which gets its requests from the server that listens. */
async function createDoorServer(door: Door, options: ServerOptions): Promise<DoorServer> {
  const { db, faults, calls } = options
  const counts = calls.get(door.code)!
  const server = createPlainServer(options)
  server.decorateRequest('fault', undefined)
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
  await server.ready()
  return { routing: server.routing, close: () => server.close() }
}

function createPlainServer({ onError }: ServerOptions, serverFactory?: FastifyServerFactory): FastifyInstance {
  const server = Fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1_000 },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    ...(serverFactory && { serverFactory }),
  })
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'unreadable', message: error.message })
    onError(error)
    return reply.code(500).send({ error: 'internal', message: 'The network failed.' })
  })
  return server
}

/** Routes here have no schemas, so the compilers of Fastify need not be loaded. */
function refuseSchemas(): never {
  throw new Error('Simulated networks have no schemas.')
}
