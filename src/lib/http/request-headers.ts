import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/*
 * Headers, before anything compares them. Proxies and clients write the same value in several ways.
 */

/** Headers with a single value. Node joins or drops the values of one that comes twice, depending on its name. */
const SINGLE: ReadonlySet<string> = new Set(
  `authorization proxy-authorization duplicate-check-key idempotency-key x-api-key content-type content-length last-event-id
  baxi-date service-date x-sandbox-scenario x-sandbox-signature x-twilio-signature x-reloadly-signature
  x-reloadly-request-timestamp signature signature-input content-digest x-correlationid x-requested-with`.split(/\s+/),
)

/**
 * Gives each header one value. Equal values of a header with a single value count once; the addresses of
 * X-Forwarded-For lose ports, brackets, quotes and zones.
 * @returns the name of a header that comes with different values; undefined if there is none
 */
export function normalizeHeaders({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  const first = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    if (!SINGLE.has(name)) continue
    const value = rawHeaders[index + 1]!.trim()
    const earlier = first.get(name)
    if (earlier !== undefined && earlier !== value) return rawHeaders[index]
    first.set(name, value)
    if (earlier !== undefined) headers[name] = value
  }
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined)
    headers['x-forwarded-for'] = [forwarded].flat().join(',').split(',').map(plainAddress).join(', ')
  return undefined
}

/**
 * Returns the address in an element of X-Forwarded-For: `1.2.3.4:5678`, `[2001:db8::1]:443`, `"[::1]"`, `fe80::1%eth0`
 * and `::ffff:1.2.3.4` are addresses with something around them. Another text stays as it is.
 */
export function plainAddress(element: string): string {
  const text = element.trim().replace(/^"([^"]*)"$/, '$1')
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
  const unported = bracketed ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  const address = unported.split('%', 1)[0]!
  if (isIP(address) === 0) return text
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : address
}
