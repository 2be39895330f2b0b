import { createBatcher } from '../lib/batches/batch.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import { createThrottle, type SharedWindow, type Throttle, type ThrottleVerdict } from './throttle.ts'

/**
 * A throttle that keeps its windows in Redis, for a service on several machines. It is as exact as the throttle in memory
 * and uses the clock of Redis. While Redis is unavailable each process counts alone: a gateway that collects money must
 * not stop because its request counter is down. A window is a list of times: two buckets would let twice the limit through
 * in some minutes, and clients rely on "in any minute".
 */
export function createRedisThrottle(url: string, log: EventLog): Throttle {
  const local = createThrottle()
  let unavailable = false
  let retry_at_ms = 0
  const markUnavailable = (error: unknown) => {
    if (!unavailable) logEvent(log, 'redis_unavailable', { error })
    unavailable = true
    retry_at_ms = performance.now() + RETRY_DELAY_MS
  }
  const connection = connect(url, markUnavailable)

  const countRequest = createBatcher<SharedWindow[], ThrottleVerdict>({
    max_items: 1_000,
    mayRetry: () => false,
    flush: async (requests) => {
      const client = await connection
      const counted = Promise.all(requests.map((windows) => client.countRequest(windows)))
      const replies = await withTimeout(ANSWER_TIMEOUT_MS, counted)
      if (unavailable) logEvent(log, 'redis_restored', {})
      unavailable = false
      return replies.map((reply, index) => ({ ok: true, value: toVerdict(reply as Reply, requests[index]!) }))
    },
  })

  return {
    async take(key, limit, shared) {
      if (performance.now() < retry_at_ms) return local.take(key, limit, shared)
      try {
        return await countRequest([{ key, limit }, ...(shared ? [shared] : [])])
      } catch (error) {
        markUnavailable(error)
        return local.take(key, limit, shared)
      }
    },
    close() {
      connection.then((client) => client.destroy()).catch(() => {})
    },
  }
}

/** Maximum wait of a request for Redis. */
const ANSWER_TIMEOUT_MS = 500
/** After a failure no request waits for Redis for this long. */
const RETRY_DELAY_MS = 1_000

/**
 * Count one request in all windows, or in none if one is full. The list of a key holds one timestamp for each counted
 * request, oldest first, in milliseconds of Redis's clock. If that clock is set back, the time of a key stands still
 * until the clock catches up. The script returns whether the request is allowed, and of the window that is full, or of
 * the first: its place, how many are counted, and the milliseconds until the oldest leaves the window and until the
 * next request can be allowed.
 */
const COUNT_REQUEST = `
local minute = 60000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function at(key, index) return tonumber(redis.call('LINDEX', key, index) or now) end
for _, key in ipairs(KEYS) do now = math.max(now, at(key, -1)) end
local full
for i, key in ipairs(KEYS) do
  while at(key, 0) <= now - minute do redis.call('LPOP', key) end
  if not full and redis.call('LLEN', key) >= tonumber(ARGV[i]) then full = i end
end
if not full then
  for _, key in ipairs(KEYS) do
    redis.call('RPUSH', key, now)
    redis.call('PEXPIRE', key, minute)
  end
end
local shown = full or 1
local key = KEYS[shown]
local used = redis.call('LLEN', key)
local next_at = at(key, used - tonumber(ARGV[shown]))
return { full and 0 or 1, shown - 1, used, at(key, 0) + minute - now, next_at + minute - now }`

type Reply = [allowed: number, shown: number, used: number, reset_ms: number, retry_after_ms: number]

function toVerdict(
  [allowed, shown, used, reset_ms, retry_after_ms]: Reply,
  windows: readonly SharedWindow[],
): ThrottleVerdict {
  const { limit } = windows[shown]!
  return {
    allowed: allowed === 1,
    limit,
    remaining: Math.max(0, limit - used),
    reset_s: used === 0 ? 0 : toSeconds(reset_ms),
    retry_after_s: allowed === 1 ? 0 : toSeconds(retry_after_ms),
  }
}

function toSeconds(wait_ms: number): number {
  return Math.max(1, Math.ceil(wait_ms / 1000))
}

/** Connect to Redis and reconnect after each break. Resolves when the first attempt has succeeded or failed. */
async function connect(url: string, onError: (error: unknown) => void) {
  // Loaded only when it is used: the library needs 0.2 s and 27 MB.
  const { createClient, defineScript } = await import('@redis/client')
  const countRequest = defineScript({
    SCRIPT: COUNT_REQUEST,
    parseCommand(parser, windows: readonly SharedWindow[]) {
      parser.push(String(windows.length))
      for (const { key } of windows) parser.pushKey(`kusanya:throttle:${key}`)
      for (const { limit } of windows) parser.push(String(limit))
    },
    transformReply: (reply: unknown) => reply as number[],
  })
  const client = createClient({
    url,
    scripts: { countRequest },
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: RETRY_DELAY_MS },
  })
  client.on('error', onError)
  await new Promise<void>((resolve) => {
    client.once('ready', resolve).once('error', () => resolve())
    client.connect().catch(onError)
  })
  return client
}

async function withTimeout<T>(timeout_ms: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${timeout_ms} ms.`)), timeout_ms)
  })
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}
