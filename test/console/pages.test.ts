import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { addPages } from '../../src/console/pages.ts'
import { createServer, type Server } from '../../src/http/server.ts'

let folder: string
let server: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'))
  server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off', inMaintenance: () => true })
  addPages(server, { config: readConfig({ SERVICE_NAME: 'Shop & Co' }) }, join(folder, 'dist'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers = {}) => server.inject({ url, headers })

it('shows a page that reloads itself while the pages are built', async () => {
  const answer = await get('/console')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect(answer.body).toContain('The console is being built')
  expect(answer.body).toContain('<title>Shop &#38; Co</title>')
})

it('answers the same page at every address with its own content policy, also during maintenance', async () => {
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), '<meta name="csp-nonce" content="{{nonce}}">')
  const [one, two] = [await get('/console'), await get('/console/collectionrequests/7?page=2')]
  for (const { statusCode, headers, body } of [one, two]) {
    expect(statusCode).toBe(200)
    const nonce = /content="(.+)"/.exec(body)![1]
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-store')
  }
  expect(one.body).not.toBe(two.body)
})

it('lets browsers cache assets, and sends them compressed when the browser accepts it', async () => {
  await writeFile(join(folder, 'dist/assets/main-1a2b.js'), 'plain')
  await writeFile(join(folder, 'dist/assets/main-1a2b.js.br'), 'packed')
  const plain = await get('/console/assets/main-1a2b.js')
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringMatching(/javascript/),
    'x-content-type-options': 'nosniff',
  })
  expect(plain.body).toBe('plain')
  const again = await get('/console/assets/main-1a2b.js', { 'if-none-match': String(plain.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const packed = await get('/console/assets/main-1a2b.js', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(packed.body).toBe('packed')
})

it('serves no file outside its folder, and no page under /console/api', async () => {
  for (const url of ['/console/assets/none.js', '/console/assets/..%2findex.html', '/console/api/none'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404])
})
