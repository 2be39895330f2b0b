import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClientOptions } from '../../../src/lib/http/outgoing-http.ts'
import { certificate, openReceiver, pause, type Responder } from '../../receiver.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function createClient(options: Partial<HttpClientOptions> = {}) {
  const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, ...options })
  closers.push(client.close)
  return client
}

async function receive(answer?: Responder) {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver
}

const KEY = readFileSync(join(import.meta.dirname, '../../fixtures/localhost-key.pem'), 'utf8')
/** The body of every request here. It tells a raw server where a request ends. */
const BODY = '{"end":"of request"}'

/**
 * Open a TLS server that writes its answers itself. `answer` is called for each request, with the number of the
 * connection and of the request on it, both from 1.
 */
async function openRaw(answer: (socket: Socket, connection: number, request: number) => unknown) {
  const opened: Socket[] = []
  const server = createTlsServer({ key: KEY, cert: certificate }, (socket) => {
    const connection = opened.push(socket.on('error', () => {}))
    let text = ''
    let requests = 0
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (!text.endsWith(BODY)) return
      text = ''
      requests += 1
      answer(socket, connection, requests)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of opened) socket.destroy()
    server.close()
  })
  return { target: new URL(`https://localhost:${(server.address() as AddressInfo).port}/`), opened }
}

const DONE = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone'
const HALF = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'

