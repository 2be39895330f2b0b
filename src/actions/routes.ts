import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import type { Action, Actor, InputOf } from '../core/access/action.ts'
import type { Permission } from '../core/access/api-keys.ts'
import type { ChangeResult } from '../core/approvals/changes/changes.ts'
import { PendingAnswer } from '../core/approvals/changes/control-change.ts'
import { collectionCurrencies } from '../core/ledger/currencies.ts'
import { writeHeaders } from '../http/headers.ts'
import { idParams } from '../http/lists.ts'
import { originOf } from '../http/request-traces.ts'
import type { Server } from '../http/server.ts'
import { describe, type Words } from './lists/views.ts'
import { runAction } from './run.ts'
import { actions } from './table.ts'

/** Path of the console's routes. */
const CONSOLE_API = '/console/api'

/** Parts of the console that its routes need. */
export interface ConsoleDoor {
  /** Body with which users confirm who they are. */
  confirmation: z.ZodType
  /** Return who sends a request. */
  actorOf(app: App, request: FastifyRequest): Actor
}

/** Add the route of an action that declares one. */
export function addActionRoute(server: Server, app: App, action: Action, door: ConsoleDoor): void {
  const { unset, ...route } = action.console!
  addRoute(server, app, { ...action, console: route }, door)
  if (unset) addRoute(server, app, { ...action, console: { ...route, method: 'DELETE' } }, door, unset)
}

function addRoute(server: Server, app: App, action: Action, door: ConsoleDoor, preset: object = {}): void {
  const { method, path, answer, status, view, requires = [] } = action.console!
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const mask = maskOf(names)
  const required = requires.map((name) => [name, (action.input.shape[name] as z.ZodOptional).unwrap()])
  const members = action.input.omit(mask).extend(Object.fromEntries(required))
  const has_body = method !== 'DELETE' && Object.keys(members.shape).length > 0
  // Without required members, the body itself may be missing.
  const is_optional = !action.confirmed && members.safeParse({}).success
  const is_id = names.length === 1 && names[0] === 'id'
  const read = (request: FastifyRequest) => {
    const given = Object.entries({ ...inputOf(request), ...preset })
    return Object.fromEntries(given.filter(([name]) => Object.hasOwn(action.input.shape, name)))
  }
  createRouteAdder(door)(server, app, action, {
    method,
    url: `${CONSOLE_API}${path}`,
    ...(names.length > 0 && { params: is_id ? idParams : action.input.pick(mask) }),
    ...(has_body && { body: is_optional ? members.nullish() : members }),
    ...(answer && { answer }),
    ...(status && { status }),
    input: read,
    view: (result, request) => (view ? view(result, read(request)) : result),
  })
}

/** Route of an action that needs more than the action says: its input is prepared, or its answer read. */
interface OwnRoute<Fields extends z.ZodRawShape, Result, Params, Body, Answer extends z.ZodType> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Its words in the reference. */
  words?: Words
  bodyLimit?: number
  open_in_maintenance?: true
  preValidation?: (request: FastifyRequest) => Promise<void> | void
  preHandler?: (request: FastifyRequest) => Promise<void> | void
  /** Path parameters, if they are others than `:id`. */
  params?: z.ZodType<Params>
  /** Body, without the confirmation that the action asks for. */
  body?: z.ZodType<Body>
  /** Body of the answer; without it the answer is 204. */
  answer?: Answer
  status?: 201
  /** Return the input, if it is not the path and the body. */
  input?(request: OwnRequest<Params, Body>): Promise<InputOf<Fields>> | InputOf<Fields>
  /** Return what `answer` describes; the result itself if missing. */
  view?(result: Result, request: OwnRequest<Params, Body>): Promise<z.output<Answer>> | z.output<Answer>
}
type OwnRequest<Params, Body> = FastifyRequest & { params: Params; body: Body }

