import type { RawCallback } from './raw-callback.ts'

const REDACTED = '[redacted]'

/**
 * The callback without the values of these headers, query parameters and JSON members. A body that holds none of them stays
 * as it is, byte for byte.
 */
export function redactCallback<Callback extends Pick<RawCallback, 'headers' | 'query' | 'body' | 'bytes'>>(
  callback: Callback,
  names: readonly string[] = [],
): Callback {
  if (names.length === 0) return callback
  const secret = new Set(names.map((name) => name.toLowerCase()))
  const headers = Object.fromEntries(
    Object.entries(callback.headers).map(([name, value]) => [name, secret.has(name) ? REDACTED : value]),
  )
  return { ...callback, headers, query: redactQuery(callback.query, secret), ...redactBody(callback, secret) }
}

function redactQuery(query: string, secret: ReadonlySet<string>): string {
  const parameters = new URLSearchParams(query)
  const named = [...new Set(parameters.keys())].filter((name) => secret.has(name.toLowerCase()))
  for (const name of named) parameters.set(name, REDACTED)
  return named.length === 0 ? query : parameters.toString()
}

function redactBody({ body, bytes }: Pick<RawCallback, 'body' | 'bytes'>, secret: ReadonlySet<string>) {
  let found = false
  const redact = (name: string, value: unknown) => {
    if (!secret.has(name.toLowerCase())) return value
    found = true
    return REDACTED
  }
  try {
    const redacted = JSON.stringify(JSON.parse(body, redact))
    return found ? { body: redacted, bytes: null } : { body, bytes }
  } catch {
    return { body, bytes }
  }
}
