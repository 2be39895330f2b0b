import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOpenApi } from '../../../src/http/docs/docs.ts'
import { createServer, type Server } from '../../../src/http/server.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const JSON_OF_PROGRAMS =
  '{"service":"Shop & <Co>","version":"1.2.3","documentation":"/docs","openapi":"/openapi.json","health":"/healthz",' +
  '"interface":"/api","console":"/console"}'

const servers: Server[] = []
let sandbox: Server

beforeAll(async () => {
  sandbox = await open({ console: true, sandbox: true })
})
afterAll(async () => {
  for (const server of servers) await server.close()
})

async function open(options: { console: boolean; sandbox: boolean }): Promise<Server> {
  const server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off' })
  servers.push(server)
  await addOpenApi(server, { service_name: 'Shop & <Co>', version: '1.2.3', dist: 'none', site: '/none', ...options })
  return server
}

const get = (server: Server, accept?: string) => server.inject({ url: '/', headers: accept ? { accept } : {} })
const linksOf = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)

it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9', 'application/json, */*'])(
  'is JSON for programs, whose Accept is %s',
  async (accept) => {
    const { statusCode, headers, body } = await get(sandbox, accept)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toBe(JSON_OF_PROGRAMS)
  },
)

it.each([BROWSER, 'text/html'])('is a page for browsers, whose Accept is %s', async (accept) => {
  const { statusCode, headers, body } = await get(sandbox, accept)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(body).toContain('<h1>Shop &#38; &#60;Co&#62;</h1>')
  expect(body).toContain('no real money moves')
  expect(linksOf(body)).toEqual(['/console', '/console/phone', '/console/payment-links', '/docs', '/docs/reference'])
})

it('leads only to existing parts of this service', async () => {
  const live = await get(await open({ console: true, sandbox: false }), BROWSER)
  expect(linksOf(live.body)).toEqual(['/console', '/console/payment-links', '/docs', '/docs/reference'])
  expect(live.body).not.toContain('sandbox')
  const without_console = await get(await open({ console: false, sandbox: true }), BROWSER)
  expect(linksOf(without_console.body)).toEqual(['/docs', '/docs/reference'])
  expect(without_console.body).toContain('npx kusanya --help')
})

it('is refused in words to who takes neither', async () => {
  expect((await get(sandbox, 'image/png')).statusCode).toBe(406)
})
