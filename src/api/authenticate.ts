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
    /** What the caller must be allowed to do. Absent on addresses that need no key. */
    permission?: Permission
  }
}

/** Finds callers by their keys. Known keys are remembered for a second, or until a key or a permission changes. */
export interface ApiKeyCache {
  find(key: string): Promise<Caller | undefined>
  close(): Promise<void>
}

const CACHE_LIFETIME_MS = 1_000
const MAX_CACHED_KEYS = 10_000
/** That a key is in use is written down this often, and no request waits for it. */
const TOUCH_INTERVAL_MS = 60_000

export function createApiKeyCache(app: App): ApiKeyCache {
  const remembered = new Map<string, { caller: Promise<Caller | undefined>; until_ms: number }>()
  const touched = new Map<number, number>()
  const touch = (key: number) => {
    if (Date.now() - (touched.get(key) ?? 0) < TOUCH_INTERVAL_MS) return
    if (touched.size >= MAX_CACHED_KEYS) touched.clear()
    touched.set(key, Date.now())
    begin(app.db, (tx) => recordKeyUse(tx, app.clock.now(), key)).catch(() => touched.delete(key))
  }
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  return {
    async find(key) {
      // With the first look-up and not before: whoever only describes the server needs no database.
      subscription ??= app.db.listen(ACCESS_CHANNEL, () => remembered.clear())
      const known = remembered.get(key)
      if (known && known.until_ms > Date.now()) {
        const caller = await known.caller
        return caller && !isExpired(caller, app.clock.now()) ? caller : undefined
      }
      if (remembered.size >= MAX_CACHED_KEYS) remembered.clear()
      const caller = findCaller(app.db, app.clock.now(), key)
      remembered.set(key, { caller, until_ms: Date.now() + CACHE_LIFETIME_MS })
      // Wrong keys and failed look-ups are not kept: the key may be made, or the database be back, a moment later.
      caller.then((found) => (found ? touch(found.key) : remembered.delete(key))).catch(() => remembered.delete(key))
      return caller
    },
    async close() {
      await (await subscription)?.unlisten()
    },
  }
}

/**
 * Interface section 5: `Authorization: Token <API_KEY>`. The scheme word is taken in any case.
 * @throws Unauthenticated
 */
export async function authenticate(request: FastifyRequest, doorkeeper: ApiKeyCache): Promise<Caller> {
  const header = request.headers.authorization?.trim()
  if (!header) throw new Unauthenticated('Authentication credentials were not provided.')
  const key = /^Token\s+(\S+)$/i.exec(header)?.[1]
  const caller = key ? await doorkeeper.find(key) : undefined
  if (!caller) throw new Unauthenticated('Invalid token.')
  return caller
}

/** @throws Forbidden when the key may not do what this address does. */
export function authorize(caller: Caller, permission: Permission, method: string): void {
  if (!caller.permissions.has(permission)) throw new Forbidden()
  if (caller.read_only && !isReadMethod(method)) throw new Forbidden('This API key is read-only.')
}

/** Counts a request against its key, or against the address when it has no valid key. */
export function countRequest(
  throttle: Throttle,
  config: App['config'],
  request: FastifyRequest,
  caller: Caller | undefined,
): ThrottleVerdict | Promise<ThrottleVerdict> {
  const read = isReadMethod(request.method)
  const limit = read
    ? (caller?.reads_per_minute ?? config.READS_PER_MINUTE)
    : (caller?.writes_per_minute ?? config.WRITES_PER_MINUTE)
  const who = caller ? `key ${caller.key}` : `address ${request.ip}`
  return throttle.take(`${read ? 'read' : 'write'} ${who}`, limit)
}
