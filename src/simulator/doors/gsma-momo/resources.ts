import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../lib/structured-input.ts'
import { errors } from './codes.ts'
import { addPatch, sendError, sendPage } from './gateway.ts'
import {
  acceptChange,
  findObject,
  keepObject,
  listObjects,
  newReference,
  type Rules,
  readObject,
  readPatch,
} from './objects.ts'
import { ACCOUNT_PATHS, findAccount } from './parties.ts'
import type { GsmaWorld } from './switches.ts'

/** A kind of object that is created by a call, shown, and changed where the standard lets it. */
interface Resource {
  collection: string
  verb: string
  /** The member with its reference. */
  reference: string
  /** True if the object belongs to an account and has its path. */
  of_account: boolean
  rules: Rules
  /** Return the members that the provider adds to the call. */
  first(body: JsonObject, now: Date): JsonObject
  /** The members that may be changed. */
  changeable?: readonly string[]
  newReference?(): string
  /** The objects of an account can be listed. */
  is_listed?: boolean
  /** Return the object's state after some time. */
  age?(object: JsonObject, now: Date): JsonObject
}

const ACTIVE = ['active', 'inactive']

const FREQUENCIES = [
  'weekly',
  'fortnight',
  'monthspecificdate',
  'twomonths',
  'threemonths',
  'fourmonths',
  'sixmonths',
  'yearly',
  'lastdaymonth',
  'lastdaymonthworking',
  'lastmonday',
  'lasttuesday',
  'lastwednesday',
  'lastthursday',
  'lastfriday',
  'lastsaturday',
  'lastsunday',
  'specificdaymonthly',
]

const resources: readonly Resource[] = [
  {
    collection: 'debitmandates',
    verb: 'mandate',
    reference: 'mandateReference',
    of_account: true,
    rules: {
      required: ['startDate'],
      amounts: ['amountLimit'],
      currencies: ['currency'],
      parties: ['payee'],
      words: { mandateStatus: ACTIVE, frequencyType: FREQUENCIES },
    },
    first: () => ({ mandateStatus: 'active' }),
    changeable: ['mandateStatus', 'amountLimit', 'endDate', 'frequencyType', 'numberOfPayments'],
  },
  {
    collection: 'links',
    verb: 'link',
    reference: 'linkReference',
    of_account: true,
    rules: {
      required: ['sourceAccountIdentifiers', 'mode', 'status'],
      parties: ['sourceAccountIdentifiers'],
      words: { mode: ['push', 'pull', 'both'], status: ACTIVE },
    },
    first: () => ({}),
    changeable: ['mode', 'status'],
  },
  {
    collection: 'authorisationcodes',
    verb: 'authorisation code',
    reference: 'authorisationCode',
    of_account: true,
    is_listed: true,
    rules: {
      amounts: ['amount'],
      currencies: ['currency'],
      parties: ['redemptionAccountIdentifiers'],
      words: { codeState: ['active', 'expired', 'cancelled'], amountType: ['exact', 'maximum'] },
    },
    first: () => ({ codeState: 'active' }),
    changeable: ['codeState'],
    newReference: () => String(randomInt(10 ** 9, 10 ** 10)),
    age: (code, now) => (isCodeOver(code, now) ? { ...code, codeState: 'expired' } : code),
  },
  {
    collection: 'quotations',
    verb: 'quotation',
    reference: 'quotationReference',
    of_account: false,
    rules: {
      required: ['creditParty', 'debitParty', 'requestAmount', 'requestCurrency'],
      amounts: ['requestAmount'],
      currencies: ['requestCurrency'],
      parties: ['creditParty', 'debitParty'],
      words: { chosenDeliveryMethod: ['directtoaccount', 'agent', 'personaldelivery'] },
    },
    first: (body, now) => ({ quotationStatus: 'completed', quotes: [quoteFor(body, now)] }),
  },
]

/** The time for which a quote holds. */
const QUOTE_MS = 3_600_000

/** The one quote for a transfer: the amount at par, without a fee. */
function quoteFor({ requestAmount, requestCurrency, chosenDeliveryMethod }: JsonObject, now: Date) {
  return {
    quoteId: newReference(now),
    fxRate: '1',
    quoteExpiryTime: new Date(now.getTime() + QUOTE_MS).toISOString(),
    sendingAmount: requestAmount,
    sendingCurrency: requestCurrency,
    receivingAmount: requestAmount,
    receivingCurrency: requestCurrency,
    ...(chosenDeliveryMethod !== undefined && { deliveryMethod: chosenDeliveryMethod }),
  }
}

