import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '../../src/cli/service/serve.ts'
import { sql } from '../../src/db/sql.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'

/*
 * Requests of broken or hostile clients. Each gets an error response, changes nothing, and does not stop the service.
 */

const PATH = '/api/collectionrequests'

let service: TestService
let before: Record<string, number>

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  before = await countRows()
})
afterEach(async () => {
  expect(await countRows()).toEqual(before)
  expect((await service.shop.get('/api/currencies')).status).toBe(200)
})
afterAll(() => service.close())

describe('a body', () => {
  it.each<[string, string, number, RegExp]>([
    ['that is no JSON', '{"amount":', 400, /^\{"detail":"JSON parse error - /],
    ['with text after the JSON', '{}{}', 400, /^\{"detail":"JSON parse error - /],
    ['that is a list', '[1,2]', 400, /Expected a dictionary, but got list/],
    ['with a prototype as a key', '{"__proto__":{"amount":1}}', 400, /"amount":\["This field is required."\]/],
    ['with a constructor inside', '{"metadata":{"constructor":{"prototype":{"x":1}}}}', 400, /^\{"phonenumber":/],
    ['with a prototype on a path', '{"__proto__[amount]":1}', 400, /"amount":\["This field is required."\]/],
    ['with a null character', '{"reason":"a\\u0000b"}', 400, /Null characters are not allowed/],
    ['with a null character in a key', '{"a\\u0000":1}', 400, /Null characters are not allowed/],
    ['with half a character', '{"reason":"\\ud800"}', 400, /Not a valid string/],
    [
      'nested too deep',
      `{"metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      400,
      /nested more than 20 levels/,
    ],
    [
      'with a list nested too deep',
      `{"metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      400,
      /nested more than 20 levels/,
    ],
    ['with a number beyond exactness', '{"amount":12345678901234567890}', 400, /Send the amount as a string/],
    ['with a number beyond any', '{"amount":1e400}', 400, /A valid number is required/],
  ])('%s is refused', async (_what, body, status, words) => {
    const answer = await raw(post(body))
    expect(answer.status).toBe(status)
    expect(answer.body).toMatch(words)
  })

  it('in a charset other than UTF-8 is refused', async () => {
    for (const charset of ['utf-16', 'iso-8859-1', 'x'])
      expect(await raw(post('{}', `application/json; charset=${charset}`))).toMatchObject({ status: 415 })
    expect((await raw(post('{}', 'application/json; charset=UTF-8'))).status).toBe(400)
  })

  it('with bytes that are not UTF-8 is refused', async () => {
    const bytes = Buffer.concat([Buffer.from('{"reason":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const answer = await raw(post(bytes))
    expect(answer).toMatchObject({ status: 400, body: '{"detail":"The request body is not valid UTF-8."}' })
  })

  it('over 1 MB is refused, with or without Content-Length', async () => {
    const big = JSON.stringify({ ...REQUIRED_FIELDS, reason: 'x'.repeat(1_100_000) })
    expect((await raw(post(big))).status).toBe(413)
    expect((await raw(chunked(big))).status).toBe(413)
    // Content-Length is enough: the service does not wait for the body.
    const announced = `${head('POST', { 'content-type': 'application/json', 'content-length': '99999999999' })}{`
    expect((await raw(announced)).status).toBe(413)
  })

  it('in chunks is accepted', async () => {
    expect((await raw(chunked('{"amount":"x"}'))).body).toContain('"amount":["A valid number is required."]')
  })

  it('that is incomplete changes nothing, and is not an error of the service', async () => {
    const error_lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => error_lines.push(line) })
    const server = await buildServer({ ...service.testApp.app, log })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const body = JSON.stringify({ ...REQUIRED_FIELDS })
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    await hangUpAfter(head('POST', headers) + body.slice(0, -1), address)
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`
    // All chunks without the last, empty one.
    const in_chunks = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    await hangUpAfter(head('POST', in_chunks) + chunk, address)
    await server.close()
    expect(error_lines).toEqual([])
  })
})

describe('a request line or header', () => {
  it.each<[string, string]>([
    ['that is no HTTP', 'HELLO\r\n\r\n'],
    [
      'with two lengths',
      head('POST', { 'content-length': '5' }).replace('\r\n\r\n', '\r\nContent-Length: 6\r\n\r\nhello'),
    ],
    ['with a length and chunks', head('POST', { 'content-length': '5', 'transfer-encoding': 'chunked' })],
    ['with a length that is no number', head('POST', { 'content-length': 'five' })],
    [
      'with a broken chunk',
      `${head('POST', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })}zz\r\n{}\r\n0\r\n\r\n`,
    ],
    ['without a host', head('GET').replace('host: localhost\r\n', 'connection: close\r\n')],
    ['with a null in a header', head('GET', { 'x-strange': 'a\0b' })],
  ])('%s is refused with 400, and the connection ends', async (_what, text) => {
    const answer = await raw(text)
    expect(answer).toMatchObject({ status: 400, ended: true })
    expect(JSON.parse(answer.body)).toHaveProperty('detail')
  })

  it('of HTTP/1.0 without a Host header gets absolute links', async () => {
    const text = head('GET', {}, '/api/currencies?limit=1').replace('HTTP/1.1', 'HTTP/1.0')
    const { status, body } = await raw(text.replace('host: localhost\r\n', ''))
    expect([status, JSON.parse(body).next]).toEqual([200, `${service.url}/api/currencies?limit=1&offset=1`])
  })

  it('with its whole address, as clients of a proxy send it, is read like one with a path', async () => {
    const target = 'http://localhost/api/v1/currencies?limit=1'
    const { status, body } = await raw(head('GET', {}, target))
    expect([status, JSON.parse(body).next]).toEqual([200, `${target}&offset=1`])
  })

  it('with too large headers is refused', async () => {
    for (const long of [head('GET', { 'x-big': 'x'.repeat(100_000) }), head('GET', {}, `/${'x'.repeat(100_000)}`)])
      expect(await raw(long)).toMatchObject({
        status: 431,
        body: '{"detail":"The address and the headers of the request are longer than 16 kB."}',
        ended: true,
      })
  })

  it.each([
    '/api/collectionrequests/%00',
    '/api/collectionrequests/%ff',
    '/api/collectionrequests/1e3',
    '/api/collectionrequests/-1',
    '/api/collectionrequests/1;drop',
    `/api/collectionrequests/${'9'.repeat(15)}`,
    `/api/collectionrequests/${'9'.repeat(100)}`,
    '/api/collectionrequests/../../etc/passwd',
    '/api/collectionrequests?limit=%00',
    '/api/collectionrequests?status=%ff%fe',
    `/api/collectionrequests?phonenumber=${'9'.repeat(5_000)}`,
    '/api/collectionrequests?limit[$gt]=&__proto__[x]=1',
    "/api/collectionrequests?reason=' or 1=1 --",
    '//evil.example/api/collectionrequests',
  ])('to %s is answered with less than 500', async (path) => {
    const answer = await raw(head('GET', {}, encodeURI(path).replaceAll('%25', '%')))
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect(answer.status).toBeLessThan(500)
    expect(() => JSON.parse(answer.body)).not.toThrow()
  })
})

describe('a slow sender', () => {
  it('is disconnected and delays no other client', async () => {
    const server = await buildServer(service.testApp.app)
    // A shorter time limit than the real 30 s, to keep the test short.
    server.server.requestTimeout = 3_000
    server.server.headersTimeout = 3_000
    server.server.timeout = 0
    Object.assign(server.server, { connectionsCheckingInterval: 50 })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const body = JSON.stringify(REQUIRED_FIELDS)
      const slow = raw(
        head('POST', { 'content-type': 'application/json', 'content-length': String(body.length) }) + body.slice(0, 5),
        address,
      )
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
      expect(await slow).toMatchObject({ status: 408, ended: true })
    } finally {
      await server.close()
    }
  })
})

/** The content of every table; a hostile request must not change it. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await service.testApp.db<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await service.testApp.db<{ count: number }[]>`select count(*) from ${sql.identifier(name)}`
    counts[name] = row!.count
  }
  return counts
}

function head(method: string, headers: Record<string, string> = {}, path = PATH): string {
  // The key is filled in before sending, because it is not known while vitest collects the tests.
  const all = { host: 'localhost', authorization: 'Token KEY', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

function post(body: string | Buffer, type = 'application/json'): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(head('POST', { 'content-type': type, 'content-length': String(bytes.length) })),
    bytes,
  ])
}

/** A body in chunks of this size, without Content-Length. */
function chunked(body: string): string {
  const chunks = body
    .match(/[\s\S]{1,60000}/g)!
    .map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`)
  return `${head('POST', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })}${chunks.join('')}0\r\n\r\n`
}

function dial(url: string, text: string | Buffer): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const bytes = Buffer.from(text)
  const at = bytes.indexOf('Token KEY')
  const keyed =
    at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), Buffer.from(`Token ${service.key}`), bytes.subarray(at + 9)])
  socket.write(keyed)
  return socket
}

/** Send raw bytes and read one response. */
function raw(text: string | Buffer, url = service.url): Promise<{ status: number; body: string; ended: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = dial(url, text)
    let answer = ''
    let ended = false
    const finish = () => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? Number.NaN)
      if (Buffer.byteLength(body) < length || answer === '') return
      ended = ended || /connection: close/i.test(headers)
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(answer.split(' ')[1]), body, ended })
    }
    const timer = setTimeout(() => reject(new Error(`No answer within 25 seconds, only: ${answer}`)), 25_000)
    socket.on('data', (part) => {
      answer += part
      finish()
    })
    socket.on('close', () => {
      ended = true
      finish()
    })
  })
}

/** Send bytes, disconnect before the request is complete, and give the service time to notice it. */
async function hangUpAfter(text: string, url: string): Promise<void> {
  const socket = dial(url, text)
  await sleep(50)
  socket.destroy()
  await sleep(50)
}
