import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import type { Action, Actor, InputOf } from '../core/access/action.ts'
import type { Permission } from '../core/access/api-keys.ts'
import type { ChangeResult } from '../core/control/changes.ts'
import { PendingAnswer } from '../core/control/control-change.ts'
import { requestActor } from '../http/audit.ts'
import { idParams } from '../http/lists.ts'
import { originOf } from '../http/request-traces.ts'
import type { Server } from '../http/server.ts'
import { runAction } from './run.ts'

/** Path of the console's routes. */
const CONSOLE_API = '/console/api'

/** Parts of the console that its routes need. */
export interface ConsoleDoor {
  /** Body with which users confirm who they are. */
  confirmation: z.ZodType
  /** Return who sends a request. */
  actorOf(request: FastifyRequest): Actor
}

/** Configuration of a route on the own account. */
const OWN = { open: true, open_in_maintenance: true }

/** Add the route of an action that declares one. */
export function addActionRoute(server: Server, app: App, action: Action, door: ConsoleDoor): void {
  const { unset, ...route } = action.console!
  addRoute(server, app, { ...action, console: route }, door)
  if (unset) addRoute(server, app, { ...action, console: { ...route, method: 'DELETE' } }, door, unset)
}

function addRoute(server: Server, app: App, action: Action, door: ConsoleDoor, preset: object = {}): void {
  const { method, path, answer, status = 200, view = (result: unknown) => result, requires = [] } = action.console!
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const mask = maskOf(names)
  const required = requires.map((name) => [name, (action.input.shape[name] as z.ZodOptional).unwrap()])
  const members = action.input.omit(mask).extend(Object.fromEntries(required))
  const body = bodyOf(method === 'DELETE' ? undefined : members, action.confirmed && door.confirmation)
  const params = names.length === 1 && names[0] === 'id' ? idParams : action.input.pick(mask)
  const { permission } = action
  server.route({
    method,
    url: `${CONSOLE_API}${path}`,
    config: permission === 'self' ? OWN : { permission: permission as Permission },
    schema: {
      ...(names.length > 0 && { params }),
      ...(body && { body }),
      response: {
        ...(answer && { [status]: answer }),
        ...(action.second_person && { 202: PendingAnswer, ...(!answer && { 204: z.undefined() }) }),
      },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const given = Object.entries({ ...inputOf(request), ...preset })
      const input = Object.fromEntries(given.filter(([name]) => Object.hasOwn(action.input.shape, name)))
      const result = await runAction(app, door.actorOf(request), action, input, keyOf(request))
      request.audited = true
      const { is_pending, change } = { ...(result as Partial<ChangeResult>) }
      if (is_pending) return reply.code(202).send({ pending: change })
      return answer ? reply.code(status).send(view(result, input)) : reply.code(204).send()
    },
  })
}

/** Return the schema of a body: with the members of an input, and those of a confirmation. */
function bodyOf(members: z.ZodObject | undefined, confirmation: z.ZodType | undefined): z.ZodType | undefined {
  if (!members || Object.keys(members.shape).length === 0) return confirmation
  if (confirmation) return z.intersection(members, confirmation)
  return members.safeParse({}).success ? members.nullish() : members
}

/**
 * Perform an action for a request: with the members of its path and body, and with its Duplicate-Check-Key. Routes of
 * the interface have their own schema.
 * @param options.name the name of the caller, where the action stores one
 * @param options.input the input, if it is another
 * @param options.actor the caller, if the door knows more about it
 */
export async function performAction<Fields extends z.ZodRawShape, Result>(
  app: App,
  request: FastifyRequest,
  action: Action<Fields, Result>,
  { name = '', input, actor }: { name?: string; input?: InputOf<Fields>; actor?: Actor } = {},
): Promise<Result> {
  const given = input ?? (inputOf(request) as InputOf<Fields>)
  const result = await runAction(app, actor ?? actorOf(request, name), action, given, keyOf(request))
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
