import { EventEmitter, once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createInFlightLimiter, type InFlightLimiter } from '../../src/http/in-flight-limiter.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { eventually } from '../test-app.ts'

/** Maximum of a process's thousand places that one address may hold alone. */
const MAX_OF_ONE_ADDRESS = 800
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
  server.get('/quick', { handler: async () => ({}) })
  server.post('/posted', { handler: async () => ({}) })
  server.get('/slow-third-party', { config: { waits_for_third_party: true }, handler })
  server.get('/streamed', { handler: async (_request, reply) => reply.send(Readable.from(twoParts(gate.promise))) })
  server.get('/third-party', { config: { waits_for_third_party: true }, handler: async () => ({}) })
  server.get('/health', { config: { open_in_maintenance: true }, handler: async () => ({}) })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, release: gate.resolve, waiting: () => waiting }
}

/** A reply of which the limiter needs only the end of its response. */
function fakeReply() {
  const raw = new EventEmitter()
  return { reply: { raw } as unknown as FastifyReply, close: () => raw.emit('close') }
}

/** Return the number of places that a holder gets who takes all it can. */
function takeAll(limiter: InFlightLimiter, holder: string): number {
  let count = 0
  while (limiter.acquire(fakeReply().reply, holder)) count += 1
  return count
}

/** The status of a GET from a certain address of this machine. */
function statusFrom(localAddress: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { localAddress, agent: false }, (response) => resolve(response.resume().statusCode!)).on('error', reject)
  })
}

async function* twoParts(between: Promise<void>) {
  yield 'first '
  await between
  yield 'second'
}

describe('the limit of requests in flight', { timeout: 2 * TIMEOUT_MS }, () => {
  it('admits one address up to its share, refuses the rest with Retry-After, and admits other addresses', async () => {
    const { url, release, waiting } = await open()
    const admitted = Array.from({ length: MAX_OF_ONE_ADDRESS }, () => fetch(`${url}/slow`))
    await eventually('all places taken', async () => (waiting() === MAX_OF_ONE_ADDRESS ? true : undefined), TIMEOUT_MS)
    const refused = await fetch(`${url}/slow`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({ detail: 'The service is busy.' })
    expect(await statusFrom('127.0.0.2', `${url}/quick`)).toBe(200)
    // Health checks and requests that wait for third parties take no place.
    expect((await fetch(`${url}/third-party`)).status).toBe(200)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    release()
    for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200)
    expect((await fetch(`${url}/slow`)).status).toBe(200)
  })

  it('leaves a place for everyone: a holder may have four times the number of free places', () => {
    const limiter = createInFlightLimiter(1_000)
    expect(takeAll(limiter, 'a')).toBe(800)
    expect(takeAll(limiter, 'b')).toBe(160)
    expect(takeAll(limiter, 'c')).toBe(32)
    for (const holder of ['a', 'b', 'c']) expect(limiter.hasPlace(holder)).toBe(false)
    expect(limiter.hasPlace('d')).toBe(true)
  })

  it('shares the places evenly between holders that want all', () => {
    const limiter = createInFlightLimiter(1_000)
    const holders = Array.from({ length: 100 }, (_, index) => `address ${index}`)
    const counts = holders.map(() => 0)
    for (let round = 0; round < 20; round += 1)
      holders.forEach((holder, index) => {
        if (limiter.acquire(fakeReply().reply, holder)) counts[index]! += 1
      })
    expect(new Set(counts)).toEqual(new Set([9, 10]))
    expect(limiter.hasPlace('another')).toBe(true)
  })

  it('counts a place for its address and for its key, and frees both', () => {
    const limiter = createInFlightLimiter(10)
    const replies = Array.from({ length: 8 }, () => fakeReply())
    const places = replies.map(({ reply }, index) => limiter.acquire(reply, `address ${index}`)!)
    // 8 places are taken from as many addresses, and 2 are free: one key may have 8 of them.
    expect(places.map((place) => limiter.assign(place, 'key 1'))).toEqual(Array(8).fill(true))
    expect(limiter.assign(places[0]!, 'key 1')).toBe(true)
    expect(limiter.hasPlace('key 1')).toBe(false)
    const ninth = limiter.acquire(fakeReply().reply, 'address 9')!
    expect(limiter.assign(ninth, 'key 1')).toBe(false)
    expect(limiter.assign(ninth, 'key 2')).toBe(true)
    for (const { close } of replies) close()
    expect(limiter.hasPlace('key 1')).toBe(true)
    expect(takeAll(limiter, 'address 0')).toBe(8)
  })

  it('takes a place when the body has arrived', async () => {
    const { url } = await open()
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: 1_100 }, () => connect(Number(port), hostname))
    const head = 'POST /posted HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n'
    for (const socket of sockets) socket.on('error', () => {}).write(head)
    await eventually('all requests to arrive', async () =>
      sockets.every((socket) => socket.bytesWritten >= head.length) ? true : undefined,
    )
    for (let count = 0; count < 10; count += 1) expect((await fetch(`${url}/quick`)).status).toBe(200)
    const late = connect(Number(port), hostname)
    late.write(head)
    await sleep(50)
    const answer = once(late, 'data')
    late.write('{}')
    expect(String(await answer)).toMatch(/^HTTP\/1.1 200 /)
    for (const socket of [...sockets, late]) socket.destroy()
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

  it('frees the places of clients that disconnect before the response', async () => {
    const { url, release, waiting } = await open()
    const abort = new AbortController()
    const aborted = Array.from({ length: MAX_OF_ONE_ADDRESS }, () =>
      fetch(`${url}/slow`, { signal: abort.signal }).catch(() => {}),
    )
    await eventually('all places taken', async () => (waiting() === MAX_OF_ONE_ADDRESS ? true : undefined), TIMEOUT_MS)
    abort.abort()
    await Promise.all(aborted)
    release()
    const hasFreePlace = async () => ((await fetch(`${url}/slow`)).status === 200 ? true : undefined)
    await eventually('a free place', hasFreePlace, TIMEOUT_MS)
  })
})
