import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { callOnWire, DECODERS } from '../wire.ts'

let testApp: TestApp
let url: string

beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())

const DOCUMENTS = ['/openapi.json', '/docs/reference', '/docs/js/scalar.js']
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
