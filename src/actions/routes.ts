import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../app.ts'
import type { Action, Actor, InputOf } from '../core/access/action.ts'
import { requestActor } from '../http/audit.ts'
import { idParams } from '../http/lists.ts'
import { originOf } from '../http/request-traces.ts'
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
  const { method, path, answer, status = 200, view = (result: unknown) => result, requires = [] } = action.console!
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const mask = maskOf(names)
  const required = requires.map((name) => [name, (action.input.shape[name] as z.ZodOptional).unwrap()])
  const body = action.input.omit(mask).extend(Object.fromEntries(required))
  const has_body = method !== 'DELETE' && Object.keys(body.shape).length > 0
  const may_be_missing = body.safeParse({}).success
  const params = names.length === 1 && names[0] === 'id' ? idParams : action.input.pick(mask)
  server.route({
    method,
    url: `${CONSOLE_API}${path}`,
    config: { permission: action.permission },
    schema: {
      ...(names.length > 0 && { params }),
      ...(has_body && { body: may_be_missing ? body.nullish() : body }),
      ...(answer && { response: { [status]: answer } }),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const input = inputOf(request)
      const result = await performAction(app, request, action, { name: nameOf(request), input })
      return answer ? reply.code(status).send(view(result, input)) : reply.code(204).send()
    },
  })
}

/**
 * Perform an action for a request: with the members of its path and body, and with its Duplicate-Check-Key. Routes of
 * the interface have their own schema.
 * @param options.name the name of the caller, where the action stores one
 * @param options.input the input, if it is another
 */
export async function performAction<Fields extends z.ZodRawShape, Result>(
  app: App,
  request: FastifyRequest,
  action: Action<Fields, Result>,
  { name = '', input }: { name?: string; input?: InputOf<Fields> } = {},
): Promise<Result> {
  const given = input ?? (inputOf(request) as InputOf<Fields>)
  const actor = actorOf(request, name)
  const result = await runAction(app, actor, action, given, keyOf(request))
  request.audited = true
  return result
}

/**
 * Return the members of the path and the body of a request. What no schema has checked is no input, and the path names
 * the object.
 */
function inputOf({ params, body, routeOptions }: FastifyRequest): Record<string, unknown> {
  return { ...(routeOptions.schema?.body ? (body as object) : undefined), ...(params as object) }
}

/** Return the Duplicate-Check-Key of a request. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['duplicate-check-key']
  return typeof key === 'string' ? key : undefined
}

/** Return the actor of a request. */
export function actorOf(request: FastifyRequest, name: string): Actor {
  return { ...requestActor(request), name, permissions: request.caller.permissions, origin: originOf(request) }
}

/** Return the form in which zod takes names of members. */
function maskOf(names: readonly string[]): Record<never, never> {
  return Object.fromEntries(names.map((name) => [name, true]))
}
