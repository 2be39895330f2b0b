import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createInFlightLimiter } from '../../src/http/in-flight-limiter.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { eventually } from '../test-app.ts'

/** The limit of one process. */
const MAX_IN_FLIGHT = 1_000
/** A thousand connections take long on a busy machine. */
const TIMEOUT_MS = 60_000

let server: Server
afterEach(() => server.close())

/** A server whose responses wait until `release` is called. */
async function open(options: { answer_timeout_ms?: number } = {}) {
  server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off', ...options })
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  const handler = async () => {
    waiting += 1
    await gate.promise
    return {}
  }
  server.get('/slow', { handler })
  server.get('/slow-third-party', { config: { waits_for_third_party: true }, handler })
  server.get('/streamed', { handler: async (_request, reply) => reply.send(Readable.from(twoParts(gate.promise))) })
  server.get('/third-party', { config: { waits_for_third_party: true }, handler: async () => ({}) })
  server.get('/health', { config: { open_in_maintenance: true }, handler: async () => ({}) })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, release: gate.resolve, waiting: () => waiting }
}

async function* twoParts(between: Promise<void>) {
  yield 'first '
  await between
  yield 'second'
}

describe('the limit of requests in flight', { timeout: 2 * TIMEOUT_MS }, () => {
  it('admits requests up to the limit, refuses others with Retry-After, and admits again when slots are free', async () => {
    const { url, release, waiting } = await open()
    const admitted = Array.from({ length: MAX_IN_FLIGHT }, () => fetch(`${url}/slow`))
    await eventually('all slots taken', async () => (waiting() === MAX_IN_FLIGHT ? true : undefined), TIMEOUT_MS)
    const refused = await fetch(`${url}/slow`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({ detail: 'The service is busy.' })
    // Health checks and requests that wait for third parties take no slot.
    expect((await fetch(`${url}/third-party`)).status).toBe(200)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    release()
    for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200)
    expect((await fetch(`${url}/slow`)).status).toBe(200)
  })

  it('refuses a few requests in each turn of the event loop, so that other work goes on', async () => {
    const limiter = createInFlightLimiter(0)
    let refused = 0
    const all = Array.from({ length: 100 }, () => limiter.waitToRefuse().then(() => (refused += 1)))
    const seen: number[] = []
    while (refused < all.length) {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(refused)
    }
    expect(seen).toEqual([32, 64, 96, 100])
  })

  it('answers 503 to a request that waits too long, and drops its late response', async () => {
    const { url, release } = await open({ answer_timeout_ms: 500 })
    const answer = await fetch(`${url}/slow`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toEqual({ detail: 'The service is temporarily unavailable.' })
    release()
    expect((await fetch(`${url}/slow`)).status).toBe(200)
  })

  it('has no time limit for third parties and for a response that has begun', async () => {
    const { url, release } = await open({ answer_timeout_ms: 500 })
    const third_party = fetch(`${url}/slow-third-party`)
    const streamed = await fetch(`${url}/streamed`)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    release()
    expect((await third_party).status).toBe(200)
    expect([streamed.status, await streamed.text()]).toEqual([200, 'first second'])
  })

  it('frees the slots of clients that disconnect before the response', async () => {
    const { url, release, waiting } = await open()
    const abort = new AbortController()
    const aborted = Array.from({ length: MAX_IN_FLIGHT }, () =>
      fetch(`${url}/slow`, { signal: abort.signal }).catch(() => {}),
    )
    await eventually('all slots taken', async () => (waiting() === MAX_IN_FLIGHT ? true : undefined), TIMEOUT_MS)
    abort.abort()
    await Promise.all(aborted)
    release()
    const hasFreeSlot = async () => ((await fetch(`${url}/slow`)).status === 200 ? true : undefined)
    await eventually('a free slot', hasFreeSlot, TIMEOUT_MS)
  })
})
