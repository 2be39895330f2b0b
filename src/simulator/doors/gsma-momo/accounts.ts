import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { errors } from './codes.ts'
import { addPatch, sendError, sendNoRoute, switchesOf } from './gateway.ts'
import { acceptChange, findObject, keepObject, newReference, readObject, readPatch } from './objects.ts'
import { ACCOUNT_PATHS, type Account, findAccount } from './parties.ts'
import { ACCOUNT, type GsmaWorld } from './switches.ts'
import { type Identifier, readParty, showAmount } from './wire.ts'

/** Add accounts: opening, showing and checking them, their names, states and balances, and the heartbeat. */
export function addAccountRoutes(server: FastifyInstance, world: GsmaWorld): void {
  addOpening(server, world)
  server.get('/accounts/balance', { config: { verb: 'balance' } }, (request) => showBalance(request, world))
  for (const path of ACCOUNT_PATHS) {
    const show = (part: string, verb: string, answer: (request: FastifyRequest, account: Known) => object) =>
      server.get(`${path}${part}`, { config: { verb } }, async (request, reply) => {
        const known = await findKnown(request, reply, world)
        return known ? answer(request, known) : reply
      })
    show('', 'account', (_request, { object }) => object)
    show('/status', 'account holder status', (_request, { object }) => ({ accountStatus: object.accountStatus }))
    server.get(`${path}/accountname`, { config: { verb: 'account holder' } }, async (request, reply) => {
      if (!switchesOf(request).holder_names) return sendError(request, reply, world, errors.party)
      const known = await findKnown(request, reply, world)
      return known ? { name: nameIn(known.object) } : reply
    })
    show('/balance', 'balance', (request, { account, object }) =>
      account.is_own ? showBalance(request, world) : { accountStatus: object.accountStatus },
    )
    addIdentityChange(server, world, path)
  }
  server.get('/heartbeat', { config: { verb: 'heartbeat' } }, async (request, reply) => {
    const { service_status: serviceStatus } = switchesOf(request)
    if (serviceStatus === 'none') return sendNoRoute(reply)
    return { serviceStatus, ...(serviceStatus === 'degraded' && { delay: 1500 }) }
  })
}

/** Account with the data that the standard shows. */
interface Known {
  account: Account
  object: JsonObject
}

async function findKnown(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld): Promise<Known | undefined> {
  const account = await findAccount(request, reply, world)
  if (!account) return undefined
  const stored = await findObject(world, 'accounts', account.name)
  const object = stored?.object ?? describe(world, account)
  if (object === 'network_down') sendError(request, reply, world, errors.down)
  else if (object === 'not_registered') sendError(request, reply, world, errors.unknown_id)
  else return { account, object }
  return undefined
}

/** Describe an account that no call has opened. */
function describe(world: GsmaWorld, { identifiers, phone }: Account): JsonObject | 'network_down' | 'not_registered' {
  const holder = phone === undefined ? { name: 'Simulated Shop' } : world.holder(phone)
  if (typeof holder === 'string') return holder
  const [firstName = '', ...rest] = (holder.name ?? '').split(' ')
  const subjectName = holder.name === null ? {} : { firstName, lastName: rest.join(' '), fullName: holder.name }
  const identity = [showIdentity({ identityKyc: { subjectName }, accountRelationship: 'accountholder' }, 0)]
  return { accountIdentifiers: identifiers, identity, accountStatus: 'available' }
}

function showIdentity(identity: JsonObject, index: number): JsonObject {
  const first = { identityId: String(index + 1), identityType: 'individual', kycVerificationStatus: 'verified' }
  return { ...first, ...identity }
}

function nameIn({ identity }: JsonObject): object {
  const [first] = identity as { identityKyc?: { subjectName?: object } }[]
  return first?.identityKyc?.subjectName ?? {}
}

async function showBalance(request: FastifyRequest, world: GsmaWorld) {
  const switches = switchesOf(request)
  const { currency } = switches
  const balance = showAmount(await world.balance(ACCOUNT.value, currency), switches)
  const none = showAmount(0n, switches)
  return {
    accountStatus: 'available',
    currentBalance: balance,
    availableBalance: balance,
    reservedBalance: none,
    unclearedBalance: none,
    currency,
  }
}

/** An account is found by each of its identifiers. Its reference in the state of the request is the first one. */
function addOpening(server: FastifyInstance, world: GsmaWorld): void {
  server.post('/accounts/individual', { config: { verb: 'account' } }, (request, reply) =>
    acceptChange(request, reply, world, async () => {
      const rules = { required: ['identity'], parties: ['accountIdentifiers'], amounts: [] }
      const read = readObject(request, rules)
      if ('error' in read) return read
      const { identity } = read.body
      if (!Array.isArray(identity) || identity.length < 1 || identity.length > 20 || !identity.every(isObject))
        return { error: errors.format, words: 'identity' }
      const now = world.now()
      const identifiers = readParty(read.body.accountIdentifiers) ?? [{ key: 'accountid', value: newReference(now) }]
      const names = identifiers.map(nameOf)
      for (const name of names) if (await isTaken(world, name)) return { error: errors.duplicate, words: name }
      const dates = { creationDate: now.toISOString(), modificationDate: now.toISOString() }
      const own = { accountIdentifiers: identifiers, identity: identity.map(showIdentity), accountStatus: 'available' }
      const object = { ...read.body, ...own, ...dates }
      const [first, ...others] = names as [string, ...string[]]
      await keepObject(world, 'accounts', first, { account: null, object })
      for (const name of others)
        await keepObject(world, 'identifiers', name, { account: null, object: identifiers[0]! })
      return { reference: first, link: `/accounts/${first}`, shown: object }
    }),
  )
}

function nameOf({ key, value }: Identifier): string {
  return `${key}/${value}`
}

async function isTaken(world: GsmaWorld, name: string): Promise<boolean> {
  return Boolean((await findObject(world, 'accounts', name)) ?? (await findObject(world, 'identifiers', name)))
}

const CHANGEABLE = ['kycVerificationStatus', 'kycVerificationEntity', 'kycLevel', 'identityStatus']
const RULES = { words: { kycVerificationStatus: ['verified', 'unverified', 'rejected'] } }

function addIdentityChange(server: FastifyInstance, world: GsmaWorld, path: string): void {
  addPatch(server, `${path}/identities/:identity`, 'account', async (request, reply) => {
    const { identity: identity_id } = request.params as { identity: string }
    const known = await findKnown(request, reply, world)
    if (!known) return reply
    return acceptChange(request, reply, world, async () => {
      const { name } = known.account
      const identities = known.object.identity as JsonObject[]
      const identity = identities.find(({ identityId }) => identityId === identity_id)
      if (!identity) return { error: errors.unknown_id, words: 'the identity' }
      const patch = readPatch(request, CHANGEABLE, RULES)
      if ('error' in patch) return patch
      const changed = identities.map((one) => (one === identity ? { ...one, ...patch.changes } : one))
      const object = { ...known.object, identity: changed, modificationDate: world.now().toISOString() }
      await keepObject(world, 'accounts', name, { account: null, object })
      return { reference: name, link: `/accounts/${name}`, shown: object }
    })
  })
}
