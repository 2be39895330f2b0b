import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { parsePhone } from '../../../lib/phone.ts'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { wordsOf } from './codes.ts'
import { isSigned, keyOf, publicKeyText } from './keys.ts'
import { type AirtelSwitches, type AirtelWorld, CLIENT_ID, CLIENT_SECRET } from './switches.ts'

/** The countries of Airtel Money, with their currencies. */
const currencies: Readonly<Record<string, readonly string[]>> = {
  CD: ['CDF', 'USD'],
  CG: ['XAF'],
  GA: ['XAF'],
  KE: ['KES'],
  MG: ['MGA'],
  MW: ['MWK'],
  NE: ['XOF'],
  NG: ['NGN'],
  RW: ['RWF'],
  SC: ['SCR'],
  TD: ['XAF'],
  TZ: ['TZS'],
  UG: ['UGX'],
  ZM: ['ZMW'],
}

/** Wrap an answer. `response_code` is the product's code; `result_code` comes from the layer before it. */
export function envelope(data: object | undefined, response_code: string | undefined, status: object = {}) {
  const base = { code: '200', message: 'SUCCESS', result_code: 'ESB000010' }
  return {
    ...(data && { data }),
    status: { ...base, ...(response_code !== undefined && { response_code }), success: true, ...status },
  }
}

/** A refusal in the envelope, which the network sends with HTTP 200. */
export function refusal(response_code: string, message = wordsOf(response_code), result_code = 'ESB000011') {
  return envelope(undefined, response_code, { code: '500', success: false, result_code, message })
}

/** A refusal of the layer before the products. */
export function routerRefusal(reply: FastifyReply, status_code: string, status_message: string) {
  return reply.code(400).send({ status_message, status_code })
}

/** The country and the currency that the headers of a call name. */
export function placeOf(request: FastifyRequest): { country: string; currency: string } {
  return { country: String(request.headers['x-country']), currency: String(request.headers['x-currency']) }
}

/**
 * The phone (E.164) of a national number, or the code with which it is refused: the network wants it without the calling code
 * and without a zero before it, except where the zero is a part of the number.
 */
export function phoneOf(country: string, msisdn: unknown): { phonenumber: string } | { code: string; message: string } {
  const national = String(msisdn)
  const calling_code = getCountryCallingCode(country as CountryCode)
  const phonenumber = `+${calling_code}${national}`
  const parsed = /^\d{6,12}$/.test(national) ? parsePhone(phonenumber) : undefined
  if (!parsed) return { code: 'ESB000033', message: 'Invalid MSISDN Length.' }
  return parsed.number === phonenumber ? { phonenumber } : { code: 'ESB000036', message: 'Invalid MSISDN.' }
}

/** The number of a phone as the network shows it. */
export function nationalNumber(phonenumber: string): string {
  const country = parsePhone(phonenumber)?.country
  const known = getCountries().find((code) => code === country)
  return known ? phonenumber.slice(1 + getCountryCallingCode(known).length) : phonenumber.slice(1)
}

/** The JSON object in a body; undefined for anything else. */
export function readBody(request: FastifyRequest): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(String(request.body))
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** A member of a body that is an object; an empty one for anything else. */
export function part(body: JsonObject | undefined, name: string): JsonObject {
  const member = body?.[name]
  return isObject(member) ? member : {}
}

const switchesOfCalls = new WeakMap<FastifyRequest, AirtelSwitches>()

/** The switches as they were when the call came in. */
export function switchesOf(request: FastifyRequest): AirtelSwitches {
  return switchesOfCalls.get(request)!
}

/** Return true if a v2 call must be refused because of its signature. */
export async function isForged(request: FastifyRequest, world: AirtelWorld): Promise<boolean> {
  return (
    switchesOf(request).signatures === 'needed' && !isSigned(await keyOf(world), String(request.body), request.headers)
  )
}

