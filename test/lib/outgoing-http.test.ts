import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClientOptions, readRetryAfter } from '../../src/lib/outgoing-http.ts'
import { openReceiver, pause, type Responder } from '../receiver.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function receive(answer?: Responder) {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver
}

/** Where a test is not about time, a machine that stands still for a moment is given it. */
function outgoing(options: Partial<HttpClientOptions> = {}) {
  const made = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, ...options })
  closers.push(made.close)
  return made
}

/** A TCP server that does with each connection what it is told. */
async function listen(take: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => void take(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a POST to a stranger', () => {
  it('brings the body and the headers, and back the status, headers, body and address', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(201, { 'x-shop': 'open', 'set-cookie': 'session=1' }).end('thanks')
    })
    const target = new URL(`${receiver.url}?ipn=1`)
    const exchange = await outgoing().post(target, { 'content-type': 'application/json' }, '{"é":1}', false)
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]).toMatchObject({ path: '/?ipn=1', body: '{"é":1}' })
    expect(receiver.received[0]!.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '8' })
    expect(exchange).toMatchObject({ failure: null, status: 201, body: 'thanks', remote_address: '127.0.0.1' })
    expect(exchange.headers).toMatchObject({ 'x-shop': 'open', 'set-cookie': '***' })
    expect(exchange.duration_ms).toBeGreaterThanOrEqual(0)
  })

  it('uses one connection for many requests', async () => {
    const receiver = await receive()
    const client = outgoing()
    for (let count = 0; count < 5; count += 1) await client.post(new URL(receiver.url), {}, '{}', false)
    expect(receiver.received).toHaveLength(5)
    expect(receiver.connections).toBe(1)
  })

  it('is sent once more when the kept connection was closed meanwhile', async () => {
    let kept: Socket | null = null
    const receiver = await receive((_received, response) => {
      kept = response.socket
      return 200
    })
    const client = outgoing()
    await client.post(new URL(receiver.url), {}, '1', false)
    kept!.destroy()
    const exchange = await client.post(new URL(receiver.url), {}, '2', false)
    expect(exchange.failure).toBeNull()
    expect(receiver.received.map((one) => one.body)).toEqual(['1', '2'])
    expect(receiver.connections).toBe(2)
  })

  it('does not follow redirects: they are no success', async () => {
    const elsewhere = await receive()
    const receiver = await receive((_received, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    const exchange = await outgoing().post(new URL(receiver.url), {}, '{}', false)
    expect(exchange).toMatchObject({ failure: 'status', status: 307 })
    expect(elsewhere.received).toEqual([])
  })

  it.each([200, 202, 204, 299])('is a success at %i', async (status) => {
    const receiver = await receive(() => status)
    expect(await outgoing().post(new URL(receiver.url), {}, '{}', false)).toMatchObject({ failure: null, status })
  })

  it.each([300, 400, 404, 410, 500, 503])('is none at %i', async (status) => {
    const receiver = await receive(() => status)
    expect(await outgoing().post(new URL(receiver.url), {}, '{}', false)).toMatchObject({ failure: 'status', status })
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
    const exchange = await outgoing().post(new URL(receiver.url), {}, '{}', false)
    expect(exchange).toMatchObject({ failure: null, status: 200 })
    expect(exchange.body).toBe('x'.repeat(4_096))
    expect(written).toBeLessThan(10_000_000)
  })

  it('goes over plain http only where that is allowed', async () => {
    const server = createHttpServer((_request, response) => response.writeHead(204).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const target = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const exchange = await outgoing({ allow_plain_http: true }).post(target, {}, '{}', true)
    expect(exchange).toMatchObject({ failure: null, status: 204, remote_address: '127.0.0.1' })
    await expect(outgoing().post(target, {}, '{}', true)).rejects.toThrow('Protocol "http:" not supported')
  })

  it('makes the answer fit to be kept: PostgreSQL takes no NUL', async () => {
    const receiver = await receive((_received, response) => response.end(Buffer.from([0x61, 0, 0x62, 0xff])))
    expect((await outgoing().post(new URL(receiver.url), {}, '{}', false)).body).toBe('a\ufffdb\ufffd')
  })
})

describe('a POST that brings no answer says why in one word:', () => {
  async function failure(url: string, options: Partial<HttpClientOptions> = {}, verify = true): Promise<string | null> {
    const exchange = await outgoing(options).post(new URL(url), {}, '{}', verify)
    return exchange.failure
  }
  const impatient = { timeout_ms: 800 }

  it('refused, when nobody listens', async () => {
    expect(await failure('https://127.0.0.1:1/')).toBe('refused')
  })

  it('refused, when the far side hangs up instead of answering', async () => {
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

  it('tls, when the far side does not speak it', async () => {
    expect(await failure(await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')))).toBe('tls')
  })

  it('tls, when the certificate is signed by nobody we know', async () => {
    const receiver = await receive()
    expect(await failure(receiver.url)).toBe('tls')
    expect(receiver.received).toEqual([])
  })

  it('timeout, when no answer comes, or a connection that leads nowhere', async () => {
    expect(await failure(await listen(() => {}), impatient)).toBe('timeout')
    const receiver = await receive(() => undefined)
    expect(await failure(receiver.url, impatient, false)).toBe('timeout')
  })

  it('timeout, when the answer trickles in for too long, with the status that came', async () => {
    const receiver = await receive(async (_received, response) => {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write('.')
        await pause(50)
      }
    })
    // Long enough that the beginning of the answer comes on any machine; its end never does.
    const exchange = await outgoing({ timeout_ms: 4_000 }).post(new URL(receiver.url), {}, '{}', false)
    expect(exchange).toMatchObject({ failure: 'timeout', status: 200 })
    expect(exchange.body).toMatch(/^\.+$/)
    expect(exchange.duration_ms).toBeGreaterThan(3_900)
    expect(exchange.duration_ms).toBeLessThan(12_000)
  })

  it('timeout, when the name server takes for ever', async () => {
    expect(await failure('https://slow.example/', { ...impatient, resolve: () => new Promise(() => {}) })).toBe(
      'timeout',
    )
  })

  it('dns, when the name leads nowhere', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await failure('https://nowhere.example/', { resolve })).toBe('dns')
    expect(await failure('https://empty.example/', { resolve: async () => [] })).toBe('dns')
  })

  it('too_large, when the headers have no end', async () => {
    const receiver = await receive((_received, response) => {
      response.writeHead(200, { 'x-much': 'x'.repeat(20_000) }).end()
    })
    expect(await failure(receiver.url, {}, false)).toBe('too_large')
  })
})

describe('an address that may not be called', () => {
  const allows = (address: string) => address !== '127.0.0.1'

  it.each(['127.0.0.1', '2130706433', '0x7f.1', 'localhost'])('is not, in the form %s', async (host) => {
    const receiver = await receive()
    const target = new URL(receiver.url.replace('localhost', host))
    const exchange = await outgoing({ allowsAddress: allows }).post(target, {}, '{}', false)
    expect(exchange).toMatchObject({ failure: 'private_address', remote_address: null })
    expect(receiver.connections).toBe(0)
  })

  it('is not, when only one of the addresses of a name is such', async () => {
    const resolve = async () => [
      { address: '203.0.113.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const exchange = await outgoing({ allowsAddress: allows, resolve }).post(
      new URL('https://two.example/'),
      {},
      '{}',
      false,
    )
    expect(exchange.failure).toBe('private_address')
  })

  it('is not, by a name that has changed since it was checked', async () => {
    const receiver = await receive()
    const target = new URL(receiver.url.replace('localhost', 'rebinding.example'))
    const answers = ['203.0.113.7', '127.0.0.1']
    const resolve = async () => [{ address: answers.shift()!, family: 4 }]
    const client = outgoing({ allowsAddress: allows, resolve })
    expect(await client.checkHost(target.hostname)).toBe('allowed')
    expect((await client.post(target, {}, '{}', false)).failure).toBe('private_address')
    expect(receiver.connections).toBe(0)
  })

  it('is told apart from a name that leads nowhere', async () => {
    expect(await outgoing({ allowsAddress: allows }).checkHost('localhost')).toBe('private_address')
    expect(await outgoing({ allowsAddress: allows }).checkHost('127.0.0.1')).toBe('private_address')
    expect(await outgoing({ allowsAddress: allows }).checkHost('[::ffff:7f00:1]')).toBe('allowed')
    expect(await outgoing({ resolve: () => Promise.reject(new Error()) }).checkHost('a.example')).toBe('dns')
  })
})

describe('a Retry-After header', () => {
  const now = new Date('2030-01-15T12:00:00.400Z')

  it('is read as seconds or as a date', () => {
    expect(readRetryAfter('120', now)).toBe(120)
    expect(readRetryAfter('Tue, 15 Jan 2030 12:02:00 GMT', now)).toBe(120)
    expect(readRetryAfter('Tue, 15 Jan 2030 11:00:00 GMT', now)).toBe(0)
  })

  it('is passed over when it says nothing readable', () => {
    for (const header of [undefined, '', 'soon', '-5', '1.5e9999'])
      expect(readRetryAfter(header, now) ?? null).toBeNull()
  })
})
