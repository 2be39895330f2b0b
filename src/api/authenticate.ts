import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import {
  ACCESS_CHANNEL,
  type Caller,
  findCaller,
  isExpired,
  type Permission,
  recordKeyUse,
} from '../core/access/api-keys.ts'
import { Forbidden, Unauthenticated } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { isReadMethod } from '../http/methods.ts'
import type { Throttle, ThrottleVerdict } from '../http/throttle.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The permission that the caller needs. Absent on addresses that need no key. */
    permission?: Permission
  }
}

/** Finds callers by their API keys. Valid keys are cached for one second, or until a key or a permission changes. */
export interface ApiKeyCache {
  find(key: string): Promise<Caller | undefined>
  close(): Promise<void>
}

const CACHE_LIFETIME_MS = 1_000
const MAX_CACHED_KEYS = 10_000
/** The last use of a key is recorded at most this often, and no request waits for it. */
const USE_RECORD_INTERVAL_MS = 60_000

export function createApiKeyCache(app: App): ApiKeyCache {
  const cached = new Map<string, { caller: Promise<Caller | undefined>; expires_at_ms: number }>()
  const recorded_at_ms = new Map<number, number>()
  const recordUse = (key: number) => {
    if (Date.now() - (recorded_at_ms.get(key) ?? 0) < USE_RECORD_INTERVAL_MS) return
    if (recorded_at_ms.size >= MAX_CACHED_KEYS) recorded_at_ms.clear()
    recorded_at_ms.set(key, Date.now())
    begin(app.db, (tx) => recordKeyUse(tx, app.clock.now(), key)).catch(() => recorded_at_ms.delete(key))
  }
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  return {
    async find(key) {
      // Not before the first look-up: `openapi` creates the server without a database.
      subscription ??= app.db.listen(ACCESS_CHANNEL, () => cached.clear())
      const entry = cached.get(key)
      if (entry && entry.expires_at_ms > Date.now()) {
        const caller = await entry.caller
        return caller && !isExpired(caller, app.clock.now()) ? caller : undefined
      }
      if (cached.size >= MAX_CACHED_KEYS) cached.clear()
      const caller = findCaller(app.db, app.clock.now(), key)
      cached.set(key, { caller, expires_at_ms: Date.now() + CACHE_LIFETIME_MS })
      // Unknown keys and failed look-ups are not cached: the key may be created, or the database return, right after.
      caller.then((found) => (found ? recordUse(found.key) : cached.delete(key))).catch(() => cached.delete(key))
      return caller
    },
    async close() {
      await (await subscription)?.unlisten()
    },
  }
}

/**
 * Finds the caller of a request with `Authorization: Token <API_KEY>` (interface section 5). The case of the scheme word
 * does not matter.
 * @throws Unauthenticated
 */
export async function authenticate(request: FastifyRequest, api_keys: ApiKeyCache): Promise<Caller> {
  const header = request.headers.authorization?.trim()
  if (!header) throw new Unauthenticated('Authentication credentials were not provided.')
  const key = /^Token\s+(\S+)$/i.exec(header)?.[1]
  const caller = key ? await api_keys.find(key) : undefined
  if (!caller) throw new Unauthenticated('Invalid token.')
  return caller
}

/** Checks that the key has the permission of an address and may use the method. @throws Forbidden */
export function authorize(caller: Caller, permission: Permission, method: string): void {
  if (!caller.permissions.has(permission)) throw new Forbidden()
  if (caller.read_only && !isReadMethod(method)) throw new Forbidden('This API key is read-only.')
}

/** Counts a request for the rate limit: by its key, or by its IP address when it has no valid key. */
export function countRequest(
  throttle: Throttle,
  config: App['config'],
  request: FastifyRequest,
  caller: Caller | undefined,
): ThrottleVerdict | Promise<ThrottleVerdict> {
  const is_read = isReadMethod(request.method)
  const limit = is_read
    ? (caller?.reads_per_minute ?? config.READS_PER_MINUTE)
    : (caller?.writes_per_minute ?? config.WRITES_PER_MINUTE)
  const subject = caller ? `key ${caller.key}` : `address ${request.ip}`
  return throttle.take(`${is_read ? 'read' : 'write'} ${subject}`, limit)
}
