import { callHttp } from '../lib/http/http-call.ts'
import type { AnyNetworkDriver, NetworkTools } from '../networks/contract.ts'
import type { StoredConnection } from './registry.ts'

export interface ToolsOptions {
  connection: StoredConnection
  driver: AnyNetworkDriver
  clock: { real(): Date }
  log: unknown
  /** The public address of this service. */
  base_url(): string
}

/** The tools of one connection. */
export function createTools({ connection, driver, clock, base_url }: ToolsOptions): NetworkTools {
  const tokens = new Map<string, string>()
  return {
    http: ({ verb: _, timeout_s = driver.traits.call_s, ...call }) =>
      callHttp({ headers: {}, ...call, timeout_ms: timeout_s * 1_000, callee: 'network' }),
    tokens: {
      async get(name, fetch) {
        const known = tokens.get(name)
        if (known !== undefined) return { outcome: 'token', token: known }
        const fetched = await fetch()
        if ('outcome' in fetched) return fetched
        tokens.set(name, fetched.token)
        return { outcome: 'token', token: fetched.token }
      },
      refuse(name, token) {
        if (tokens.get(name) === token) tokens.delete(name)
      },
    },
    now: clock.real,
    callbackUrl: (reference, purpose) =>
      [`${base_url()}/api/callbacks/${connection.slug}/${connection.callback_secret}`, reference, purpose]
        .filter((part) => part)
        .join('/'),
    alarm() {},
  }
}