function isCodeOver({ codeState, codeLifetime, creationDate }: JsonObject, now: Date): boolean {
  const ends_ms = new Date(String(creationDate)).getTime() + Number(codeLifetime) * 1_000
  return codeState === 'active' && now.getTime() >= ends_ms
}

/** Add mandates, links, authorisation codes and quotations. */
export function addResourceRoutes(server: FastifyInstance, world: GsmaWorld): void {
  for (const resource of resources)
    for (const account of resource.of_account ? ACCOUNT_PATHS : [''])
      addResource(server, world, resource, `${account}/${resource.collection}`)
}

type WithReference = { Params: { reference: string } }

function addResource(server: FastifyInstance, world: GsmaWorld, resource: Resource, path: string): void {
  const { collection, verb, of_account, rules, changeable, is_listed, age = (object) => object } = resource
  const config = { config: { verb } }
  server.post(path, config, async (request, reply) => {
    const account = await ownerOf(request, reply, world, of_account)
    if (account === undefined) return reply
    return acceptChange(request, reply, world, async () => {
      const read = readObject(request, rules)
      if ('error' in read) return read
      const now = world.now()
      const reference = resource.newReference?.() ?? newReference(now)
      const dates = { creationDate: now.toISOString(), modificationDate: now.toISOString() }
      const own = { [resource.reference]: reference }
      const object = { ...resource.first(read.body, now), ...read.body, ...own, ...dates }
      await keepObject(world, collection, reference, { account, object })
      return { reference, link: linkOf(account, collection, reference), shown: object }
    })
  })
  server.get<WithReference>(`${path}/:reference`, config, async (request, reply) => {
    const account = await ownerOf(request, reply, world, of_account)
    if (account === undefined) return reply
    const found = await findObject(world, collection, request.params.reference)
    if (!found || found.account !== account) return sendError(request, reply, world, errors.unknown_id)
    return age(found.object, world.now())
  })
  if (changeable)
    addPatch(server, `${path}/:reference`, verb, async (request, reply) => {
      const account = await ownerOf(request, reply, world, true)
      if (account === undefined) return reply
      return acceptChange(request, reply, world, async () => {
        const { reference } = request.params as WithReference['Params']
        const found = await findObject(world, collection, reference)
        if (!found || found.account !== account) return { error: errors.unknown_id }
        const patch = readPatch(request, changeable, { ...rules, required: [] })
        if ('error' in patch) return patch
        const object = { ...found.object, ...patch.changes, modificationDate: world.now().toISOString() }
        await keepObject(world, collection, reference, { ...found, object })
        return { reference, link: linkOf(account, collection, reference), shown: object }
      })
    })
  if (is_listed)
    server.get(path, config, async (request, reply) => {
      const account = await ownerOf(request, reply, world, true)
      if (account === undefined) return reply
      const { codeState } = request.query as { codeState?: string }
      const all = await listObjects(world, collection)
      const shown = all.filter((one) => one.account === account).map(({ object }) => age(object, world.now()))
      return sendPage(
        request,
        reply,
        world,
        shown.filter((one) => codeState === undefined || one.codeState === codeState),
      )
    })
}

/**
 * Return the account in the path; null if the path has none. Undefined: the account is unknown and the call already
 * answered.
 */
async function ownerOf(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld, of_account: boolean) {
  return of_account ? (await findAccount(request, reply, world))?.name : null
}

function linkOf(account: string | null, collection: string, reference: string): string {
  return `${account === null ? '' : `/accounts/${account}`}/${collection}/${reference}`
}

/** Take an authorisation code for a transaction. It counts once. @returns whether it was active */
export async function redeemCode(world: GsmaWorld, code: string): Promise<boolean> {
  const found = await findObject(world, 'authorisationcodes', code)
  if (found?.object.codeState !== 'active' || isCodeOver(found.object, world.now())) return false
  await keepObject(world, 'authorisationcodes', code, { ...found, object: { ...found.object, codeState: 'expired' } })
  return true
}
