import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { timestamp } from '../../src/core/fields.ts'
import { createServer, type Server, type ServerOptions } from '../../src/http/server.ts'
import { eventually } from '../test-app.ts'

let server: Server
afterEach(() => server.close())

/** A server with a route that answers an object and one that may be cached. */
async function open(options: Partial<ServerOptions> = {}) {
  server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off', ...options })
  server.get('/object', async () => ({}))
  server.get('/file', async (_request, reply) => reply.header('cache-control', 'max-age=3600').send({}))
  server.post('/object', async () => ({}))
  return server
}

/** Return the text of an answer with a time, and the logged failures. */
async function answerOf(answer: { at: Date; [field: string]: unknown }) {
  const logged: unknown[] = []
  const log = pino({ level: 'silent' })
  log.error = (fields: unknown) => void logged.push(fields)
  server = createServer({ log, trust_proxy: 'off' })
  server.get('/time', { schema: { response: { 200: z.object({ at: timestamp }) } } }, async () => answer)
  const { statusCode, body } = await server.inject('/time')
  return { status: statusCode, body, logged }
}

/** Send bytes and return everything that comes back until the service closes the connection. */
async function exchange(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('error', () => {}).on('data', (part) => (answer += part))
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}

describe('every answer', () => {
  it.each([
    ['an object', '/object', 200],
    ['an error', '/nowhere', 404],
    ['an impossible path', '/%ff', 404],
  ])('says that its type is not to be guessed and that it is not to be kept: %s', async (_what, url, status) => {
    await open()
    const { statusCode, headers } = await server.inject({ url })
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  it('to what is not HTTP says so, too', async () => {
    const address = await (await open()).listen({ host: '127.0.0.1', port: 0 })
    const answer = await exchange(address, 'HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*x-content-type-options: nosniff\r\ncache-control: no-store\r\n/)
  })

  it('has the form that the schema of its route says', async () => {
    const answered = await answerOf({ at: new Date('2030-01-31T12:00:00Z'), secret: 'x' })
    expect(answered).toMatchObject({ status: 200, body: '{"at":"2030-01-31T12:00:00Z"}', logged: [] })
  })

  it('is an error when it does not fit the schema of its route, and the log names the route', async () => {
    const answered = await answerOf({ at: 'yesterday' as unknown as Date })
    expect(answered.status).toBe(500)
    expect(answered.body).not.toContain('yesterday')
    const error = { code: 'FST_ERR_RESPONSE_SERIALIZATION', method: 'GET', url: '/time' }
    expect(answered.logged).toMatchObject([{ event: 'request_failed', error }])
  })

  it('keeps what its route says about caches', async () => {
    await open()
    expect((await server.inject('/file')).headers['cache-control']).toBe('max-age=3600')
  })

  it.each<[string, Partial<ServerOptions>, Record<string, string>, boolean]>([
    ['behind a trusted proxy with TLS', { trust_proxy: 'on' }, { 'x-forwarded-proto': 'https' }, true],
    ['behind a trusted proxy without TLS', { trust_proxy: 'on' }, { 'x-forwarded-proto': 'http' }, false],
    ['when somebody else says https', {}, { 'x-forwarded-proto': 'https' }, false],
    ['with a public https address', { public_url: 'https://pay.example.com' }, {}, true],
    ['with a public http address', { public_url: 'http://pay.example.com' }, {}, false],
  ])('demands https for the future only behind TLS: %s', async (_where, options, headers, demanded) => {
    await open(options)
    const answer = await server.inject({ url: '/object', headers })
    expect(answer.headers['strict-transport-security']).toBe(demanded ? 'max-age=31536000' : undefined)
  })
})

describe('a request', () => {
  it.each([
    ['a text', { name: { length: { toString: 1 }, toString: 1 } }, 'name'],
    ['a list', { days: { length: { toString: 1 }, toString: 1 } }, 'days'],
    ['an entry of a list', { names: [{ length: { toString: 1 }, toString: 1 }] }, 'names'],
  ])('with an object that has a length of its own instead of %s is refused', async (_what, body, field) => {
    await open()
    const name = z.string().max(10)
    const schema = { body: z.object({ name, days: z.array(z.int()).max(3), names: z.array(name) }).partial() }
    server.post('/limits', { schema }, async () => ({}))
    const answer = await server.inject({ method: 'POST', url: '/limits', body })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]])
  })

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'in a coding that is not read is refused, whatever its bytes: %s',
    async (type) => {
      await open()
      for (const coding of ['gzip', 'br', 'deflate']) {
        const headers = { 'content-type': type, 'content-encoding': coding }
        const answer = await server.inject({ method: 'POST', url: '/object', headers, body: gzipSync('{}') })
        expect([answer.statusCode, answer.json(), answer.headers['accept-encoding']]).toEqual([
          415,
          { detail: `Unsupported content encoding "${coding}" in request.` },
          'identity',
        ])
      }
      const headers = { 'content-type': type, 'content-encoding': 'identity' }
      expect((await server.inject({ method: 'POST', url: '/object', headers, body: '\ufeff' })).statusCode).toBe(200)
    },
  )

  it('with two Host headers is refused, and the connection ends', async () => {
    const address = await (await open()).listen({ host: '127.0.0.1', port: 0 })
    for (const second of ['host: evil.example', 'Host: a.example', 'HOST: a.example']) {
      const answer = await exchange(address, `GET /object HTTP/1.1\r\nHost: a.example\r\n${second}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*\{"detail":"The request has more than one Host header."\}$/)
    }
  })

  it('that takes too long is refused when its time is over, instead of up to half a minute later', async () => {
    await open()
    // A shorter time limit than the real 30 s, to keep the test short.
    server.server.requestTimeout = 1_000
    server.server.headersTimeout = 1_000
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const started_at = performance.now()
    const type = 'Content-Type: application/json'
    for (const start of ['GET /object HT', `POST /object HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 9\r\n\r\n{`])
      expect(await exchange(address, start)).toMatch(/^HTTP\/1.1 408 /)
    expect(performance.now() - started_at).toBeLessThan(15_000)
  })

  it('whose body is slower than its route allows is refused with 408', async () => {
    await open()
    server.post('/short', { config: { body_timeout_ms: 200 } }, async () => ({}))
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const head = 'POST /short HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
    expect(await exchange(address, `${head}{`)).toMatch(
      /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*\{"detail":"The request body took too long to arrive."\}$/i,
    )
  })

  it('that is refused early may send the rest of its body for a while, and the connection can be used again', async () => {
    const address = await (await open()).listen({ host: '127.0.0.1', port: 0 })
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', (part) => (answers += part))
    socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await eventually('the refusal', async () => answers.startsWith('HTTP/1.1 404 ') || undefined)
    socket.write('"a": 12}GET /object HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
  })
})
