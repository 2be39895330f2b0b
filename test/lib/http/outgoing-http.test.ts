import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClientOptions, readRetryAfter } from '../../../src/lib/http/outgoing-http.ts'
import { openReceiver, pause, type Responder } from '../../receiver.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function receive(answer?: Responder) {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver
}

/** A client with a long time-out, so a slow machine does not fail tests that are not about time. */
function createClient(options: Partial<HttpClientOptions> = {}) {
  const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, ...options })
  closers.push(client.close)
  return client
}

/** Start a TCP server with a handler for each connection. */
async function listen(handle: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => void handle(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a POST to an address of a customer', () => {
  it('sends the body and the headers, and returns the status, headers, body and address', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(201, { 'x-shop': 'open', 'set-cookie': 'session=1' }).end('thanks')
    })
    const target = new URL(`${receiver.url}?ipn=1`)
    const result = await createClient().post(target, { 'content-type': 'application/json' }, '{"é":1}', false)
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]).toMatchObject({ path: '/?ipn=1', body: '{"é":1}' })
    expect(receiver.received[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '8' })
    expect(result).toMatchObject({ failure: null, status: 201, body: 'thanks', remote_address: '127.0.0.1' })
    expect(result.headers).toMatchObject({ 'x-shop': 'open', 'set-cookie': '***' })
    expect(result.duration_ms).toBeGreaterThanOrEqual(0)
  })

  it('uses one connection for many requests', async () => {
    const receiver = await receive()
    const client = createClient()
    for (let count = 0; count < 5; count += 1) await client.post(new URL(receiver.url), {}, '{}', false)
    expect(receiver.received).toHaveLength(5)
    expect(receiver.connections).toBe(1)
  })

  it('is sent again when the server has closed the reused connection', async () => {
    let reused: Socket | null = null
    const receiver = await receive((_received, response) => {
      reused = response.socket
      return 200
    })
    const client = createClient()
    await client.post(new URL(receiver.url), {}, '1', false)
    reused!.destroy()
    const result = await client.post(new URL(receiver.url), {}, '2', false)
    expect(result.failure).toBeNull()
    expect(receiver.received.map((one) => one.body)).toEqual(['1', '2'])
    expect(receiver.connections).toBe(2)
  })

  it('does not follow redirects: they are failures', async () => {
    const elsewhere = await receive()
    const receiver = await receive((_received, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    const result = await createClient().post(new URL(receiver.url), {}, '{}', false)
    expect(result).toMatchObject({ failure: 'status', status: 307 })
    expect(elsewhere.received).toEqual([])
  })

  it.each([200, 202, 204, 299])('is a success at %i', async (status) => {
    const receiver = await receive(() => status)
    expect(await createClient().post(new URL(receiver.url), {}, '{}', false)).toMatchObject({ failure: null, status })
  })

  it.each([300, 400, 404, 410, 500, 503])('is a failure at %i', async (status) => {
    const receiver = await receive(() => status)
    expect(await createClient().post(new URL(receiver.url), {}, '{}', false)).toMatchObject({
      failure: 'status',
      status,
    })
  })

  it('keeps 4 kB of the answer and stops reading after 64 kB', async () => {
    let written = 0
    const receiver = await receive(async (_received, response) => {
      response.writeHead(200)
      while (!response.destroyed && written < 10_000_000) {
        written += 16_384
        if (!response.write('x'.repeat(16_384))) await pause(50)
      }
      response.end()
    })
    const result = await createClient().post(new URL(receiver.url), {}, '{}', false)
    expect(result).toMatchObject({ failure: null, status: 200 })
    expect(result.body).toBe('x'.repeat(4_096))
    expect(written).toBeLessThan(10_000_000)
  })

  it('uses plain http only where that is allowed', async () => {
    const server = createHttpServer((_request, response) => response.writeHead(204).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const target = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const result = await createClient({ allow_plain_http: true }).post(target, {}, '{}', true)
    expect(result).toMatchObject({ failure: null, status: 204, remote_address: '127.0.0.1' })
    await expect(createClient().post(target, {}, '{}', true)).rejects.toThrow('Protocol "http:" not supported')
  })

  it('replaces NUL in the answer, because PostgreSQL does not accept it', async () => {
    const receiver = await receive((_received, response) => response.end(Buffer.from([0x61, 0, 0x62, 0xff])))
    expect((await createClient().post(new URL(receiver.url), {}, '{}', false)).body).toBe('a\ufffdb\ufffd')
  })
})

describe('a POST without an answer gives the reason in one word:', () => {
  async function failure(url: string, options: Partial<HttpClientOptions> = {}, verify = true): Promise<string | null> {
    const result = await createClient(options).post(new URL(url), {}, '{}', verify)
    return result.failure
  }
  const short = { timeout_ms: 800 }

  it('refused, when no server listens', async () => {
    expect(await failure('https://127.0.0.1:1/')).toBe('refused')
  })

  it('refused, when the server hangs up instead of answering', async () => {
    const receiver = await receive((_received, response) => response.destroy())
    expect(await failure(receiver.url, {}, false)).toBe('refused')
  })

  it('refused, when the answer breaks off', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failure(receiver.url, {}, false)).toBe('refused')
  })

  it('tls, when the server does not support it', async () => {
    expect(await failure(await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')))).toBe('tls')
  })

  it('tls, when the certificate has an unknown issuer', async () => {
    const receiver = await receive()
    expect(await failure(receiver.url)).toBe('tls')
    expect(receiver.received).toEqual([])
  })

  it('timeout, when no answer comes, with and without TLS', async () => {
    expect(await failure(await listen(() => {}), short)).toBe('timeout')
    const receiver = await receive(() => undefined)
    expect(await failure(receiver.url, short, false)).toBe('timeout')
  })

  it('timeout, when the answer takes too long, with the status received', async () => {
    const receiver = await receive(async (_received, response) => {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write('.')
        await pause(50)
      }
    })
    // Long enough for the start of the answer on a slow machine. The end never comes.
    const result = await createClient({ timeout_ms: 4_000 }).post(new URL(receiver.url), {}, '{}', false)
    expect(result).toMatchObject({ failure: 'timeout', status: 200 })
    expect(result.body).toMatch(/^\.+$/)
    expect(result.duration_ms).toBeGreaterThan(3_900)
    expect(result.duration_ms).toBeLessThan(12_000)
  })

  it('timeout, when the name server never answers', async () => {
    expect(await failure('https://slow.example/', { ...short, resolve: () => new Promise(() => {}) })).toBe('timeout')
  })

  it('dns, when the name has no address', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await failure('https://nowhere.example/', { resolve })).toBe('private_address')
    expect(await failure('https://empty.example/', { resolve: async () => [] })).toBe('private_address')
  })

  it('too_large, when the headers are too long', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(200, { 'x-much': 'x'.repeat(20_000) }).end()
    })
    expect(await failure(receiver.url, {}, false)).toBe('too_large')
  })
})

