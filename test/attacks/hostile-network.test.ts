import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ConnectionTools, createTools } from '../../src/connections/tools/index.ts'
import { MAX_ANSWER_BYTES } from '../../src/lib/http/http-call.ts'
import { sandbox } from '../../src/networks/sandbox.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'

/*
 * An attacker takes the place of a network, by an operator's mistake in the address or a captured name. Its answers try
 * to fill the memory, keep the process busy, lead it to an internal address, or reveal our secrets.
 */

const CALLS = 30
const CUSTOMER_REQUESTS = 20
const SECRET = 'client-secret-of-the-shop'
/** 200 MB of text in 200 kB. */
const BOMB = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'x'))

let service: TestService
let hits_inside = 0

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const ATTACKS: [name: string, answer: (inside: string) => RequestListener][] = [
  [
    'endless answers',
    () => (_, response) => {
      const more = () => !response.destroyed && response.write('x'.repeat(64 * 1024), () => setImmediate(more))
      more()
    },
  ],
  ['compressed bombs', () => (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
  [
    'one byte every 50 ms',
    () => (_, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    },
  ],
  ['100 kB of headers', () => (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()],
  ['redirects to an address inside', (inside) => (_, response) => response.writeHead(302, { location: inside }).end()],
  ['our own secret', () => (request, response) => response.writeHead(500).end(request.headers.authorization)],
  ['silence', () => () => {}],
]

it.each(ATTACKS)('%s leave the service as it is', async (name, answer) => {
  const inside = await listen((_, response) => {
    hits_inside += 1
    response.end()
  })
  const url = await listen(answer(inside))
  const lines: string[] = []
  const tools = openTools(name.replaceAll(/\W+/g, '-'), lines)
  const read: number[] = []
  const call = async () => {
    const result = await tools.run({ reference: '7c9e', collection_request: null }, async ({ http }) => {
      const headers = { Authorization: `Bearer ${SECRET}` }
      const got = await http({ verb: 'charge', method: 'POST', url, headers, body: '{}', timeout_s: 2 })
      read.push(got.outcome === 'answered' ? got.text.length : 0)
      return { outcome: 'unknown' as const, got }
    })
    return result.got.outcome
  }
  const calls = Promise.all(Array.from({ length: CALLS }, call))
  const answers = await Promise.all(
    Array.from({ length: CUSTOMER_REQUESTS }, () => service.shop.get('/api/currencies')),
  )
  await calls
  const served = answers.filter(({ status }) => status === 200).length
  printFigure(
    'hostile-network',
    `${name}: ${CALLS} calls ended, at most ${Math.max(...read)} bytes kept of one; ${served} of ${CUSTOMER_REQUESTS} requests of customers served`,
  )
  expect(served).toBe(CUSTOMER_REQUESTS)
  expect(Math.max(...read)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
  expect(hits_inside).toBe(0)
  expect(lines).toHaveLength(CALLS)
  expect(lines.join()).not.toContain(SECRET)
})

/** Tools of a connection of the running service, and the log lines of its calls. */
function openTools(slug: string, lines: string[]): ConnectionTools {
  const { connection_tools } = service.testApp.app
  const write = (line: object) => {
    if ('verb' in line && 'connection' in line && line.connection === slug) lines.push(JSON.stringify(line))
  }
  const log = Object.assign(Object.create(connection_tools.log), { debug: write, warn: write })
  return createTools(
    { ...connection_tools, log },
    {
      slug,
      traits: sandbox.traits,
      max_concurrent: 50,
      max_per_second: 100,
      revision: '1',
      callback_secret: '0a'.repeat(16),
      callback_base: () => service.url,
    },
  )
}

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