describe('connections to a receiver', () => {
  it('are several when requests come at once, and are reused, each with its address', async () => {
    const receiver = await receive(async () => {
      await pause(50)
      return 200
    })
    const client = createClient()
    const send = async () => {
      const results = await Promise.all([1, 2, 3].map(() => client.post(new URL(receiver.url), {}, BODY, false)))
      expect(results.map((one) => [one.failure, one.remote_address])).toEqual(Array(3).fill([null, '127.0.0.1']))
    }
    await send()
    expect(receiver).toMatchObject({ connections: 3, max_open: 3 })
    await send()
    await send()
    expect(receiver.connections).toBe(3)
  })

  it('are not shared between requests that verify the certificate and others', async () => {
    const { target, opened } = await openRaw((socket) => socket.write(DONE))
    const client = createClient()
    expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: null, body: 'done' })
    const verified = await client.post(target, {}, BODY, true)
    expect(verified).toMatchObject({ failure: 'tls', status: null, headers: null, body: null })
    expect(verified.remote_address).toBe('127.0.0.1')
    expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: null, body: 'done' })
    // The server may see a connection although the client refuses its certificate afterwards.
    expect(opened.length).toBeLessThanOrEqual(2)
  })

  it('are made to the next address when one does not answer', async () => {
    const { target } = await openRaw((socket) => socket.write(DONE))
    const found = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const client = createClient({ resolve: async () => found })
    const result = await client.post(new URL(`https://shop.example:${target.port}/`), {}, BODY, false)
    expect(result).toMatchObject({ failure: null, remote_address: '127.0.0.1' })
  })

  it('are made to an IPv6 address in brackets', async ({ skip }) => {
    const server = createHttpServer((_request, response) => response.end('six'))
    const can_listen = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true))
    })
    if (!can_listen) skip('This machine has no IPv6.')
    closers.push(() => server.close())
    const target = new URL(`http://[::1]:${(server.address() as AddressInfo).port}/`)
    const checked: string[] = []
    const allowsAddress = (address: string) => checked.push(address) > 0
    const result = await createClient({ allowsAddress, allow_plain_http: true }).post(target, {}, BODY, true)
    expect(result).toMatchObject({ failure: null, body: 'six', remote_address: '::1' })
    expect(checked).toEqual(['::1'])
  })

  it('are closed a second before the server would close them', async () => {
    let closed_after_ms = Number.NaN
    const { target } = await openRaw((socket) => {
      const answered_at = performance.now()
      socket.write(DONE.replace('\r\n\r\n', '\r\nkeep-alive: timeout=2\r\n\r\n'))
      socket.on('close', () => {
        closed_after_ms = performance.now() - answered_at
      })
    })
    await createClient().post(target, {}, BODY, false)
    await expect.poll(() => closed_after_ms).toBeGreaterThan(900)
  })

  it('are not reused when the server says that it closes them', async () => {
    const { target, opened } = await openRaw((socket) =>
      socket.write(DONE.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')),
    )
    const client = createClient()
    for (let count = 1; count <= 3; count += 1) {
      expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: null, body: 'done' })
      expect(opened).toHaveLength(count)
    }
  })

  it('end with the time limit of a request, also while they are made', async () => {
    let closed = 0
    const server = createServer((socket) => {
      const count = () => {
        closed += 1
      }
      socket.on('error', () => {}).on('close', count)
      socket.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const target = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`)
    const result = await createClient().post(target, {}, BODY, false, 300)
    expect(result).toMatchObject({ failure: 'timeout', status: null, remote_address: '127.0.0.1' })
    await expect.poll(() => closed).toBe(1)
  })
})

describe('a request on a connection that the server closes', () => {
  it('is repeated on a new one when the connection was used before', async () => {
    const { target, opened } = await openRaw((socket, connection, request) => {
      if (connection === 1 && request === 2) socket.end()
      else socket.write(DONE)
    })
    const client = createClient()
    await client.post(target, {}, BODY, false)
    expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: null, remote_address: '127.0.0.1' })
    expect(opened).toHaveLength(2)
  })

  it('is repeated also after a reset, and until a connection is new', async () => {
    let is_hostile = false
    const receiver = await receive(async (_received, response) => {
      if (is_hostile && (response.socket as Socket & { old?: true }).old) return (response.socket as Socket).destroy()
      Object.assign(response.socket!, { old: true })
      await pause(50)
      return 200
    })
    const client = createClient()
    await Promise.all([1, 2, 3].map(() => client.post(new URL(receiver.url), {}, BODY, false)))
    is_hostile = true
    expect((await client.post(new URL(receiver.url), {}, BODY, false)).failure).toBeNull()
    expect([receiver.connections, receiver.received.length]).toEqual([4, 7])
  })

  it('is not repeated when the connection was new', async () => {
    const { target, opened } = await openRaw((socket) => socket.end())
    const result = await createClient().post(target, {}, BODY, false)
    expect(result).toMatchObject({ failure: 'refused', status: null, remote_address: '127.0.0.1' })
    await pause(100)
    expect(opened).toHaveLength(1)
  })

  it('is not repeated when the answer had begun', async () => {
    let requests = 0
    const { target, opened } = await openRaw((socket, _connection, request) => {
      requests += 1
      if (request === 1) socket.write(DONE)
      else socket.end(HALF)
    })
    const client = createClient()
    await client.post(target, {}, BODY, false)
    const result = await client.post(target, {}, BODY, false)
    expect(result).toMatchObject({ failure: 'refused', status: 200, body: 'half', remote_address: '127.0.0.1' })
    await pause(100)
    expect([requests, opened.length]).toEqual([2, 1])
  })

  it('is not repeated when a part of the status line had come', async () => {
    let requests = 0
    const { target } = await openRaw((socket, _connection, request) => {
      requests += 1
      if (request === 1) socket.write(DONE)
      else socket.end('HTTP/1.1 20')
    })
    const client = createClient()
    await client.post(target, {}, BODY, false)
    expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: 'refused', status: null, body: null })
    await pause(100)
    expect(requests).toBe(2)
  })

  it('is not repeated after its time limit', async () => {
    let requests = 0
    const { target } = await openRaw((socket, _connection, request) => {
      requests += 1
      if (request === 1) socket.write(DONE)
    })
    const client = createClient()
    await client.post(target, {}, BODY, false)
    expect(await client.post(target, {}, BODY, false, 300)).toMatchObject({ failure: 'timeout', status: null })
    await pause(100)
    expect(requests).toBe(2)
  })
})

describe('a client that is closed', () => {
  it('fails the requests that are under way, and closes idle connections', async () => {
    let is_silent = false
    const { target, opened } = await openRaw((socket) => is_silent || socket.write(DONE))
    const dead = await openRaw(() => {})
    const client = createClient()
    await client.post(target, {}, BODY, false)
    is_silent = true
    const waiting = client.post(dead.target, {}, BODY, false)
    await expect.poll(() => dead.opened.length).toBe(1)
    await pause(50)
    client.close()
    expect(await waiting).toMatchObject({ failure: 'refused', status: null, remote_address: '127.0.0.1' })
    await expect.poll(() => [...opened, ...dead.opened].every((socket) => socket.destroyed)).toBe(true)
    expect([opened.length, dead.opened.length]).toEqual([1, 1])
  })

  it('fails a request on a reused connection and does not repeat it', async () => {
    let requests = 0
    const { target, opened } = await openRaw((socket, _connection, request) => {
      requests += 1
      if (request === 1) socket.write(DONE)
    })
    const client = createClient()
    await client.post(target, {}, BODY, false)
    const waiting = client.post(target, {}, BODY, false)
    await expect.poll(() => requests).toBe(2)
    client.close()
    expect(await waiting).toMatchObject({ failure: 'refused', status: null })
    await pause(100)
    expect([requests, opened.length]).toEqual([2, 1])
  })

  it('fails a request whose connection is being made', async () => {
    const client = createClient()
    const server = createServer((socket) => socket.on('error', () => {}) && setTimeout(client.close, 100))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const target = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`)
    expect(await client.post(target, {}, BODY, false)).toMatchObject({ failure: 'tls', status: null })
  })
})