describe('a private address is not called', () => {
  const allows = (address: string) => address !== '127.0.0.1'

  it.each(['127.0.0.1', '2130706433', '0x7f.1', 'localhost'])('in the form %s', async (host) => {
    const receiver = await receive()
    const target = new URL(receiver.url.replace('localhost', host))
    const result = await createClient({ allowsAddress: allows }).post(target, {}, '{}', false)
    expect(result).toMatchObject({ failure: 'private_address', remote_address: null })
    expect(receiver.connections).toBe(0)
  })

  it('when only one of the addresses of a name is private', async () => {
    const resolve = async () => [
      { address: '203.0.113.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const result = await createClient({ allowsAddress: allows, resolve }).post(
      new URL('https://two.example/'),
      {},
      '{}',
      false,
    )
    expect(result.failure).toBe('private_address')
  })

  it('when the name has changed since the check', async () => {
    const receiver = await receive()
    const target = new URL(receiver.url.replace('localhost', 'rebinding.example'))
    const answers = ['203.0.113.7', '127.0.0.1']
    const resolve = async () => [{ address: answers.shift()!, family: 4 }]
    const client = createClient({ allowsAddress: allows, resolve })
    expect(await client.checkHost(target.hostname)).toBe(true)
    expect((await client.post(target, {}, '{}', false)).failure).toBe('private_address')
    expect(receiver.connections).toBe(0)
  })

  it('and is reported as a name without an address is', async () => {
    expect(await createClient({ allowsAddress: allows }).checkHost('localhost')).toBe(false)
    expect(await createClient({ allowsAddress: allows }).checkHost('127.0.0.1')).toBe(false)
    expect(await createClient({ allowsAddress: allows }).checkHost('[::ffff:7f00:1]')).toBe(true)
    expect(await createClient({ resolve: () => Promise.reject(new Error()) }).checkHost('a.example')).toBe(false)
  })
})

describe('a Retry-After header', () => {
  const now = new Date('2030-01-15T12:00:00.400Z')

  it('is read as seconds or as a date', () => {
    expect(readRetryAfter('120', now)).toBe(120)
    expect(readRetryAfter('Tue, 15 Jan 2030 12:02:00 GMT', now)).toBe(120)
    expect(readRetryAfter('Tue, 15 Jan 2030 11:00:00 GMT', now)).toBe(0)
  })

  it('is ignored when it is not readable', () => {
    for (const header of [undefined, '', 'soon', '-5', '1.5e9999'])
      expect(readRetryAfter(header, now) ?? null).toBeNull()
  })
})
