import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { OutgoingCall } from '../../../src/networks/contract.ts'
import { openDatabase } from '../../test-app.ts'
import { about, deadAddress, openProcess, serve, stillClock, traits } from './setup.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

const setUp = () => {
  const clock = stillClock()
  const process = openProcess(database.db, clock)
  return { clock, process, tools: process.tools() }
}

/** Secrets that must never be in a log line or in a message. */
const SECRETS = { query: 'query-secret', header: 'header-secret', body: 'body-secret', answer: 'answer-secret' }

const secretCall = (url: string, changes: Partial<OutgoingCall> = {}): OutgoingCall => ({
  verb: 'charge',
  method: 'POST',
  url: `${url}/pay?key=${SECRETS.query}`,
  headers: { Authorization: `Bearer ${SECRETS.header}` },
  body: SECRETS.body,
  timeout_s: 0.5,
  ...changes,
})

/** A server of raw bytes: what it received on each connection, and a function that answers each request. */
async function serveBytes(answer: (socket: Socket, text: string) => void) {
  const received: string[] = []
  const server = createServer((socket) => {
    const index = received.push('') - 1
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      received[index] += text
      answer(socket, received[index]!)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, received }
}

describe('a call to a network', () => {
  it("has the driver's headers in their spelling and order, and otherwise only necessary ones", async () => {
    const { tools } = setUp()
    const { url, received } = await serveBytes((socket) =>
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'),
    )
    const headers = { 'X-Reference-Id': '7', 'Ocp-Apim-Subscription-Key': 'k', accept: '*/*' }
    const answer = await tools.http({ verb: 'token', method: 'POST', url: `${url}/token/`, headers })
    expect(answer).toMatchObject({ outcome: 'answered', status: 202, text: '', incomplete: null })
    const host = new URL(url).host
    expect(received).toEqual([
      [
        'POST /token/ HTTP/1.1',
        `host: ${host}`,
        'connection: keep-alive',
        'X-Reference-Id: 7',
        'Ocp-Apim-Subscription-Key: k',
        'accept: */*',
        'User-Agent: Kusanya',
        'content-length: 0',
        '',
        '',
      ].join('\r\n'),
    ])
  })

  it('sends the exact bytes of its text, and a user-agent of the driver', async () => {
    const { tools } = setUp()
    const { url, received } = await serveBytes((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
    )
    const body = '{"name":"Grâce",\n "amount":1500}'
    await tools.http({ verb: 'charge', method: 'PUT', url, headers: { 'user-agent': 'shop/2' }, body })
    expect(received[0]!.split('\r\n\r\n')[1]).toBe(body)
    expect(received[0]).toContain('content-length: 33\r\n')
    expect(received[0]!.match(/user-agent: .*/gi)).toEqual(['user-agent: shop/2'])
  })

  it('reuses its connections', async () => {
    const { tools } = setUp()
    const { url, received } = await serveBytes((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    for (let count = 0; count < 20; count += 1) await tools.http({ verb: 'balance', method: 'GET', url })
    expect(received.join('').match(/GET \/ HTTP/g)).toHaveLength(20)
    expect(received.length).toBeLessThanOrEqual(2)
  })

  it('returns a redirect and does not follow it', async () => {
    const { tools } = setUp()
    let others = 0
    const other = await serve((_, response) => {
      others += 1
      response.end()
    })
    const url = await serve((_, response) => response.writeHead(307, { location: `${other}/there` }).end())
    const answer = await tools.http(secretCall(url))
    expect(answer).toMatchObject({ outcome: 'answered', status: 307 })
    expect(answer.outcome === 'answered' && answer.headers.get('location')).toBe(`${other}/there`)
    expect(others).toBe(0)
  })

  it('reads 1 MiB of an answer and ends the connection', async () => {
    const { tools } = setUp()
    let sent = 0
    const url = await serve((_, response) => {
      const timer = setInterval(() => {
        if (response.destroyed) return
        response.write('x'.repeat(256 * 1024))
        sent += 1
      }, 1)
      response.on('close', () => clearInterval(timer))
    })
    const answer = await tools.http(secretCall(url, { timeout_s: 20 }))
    expect(answer).toMatchObject({ status: 200, incomplete: expect.stringContaining('longer than 1048576 bytes') })
    expect(answer.outcome === 'answered' && answer.text.length).toBe(1024 * 1024)
    const sent_then = sent
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sent - sent_then).toBeLessThan(10)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('understands an answer that was compressed with %s unasked, up to 1 MiB of text', async (encoding, compress) => {
    const { tools } = setUp()
    const url = await serve((request, response) => {
      const text = request.url === '/bomb' ? 'x'.repeat(50 * 1024 * 1024) : '{"name":"Grâce"}'
      const bytes = request.url === '/half' ? compress(text).subarray(0, -4) : compress(text)
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
    })
    const get = (path: string) => tools.http({ verb: 'balance', method: 'GET', url: url + path, timeout_s: 20 })
    expect(await get('/')).toMatchObject({ status: 200, text: '{"name":"Grâce"}', incomplete: null })
    const bomb = await get('/bomb')
    expect(bomb).toMatchObject({ incomplete: expect.stringContaining('longer than') })
    expect(bomb.outcome === 'answered' && bomb.text.length).toBe(1024 * 1024)
    expect(await get('/half')).toMatchObject({ incomplete: expect.stringContaining('did not answer') })
  })

  it("prefers its own time limit to the driver's", async () => {
    const { process } = setUp()
    const tools = process.tools({ traits: { ...traits, call_s: 0.3 } })
    const url = await serve((_, response) => void setTimeout(() => response.end('{}'), 1_000))
    expect(await tools.http(secretCall(url, { timeout_s: undefined }))).toMatchObject({ outcome: 'unknown' })
    expect(await tools.http(secretCall(url, { timeout_s: 20 }))).toMatchObject({ outcome: 'answered' })
  })

  it('waits longer for one operation than for another, side by side', async () => {
    const { tools } = setUp()
    const url = await serve(
      (request, response) => void setTimeout(() => response.end('{}'), request.url === '/slow' ? 600 : 0),
    )
    const slow = tools.http({ verb: 'charge', method: 'GET', url: `${url}/slow`, timeout_s: 20 })
    const fast = await Promise.all(
      Array.from({ length: 20 }, () => tools.http({ verb: 'charge status', method: 'GET', url, timeout_s: 20 })),
    )
    expect(fast.every((answer) => answer.outcome === 'answered')).toBe(true)
    expect(await slow).toMatchObject({ status: 200 })
  })
})

describe('faults of a network', () => {
  const faults: [name: string, address: () => Promise<string>, expected: object][] = [
    ['does not listen', deadAddress, { outcome: 'unknown' }],
    ['never answers', () => serve(() => {}), { outcome: 'unknown' }],
    ['hangs up', () => serve((request) => void request.socket.destroy()), { outcome: 'unknown' }],
    [
      'stops in the middle of its answer',
      () => serve((_, response) => void response.writeHead(200).write(SECRETS.answer)),
      { outcome: 'answered', status: 200, text: SECRETS.answer, incomplete: expect.stringContaining('did not answer') },
    ],
    [
      'breaks its answer off',
      () => serve((request, response) => void response.writeHead(200).write('half', () => request.socket.destroy())),
      { outcome: 'answered', status: 200, text: 'half', incomplete: expect.stringContaining('did not answer') },
    ],
    [
      'speaks no HTTP',
      async () => (await serveBytes((socket) => void socket.end(`+OK ${SECRETS.answer}\r\n\r\n`))).url,
      { outcome: 'unknown' },
    ],
    ['has no address', async () => 'http://', { outcome: 'unknown' }],
  ]

  it.each(faults)('is unknown, logged and measured when it %s', async (_name, address, expected) => {
    const { process, tools } = setUp()
    const url = await address()
    const started_ms = performance.now()
    const answer = await tools.run(about('7c9e'), ({ http }) => http(secretCall(url)))
    expect(performance.now() - started_ms).toBeLessThan(15_000)
    expect(answer).toMatchObject(expected)
    expect(process.lines).toEqual([
      expect.objectContaining({
        level: 40,
        event: 'network_not_answered',
        connection: 'mtn-ug',
        verb: 'charge',
        outcome: 'no_answer',
        reference: '7c9e',
        duration_ms: expect.any(Number),
        reason: expect.any(String),
      }),
    ])
    expect(await process.metrics()).toContain(
      'kusanya_network_call_duration_seconds_count{connection="mtn-ug",verb="charge",outcome="no_answer"} 1',
    )
    expectNoSecrets([process.lines, answer.outcome === 'unknown' ? answer : answer.incomplete])
  })

  it('is unknown for an invalid header, and hides its value', async () => {
    const { process, tools } = setUp()
    const url = await serve((_, response) => response.end())
    const headers = { Authorization: `Bearer ${SECRETS.header}\n` }
    const answer = await tools.http(secretCall(url, { headers }))
    expect(answer).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('invalid Authorization header'),
    })
    expectNoSecrets([process.lines, answer])
  })
})

describe('the log', () => {
  it('has one line for each call, without addresses and contents', async () => {
    const { process, tools } = setUp()
    const statuses = [200, 202, 302, 404, 429, 503]
    const url = await serve((request, response) =>
      response.writeHead(Number(request.url!.slice(1, 4)), { 'x-secret': SECRETS.answer }).end(SECRETS.answer),
    )
    for (const status of statuses) await tools.http(secretCall('', { url: `${url}/${status}?key=${SECRETS.query}` }))
    expect(process.lines.map(({ level, event, outcome, status }) => [level, event, outcome, status])).toEqual([
      [20, 'network_called', '2xx', 200],
      [20, 'network_called', '2xx', 202],
      [20, 'network_called', '3xx', 302],
      [20, 'network_called', '4xx', 404],
      [20, 'network_called', '4xx', 429],
      [40, 'network_not_answered', '5xx', 503],
    ])
    expect(process.lines.every(({ reference }) => reference === null)).toBe(true)
    expectNoSecrets(process.lines)
    expect(JSON.stringify(process.lines)).not.toContain(new URL(url).host)
  })

  it('names the order of each of many calls at once', async () => {
    const { process, tools } = setUp()
    const url = await serve(
      (request, response) => void setTimeout(() => response.end('{}'), Number(request.url!.slice(1))),
    )
    const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
    await Promise.all(
      references.map((reference, index) =>
        tools.run(about(reference), ({ http }) =>
          http({ verb: `v${index}`, method: 'GET', url: `${url}/${(index * 7) % 30}` }),
        ),
      ),
    )
    const pairs = process.lines.map(({ verb, reference }) => [verb, reference])
    expect(new Map(pairs as [string, string][])).toEqual(
      new Map(references.map((reference, i) => [`v${i}`, reference])),
    )
  })
})

describe('a network that wants fewer calls', () => {
  it.each([
    ['names the seconds', '7', 7_000],
    ['names none', undefined, 1_000],
    ['names a day', '86400', 60_000],
  ])('gets none for a while after 429 if it %s', async (_name, wait, wait_ms) => {
    const { clock, tools } = setUp()
    const url = await serve((_, response) => response.writeHead(429, wait ? { 'retry-after': wait } : {}).end())
    expect(tools.nextFree()).toBe(0)
    await tools.http(secretCall(url))
    expect([tools.nextFree(), tools.tryAcquire()]).toEqual([wait_ms, undefined])
    clock.advance(wait_ms / 1_000)
    expect(tools.tryAcquire()).toBeDefined()
  })
})

function expectNoSecrets(shown: unknown): void {
  const text = JSON.stringify(shown)
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret)
}
