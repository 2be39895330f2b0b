import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createClient } from '@redis/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createRedisThrottle } from '../../src/http/throttle-redis.ts'
import { eventually } from '../house.ts'

/*
 * These tests need a Redis of their own. They run where a `redis-server` is on the path (Debian: apt-get install
 * redis-server) and are skipped, visibly, where none is.
 */
const without_redis = spawnSync('redis-server', ['--version']).error !== undefined

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe.skipIf(without_redis)('a throttle in Redis', () => {
  it('counts the requests of all processes together', async () => {
    const { url } = await startRedis()
    const [one, other] = [open(url).throttle, open(url).throttle]
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).take('a', 30)))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30)
    expect(await one.take('a', 30)).toMatchObject({ allowed: false, limit: 30, remaining: 0, retry_after_s: 60 })
    expect(await other.take('b', 3)).toEqual({ allowed: true, limit: 3, remaining: 2, reset_s: 60, retry_after_s: 0 })
    expect(await other.take('c', 0)).toEqual({ allowed: false, limit: 0, remaining: 0, reset_s: 0, retry_after_s: 60 })
  })

  it('slides: a place is free again exactly a minute after it was taken, and refused requests do not count', async () => {
    const { url, client } = await startRedis()
    const { throttle } = open(url)
    const now = await redisTime(client)
    await client.rPush('kusanya:throttle:a', [now - 61_000, now - 58_500, now - 20_000].map(String))
    expect(await throttle.take('a', 2)).toMatchObject({ allowed: false, remaining: 0, retry_after_s: 2, reset_s: 2 })
    expect(await throttle.take('a', 1)).toMatchObject({ allowed: false, retry_after_s: 40 })
    expect(await throttle.take('a', 3)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await client.lLen('kusanya:throttle:a')).toBe(3)
    await eventually('the oldest place to be free', async () => {
      const verdict = await throttle.take('a', 3)
      return verdict.allowed || undefined
    })
    expect(await redisTime(client)).toBeGreaterThanOrEqual(now + 1_500)
    const { allowed, retry_after_s } = await throttle.take('a', 3)
    expect(allowed).toBe(false)
    expect(retry_after_s).toBeLessThanOrEqual(39)
  })

  it('leaves nothing behind once a minute has passed without a request', async () => {
    const { url, client } = await startRedis()
    await open(url).throttle.take('a', 30)
    const lasts_ms = await client.pTTL('kusanya:throttle:a')
    expect(lasts_ms).toBeGreaterThan(55_000)
    expect(lasts_ms).toBeLessThanOrEqual(60_000)
  })

  it('lets the process count for itself while Redis is away, says so once, and goes back to it', async () => {
    const { url, stop, restart } = await startRedis()
    const { throttle, lines } = open(url)
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
    expect(lines).toEqual(['redis is away: every process throttles by itself', 'redis is back'])
    expect((await throttle.take('a', 3)).remaining).toBe(2)
  })

  it('waits half a second at most for a Redis that hangs', async () => {
    const { url, child } = await startRedis()
    const { throttle } = open(url)
    await throttle.take('a', 30)
    child().kill('SIGSTOP')
    cleanups.push(() => child().kill('SIGCONT'))
    const start = performance.now()
    expect((await throttle.take('a', 30)).allowed).toBe(true)
    expect(performance.now() - start).toBeLessThan(2_000)
    const later = performance.now()
    await throttle.take('a', 30)
    expect(performance.now() - later).toBeLessThan(100)
  })
})

describe('a throttle whose Redis cannot be reached', () => {
  it('counts in its own process from the first request on', async () => {
    const { throttle, lines } = open(`redis://127.0.0.1:${await findFreePort()}`)
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => throttle.take('a', 30)))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30)
    expect(lines).toEqual(['redis is away: every process throttles by itself'])
  })
})

function open(url: string) {
  const lines: string[] = []
  const note = (_fields: unknown, line: string) => void lines.push(line)
  const throttle = createRedisThrottle(url, { warn: note, info: note } as Parameters<typeof createRedisThrottle>[1])
  cleanups.push(() => throttle.close?.())
  return { throttle, lines }
}

/** A Redis that keeps nothing on disk, on a port of its own. */
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
