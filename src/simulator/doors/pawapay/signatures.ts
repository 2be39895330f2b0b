import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { CallbackRequest } from '../../world/world.ts'
import type { PawapaySwitches } from './switches.ts'

/*
 * The signatures of the network: RFC 9421 with ECDSA, P-256 and SHA-256, and the signature in DER.
 */

export const KEY_ID = 'HTTP_EC_P256_KEY:1'
const COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type']
const CONTENT_TYPE = 'application/json'
const LIFE_S = 60

/**
 * Derive a key from a word. Every process gets the same key, because callbacks are signed where nothing is remembered.
 * It opens nothing else.
 */
function keyFrom(word: string): KeyObject {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(createHash('sha256').update(word).digest())
  const point = ecdh.getPublicKey()
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), ecdh.getPrivateKey()]
  const base64url = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', x: base64url(x), y: base64url(y), d: base64url(d) }
  return createPrivateKey({ key, format: 'jwk' })
}

const key = keyFrom('the simulated pawaPay')
const other_key = keyFrom('somebody else')

/** The public key as the network hands it out. */
export const public_key = createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string

/** Value of the header `signature` on a waiting callback, for `completeCallback`. */
export type Mark = `${'genuine' | 'forged'} ${PawapaySwitches['signature_form']}`

/** Sign a callback when it is sent, so that one that is repeated has a signature of its time. */
export function signCallback(callback: CallbackRequest, now: Date): CallbackRequest {
  const { url, method = 'POST', headers: { signature: mark, ...headers } = {}, body } = callback
  if (mark === undefined || url === null || !URL.canParse(url)) return { ...callback, headers }
  const [who, form] = mark.split(' ') as [string, PawapaySwitches['signature_form']]
  const { host, pathname } = new URL(url)
  const created = Math.floor(now.getTime() / 1_000)
  const signed: Record<string, string> = {
    '@method': method,
    '@authority': host.toLowerCase(),
    '@path': pathname,
    'signature-date': now.toISOString(),
    'content-digest': `sha-512=:${createHash('sha512').update(body).digest('base64')}:`,
    'content-type': CONTENT_TYPE,
  }
  const parameters = `(${COMPONENTS.map((name) => `"${name}"`).join(' ')});alg="ecdsa-p256-sha256";keyid="${KEY_ID}";created=${created};expires=${created + LIFE_S}`
  const lines = [...COMPONENTS.map((name) => `"${name}": ${signed[name]}`), `"@signature-params": ${parameters}`]
  const signer = { key: who === 'forged' ? other_key : key, dsaEncoding: form }
  const signature = sign('sha256', Buffer.from(lines.join('\n')), signer).toString('base64')
  const own = Object.fromEntries(Object.entries(signed).filter(([name]) => !name.startsWith('@')))
  return {
    ...callback,
    headers: { ...headers, ...own, 'signature-input': `sig-pp=${parameters}`, signature: `sig-pp=:${signature}:` },
  }
}

/** A request of the business. */
interface SignedRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string | undefined>>
  body: string
  now: Date
}

/** Return true if an order has a current signature of the business over its content. */
export function isSignedRequest(
  request: SignedRequest,
  { request_public_key, request_key_id }: PawapaySwitches,
): boolean {
  const { method, path, headers, body, now } = request
  const [, parameters = '', names = '', rest = ''] =
    /^sig-pp=((\("[^)]*"\))(.*))$/.exec(headers['signature-input'] ?? '') ?? []
  const components = names.slice(2, -2).split('" "')
  const created = Number(/;created=(\d+)/.exec(rest)?.[1])
  const signature = /^sig-pp=:(.*):$/.exec(headers.signature ?? '')?.[1]
  const digest = /^(sha-256|sha-512)=:(.*):$/.exec(headers['content-digest'] ?? '')
  const derived: Record<string, string | undefined> = { '@method': method, '@authority': headers.host, '@path': path }
  const hashed = digest && createHash(digest[1]!.replace('-', '')).update(body).digest('base64')
  if (!signature || hashed !== digest?.[2] || !rest.includes(`;keyid="${request_key_id}"`)) return false
  if (!COMPONENTS.every((name) => components.includes(name))) return false
  if (!(Math.abs(now.getTime() / 1_000 - created) < LIFE_S * 5)) return false
  const lines = components.map((name) => `"${name}": ${name.startsWith('@') ? derived[name] : headers[name]}`)
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  try {
    return verify('sha256', Buffer.from(base), createPublicKey(request_public_key), Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
