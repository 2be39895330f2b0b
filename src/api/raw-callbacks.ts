import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Connection } from '../connections/connection.ts'
import { readCallback } from '../connections/tools/call-driver.ts'
import type { IncomingPaymentReport } from '../core/connections/destinations.ts'
import type { CallbackReply } from '../drivers/contract.ts'
import { type RawCallback, signedBytes, toRawBody } from '../drivers/raw-callback.ts'
import { unreadCoding } from '../http/bodies.ts'
import { UnsupportedEncoding } from '../http/errors.ts'
import type { ParsedCallback } from '../networks/callbacks.ts'

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** Headers that are not stored, because they hold credentials. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** The maximum size of a callback. Those of networks have some hundred bytes. */
export const MAX_CALLBACK_BYTES = 65_536

/** Make the routes of this scope accept any body of at most 64 kB as bytes, because networks sign the bytes. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= MAX_CALLBACK_BYTES
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: string | Buffer) => body,
  )
  scope.addHook('onRequest', async ({ headers }) => {
    // Fastify would refuse a Content-Type that is not a valid media type before the body is read.
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type']))
      headers['content-type'] = 'text/plain'
  })
}

/** The callback of a request: how it came, the bytes of its body, and the headers without credentials. */
export function readRawCallback(request: FastifyRequest): RawCallback {
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  )
  const [, query = ''] = request.url.split(/\?(.*)/s)
  const path = (request.params as { '*'?: string })['*']
  return {
    method: request.method,
    path: path ? `/${path}` : '',
    query,
    headers,
    address: request.ip,
    ...toRawBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)),
  }
}

/** Parsed callback that is not stored yet. */
export interface ReceivedCallback extends RawCallback {
  network: Connection
  verified: boolean
  /** Null when the connector failed to read it. */
  parsed: ParsedCallback | null
  /** Error of the connector. */
  error?: unknown
  /** Payment that a verified callback reports; null if the network must be queried first. */
  money: IncomingPaymentReport | null
}

/** Parse a callback with the driver of its network. The driver must have `readCallback`. */
export function readReceivedCallback(network: Connection, callback: RawCallback): ReceivedCallback {
  try {
    checkCoding(callback)
    const parsed = readCallback(network, callback)
    const verified = parsed.verified === true
    const money = parsed.subject === 'transaction' && verified && parsed.receipt ? { ...parsed.receipt, network } : null
    return { ...callback, network, verified, parsed, money }
  } catch (error) {
    return { ...callback, network, verified: false, parsed: null, error, money: null }
  }
}

/** @throws UnsupportedEncoding for a callback whose bytes are in a coding that is not read. It is kept all the same. */
export function checkCoding({ headers }: RawCallback): void {
  const coding = unreadCoding(headers)
  if (coding !== undefined) throw new UnsupportedEncoding(coding)
}

/** The answer to a callback that is kept for a person: its sender must not count it as received. */
const NOT_PROCESSED: CallbackReply = {
  status: 400,
  content_type: 'application/json',
  body: '{"detail":"The callback cannot be read. It is kept, and not processed."}',
}

/**
 * Choose the answer to a callback that is on disk.
 * @param reply the answer of the driver, which may refuse in the words of its network
 * @param read the fault in reading it: the driver's error, or verified but unrecognized content
 * @throws UnsupportedEncoding
 */
export function chooseReply(
  reply: CallbackReply | undefined,
  read: { error?: unknown; parsed?: { subject: string; verified?: boolean } | null | undefined },
): CallbackReply {
  const { error, parsed } = read
  if (error instanceof UnsupportedEncoding) throw error
  const is_read = parsed && !(parsed.subject === 'unrecognized' && parsed.verified)
  if (is_read) return reply ?? NO_REPLY
  return reply && reply.status >= 400 ? reply : NOT_PROCESSED
}

export const NO_REPLY: CallbackReply = { status: 200, content_type: 'text/plain', body: '' }

/** The reference of the order that a callback names, or whose money it reports; null if it says none. */
export function namedOrder({ parsed, money }: ReceivedCallback): string | null {
  if (parsed?.subject === 'order') return 'reference' in parsed.order ? parsed.order.reference : null
  return money?.order_reference ?? null
}

/** Bytes stored of an unverified callback that only names an object to query. */
const MAX_STORED_BYTES = 1_024
const MAX_HEADER_CHARACTERS = 256
const MAX_HEADERS_CHARACTERS = 2_048

/** Summarize a callback that nobody can verify: the first kilobyte, some headers, the size and the SHA-256. */
export function summarizeCallback(callback: Pick<RawCallback, 'headers' | 'body' | 'bytes'>) {
  const sent = signedBytes(callback)
  const is_short = sent.length <= MAX_STORED_BYTES
  const { body, bytes = null } = is_short ? callback : { body: toRawBody(sent.subarray(0, MAX_STORED_BYTES)).body }
  return {
    body,
    bytes,
    headers: shortenHeaders(callback.headers),
    size: is_short ? null : sent.length,
    digest: is_short ? null : createHash('sha256').update(sent).digest('hex'),
  }
}

function shortenHeaders(headers: Record<string, string>): Record<string, string> {
  let left = MAX_HEADERS_CHARACTERS
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = value.slice(0, MAX_HEADER_CHARACTERS)
    left -= name.length + text.length
    if (left < 0) break
    kept[name] = text
  }
  return kept
}
