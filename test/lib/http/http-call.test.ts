import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callHttp, callJson, MAX_ANSWER_BYTES, parseJson, unreadableAnswer } from '../../../src/lib/http/http-call.ts'
import { withServer } from '../../networks/contract.ts'

const TIMEOUT_MS = 20_000

const get = (url: string, changes: object = {}) =>
  callJson({ method: 'GET', url, headers: {}, timeout_ms: TIMEOUT_MS, callee: 'biller', ...changes })

const unknown = (message: string) => ({ outcome: 'unknown', message: expect.stringContaining(message) })

describe('a JSON call', () => {
  it('sends the body as JSON under the given headers, and returns status and body', async () => {
    const listener: RequestListener = async (request, response) => {
      const { 'content-type': type, authorization } = request.headers
      const body = (await request.setEncoding('utf8').toArray()).join('')
      response.writeHead(202).end(JSON.stringify({ method: request.method, type, authorization, body }))
    }
    await withServer(listener, async (url) => {
      const options = { method: 'POST' as const, headers: { authorization: 'Bearer key' }, body: { name: 'Grâce' } }
      expect(await get(url, options)).toEqual({
        outcome: 'answered',
        status: 202,
        body: { method: 'POST', type: 'application/json', authorization: 'Bearer key', body: '{"name":"Grâce"}' },
      })
    })
  })

  it('sends no body and no content-type when there is none', async () => {
    await withServer(
      (request, response) => response.end(JSON.stringify({ type: request.headers['content-type'] ?? null })),
      async (url) => expect(await get(url)).toEqual({ outcome: 'answered', status: 200, body: { type: null } }),
    )
  })

  it('has an undefined body when the answer is not JSON', async () => {
    await withServer(
      (_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'),
      async (url) => expect(await get(url)).toEqual({ outcome: 'answered', status: 502, body: undefined }),
    )
  })

  it('masks the secrets of the call that the answer repeats', async () => {
    await withServer(
      (request, response) =>
        response.end(JSON.stringify({ message: `unknown key ${request.headers['x-key']}`, n: 'ab' })),
      async (url) => {
        const options = { headers: { 'x-key': 'hunter2hunter2' }, secrets: ['hunter2hunter2', 'ab'] }
        expect(await get(url, options)).toMatchObject({ body: { message: 'unknown key ***', n: 'ab' } })
      },
    )
  })

  it('follows a redirect only on request', async () => {
    const listener: RequestListener = (request, response) =>
      request.url === '/' ? response.writeHead(302, { location: '/there' }).end() : response.end('{"there":true}')
    await withServer(listener, async (url) => {
      expect(await get(url)).toEqual({ outcome: 'answered', status: 302, body: undefined })
      expect(await get(url, { follow_redirects: true })).toMatchObject({ status: 200, body: { there: true } })
    })
  })

  it('accepts an answer of exactly the limit', async () => {
    await withServer(
      (_, response) => response.end('"12345678"'),
      async (url) => expect(await get(url, { max_answer_bytes: 10 })).toMatchObject({ body: '12345678' }),
    )
  })

  it('is unknown when the answer is longer than the limit, and does not read the rest', async () => {
    const longer = '"12345678" '
    await withServer(
      (_, response) => response.end(longer),
      async (url) => {
        const answer = await get(url, { max_answer_bytes: 10 })
        expect(answer).toEqual({ outcome: 'unknown', message: "The biller's answer is longer than 10 bytes." })
      },
    )
    let closed = false
    const endless: RequestListener = (_, response) => {
      const chunk = ' '.repeat(64 * 1024)
      const write = () => {
        while (!closed && response.write(chunk));
      }
      response.on('close', () => {
        closed = true
      })
      response.on('drain', write)
      write()
    }
    await withServer(endless, async (url) => {
      expect(await get(url)).toEqual(unknown(`longer than ${MAX_ANSWER_BYTES} bytes`))
      await expect.poll(() => closed, { timeout: TIMEOUT_MS }).toBe(true)
    })
  })

  it.each<[string, RequestListener]>([
    ['hangs up', (request) => request.socket.destroy()],
    [
      'hangs up during the answer',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"state":')
        setTimeout(() => request.socket.destroy(), 10)
      },
    ],
  ])('is unknown when the server %s', async (_what, listener) => {
    await withServer(listener, async (url) => expect(await get(url)).toEqual(unknown('The biller did not answer: ')))
  })

  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    ['never ends its answer', (_, response) => response.writeHead(200).write('{"state":')],
  ])('is unknown after the time limit when the server %s', async (_what, listener) => {
    await withServer(listener, async (url) =>
      expect(await get(url, { timeout_ms: 200 })).toEqual(unknown('The biller did not answer: ')),
    )
  })

  it('is unknown when the caller ends it', async () => {
    const ended = new AbortController()
    await withServer(
      () => ended.abort(),
      async (url) => expect(await get(url, { signal: ended.signal })).toMatchObject({ outcome: 'unknown' }),
    )
  })

  it.each(['http://127.0.0.1:2/', 'http://localhost:2/', '', 'no URL'])(
    'is unknown and gives a reason for the URL %j',
    async (url) => {
      const answer = await get(url)
      expect(answer).toEqual({ outcome: 'unknown', message: expect.stringMatching(/^The biller did not answer: ./) })
    },
  )
})

describe('an HTTP call', () => {
  const post = (url: string, changes: object = {}) =>
    callHttp({ method: 'POST', url, headers: {}, timeout_ms: TIMEOUT_MS, callee: 'SMS provider', ...changes })

  it('sends its body unchanged and returns the text of the answer', async () => {
    await withServer(
      (request, response) => void request.pipe(response.writeHead(201)),
      async (url) =>
        expect(await post(url, { body: 'to=1&text=é' })).toEqual({
          outcome: 'answered',
          status: 201,
          headers: expect.any(Headers),
          text: 'to=1&text=é',
          incomplete: null,
        }),
    )
  })

  it('returns the status and the start of an answer that is too long or breaks off', async () => {
    await withServer(
      (_, response) => response.writeHead(400).end('a long reason'),
      async (url) =>
        expect(await post(url, { max_answer_bytes: 6 })).toEqual({
          outcome: 'answered',
          status: 400,
          headers: expect.any(Headers),
          text: 'a long',
          incomplete: "The SMS provider's answer is longer than 6 bytes.",
        }),
    )
    await withServer(
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        setTimeout(() => request.socket.destroy(), 10)
      },
      async (url) => expect(await post(url)).toMatchObject({ status: 200, incomplete: expect.any(String) }),
    )
  })
})

describe('the texts of answers', () => {
  it('are parsed as JSON, or are undefined', () => {
    expect([parseJson('{"a":1}'), parseJson('null'), parseJson(''), parseJson('{')]).toEqual([
      { a: 1 },
      null,
      undefined,
      undefined,
    ])
  })

  it('have the outcome unknown when they have no known form', () => {
    expect(unreadableAnswer('network', { status: 500 })).toEqual({
      outcome: 'unknown',
      message: "The network's answer cannot be understood (HTTP 500).",
    })
  })
})
