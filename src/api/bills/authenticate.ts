import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { Caller } from '../../core/access/api-keys.ts'
import { findSigningUser, SIGNING_KEY_PURPOSE } from '../../core/access/signing-users.ts'
import { type BillCode, BillRefusal } from '../../core/bills/refusals.ts'
import { requireOwnCell } from '../../core/refusals.ts'
import { addressGroup } from '../../lib/http/address-groups.ts'
import { readRequestDate, verifySignature } from '../../lib/http/signed-requests.ts'
import type { ApiKeyCache, KeyRefusal } from '../api-key-cache.ts'
import { requireCellOfKey } from '../authenticate.ts'
import type { LookUpLimit } from '../look-up-limit.ts'

/** Return true if a request authenticates by a signature. It can be checked only after the body has arrived. */
export function isSigned(request: FastifyRequest): boolean {
  return !hasKeyHeader(request) && SIGNATURE_HEADER.test(request.headers.authorization ?? '')
}

/**
 * Find the caller by the API key of a request: `x-api-key: K`, or `Authorization:` with `Api-key K`, `Token K`, `Bearer
 * K` or the bare `K` (interface section 5, interface-gaps: Bill payments). The case of scheme words does not matter.
 * @throws BillRefusal BX0011 … BX0016, WrongCell
 */
export async function identifyByKey(api_keys: ApiKeyCache, request: FastifyRequest, cell: number): Promise<Caller> {
  const key = hasKeyHeader(request) ? keyHeader(request) : readKey(request.headers.authorization?.trim() ?? '')
  const caller = await api_keys.find(key, addressGroup(request.ip ?? ''))
  if (typeof caller !== 'string') return caller
  requireCellOfKey(key, cell)
  throw new BillRefusal(REFUSED_KEY_CODES[caller])
}

const REFUSED_KEY_CODES = { unknown: 'BX0015', revoked: 'BX0016', expired: 'BX0014' } satisfies Record<
  KeyRefusal,
  BillCode
>

/** Signing user that a request names, with the data to verify the signature. */
export interface Signer {
  secret: string
  caller: Caller
  signature: string
  /** The date of the request in seconds since 1970. */
  timestamp: number
}

/**
 * Find the signing user by `Authorization: Baxi <username>:<signature>` and `Baxi-date` or `Service-date`. All that can
 * be checked before the body has arrived is checked here.
 * @throws BillRefusal BX0004, BX0005, BX0007, WrongCell
 */
export async function findSigner(app: App, names: LookUpLimit, request: FastifyRequest): Promise<Signer> {
  const [, username, signature] = SIGNATURE_HEADER.exec(request.headers.authorization ?? '') ?? []
  if (!username || !signature) throw new BillRefusal('BX0004')
  const timestamp = readRequestDate(String(request.headers['baxi-date'] ?? request.headers['service-date'] ?? ''))
  // The real clock and not the sandbox's, which can be advanced: the client signs with its own real clock.
  const now = app.clock.real().getTime() / 1_000
  if (timestamp === undefined || Math.abs(now - timestamp) > MAX_DATE_DIFFERENCE_S) throw new BillRefusal('BX0005')
  const may_look_up = await names.mayLookUp(username, addressGroup(request.ip ?? ''))
  const signer =
    may_look_up && (await findSigningUser(app.db, app.clock.now(), username, app.sealingKeys(SIGNING_KEY_PURPOSE)))
  if (!signer) requireOwnCell('key', username, app.config.CELL)
  if (!signer) throw new BillRefusal('BX0007')
  return { ...signer, signature, timestamp }
}

/**
 * Return the caller of a signed request. The signature covers the body and the requested path, or that path without
 * `/api/gateway`, as one existing client signs it. The query of a POST holds fields of the request, so the signature
 * must cover it too.
 * @throws BillRefusal BX0006
 */
export function verifyBody(signer: Signer, request: FastifyRequest, body: Buffer): Caller {
  const { secret, signature, timestamp } = signer
  const { method } = request
  const matches = signedPaths(request).map((path) =>
    verifySignature(secret, { method, path, timestamp, body }, signature),
  )
  if (!matches.includes(true)) throw new BillRefusal('BX0006')
  return signer.caller
}

/** Maximum difference between the date of a signed request and the clock of the service (interface-gaps: Bill payments). */
const MAX_DATE_DIFFERENCE_S = 600

const SIGNATURE_HEADER = /^\s*(?:Baxi|Gateway)(?!\S)\s*(?:([^\s:]*):(\S+))?/i

/** Standard HTTP schemes that the service does not support (BX0012). All other words are invalid schemes (BX0011). */
const UNSUPPORTED_SCHEMES = /^(Basic|Digest|Negotiate|NTLM|OAuth|AWS4-HMAC-SHA256)\b/i

function readKey(header: string): string {
  if (!header) throw new BillRefusal('BX0013')
  if (UNSUPPORTED_SCHEMES.test(header)) throw new BillRefusal('BX0012')
  const [scheme = '', ...rest] = header.split(/\s+/)
  if (rest.length === 0) return scheme
  if (!/^(Api-key|Token|Bearer)$/i.test(scheme)) throw new BillRefusal('BX0011')
  return rest.join(' ')
}

function hasKeyHeader(request: FastifyRequest): boolean {
  return keyHeader(request) !== ''
}

function keyHeader(request: FastifyRequest): string {
  return String(request.headers['x-api-key'] ?? '').trim()
}

function signedPaths(request: FastifyRequest): string[] {
  const [path = '', query] = request.originalUrl.split('?', 2)
  const paths = query === undefined || request.method === 'GET' ? [path] : []
  if (query !== undefined) paths.push(`${path}?${query}`)
  return paths.flatMap((full) => [full, full.replace(/^\/api(?:\/v[1-5])?\/(?:gateway|baxipay)(?=\/)/, '')])
}
