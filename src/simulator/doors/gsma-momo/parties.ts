import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../lib/structured-input.ts'
import { errors, refusalOf } from './codes.ts'
import { type Refusal, sendError, switchesOf } from './gateway.ts'
import { findObject } from './objects.ts'
import { ACCOUNT, type GsmaSwitches, type GsmaWorld, OTHER_IDENTIFIERS } from './switches.ts'
import type { Identifier } from './wire.ts'

/** An account of the provider. */
export interface Account {
  /** First identifier of the party: `msisdn/+256772000001`. */
  name: string
  identifiers: readonly Identifier[]
  /** The customer's phone; undefined for the account of the business, and for those without one. */
  phone?: string
  is_own: boolean
  /** The mandate that lets the business take money from it. */
  mandate?: JsonObject
}

/** The two forms of the path of an account: with one identifier, or with several in one part. */
export const ACCOUNT_PATHS = ['/accounts/:type/:id', '/accounts/:account'] as const
type AccountParams = { type: string; id: string } | { account: string }

/** The identifiers in a path: `msisdn` and its value, or `msisdn@+256772000001$walletid@7`. */
function identifiersIn(params: AccountParams): Identifier[] {
  if ('type' in params) return [{ key: params.type, value: params.id }]
  return params.account.split('$').map((part) => {
    const [key = '', ...rest] = part.split('@')
    return { key, value: rest.join('@') }
  })
}

/** The account in the path of a call. The call is answered where there is none. */
export async function findAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  world: GsmaWorld,
): Promise<Account | undefined> {
  const found = await resolveAccount(world, identifiersIn(request.params as AccountParams), switchesOf(request))
  if (!('error' in found)) return found
  sendError(request, reply, world, found.error, found.words)
  return undefined
}

/** The account of a party: of the business, of a phone, opened by a call, or behind a mandate or a link. */
export async function resolveAccount(
  world: GsmaWorld,
  identifiers: readonly Identifier[],
  switches: GsmaSwitches,
): Promise<Account | Refusal> {
  for (const { key, value } of identifiers) {
    const name = key.toLowerCase()
    if (name === 'mandatereference') return behind(world, switches, 'debitmandates', value)
    if (name === 'linkref') return behind(world, switches, 'links', value)
  }
  const given = (key: string) => identifiers.find((one) => one.key.toLowerCase() === key)?.value
  const is_own = [ACCOUNT, ...OTHER_IDENTIFIERS].some(({ key, value }) => given(key) === value)
  if (is_own) return { name: `${ACCOUNT.key}/${ACCOUNT.value}`, identifiers: [ACCOUNT], is_own }
  const msisdn = given('msisdn')
  if (msisdn !== undefined) return phoneAccount(msisdn, switches)
  for (const { key, value } of identifiers) {
    const opened = await findObject(world, 'identifiers', `${key}/${value}`)
    if (opened) return resolveAccount(world, [opened.object as unknown as Identifier], switches)
    const account = await findObject(world, 'accounts', `${key}/${value}`)
    if (account) return { name: `${key}/${value}`, identifiers: [{ key, value }], is_own: false }
  }
  return { error: errors.unknown_id, words: 'the account' }
}

function phoneAccount(msisdn: string, switches: GsmaSwitches): Account | Refusal {
  const phone = readPhone(msisdn, switches)
  if (phone === undefined) return { error: errors.format, words: 'msisdn' }
  const refused = refusalOf(phone)
  if (refused) return { error: refused }
  return { name: `msisdn/${phone}`, identifiers: [{ key: 'msisdn', value: phone }], phone, is_own: false }
}

/** The account for which a mandate or a link was made. A mandate must be active, and so must a link. */
async function behind(
  world: GsmaWorld,
  switches: GsmaSwitches,
  collection: 'debitmandates' | 'links',
  reference: string,
): Promise<Account | Refusal> {
  const found = await findObject(world, collection, reference)
  if (!found?.account) return { error: errors.unknown_id, words: 'the mandate or link' }
  const { mandateStatus, status } = found.object
  if (status === 'inactive') return { error: { category: 'businessRule', code: 'linkViolation' } }
  if (mandateStatus === 'inactive') return { error: errors.mandate }
  const [key = '', ...rest] = found.account.split('/')
  const account = await resolveAccount(world, [{ key, value: rest.join('/') }], switches)
  return 'error' in account || collection === 'links' ? account : { ...account, mandate: found.object }
}

/** The phone (E.164) of an identifier; undefined if it is none, or not in the form that is taken. */
function readPhone(value: unknown, { phones_taken }: Pick<GsmaSwitches, 'phones_taken'>): string | undefined {
  if (typeof value !== 'string' || !/^\+?[1-9]\d{5,14}$/.test(value)) return undefined
  const is_plus = value.startsWith('+')
  if (phones_taken !== 'any' && is_plus !== (phones_taken === 'plus')) return undefined
  return is_plus ? value : `+${value}`
}
