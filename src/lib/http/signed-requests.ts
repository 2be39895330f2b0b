import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Parts of a bill-payment request that the signature covers. */
export interface SignedRequest {
  /** Method in capitals. */
  method: string
  /** Without the host. */
  path: string
  /** Unix seconds, as the date header says. */
  timestamp: number
  /** The exact bytes sent; empty for none. */
  body: Uint8Array
}

/**
 * Signs a request as the clients of the original bill-payment interface do: base64 of HMAC-SHA-1 over method, path,
 * timestamp and the base64 SHA-256 of the body, without separators. Their interface requires SHA-1. Within HMAC it is
 * still secure (RFC 6151 says so even of MD5).
 */
export function signRequest(secret: string, { method, path, timestamp, body }: SignedRequest): string {
  const payload_hash = body.length === 0 ? '' : createHash('sha256').update(body).digest('base64')
  return createHmac('sha1', secret).update(`${method}${path}${timestamp}${payload_hash}`, 'utf8').digest('base64')
}

/** True if the signature belongs to the request. The time taken does not show how much of it was right. */
export function verifySignature(secret: string, request: SignedRequest, signature: string): boolean {
  const expected = Buffer.from(signRequest(secret, request))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Reads the date header of a signed request into unix seconds. The interface requires RFC 1123; clients also send
 * ISO 8601, PHP's `c`, JavaScript's `Date.toString()` and unix seconds. Undefined for anything else, including dates
 * without a time or a time zone.
 */
export function readRequestDate(text: string): number | undefined {
  const plain = text.trim()
  if (/^\d{9,11}$/.test(plain)) return Number(plain)
  const named = plain.endsWith(')') ? plain.lastIndexOf('(') : -1
  const date = named < 0 ? plain : plain.slice(0, named).trimEnd()
  if (!/\d\d:\d\d/.test(date) || !/(GMT|UTC|Z|[+-]\d\d:?\d\d)$/.test(date)) return undefined
  const timestamp_ms = Date.parse(date)
  return Number.isNaN(timestamp_ms) ? undefined : Math.floor(timestamp_ms / 1_000)
}
