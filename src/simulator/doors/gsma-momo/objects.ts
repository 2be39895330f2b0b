import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { errors } from './codes.ts'
import { type CallHeaders, type Refusal, readBody, readHeaders, sendError, switchesOf } from './gateway.ts'
import { findOrder } from './order-questions.ts'
import type { GsmaSwitches, GsmaWorld } from './switches.ts'
import { isCurrency, makeCallback, type RequestState, readAmount, readParty, showState } from './wire.ts'

/*
 * Objects besides money: accounts, mandates, links, codes, quotations, batches, and transactions that move nothing in
 * or out. Each has its own name, so that simultaneous calls do not overwrite each other.
 */

/** An object as it is kept. */
export interface Stored {
  /** The account that it belongs to; null for those that belong to none. */
  account: string | null
  object: JsonObject
}

/** Make the reference of an object. Later ones come later in a list. */
export function newReference(now: Date): string {
  return `REF-${now.getTime()}${String(randomInt(10 ** 9)).padStart(9, '0')}`
}

export async function findObject(world: GsmaWorld, collection: string, id: string): Promise<Stored | undefined> {
  return (await world.recall(`object ${collection} ${id}`)) as Stored | undefined
}

/** The objects of a collection, oldest first. */
export async function listObjects(world: GsmaWorld, collection: string): Promise<Stored[]> {
  return (await world.recallAll(`object ${collection} `)) as Stored[]
}

export function keepObject(world: GsmaWorld, collection: string, id: string, stored: object): Promise<void> {
  return world.remember(`object ${collection} ${id}`, stored)
}

/** Optional members with their own rule. */
export interface Rules {
  required?: readonly string[]
  amounts?: readonly string[]
  currencies?: readonly string[]
  parties?: readonly string[]
  /** The words that a member may have. */
  words?: Readonly<Record<string, readonly string[]>>
}

/** Find a fault in an object; undefined if there is none. */
export function findFault(body: JsonObject, rules: Rules, switches: GsmaSwitches): Refusal | undefined {
  const { required = [], amounts = [], currencies = [], parties = [], words = {} } = rules
  const missing = required.find((name) => body[name] === undefined)
  if (missing !== undefined) return { error: errors.missing, words: missing }
  const given = (names: readonly string[]) => names.filter((name) => body[name] !== undefined)
  if (given(amounts).some((name) => String(body[name]).startsWith('-'))) return { error: errors.negative }
  const currency = given(currencies).find((name) => !isCurrency(body[name], switches))
  if (currency !== undefined) return { error: errors.currency, words: currency }
  const wrong =
    given(amounts).find((name) => readAmount(body[name], switches) === undefined) ??
    given(parties).find((name) => !readParty(body[name])) ??
    given(Object.keys(words)).find((name) => !words[name]!.includes(String(body[name])))
  return wrong === undefined ? undefined : { error: errors.format, words: wrong }
}

/** The object that a call creates or changes. */
export interface Change {
  /** Reference, as the request state names it. */
  reference: string
  /** The path where it is found. */
  link: string
  /** Object, as the callback shows it. */
  shown: object
}

/** Read the headers of a call that creates or changes something. A correlation id that was used before is refused. */
export async function readNewCall(request: FastifyRequest, world: GsmaWorld): Promise<CallHeaders | Refusal> {
  const call = readHeaders(request)
  if ('error' in call || call.correlation_id === undefined || switchesOf(request).duplicates === 'taken') return call
  const { correlation_id: reference } = call
  const earlier = (await findLink(world, reference)) ?? (await findOrder(world, { reference }))
  return earlier === undefined ? call : { error: errors.duplicate }
}

/** Apply a call and answer with the state of its request. */
export async function acceptChange(
  request: FastifyRequest,
  reply: FastifyReply,
  world: GsmaWorld,
  change: () => Promise<Change | Refusal>,
): Promise<FastifyReply> {
  const call = await readNewCall(request, world)
  const changed = 'error' in call ? call : await change()
  if ('error' in changed) return sendError(request, reply, world, changed.error, changed.words)
  return sendAccepted(request, reply, world, changed)
}

/** Answer with the state of a completed request: pending here, and completed in a later query. */
export async function sendAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  world: GsmaWorld,
  { reference, link, shown }: Change,
): Promise<FastifyReply> {
  const { correlation_id, callback_url } = readHeaders(request) as CallHeaders
  const switches = switchesOf(request)
  const id = randomUUID()
  const kept = { id, status: 'completed', reference, has_callback: callback_url !== undefined } as const
  await world.remember(`request ${id}`, { ...kept, created: world.now().toISOString() })
  if (correlation_id !== undefined) await world.remember(`response ${correlation_id}`, link)
  if (callback_url !== undefined && switches.callbacks) {
    const to = { url: callback_url, reference: correlation_id ?? '' }
    await world.sendCallback({ ...makeCallback(shown, to, switches, world.now()), after_s: 1 })
  }
  return reply.code(202).send(showState({ ...kept, status: 'pending', reference: '', created: world.now() }, switches))
}

/** The state of the request for an object, by the id of the provider. */
export async function findRequest(world: GsmaWorld, id: string): Promise<RequestState | undefined> {
  const found = (await world.recall(`request ${id}`)) as
    | (Omit<RequestState, 'created'> & { created: string })
    | undefined
  return found && { ...found, created: new Date(found.created) }
}

/** The path of the object that a call has made, by the id of the business. */
export async function findLink(world: GsmaWorld, correlation_id: string): Promise<string | undefined> {
  return (await world.recall(`response ${correlation_id}`)) as string | undefined
}

/** Read the object in a body that creates something. */
export function readObject(request: FastifyRequest, rules: Rules): { body: JsonObject } | Refusal {
  const body = readBody(request)
  if (!body) return { error: errors.format, words: 'the content is no JSON object' }
  return findFault(body, rules, switchesOf(request)) ?? { body }
}

/** Read the changes of a body to `changeable` members: a list of `replace` and `add`, as in the standard. */
export function readPatch(
  request: FastifyRequest,
  changeable: readonly string[],
  rules: Rules = {},
): { changes: Record<string, unknown> } | Refusal {
  const list = parseList(request)
  if (!list) return { error: errors.format, words: 'the content is no list of changes' }
  const changes: Record<string, unknown> = {}
  for (const { op, path, value } of list) {
    const name = typeof path === 'string' ? path.replace(/^\//, '') : ''
    if ((op !== 'replace' && op !== 'add') || !changeable.includes(name) || value === undefined)
      return { error: errors.format, words: 'op, path or value' }
    changes[name] = value
  }
  return findFault(changes, rules, switchesOf(request)) ?? { changes }
}

function parseList(request: FastifyRequest): JsonObject[] | undefined {
  try {
    const list: unknown = JSON.parse(String(request.body))
    return Array.isArray(list) && list.length > 0 && list.length <= 10 && list.every(isObject) ? list : undefined
  } catch {
    return undefined
  }
}
