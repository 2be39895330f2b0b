import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createClient } from '@redis/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createRedisThrottle } from '../../src/http/throttle-redis.ts'
import { eventually } from '../test-app.ts'

/* These tests start their own Redis. */
const without_redis = spawnSync('redis-server', ['--version']).error !== undefined
const reason = without_redis ? ' (skipped: redis-server is not installed)' : ''

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe.skipIf(without_redis)(`a throttle in Redis${reason}`, () => {
  it('counts the requests of all processes together', async () => {
    const { url, client } = await startRedis()
    const [first, second] = [(await openConnected(url, client)).throttle, (await openConnected(url, client)).throttle]
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).take('a', 30)))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30)
    expect(await first.take('a', 30)).toMatchObject({ allowed: false, limit: 30, remaining: 0, retry_after_s: 60 })
    expect(await second.take('b', 3)).toEqual({ allowed: true, limit: 3, remaining: 2, reset_s: 60, retry_after_s: 0 })
    expect(await second.take('c', 0)).toEqual({ allowed: false, limit: 0, remaining: 0, reset_s: 0, retry_after_s: 60 })
  })

  it('counts keys together in a window that they share, and a refused request in none', async () => {
    const { url, client } = await startRedis()
    const { throttle } = await openConnected(url, client)
    const shared = { key: 'together', limit: 3 }
    const allowed: boolean[] = []
    for (const key of ['a', 'a', 'a', 'b']) allowed.push((await throttle.take(key, 2, shared)).allowed)
    expect(allowed).toEqual([true, true, false, true])
    expect(await throttle.take('b', 2, shared)).toMatchObject({ allowed: false, limit: 3, remaining: 0 })
    expect(await throttle.take('b', 2)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await client.lLen('kusanya:throttle:together')).toBe(3)
  })

  it('uses a sliding window: a request leaves it exactly one minute later, and refused requests do not count', async () => {
    const { url, client } = await startRedis()
    const { throttle } = await openConnected(url, client)
    const now = await redisTime(client)
    await client.rPush('kusanya:throttle:a', [now - 61_000, now - 40_000, now - 20_000].map(String))
    /** Expect a refusal with this Retry-After, less the seconds that have passed since the test began. */
    const expectRetryAfter = async (limit: number, wait_s: number) => {
      const verdict = await throttle.take('a', limit)
      const passed_s = ((await redisTime(client)) - now) / 1_000
      expect(verdict).toMatchObject({ allowed: false, remaining: 0 })
      expect(verdict.retry_after_s).toBeLessThanOrEqual(wait_s)
      expect(verdict.retry_after_s).toBeGreaterThanOrEqual(Math.floor(wait_s - passed_s))
      return verdict
    }
    const first = await expectRetryAfter(2, 20)
    expect(first.reset_s).toBe(first.retry_after_s)
    await expectRetryAfter(1, 40)
    expect(await throttle.take('a', 3)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await client.lLen('kusanya:throttle:a')).toBe(3)

    const later = await redisTime(client)
    await client.rPush('kusanya:throttle:b', [later - 58_500, later - 20_000].map(String))
    await eventually('the oldest request to leave the window', async () => {
      const verdict = await throttle.take('b', 2)
      return verdict.allowed || undefined
    })
    expect(await redisTime(client)).toBeGreaterThanOrEqual(later + 1_500)
    const { allowed, retry_after_s } = await throttle.take('b', 2)
    expect(allowed).toBe(false)
    expect(retry_after_s).toBeLessThanOrEqual(39)
  })

  it('deletes a key after one minute without a request', async () => {
    const { url, client } = await startRedis()
    const { throttle } = await openConnected(url, client)
    await throttle.take('a', 30)
    const lasts_ms = await client.pTTL('kusanya:throttle:a')
    expect(lasts_ms).toBeGreaterThan(40_000)
    expect(lasts_ms).toBeLessThanOrEqual(60_000)
  })

  it('counts in the process while Redis is unavailable, logs it once, and uses Redis again later', async () => {
    const { url, client, stop, restart } = await startRedis()
    const { throttle, lines } = await openConnected(url, client)
    expect((await throttle.take('a', 3)).remaining).toBe(2)
    await stop()
    await eventually('the loss to be noticed', async () => (lines.length > 0 ? true : undefined))
    expect((await throttle.take('a', 3)).remaining).toBe(2)
    expect((await throttle.take('a', 3)).remaining).toBe(1)
    await restart()
    await eventually('Redis to be used again', async () => {
      await throttle.take('other', 1_000)
      return lines.length > 1 ? true : undefined
    })
    expect(lines).toEqual(['redis_unavailable', 'redis_restored'])
    expect((await throttle.take('a', 3)).remaining).toBe(2)
  })

  it('waits at most half a second for a Redis that hangs', async () => {
    const { url, client, child } = await startRedis()
    const { throttle } = await openConnected(url, client)
    await throttle.take('a', 30)
    child().kill('SIGSTOP')
    cleanups.push(() => child().kill('SIGCONT'))
    const start = performance.now()
    expect((await throttle.take('a', 30)).allowed).toBe(true)
    expect(performance.now() - start).toBeLessThan(5_000)
    // After that only the request that tries Redis again waits; a busy machine may delay others.
    const waits_ms: number[] = []
    for (let tries = 0; tries < 5; tries += 1) {
      const later = performance.now()
      await throttle.take('a', 30)
      waits_ms.push(performance.now() - later)
    }
    expect(Math.min(...waits_ms)).toBeLessThan(100)
  })
})

describe('a throttle without a reachable Redis', () => {
  it('counts in its own process from the first request', async () => {
    const { throttle, lines } = open(`redis://127.0.0.1:${await findFreePort()}`)
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => throttle.take('a', 30)))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30)
    expect(lines).toEqual(['redis_unavailable'])
  })
})

/** A throttle that has connected to Redis. Before that, on a busy machine, it may count in its own process. */
async function openConnected(url: string, client: { lLen(key: string): Promise<number> }) {
  const { throttle, lines } = open(url)
  connected += 1
  const key = `connected ${connected}`
  await eventually('Redis to be found', async () => {
    await throttle.take(key, 1_000)
    return (await client.lLen(`kusanya:throttle:${key}`)) > 0 || undefined
  })
  lines.length = 0
  return { throttle, lines }
}

let connected = 0

function open(url: string) {
  const lines: string[] = []
  const note = ({ event }: { event: string }) => void lines.push(event)
  const throttle = createRedisThrottle(url, { warn: note, info: note } as Parameters<typeof createRedisThrottle>[1])
  cleanups.push(() => throttle.close?.())
  return { throttle, lines }
}

/** Start a Redis without persistence on a free port. */
async function startRedis() {
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess
  const client = createClient({ url, socket: { reconnectStrategy: 50 } })
  client.on('error', () => {})
  const start = async () => {
    child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    })
  }
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  await client.connect()
  cleanups.push(() => stop())
  cleanups.push(() => client.destroy())
  return { url, client, stop, restart: start, child: () => child }
}

async function redisTime(client: { time(): Promise<string[]> }): Promise<number> {
  const [seconds, microseconds] = await client.time()
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
}

async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  await once(listener, 'close')
  return port
}