/** Add the checks of token, key and common headers. Hooks apply only to routes that are added later. */
export function addGateway(server: FastifyInstance, world: AirtelWorld): void {
  const isTooMany = createLimiter(world)
  server.addHook('onRequest', async (request, reply) => {
    const is_token = request.routeOptions.config.verb === 'token'
    const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    const owner = is_token || token === undefined ? undefined : world.ownerOfToken(token)
    const [switches, known] = await Promise.all([world.switches(), owner])
    switchesOfCalls.set(request, switches)
    if (isTooMany(switches.calls_per_minute, reply)) return reply.code(429).send({ message: 'API rate limit exceeded' })
    if (is_token) return
    if (known !== undefined) return checkPlace(request, reply)
    const error_description = 'The access token is invalid or has expired'
    return reply.code(401).send({ error_description, error: 'invalid_token' })
  })
  addTokenRoute(server, world)

  server.get('/v1/rsa/encryption-keys', { config: { verb: 'encryption key' } }, async () => {
    const valid_upto = dayAndTime(new Date(world.real().getTime() + 365 * 86_400_000))
    return envelope({ key_id: 100, key: publicKeyText(await keyOf(world)), valid_upto }, 'DP02010001001')
  })
}

/** `12-08-2027 21:29:26`. */
function dayAndTime(date: Date): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+:\d+)/.exec(date.toISOString())!
  return `${day}-${month}-${year} ${time}`
}

/** Credentials come as JSON, as a form, or with HTTP Basic. */
function addTokenRoute(server: FastifyInstance, world: AirtelWorld): void {
  server.post('/auth/oauth2/token', { config: { verb: 'token' } }, async (request, reply) => {
    const form = new URLSearchParams(String(request.body))
    const body = readBody(request) ?? Object.fromEntries(form)
    const [, basic] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    const [basic_id, basic_secret] = Buffer.from(basic ?? '', 'base64')
      .toString()
      .split(':')
    const [id, secret] = [body.client_id ?? basic_id, body.client_secret ?? basic_secret]
    if (id !== CLIENT_ID || secret !== CLIENT_SECRET || body.grant_type !== 'client_credentials')
      return reply.code(400).send({ error_description: 'Invalid client authentication', error: 'invalid_client' })
    const { token_seconds, token_seconds_type } = switchesOf(request)
    const access_token = await world.issueToken(CLIENT_ID, token_seconds)
    const expires_in = token_seconds_type === 'string' ? String(token_seconds) : token_seconds
    return { token_type: 'bearer', access_token, expires_in }
  })
}

async function checkPlace(request: FastifyRequest, reply: FastifyReply) {
  const { 'x-country': country, 'x-currency': currency } = request.headers
  if (country === undefined) return routerRefusal(reply, 'ROUTER003', 'Missing required headers or body parameters')
  if (currency === undefined) return routerRefusal(reply, 'ROUTER119', 'Invalid/Missing Currency in request parameters')
  const known = currencies[String(country)]
  if (!known) return routerRefusal(reply, 'ROUTER006', 'Invalid Country')
  if (!known.includes(String(currency))) return routerRefusal(reply, 'ROUTER112', 'Invalid Currency')
  const own = switchesOf(request).country
  if (own !== 'any' && own !== country)
    return routerRefusal(reply, 'ROUTER007', 'User is not Authorized to perform operations in the provided country')
}

/** Count the calls of each minute. @returns a function that says whether there were too many; a limit of 0 is none */
function createLimiter(world: AirtelWorld): (limit: number, reply: FastifyReply) => boolean {
  let minute = 0
  let count = 0
  return (limit, reply) => {
    if (limit === 0) return false
    const now = Math.floor(world.real().getTime() / 60_000)
    if (now !== minute) [minute, count] = [now, 0]
    count += 1
    reply.header('x-ratelimit-limit-minute', limit)
    reply.header('x-ratelimit-remaining-minute', Math.max(0, limit - count))
    return count > limit
  }
}
