import { createHash, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'

/*
 * HTTP Message Signatures (RFC 9421) and Content-Digest (RFC 9530), as far as pawaPay uses them: ECDSA with P-256 and SHA-256,
 * and no parameters of components. pawaPay differs from the RFC in one thing: its signatures are in DER. Those of the RFC, the
 * two numbers one after the other, are accepted too.
 */

/** A request, as far as a signature covers it. */
export interface SignedMessage {
  method: string
  /** The whole address that was called. */
  url: string
  /** Headers with names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/** Content of the header Signature-Input. */
interface SignatureInput {
  label: string
  components: readonly string[]
  /** The text after the label, which is signed as it is. */
  parameters: string
  key_id: string
  algorithm: string | undefined
  /** Seconds since 1970. */
  created: number
  expires: number | undefined
}

/** Form of Signature-Input. No other parameters have a meaning for us, and pawaPay never sends two labels. */
const INPUT =
  /^([a-z*][a-z0-9_.*-]*)=(\(("[^"\\]*"(?: "[^"\\]*")*)\)((?:;[a-z*][a-z0-9_.*-]*=(?:"[^"\\]*"|-?\d{1,15}))*))$/
const PARAMETER = /;([a-z*][a-z0-9_.*-]*)=(?:"([^"\\]*)"|(-?\d{1,15}))/g

/** Read Signature-Input. Undefined for one that is not of pawaPay's form. */
export function readSignatureInput(header: string | undefined): SignatureInput | undefined {
  const [, label, parameters, listed, rest] = INPUT.exec(header?.trim() ?? '') ?? []
  if (label === undefined || parameters === undefined || listed === undefined || rest === undefined) return undefined
  const components = listed.slice(1, -1).split('" "')
  const found = [...rest.matchAll(PARAMETER)].map(([, name, text, number]) => [name!, text ?? Number(number)] as const)
  const values = new Map(found)
  const [key_id, created, expires, algorithm] = ['keyid', 'created', 'expires', 'alg'].map((name) => values.get(name))
  if (values.size < found.length || new Set(components).size < components.length) return undefined
  if (typeof key_id !== 'string' || typeof created !== 'number') return undefined
  if (expires !== undefined && typeof expires !== 'number') return undefined
  if (algorithm !== undefined && typeof algorithm !== 'string') return undefined
  return { label, components, parameters, key_id, algorithm, created, expires }
}

/** Components without which a signature of another request could be replayed with other content. */
const NEEDED_COMPONENTS = ['@method', '@authority', '@path', 'content-digest']
const ALGORITHM = 'ecdsa-p256-sha256'

/** Tolerance between our clock and pawaPay's. */
const TOLERANCE_S = 300
/** The life of a signature that does not say when it ends. pawaPay gives them a minute. */
const USUAL_LIFE_S = 60

/**
 * Return true if a request has a valid, recent signature of this key over its method, address and body.
 * @param now the time at which it came
 */
export function isSigned(message: SignedMessage, input: SignatureInput, key: KeyObject, now: Date): boolean {
  const { label, components, algorithm, created, expires = created + USUAL_LIFE_S } = input
  const now_s = now.getTime() / 1_000
  if (algorithm !== undefined && algorithm !== ALGORITHM) return false
  if (created > now_s + TOLERANCE_S || expires < now_s - TOLERANCE_S) return false
  if (NEEDED_COMPONENTS.some((name) => !components.includes(name))) return false
  const base = signatureBase(message, input)
  const signature = readSignature(message.headers.signature, label)
  if (base === undefined || !signature || !hasRightDigest(message)) return false
  return verifySignature(base, signature, key)
}

/** Return true if the signature over this text is valid, in DER or as the two numbers of the RFC. */
export function verifySignature(base: string, signature: Buffer, key: KeyObject): boolean {
  return (['der', 'ieee-p1363'] as const).some((dsaEncoding) => {
    try {
      return verify('sha256', Buffer.from(base), { key, dsaEncoding }, signature)
    } catch {
      return false
    }
  })
}

/** The text that is signed. Undefined if the request does not have a component. */
export function signatureBase(
  { method, url, headers }: Pick<SignedMessage, 'method' | 'url' | 'headers'>,
  { components, parameters }: Pick<SignatureInput, 'components' | 'parameters'>,
): string | undefined {
  const { host, pathname } = new URL(url)
  const derived: Record<string, string> = { '@method': method, '@authority': host.toLowerCase(), '@path': pathname }
  const lines = components.map((name) => {
    const values = name.startsWith('@') ? derived : headers
    return Object.hasOwn(values, name) ? `"${name}": ${values[name]!.trim()}` : undefined
  })
  return lines.includes(undefined) ? undefined : [...lines, `"@signature-params": ${parameters}`].join('\n')
}

function readSignature(header: string | undefined, label: string): Buffer | undefined {
  const [, name, base64] = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]+={0,2}):$/.exec(header?.trim() ?? '') ?? []
  return name === label && base64 !== undefined ? Buffer.from(base64, 'base64') : undefined
}

const digests: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

/** Return true if Content-Digest matches the body in each form that we know, and in at least one. */
function hasRightDigest({ headers, body }: Pick<SignedMessage, 'headers' | 'body'>): boolean {
  const members = (headers['content-digest'] ?? '').split(',').map((member) => member.trim())
  const checked = members.flatMap((member) => {
    const [, name = '', base64 = ''] = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/.exec(member) ?? []
    return Object.hasOwn(digests, name) ? [isDigest(body, digests[name]!, base64)] : []
  })
  return checked.length > 0 && checked.every(Boolean)
}

function isDigest(body: Uint8Array, algorithm: string, base64: string): boolean {
  const [expected, given] = [createHash(algorithm).update(body).digest(), Buffer.from(base64, 'base64')]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Request that we sign. */
interface MessageToSign {
  method: string
  url: string
  content_type: string
  body: string
}

const LABEL = 'sig-pp'
const SIGNED_COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type']

/** The headers that sign a request in pawaPay's form. */
export function signRequest(
  { method, url, content_type, body }: MessageToSign,
  { key, key_id }: { key: KeyObject; key_id: string },
  now: Date,
): Record<string, string> {
  const created = Math.floor(now.getTime() / 1_000)
  const listed = SIGNED_COMPONENTS.map((name) => `"${name}"`).join(' ')
  const parameters = `(${listed});alg="${ALGORITHM}";keyid="${key_id}";created=${created};expires=${created + USUAL_LIFE_S}`
  const digest = createHash('sha512').update(body).digest('base64')
  const date = now.toISOString()
  const headers = { 'content-type': content_type, 'content-digest': `sha-512=:${digest}:`, 'signature-date': date }
  const base = signatureBase({ method, url, headers }, { components: SIGNED_COMPONENTS, parameters })!
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'der' }).toString('base64')
  return {
    'Content-Digest': headers['content-digest'],
    'Signature-Date': date,
    'Signature-Input': `${LABEL}=${parameters}`,
    Signature: `${LABEL}=:${signature}:`,
  }
}
