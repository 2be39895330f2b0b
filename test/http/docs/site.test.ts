import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSite } from '../../../src/http/docs/site.ts'
import { createServer, type Server } from '../../../src/http/server.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const FILES = {
  'index.html': 'the first page',
  'operating.html': 'operating',
  'operating/install.html': 'install',
  'decisions/index.html': 'decisions',
  '404.html': 'no such page',
  'hashmap.json': '{}',
  'files/deploy/Dockerfile.txt': 'FROM base',
  'assets/app.1a2b.js': 'run()',
  'assets/chunks/@search.3c4d.js': 'search()',
  'sources.txt': 'digest',
}

let folder: string
let built: Server
let unbuilt: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'))
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, 'dist', file)), { recursive: true })
    await writeFile(join(folder, 'dist', file), text)
  }
  await writeFile(join(folder, 'dist/assets/app.1a2b.js.gz'), gzipSync('run()'))
  await writeFile(join(folder, 'secret.html'), 'secret')
  built = await open('dist')
  unbuilt = await open('none')
})
afterAll(async () => {
  for (const server of [built, unbuilt]) await server.close()
  await rm(folder, { recursive: true })
})

async function open(dist: string): Promise<Server> {
  const server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off' })
  addSite(server, { dist: join(folder, dist), service_name: 'Shop & <Co>' })
  await server.ready()
  return server
}

const get = (server: Server, url: string, headers: Record<string, string> = BROWSER) => server.inject({ url, headers })

it.each([
  ['/docs', 'the first page'],
  ['/docs/', 'the first page'],
  ['/docs/operating', 'operating'],
  ['/docs/operating/', 'operating'],
  ['/docs/operating/install?x=1', 'install'],
  ['/docs/decisions', 'decisions'],
  ['/docs/decisions/', 'decisions'],
])('a page is at %s', async (url, text) => {
  const { statusCode, headers, body } = await get(built, url)
  expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', text])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers['cache-control']).toBe('public, max-age=0')
  const again = await get(built, url, { ...BROWSER, 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

it('keeps assets for a year, and sends them compressed', async () => {
  const { statusCode, headers, rawPayload } = await get(built, '/docs/assets/app.1a2b.js', {
    'accept-encoding': 'gzip',
  })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': 'application/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect(rawPayload.equals(gzipSync('run()'))).toBe(true)
})

it('has the assets in folders as well', async () => {
  expect((await get(built, '/docs/assets/chunks/@search.3c4d.js')).body).toBe('search()')
})

it('sends the files that pages lead to as text', async () => {
  const { headers, body } = await get(built, '/docs/files/deploy/Dockerfile.txt')
  expect([headers['content-type'], body]).toEqual(['text/plain; charset=utf-8', 'FROM base'])
})

it.each([
  ['/docs/operating.md', '/docs/operating'],
  ['/docs/operating/install.html', '/docs/operating/install'],
  ['/docs/README.md', '/docs'],
  ['/docs/decisions/README.md', '/docs/decisions'],
  ['/docs/index.html', '/docs'],
])('the file %s leads to its page', async (url, location) => {
  const { statusCode, headers } = await get(built, url)
  expect([statusCode, headers.location]).toEqual([302, location])
})

it.each([
  '/docs/nothing',
  '/docs/json',
  '/docs/..%2fsecret',
  '/docs/%2e%2e/secret.html',
  '/docs/assets/..%2f..%2fsecret.html',
  '/docs//evil.example/x.md',
  '/docs/%00',
  '/docs/assets/none.js',
  '/docs/assets/',
])('there is nothing at %s', async (url) => {
  const page = await get(built, url)
  expect(page.statusCode).toBe(404)
  expect(page.body).not.toContain('secret')
  const { statusCode, body } = await get(built, url, { accept: '*/*' })
  expect([statusCode, JSON.parse(body)]).toEqual([404, { detail: 'Not found.' }])
})

it('shows people a page of their own when there is none', async () => {
  expect((await get(built, '/docs/nothing')).body).toBe('no such page')
})

it('explains how to build missing documentation, and leads to the reference', async () => {
  const { statusCode, headers, body } = await get(unbuilt, '/docs')
  expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(body).toContain('npm run docs')
  expect(body).toContain('Shop &#38; &#60;Co&#62;')
  expect(body).toContain('href="/docs/reference"')
  expect((await get(unbuilt, '/docs', { accept: 'application/json' })).json()).toEqual({ detail: 'Not found.' })
})

it('answers callers that take HTML alone', async () => {
  for (const url of ['/docs', '/docs/operating'])
    expect((await get(built, url, { accept: 'text/html' })).statusCode).toBe(200)
  expect((await get(unbuilt, '/docs', { accept: 'text/html' })).statusCode).toBe(404)
})

it('refuses other methods', async () => {
  for (const url of ['/docs', '/docs/operating', '/docs/assets/app.1a2b.js']) {
    const { statusCode, headers } = await built.inject({ method: 'POST', url })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  }
})
