import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../app.ts'
import type { Action, Actor } from '../core/access/action.ts'
import { requestActor } from '../http/audit.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { runAction } from './run.ts'

/** Path of the console's routes. */
const CONSOLE_API = '/console/api'

/**
 * Add the route of an action that declares one.
 * @param nameOf returns the name of the user who calls
 */
export function addActionRoute(
  server: Server,
  app: App,
  action: Action,
  nameOf: (request: FastifyRequest) => string,
): void {
  const { method, path, answer, view = (result: unknown) => result, requires = [] } = action.console!
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const mask = maskOf(names)
  const required = requires.map((name) => [name, (action.input.shape[name] as z.ZodOptional).unwrap()])
  const body = action.input.omit(mask).extend(Object.fromEntries(required))
  const has_body = method !== 'DELETE' && Object.keys(body.shape).length > 0
  const params = names.includes('id') ? idParams : action.input.pick(mask)
  server.route({
    method,
    url: `${CONSOLE_API}${path}`,
    config: { permission: action.permission },
    schema: {
      ...(names.length > 0 && { params }),
      ...(has_body && { body }),
      ...(answer && { response: { 200: answer } }),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const input = { ...(request.params as object), ...(has_body && (request.body as object)) }
      const result = await runAction(app, actorOf(request, nameOf(request)), action, input)
      request.audited = true
      return answer ? view(result) : reply.code(204).send()
    },
  })
}

/** Return the actor of a request. */
export function actorOf(request: FastifyRequest, name: string): Actor {
  return { ...requestActor(request), name, permissions: request.caller.permissions }
}

/** Return the form in which zod takes names of members. */
function maskOf(names: readonly string[]): Record<never, never> {
  return Object.fromEntries(names.map((name) => [name, true]))
}
