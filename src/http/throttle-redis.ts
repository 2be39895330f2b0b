import { createBatcher } from '../lib/batch.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import { createThrottle, type Throttle, type ThrottleVerdict } from './throttle.ts'

/**
 * A throttle whose windows lie in Redis, for a service that runs on several machines. It counts as exactly as the one in
 * memory, by the clock of Redis. While Redis is away, each process counts for itself: a gateway that collects money
 * must not stand still because the one that counts its requests does (docs/decisions/0007).
 */
export function createRedisThrottle(url: string, log: EventLog): Throttle {
  const own = createThrottle()
  let away = false
  let ask_again_at = 0
  const noteAbsence = (error: unknown) => {
    if (!away) logEvent(log, 'redis_unavailable', { error })
    away = true
    ask_again_at = performance.now() + RETRY_DELAY_MS
  }
  const connection = connect(url, noteAbsence)

  const ask = createBatcher<[key: string, limit: number], ThrottleVerdict>({
    max_items: 1_000,
    mayRetry: () => false,
    flush: async (asks) => {
      const client = await connection
      const answers = Promise.all(asks.map(([key, limit]) => client.countRequest(key, String(limit))))
      const replies = await withTimeout(ANSWER_TIMEOUT_MS, answers)
      if (away) logEvent(log, 'redis_restored', {})
      away = false
      return replies.map((reply, index) => ({ ok: true, value: toVerdict(reply as Reply, asks[index]![1]) }))
    },
  })

  return {
    async take(key, limit) {
      if (performance.now() < ask_again_at) return own.take(key, limit)
      try {
        return await ask([key, limit])
      } catch (error) {
        noteAbsence(error)
        return own.take(key, limit)
      }
    },
    close() {
      connection.then((client) => client.destroy()).catch(() => {})
    },
  }
}

/** A request waits so long for Redis, and after a failure none waits for it until so much later. */
const ANSWER_TIMEOUT_MS = 500
const RETRY_DELAY_MS = 1_000

/**
 * One counted request is one moment in a list, oldest first. Milliseconds of Redis's own clock, which is held still for a
 * key when it is set back. Answers whether the request is allowed, how many are counted, and how long until the oldest
 * is forgotten and until there is room again, in milliseconds.
 */
const COUNT_REQUEST = `
local key, limit, minute = KEYS[1], tonumber(ARGV[1]), 60000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function at(place) return tonumber(redis.call('LINDEX', key, place) or now) end
now = math.max(now, at(-1))
while at(0) <= now - minute do redis.call('LPOP', key) end
local used = redis.call('LLEN', key)
local allowed = used < limit
if allowed then
  redis.call('RPUSH', key, now)
  redis.call('PEXPIRE', key, minute)
  used = used + 1
end
return { allowed and 1 or 0, used, at(0) + minute - now, at(used - limit) + minute - now }`

type Reply = [allowed: number, used: number, reset_ms: number, free_ms: number]

function toVerdict([allowed, used, reset_ms, free_ms]: Reply, limit: number): ThrottleVerdict {
  return {
    allowed: allowed === 1,
    limit,
    remaining: Math.max(0, limit - used),
    reset_s: used === 0 ? 0 : toSeconds(reset_ms),
    retry_after_s: allowed === 1 ? 0 : toSeconds(free_ms),
  }
}

function toSeconds(wait_ms: number): number {
  return Math.max(1, Math.ceil(wait_ms / 1000))
}

/** Opens the connection and mends it whenever it breaks. Resolves when the first try has succeeded or failed. */
async function connect(url: string, onError: (error: unknown) => void) {
  // Loaded only where it is used: the library takes a fifth of a second and 27 MB.
  const { createClient, defineScript } = await import('@redis/client')
  const countRequest = defineScript({
    SCRIPT: COUNT_REQUEST,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, limit: string) {
      parser.pushKey(`kusanya:throttle:${key}`)
      parser.push(limit)
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

async function withTimeout<T>(wait_ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${wait_ms} ms.`)), wait_ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
