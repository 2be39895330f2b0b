import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../src/lib/http/outgoing-http.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Open a server that answers each request with these bytes, and return a function that posts to it. */
async function answering(...answers: (string | Buffer)[]) {
  const opened: Socket[] = []
  const server = createServer((socket) => {
    opened.push(socket.on('error', () => {}))
    socket.on('data', () => {
      for (const answer of answers) socket.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, allow_plain_http: true })
  closers.push(client.close, () => server.close())
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return { post: () => client.post(target, {}, '{}', true), opened }
}

const withBody = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

describe('the headers of an answer', () => {
  const singles =
    `Age Authorization Content-Type ETag Expires From Host If-Modified-Since If-Unmodified-Since Last-Modified Location
    Max-Forwards Proxy-Authorization Referer Retry-After Server User-Agent`.split(/\s+/)

  it('are joined where there are several, or are the first', async () => {
    const joined = ['Date', 'Vary', 'Via', 'X-Shop', 'Link', 'Content-Encoding', 'Keep-Alive', 'WWW-Authenticate']
    const lines = [...singles, ...joined, 'Cookie', 'Set-Cookie'].flatMap((name) => [`${name}: 1`, `${name}: 2`])
    const { post } = await answering(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)
    const { failure, headers } = await post()
    expect(failure).toBeNull()
    expect(headers).toEqual({
      ...Object.fromEntries(singles.map((name) => [name.toLowerCase(), '1'])),
      ...Object.fromEntries(joined.map((name) => [name.toLowerCase(), '1, 2'])),
      cookie: '1; 2',
      'set-cookie': '***',
      'content-length': '0',
    })
  })

  it('are without the spaces around them, and Latin-1', async () => {
    const lines = ['X-Spaces: \t one  two \t ', 'X-Empty:', 'X-Latin: caf\u00e9', 'X-Empty:', 'Content-Length: 0']
    const { post } = await answering(Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
    expect((await post()).headers).toEqual({
      'x-spaces': 'one  two',
      'x-empty': ', ',
      'x-latin': 'caf\u00e9',
      'content-length': '0',
    })
  })

  it('are at most 16 kB together', async () => {
    const { post } = await answering(`HTTP/1.1 200 OK\r\nx-much: ${'x'.repeat(15_000)}\r\ncontent-length: 0\r\n\r\n`)
    expect((await post()).headers!['x-much']).toHaveLength(15_000)
    const longer = await answering(`HTTP/1.1 200 OK\r\nx-much: ${'x'.repeat(17_000)}\r\ncontent-length: 0\r\n\r\n`)
    expect(await longer.post()).toMatchObject({ failure: 'too_large', status: null })
  })
})

describe('the body of an answer', () => {
  it('of 64 kB is read to its end, and the connection is used again', async () => {
    const { post, opened } = await answering(withBody('x'.repeat(65_536)))
    for (let count = 0; count < 2; count += 1)
      expect(await post()).toMatchObject({ failure: null, body: 'x'.repeat(4_096), remote_address: '127.0.0.1' })
    expect(opened).toHaveLength(1)
  })

  it('of more than 64 kB is not read to its end, and the connection is closed', async () => {
    const { post, opened } = await answering(withBody('x'.repeat(65_537)))
    for (let count = 0; count < 2; count += 1)
      expect(await post()).toMatchObject({ failure: null, body: 'x'.repeat(4_096), remote_address: '127.0.0.1' })
    expect(opened).toHaveLength(2)
    await expect.poll(() => opened.every((socket) => socket.destroyed)).toBe(true)
  })

  it('may come in chunks, or end with the connection', async () => {
    const chunked = await answering(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n',
      '4\r\n two\r\n0\r\n\r\n',
    )
    expect(await chunked.post()).toMatchObject({ failure: null, body: 'one two' })
    const server = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nall')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, allow_plain_http: true })
    closers.push(client.close, () => server.close())
    const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await client.post(target, {}, '{}', true)).toMatchObject({ failure: null, body: 'all' })
  })
})

describe('an answer', () => {
  it.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\ndate: now\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'],
  ])('may follow a status %s', async (_what, before) => {
    const together = await answering(`${before}${withBody('done')}`)
    const apart = await answering(before, withBody('done'))
    for (const { post, opened } of [together, apart]) {
      for (let count = 0; count < 3; count += 1)
        expect(await post()).toMatchObject({
          failure: null,
          status: 200,
          body: 'done',
          headers: { 'content-length': '4' },
        })
      expect(opened).toHaveLength(1)
    }
  })

  it('that changes the protocol without a request for it is a refusal', async () => {
    const { post } = await answering('HTTP/1.1 101 Switching Protocols\r\nupgrade: smtp\r\nconnection: upgrade\r\n\r\n')
    expect(await post()).toMatchObject({ failure: 'refused', status: null, remote_address: '127.0.0.1' })
  })

  it('that is no HTTP is a refusal', async () => {
    const { post } = await answering('SMTP ready\r\n\r\n')
    expect(await post()).toMatchObject({ failure: 'refused', status: null, remote_address: '127.0.0.1' })
  })
})

describe('a request', () => {
  it('has the headers that it was given, its length, and the user of the address', async () => {
    const received: object[] = []
    const server = createHttpServer((request, response) => {
      received.push({ ...request.headers })
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 20_000, allow_plain_http: true })
    closers.push(client.close, () => server.close())
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    await client.post(new URL(`http://${host}/`), { 'X-Shop': 'open' }, '', true)
    await client.post(new URL(`http://ann%40shop:s%20c@${host}/`), {}, 'é', true)
    await client.post(new URL(`http://ann:secret@${host}/`), { Authorization: 'Bearer key' }, 'é', true)
    const usual = { host, connection: 'keep-alive' }
    const basic = `Basic ${Buffer.from('ann@shop:s c').toString('base64')}`
    expect(received).toEqual([
      { ...usual, 'content-length': '0', 'x-shop': 'open' },
      { ...usual, 'content-length': '2', authorization: basic },
      { ...usual, 'content-length': '2', authorization: 'Bearer key' },
    ])
    await expect(client.post(new URL(`http://${host}/`), { 'x-shop': 'a\nb' }, '', true)).rejects.toThrow('x-shop')
  })
})