/** Make the function that adds routes of actions to a door. */
export function createRouteAdder(door?: ConsoleDoor) {
  return <Fields extends z.ZodRawShape, Result, Answer extends z.ZodType, Params = { id: number }, Body = undefined>(
    server: Server,
    app: App,
    action: Action<Fields, Result>,
    route: OwnRoute<Fields, Result, Params, Body, Answer>,
  ): void => {
    const { method, url, words, status = 200, answer, input, view, body: members, open_in_maintenance } = route
    const { bodyLimit, preValidation, preHandler } = route
    const params = route.params ?? (url.includes(':id') ? idParams : undefined)
    const confirmation = action.confirmed && door?.confirmation
    const body = members && confirmation ? z.intersection(members, confirmation) : (members ?? confirmation)
    server.route({
      method,
      url,
      config: { ...accessOf(action), ...(open_in_maintenance && { open_in_maintenance }) },
      ...(bodyLimit && { bodyLimit }),
      ...(preValidation && { preValidation }),
      ...(preHandler && { preHandler }),
      schema: {
        ...(words && describe(words)),
        ...(action.creates && !door && { headers: writeHeaders }),
        ...(params && { params }),
        ...(body && { body }),
        response: {
          ...(answer && { [status]: answer }),
          ...(action.second_person && door && { 202: PendingAnswer, ...(!answer && { 204: z.undefined() }) }),
        },
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const own = request as OwnRequest<Params, Body>
        const given = input ? { input: await input(own) } : {}
        const actor = door && { actor: door.actorOf(app, request) }
        const result = await performAction(app, request, action, { ...given, ...actor })
        const { is_pending, change } = { ...(result as Partial<ChangeResult>) }
        if (is_pending && door) return reply.code(202).send({ pending: change })
        if (!answer) return reply.code(204).send()
        return reply.code(status).send(view ? await view(result, own) : result)
      },
    })
  }
}

/** Add a route of the API that needs more than its action says. */
export const addApiRoute = createRouteAdder()

/** Add the routes of the API that actions declare. */
export function addApiActions(server: Server, app: App): void {
  const currencies = collectionCurrencies(app.config)
  for (const action of actions) if (action.api) addApiAction(server, app, action, currencies)
}

function addApiAction(server: Server, app: App, action: Action, currencies: readonly string[]): void {
  const { method, path, body, answer, status, view, ...words } = action.api!
  addApiRoute(server, app, action, {
    method,
    url: `/api${path}`,
    words,
    ...(body && { body: apiBodyOf(action, currencies) }),
    answer,
    ...(status && { status }),
    ...(view && { view }),
  })
}

function apiBodyOf({ input, api }: Action, currencies: readonly string[]): z.ZodType {
  const { body, path } = api!
  const schema = () => {
    if (typeof body === 'function') return body(currencies)
    return body instanceof z.ZodType ? body : input.omit(maskOf(path.includes(':id') ? ['id'] : [])).meta(body!)
  }
  return path.includes(':id') ? z.preprocess((given) => given ?? {}, schema()) : schema()
}

/** Return the configuration of a route: who may call it. Everybody may act on the own account, also in maintenance. */
function accessOf({ permission }: Pick<Action, 'permission'>) {
  return permission === 'self' ? { open: true, open_in_maintenance: true } : { permission: permission as Permission }
}

/**
 * Perform an action for a request: with the members of its path and body, and with its Duplicate-Check-Key. Routes of
 * the interface have their own schema.
 * @param options.name the name of the caller, where the action stores one
 * @param options.input the input, if it is another
 * @param options.actor the caller, if the door knows more about it
 */
export function performAction<Fields extends z.ZodRawShape, Result>(
  app: App,
  request: FastifyRequest,
  action: Action<Fields, Result>,
  { name = '', input, actor }: { name?: string; input?: InputOf<Fields>; actor?: Actor } = {},
): Promise<Result> {
  const given = input ?? (inputOf(request) as InputOf<Fields>)
  return runAction(app, actor ?? actorOf(request, name), action, given, keyOf(request))
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
  const { caller, ip: address } = request
  const { organization, user, key, permissions } = caller
  // People in the console have no key.
  return { organization, user, name, permissions, address, origin: originOf(request), ...(key !== 0 && { key }) }
}

/** Return the form in which zod takes names of members. */
function maskOf(names: readonly string[]): Record<never, never> {
  return Object.fromEntries(names.map((name) => [name, true]))
}
