import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { NotFound } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'

/** The folder of the built pages. They are built from `web/` when the service starts (cli/service/build-web.ts). */
export const WEB_DIST = join(import.meta.dirname, '../../web/dist')

/** Placeholder in the built page for the nonce of each answer, for styles that components create. */
const NONCE_PLACEHOLDER = '{{nonce}}'

/**
 * Return a policy that lets the browser load and run only content of this server. Components create styles at run time,
 * which must carry the nonce of this answer.
 */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The console's pages: one HTML file for every address under `/console`, and its assets. */
export function addPages(server: Server, app: Pick<App, 'config'>, dist = WEB_DIST): void {
  const config = { open_in_maintenance: true }
  const schema = { hide: true }
  server.register(async (scope) => {
    await scope.register(files, { root: dist, serve: false, preCompressed: true })

    scope.get('/console/assets/*', { config, schema }, async (request, reply) => {
      const { '*': name } = request.params as { '*': string }
      if (!/^[\w.-]+$/.test(name)) throw new NotFound()
      reply.header('x-content-type-options', 'nosniff')
      // The name contains a hash of the content, so the content never changes.
      return reply.sendFile(name, join(dist, 'assets'), { maxAge: '365d', immutable: true })
    })
    for (const url of ['/console', '/console/*'])
      scope.get(url, { config, schema }, async (request, reply) => {
        if (request.url.startsWith('/console/api/')) throw new NotFound()
        const nonce = randomBytes(16).toString('base64')
        const html = await readFile(join(dist, 'index.html'), 'utf8').catch(() => undefined)
        setSecurityHeaders(reply, nonce)
        keepCell(app, request, reply)
        if (html === undefined)
          return reply.code(503).header('retry-after', 2).send(buildingPage(app.config.SERVICE_NAME, nonce))
        return reply.send(html.replaceAll(NONCE_PLACEHOLDER, nonce))
      })
  })
}

/** Keep a browser that asks for this cell (`?cell=3`) in it: the load balancer reads the cookie. */
function keepCell({ config }: Pick<App, 'config'>, request: FastifyRequest, reply: FastifyReply): void {
  const { cell } = request.query as { cell?: string }
  if (cell === String(config.CELL)) reply.header('set-cookie', cellCookie(config.CELL))
}

/** The cookie that names the cell of a browser. It gives no access. */
export function cellCookie(cell: number): string {
  return `kusanya_cell=${cell}; Path=/console; HttpOnly; SameSite=Lax; Max-Age=31536000`
}

function setSecurityHeaders(reply: FastifyReply, nonce: string): void {
  reply.headers({
    'content-security-policy': contentPolicy(nonce),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
}

/** The page that a browser shows while the pages are built. It reloads itself. */
function buildingPage(service_name: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>${escapeHtml(service_name)}</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark }
  body { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif }
  h1 { font-size: 1.6rem }
</style>
<h1>The console is being built</h1>
<p>This takes some seconds, and this page looks again by itself. The API is ready meanwhile.</p>
<p>If it stays, the log of the service says why.</p>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
