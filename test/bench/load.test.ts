import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Job, load } from '../../bench/load.ts'
import { rawRequest } from '../../bench/requests.ts'

describe('the load generator', () => {
  it('counts answers by their status, and separates refusals without a time to come back', async () => {
    let requests = 0
    const url = await serve((_, answer) => {
      requests += 1
      if (requests % 4 === 0) answer.writeHead(503, { 'retry-after': '1', 'content-length': '4' }).end('busy')
      else if (requests % 4 === 1) answer.writeHead(503, { 'content-length': '4' }).end('busy')
      else answer.writeHead(201, { 'content-length': '4' }).end('made')
    })
    const { statuses, answered, errors } = await load({ ...job, url, requests: Array(40).fill(wire), once: true })
    expect(statuses).toEqual({ 201: 20, 503: 10, '503 without Retry-After': 10 })
    expect({ answered, errors }).toEqual({ answered: 20, errors: 20 })
  })

  it('sends at a steady pace, whether answers come or not, and counts from the moment that a request was due', async () => {
    const url = await serve(async (_, answer) => {
      await sleep(100)
      answer.writeHead(201, { 'content-length': '4' }).end('made')
    })
    const paced = { ...job, url, requests: [wire], per_second: 40, seconds: 1 }
    const wide = await load({ ...paced, connections: 40 })
    expect(wide.statuses).toEqual({ 201: 40 })
    expect(wide.p50_ms).toBeGreaterThan(95)

    // Two connections carry twenty a second: the last of forty waits a second until it can be sent.
    const narrow = await load({ ...paced, connections: 2 })
    expect(narrow.statuses).toEqual({ 201: 40 })
    expect(narrow.p99_ms).toBeGreaterThan(900)
    expect(narrow.seconds).toBeGreaterThan(1.8)
  })

  it('numbers each request, and separates slow answers and intervals', async () => {
    const bodies: string[] = []
    const url = await serve(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString()
      bodies.push(body)
      // The first of two intervals has one answer that takes longer than a second.
      if (body === 'customer 101') await sleep(1_100)
      answer.writeHead(201, { 'content-length': '0' }).end()
    })
    const requests = [rawRequest('POST', '/', {}, 'customer 999')]
    const paced = { ...job, url, requests, numbered: { mark: '999', first: 100 }, per_second: 10 }
    const { measured, intervals } = await load({ ...paced, seconds: 2, interval_s: 1 })
    expect(bodies.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `customer ${100 + index}`))
    const slow = measured[201]!.slow
    expect(measured[201]!.count).toBe(20)
    // A busy machine makes others slow, too.
    expect(slow).toBeGreaterThanOrEqual(1)
    const sums = intervals.reduce((sum, one) => ({ count: sum.count + one.count, slow: sum.slow + one.slow }), {
      count: 0,
      slow: 0,
    })
    expect({ intervals: intervals.length, ...sums }).toEqual({ intervals: 2, count: 20, slow })
  })

  it('counts a connection that breaks in the middle of a request', async () => {
    const url = await serve((request) => request.socket.destroy())
    const { statuses, errors } = await load({ ...job, url, requests: [wire], connections: 3 })
    expect({ statuses, errors }).toEqual({ statuses: { 'connection lost': 3 }, errors: 3 })
  })
})

const wire = rawRequest('GET', '/', {})
const job: Omit<Job, 'url' | 'requests'> = { connections: 4, warmup_s: 0, seconds: 30, expected: 201 }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
