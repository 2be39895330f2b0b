import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { Load, longestGap } from '../../../scripts/cluster/load.ts'
import { isEtcd3Safe } from '../../../scripts/cluster/programs.ts'
import { patroniTimes } from '../../../scripts/cluster/settings.ts'

describe('the longest time without an accepted request', () => {
  it('counts pauses that reach beyond the fault, and none before it', () => {
    expect(longestGap([0, 9_000, 9_100, 12_100, 12_200], 9_050)).toBe(3_000)
    expect(longestGap([0, 9_000, 9_500], 8_000)).toBe(9_000)
    expect(longestGap([], 0)).toBe(0)
  })
})

describe('the times of Patroni', () => {
  it.each([8, 9, 20, 30, 300])('fit together with a ttl of %i s', (ttl_s) => {
    const { ttl, loop_wait, retry_timeout } = patroniTimes(ttl_s)
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
    // A primary that stands still for less than this keeps its place.
    expect(ttl - loop_wait).toBeGreaterThanOrEqual(0.8 * ttl)
  })
})

describe('the load', () => {
  it("tries each request again with the same key until it is accepted, and reports its callers' answers", async () => {
    const keys = new Map<string, number>()
    const read: string[] = []
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        read.push(request.url!)
        // A caller does not see a confirmed request.
        return response.writeHead(read.length === 1 ? 404 : 200).end('{"results":[{"id":7,"status":"pending"}]}')
      }
      const key = String(request.headers['duplicate-check-key'])
      const tries = (keys.get(key) ?? 0) + 1
      keys.set(key, tries)
      request.resume()
      // The first try gets no answer although it is stored; the second comes too early; the third is a duplicate.
      if (tries === 1) return response.destroy()
      if (tries === 2) return response.writeHead(503, { 'retry-after': '0' }).end()
      response.writeHead(409).end(JSON.stringify({ id: 7 }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const load = new Load({ url: `http://127.0.0.1:${port}`, api_key: 'a key', first: 5 })
    load.start(20)
    await vi.waitFor(() => expect(load.next).toBeGreaterThan(6), 120_000)
    const { collections, tries, wrong, reads } = await load.stop()
    server.close()
    expect(collections.map(({ number }) => number).sort()).toEqual([...keys.keys()].map((_, index) => 5 + index))
    expect(tries).toMatchObject({ created: 0, duplicate: keys.size, unavailable: keys.size, no_answer: keys.size })
    expect(read[0]).toBe('/api/collectionrequests/7')
    expect(reads).toBe(read.length - 1)
    expect(wrong).toEqual(['404 to who reads the request 7 after it was accepted'])
  })
})

describe('the interface of etcd', () => {
  it.each([
    ['patroni 3.0.2', false],
    ['patroni 2.1.7', false],
    ['patroni 3.0.3', true],
    ['patroni 4.0.6', true],
    ['', false],
  ])('is version 3 with %s: %s', (version, is_safe) => {
    expect(isEtcd3Safe(version)).toBe(is_safe)
  })
})
