import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors, quickstart } from '../../../src/http/openapi/guide.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { callOnWire, DECODERS } from '../wire.ts'

let testApp: TestApp
let url: string

beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())

const DOCUMENTS = ['/openapi.json', '/docs/reference', '/docs/reference.json', '/docs/js/scalar.js']
const call = (path: string, headers: Record<string, string> = {}) => callOnWire(url + path, { headers })

it.each(DOCUMENTS)('at %s are the same in every coding', async (path) => {
  const plain = await call(path)
  expect(plain.status).toBe(200)
  expect(plain.headers).toMatchObject({ 'content-length': String(plain.bytes.length), vary: 'accept-encoding' })
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await call(path, { 'accept-encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) })
    expect(headers['content-type']).toBe(plain.headers['content-type'])
    expect(DECODERS[coding](bytes).equals(plain.bytes)).toBe(true)
  }
})

it.each(DOCUMENTS)('at %s are not sent again to who has them', async (path) => {
  const { headers } = await call(path, { 'accept-encoding': 'br' })
  expect(headers['cache-control']).toMatch(/^(no-cache|max-age=3600)$/)
  const again = await call(path, { 'accept-encoding': 'gzip', 'if-none-match': `"other", ${headers.etag}` })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  expect(again.headers.etag).toBe(headers.etag)
  expect(again.headers).not.toHaveProperty('content-encoding')
  expect((await call(path, { 'if-none-match': '"other"' })).status).toBe(200)
})

it('show the reference to callers that take HTML alone', async () => {
  expect((await call('/docs/reference', { accept: 'text/html' })).status).toBe(200)
})

describe('the guide in the reference', () => {
  const read = async (path: string) => JSON.parse((await call(path)).bytes.toString())

  it('stands before and behind the introduction, and nothing else differs', async () => {
    const [document, shown] = [await read('/openapi.json'), await read('/docs/reference.json')]
    const { description } = shown.info
    expect({ ...shown, info: document.info }).toEqual(document)
    const headings = [...description.matchAll(/^# (.+)$/gm)].map(([, heading]) => heading)
    expect([headings[0], headings[1], ...headings.slice(-2)]).toEqual([
      'Quickstart',
      'Keys',
      'Errors',
      '429 Too many requests',
    ])
    expect(description.startsWith(document.info.description.split('\n\n')[0])).toBe(true)
  })

  it('names every status with which a call is refused', () => {
    const named = [...errors.matchAll(/^- \*\*([\d, ]+):/gm)].flatMap(([, codes]) => codes!.split(', ').map(Number))
    expect(named).toEqual([400, 401, 403, 404, 405, 406, 408, 409, 413, 431, 415, 429, 500, 503])
  })

  it('has links that lead to sections of the reference', async () => {
    const { info, paths } = await read('/docs/reference.json')
    const slugs = [...info.description.matchAll(/^# (.+)$/gm)].map(([, one]) => one.toLowerCase().replaceAll(' ', '-'))
    const anchors = [...info.description.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
    expect(anchors.length).toBeGreaterThan(1)
    for (const anchor of anchors) {
      const [kind, ...rest] = anchor.split('/')
      if (kind === 'description') expect(slugs).toContain(rest[0])
      else expect(paths).toHaveProperty([`/${rest.slice(2).join('/')}`, rest[1].toLowerCase()])
    }
  })

  it('has calls that the service takes', async () => {
    const calls = [...quickstart.matchAll(/^curl \S+?(\/api\/\w+)[^`]*?-d '(.+)'$/gm)]
    expect(calls.map(([, path]) => path)).toEqual(['/api/collectionrequests', '/api/webhooks'])
    const headers = { authorization: `Token ${testApp.api_key}`, 'content-type': 'application/json' }
    for (const [, path, body] of calls) {
      const answer = await fetch(url + path, { method: 'POST', headers, body: body! })
      expect(answer.status, `${path}: ${await answer.clone().text()}`).toBe(201)
    }
  })
})
