import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createInFlightLimiter } from '../../src/http/in-flight-limiter.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { eventually } from '../test-app.ts'

/** As many as one process takes in. */
const MOST = 1_000
/** A thousand connections take their time on a busy machine. */
const PATIENCE_MS = 60_000

let server: Server
afterEach(() => server.close())

/** A server whose answers wait until they are let go. */
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
  server.get('/patient', { config: { waits_for_third_party: true }, handler })
  server.get('/long', { handler: async (_request, reply) => reply.send(Readable.from(twoParts(gate.promise))) })
  server.get('/outside', { config: { waits_for_third_party: true }, handler: async () => ({}) })
  server.get('/health', { config: { open_in_maintenance: true }, handler: async () => ({}) })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, letGo: gate.resolve, waiting: () => waiting }
}

async function* twoParts(between: Promise<void>) {
  yield 'begun '
  await between
  yield 'and ended'
}

describe('a crowd at the door', { timeout: 2 * PATIENCE_MS }, () => {
  it('is let in up to a limit; others are told to come back, and are let in once there is room', async () => {
    const { url, letGo, waiting } = await open()
    const inside = Array.from({ length: MOST }, () => fetch(`${url}/slow`))
    await eventually('a full house', async () => (waiting() === MOST ? true : undefined), PATIENCE_MS)
    const refused = await fetch(`${url}/slow`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({ detail: 'The service is busy.' })
    // Networks, health checks and whatever waits for others are no part of the crowd.
    expect((await fetch(`${url}/outside`)).status).toBe(200)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    letGo()
    for (const answer of await Promise.all(inside)) expect(answer.status).toBe(200)
    expect((await fetch(`${url}/slow`)).status).toBe(200)
  })

  it('refuses a few in each turn of the event loop, so that it does not keep the others from their work', async () => {
    const crowd = createInFlightLimiter(0)
    let refused = 0
    const all = Array.from({ length: 100 }, () => crowd.waitToRefuse().then(() => (refused += 1)))
    const seen: number[] = []
    while (refused < all.length) {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(refused)
    }
    expect(seen).toEqual([32, 64, 96, 100])
  })

  it('does not wait for ever: who gets no answer is told so, and what comes too late goes nowhere', async () => {
    const { url, letGo } = await open({ answer_timeout_ms: 500 })
    const answer = await fetch(`${url}/slow`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toEqual({ detail: 'The service is temporarily unavailable.' })
    letGo()
    expect((await fetch(`${url}/slow`)).status).toBe(200)
  })

  it('leaves alone whoever waits for somebody else, and an answer that has begun', async () => {
    const { url, letGo } = await open({ answer_timeout_ms: 500 })
    const outside = fetch(`${url}/patient`)
    const long = await fetch(`${url}/long`)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    letGo()
    expect((await outside).status).toBe(200)
    expect([long.status, await long.text()]).toEqual([200, 'begun and ended'])
  })

  it('forgets those who go before they are answered', async () => {
    const { url, letGo, waiting } = await open()
    const leaving = new AbortController()
    const gone = Array.from({ length: MOST }, () => fetch(`${url}/slow`, { signal: leaving.signal }).catch(() => {}))
    await eventually('a full house', async () => (waiting() === MOST ? true : undefined), PATIENCE_MS)
    leaving.abort()
    await Promise.all(gone)
    letGo()
    const hasRoom = async () => ((await fetch(`${url}/slow`)).status === 200 ? true : undefined)
    await eventually('room', hasRoom, PATIENCE_MS)
  })
})
