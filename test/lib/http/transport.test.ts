import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { callHttp, type HttpCall } from '../../../src/lib/http/http-call.ts'
import { openTransport } from '../../../src/lib/http/transport.ts'
import { withServer } from '../../networks/contract.ts'

const { transport, close } = openTransport()

/** Call a server that answers so. */
async function call(listener: RequestListener, changes: Partial<HttpCall> = {}) {
  const usual = { method: 'POST', headers: {}, timeout_ms: 20_000, callee: 'network', transport } as const
  let answer: Awaited<ReturnType<typeof callHttp>> | undefined
  await withServer(listener, async (url) => {
    answer = await callHttp({ ...usual, url, ...changes })
  })
  return answer!
}

const whole = (text: string) => ({ outcome: 'answered', status: 200, text, incomplete: null })
const brokenOff = 'The network did not answer: '

describe('an answer over a transport', () => {
  it('has all values of its headers', async () => {
    const answer = await call((_, response) => {
      response.writeHead(200, { 'x-one': '1', 'X-Many': ['a', 'b'], 'set-cookie': ['c=1', 'd=2'] }).end()
    })
    if (answer.outcome === 'unknown') throw new Error(answer.message)
    expect(answer.headers.get('X-One')).toBe('1')
    expect(answer.headers.get('x-many')).toBe('a, b')
    expect(answer.headers.getSetCookie()).toEqual(['c=1', 'd=2'])
    expect(answer.headers.get('x-none')).toBeNull()
    expect({ ...answer }).toMatchObject({ ...whole(''), headers: expect.any(Headers) })
  })

  it('is read as UTF-8, also where a character is in two chunks', async () => {
    const bytes = Buffer.from('\ufeffGrâce €')
    expect(await call((_, response) => response.end(bytes))).toMatchObject(whole('Grâce €'))
    expect(await call((_, response) => response.end(Buffer.from([0x61, 0xff, 0xe2, 0x82])))).toMatchObject(
      whole('a\ufffd\ufffd'),
    )
    const inTwo: RequestListener = (_, response) => {
      response.write(bytes.subarray(0, -1))
      setTimeout(() => response.end(bytes.subarray(-1)), 30)
    }
    expect(await call(inTwo)).toMatchObject(whole('Grâce €'))
  })

  it('is read up to the limit, without a part of a character', async () => {
    const longer = (text: string) => ({ status: 200, text, incomplete: "The network's answer is longer than 4 bytes." })
    expect(await call((_, response) => response.end('12345'), { max_answer_bytes: 4 })).toMatchObject(longer('1234'))
    expect(await call((_, response) => response.end('12€'), { max_answer_bytes: 4 })).toMatchObject(longer('12'))
    expect(await call((_, response) => response.end('1€'), { max_answer_bytes: 4 })).toMatchObject(whole('1€'))
    let is_closed = false
    const endless: RequestListener = (_, response) => {
      const writing = setInterval(() => response.write('x'.repeat(3)), 10)
      response.on('close', () => {
        clearInterval(writing)
        is_closed = true
      })
    }
    expect(await call(endless, { max_answer_bytes: 4 })).toMatchObject(longer('xxxx'))
    await expect.poll(() => is_closed).toBe(true)
  })

  it('may be compressed, and the limit counts its text', async () => {
    const compressed: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('x'.repeat(1_000)))
    }
    expect(await call(compressed)).toMatchObject(whole('x'.repeat(1_000)))
    expect(await call(compressed, { max_answer_bytes: 999 })).toMatchObject({
      text: 'x'.repeat(999),
      incomplete: "The network's answer is longer than 999 bytes.",
    })
    const broken = await call((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'))
    expect(broken).toMatchObject({ text: '', incomplete: `${brokenOff}incorrect header check` })
  })

  it('is returned as far as it came when it breaks off', async () => {
    const breaking: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => request.socket.destroy(), 30)
    }
    expect(await call(breaking)).toMatchObject({ text: 'half', incomplete: expect.stringContaining(brokenOff) })
  })
})

describe('a call over a transport', () => {
  const timedOut = `${brokenOff}The operation was aborted due to timeout`

  it('ends with its time limit, before the answer and in the middle of it', async () => {
    expect(await call(() => {}, { timeout_ms: 200 })).toEqual({ outcome: 'unknown', message: timedOut })
    const half = await call((_, response) => response.write('half'), { timeout_ms: 200 })
    expect(half).toMatchObject({ status: 200, text: 'half', incomplete: timedOut })
  })

  it('ends when its caller wants it, with the reason of the caller', async () => {
    const ended = new AbortController()
    const options = { signal: ended.signal }
    const stopping = call(() => ended.abort(new Error('We stop.')), options)
    expect(await stopping).toEqual({ outcome: 'unknown', message: `${brokenOff}We stop.` })
    let requests = 0
    expect(await call(() => (requests += 1), options)).toMatchObject({ message: `${brokenOff}We stop.` })
    expect(requests).toBe(0)
  })

  it('is not possible after the transport is closed', async () => {
    await close()
    await close()
    expect(await call(() => {})).toMatchObject({ outcome: 'unknown', message: expect.stringContaining(brokenOff) })
  })
})
