import type { App } from '../app.ts'
import {
  ACCESS_CHANNEL,
  type Caller,
  findCaller,
  findExistingKeys,
  findRefusalReason,
  hashKey,
  isExpired,
  recordKeyUse,
} from '../core/access/api-keys.ts'
import { begin } from '../db/client.ts'
import { createLookUpLimit } from './look-up-limit.ts'

/** Reason for refusing a key. */
export type KeyRefusal = 'unknown' | 'revoked' | 'expired'

/**
 * Find callers by their API keys. Valid keys are cached for one second, or until a key or a permission changes; wrong
 * ones are remembered for a minute, or until then. Keys are held as digests, so an entry is small whatever was sent.
 */
export interface ApiKeyCache {
  /** @param address of the client (`addressGroup`), whose look-ups of unknown keys are limited */
  find(key: string, address: string): Promise<Caller | KeyRefusal>
  close(): Promise<void>
}

const CACHE_LIFETIME_MS = 1_000
const WRONG_LIFETIME_MS = 60_000
const MAX_CACHED_KEYS = 10_000
/** The last use of a key is recorded at most this often, and no request waits for it. */
const USE_RECORD_INTERVAL_MS = 60_000

interface CachedCaller {
  caller: Promise<Caller | KeyRefusal>
  expires_at_ms: number
}

export function createApiKeyCache(app: App): ApiKeyCache {
  const cached = new Map<string, CachedCaller>()
  const wrong = createWrongKeys()
  const limit = createLookUpLimit((digests) => findExistingKeys(app.db, digests))
  const recordUse = createUseRecorder(app)
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  const forget = () => {
    cached.clear()
    wrong.clear()
  }

  async function lookUp(key: string): Promise<Caller | KeyRefusal> {
    const now = app.clock.now()
    return (await findCaller(app.db, now, key)) ?? (await findRefusalReason(app.db, now, key)) ?? 'unknown'
  }

  /** Start a look-up that all requests with this key share. */
  function startLookUp(key: string, digest: string): Promise<Caller | KeyRefusal> {
    const asked_after = wrong.changes()
    const caller = lookUp(key)
    makeRoomIn(cached)
    cached.set(digest, { caller, expires_at_ms: Date.now() + CACHE_LIFETIME_MS })
    caller.then(
      (found) => {
        if (typeof found !== 'string') return recordUse(found.key)
        cached.delete(digest)
        wrong.remember(digest, found, asked_after)
      },
      // A failed look-up says nothing: the database may return right after.
      () => cached.delete(digest),
    )
    return caller
  }

  async function readCached(entry: CachedCaller): Promise<Caller | KeyRefusal> {
    const caller = await entry.caller
    return typeof caller === 'string' || !isExpired(caller, app.clock.now()) ? caller : 'expired'
  }

  return {
    async find(key, address) {
      // Subscribe at the first look-up only: `openapi` creates the server without a database.
      subscription ??= app.db.listen(ACCESS_CHANNEL, forget)
      const digest = hashKey(key).toString('base64')
      const entry = cached.get(digest)
      if (entry && entry.expires_at_ms > Date.now()) return readCached(entry)
      const refusal = wrong.find(digest)
      if (refusal) return refusal
      // An entry older than a second still proves that the key was right.
      if (entry) return startLookUp(key, digest)
      const asked_after = wrong.changes()
      if (!(await limit.mayLookUp(digest, address))) return wrong.remember(digest, 'unknown', asked_after)
      const started = cached.get(digest)
      return started ? readCached(started) : startLookUp(key, digest)
    },
    async close() {
      await (await subscription)?.unlisten()
    },
  }
}

/** Remember which keys were refused, until a key or a permission changes. */
function createWrongKeys() {
  const refusals = new Map<string, { refusal: KeyRefusal; expires_at_ms: number }>()
  let changes = 0
  return {
    /** The number of changes so far. */
    changes: () => changes,
    /** Remember and return a refusal, unless there was a change since its key was looked for: it may exist now. */
    remember(digest: string, refusal: KeyRefusal, asked_after: number): KeyRefusal {
      if (changes !== asked_after) return refusal
      makeRoomIn(refusals)
      refusals.set(digest, { refusal, expires_at_ms: Date.now() + WRONG_LIFETIME_MS })
      return refusal
    },
    find(digest: string): KeyRefusal | undefined {
      const known = refusals.get(digest)
      return known && known.expires_at_ms > Date.now() ? known.refusal : undefined
    },
    clear() {
      changes += 1
      refusals.clear()
    },
  }
}

/** Empty a full cache: to look up all keys once more costs less than to keep count of their use. */
function makeRoomIn(cache: Map<string, unknown>): void {
  if (cache.size >= MAX_CACHED_KEYS) cache.clear()
}

function createUseRecorder(app: App): (key: number) => void {
  const recorded_at_ms = new Map<number, number>()
  return (key) => {
    if (Date.now() - (recorded_at_ms.get(key) ?? 0) < USE_RECORD_INTERVAL_MS) return
    if (recorded_at_ms.size >= MAX_CACHED_KEYS) recorded_at_ms.clear()
    recorded_at_ms.set(key, Date.now())
    begin(app.db, (tx) => recordKeyUse(tx, app.clock.now(), key)).catch(() => recorded_at_ms.delete(key))
  }
}
