import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../core/refusals.ts'
import { prefersToJson } from '../accept.ts'
import { withOtherMethods } from '../methods.ts'
import type { Server } from '../server.ts'
import { PLAIN_PAGE_POLICY } from './html.ts'
import { notBuiltPage } from './not-built-page.ts'

/** The folder of the built documentation (`npm run docs`). */
export const SITE_DIST = join(import.meta.dirname, '../../../site/dist')

/** Policy for pages: the browser runs and loads only content of this server, and no inline script or style. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The small pictures of the style sheet are data.
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const PAGE_HEADERS = { 'content-security-policy': CONTENT_POLICY, 'referrer-policy': 'no-referrer' }

/** Form of a path in the site: names without a leading dot. */
const PATH = /^[\w@-]+(\.[\w@-]+)*(\/[\w@-]+(\.[\w@-]+)*)*\/?$/

/** The end of the file of a page, which is not in its address. */
const FILE_OF_PAGE = /(\/(README|index))?\.(md|html)$/

/**
 * Serve the documentation at `/docs`: pages without `.html`, and files whose names contain a hash of their content,
 * which browsers keep. Paths of files of the repository, such as `/docs/operating/backup.md`, lead to their page. Where
 * the site is not built, each page says how to build it.
 * @param dist the folder of the built site
 */
export function addSite(server: Server, { dist, service_name }: { dist: string; service_name: string }): void {
  const config = { open_in_maintenance: true }
  const schema = { hide: true }
  server.register(async (scope) => {
    await scope.register(files, { root: dist, serve: false, preCompressed: true })
    withOtherMethods(scope as unknown as Server, () => {
      scope.get('/docs/assets/*', { config, schema }, async (request, reply) => {
        const path = pathOf(request)
        if (!PATH.test(path)) throw new NotFound()
        return reply.sendFile(`assets/${path}`, dist, { maxAge: '365d', immutable: true })
      })
      for (const url of ['/docs', '/docs/*'])
        scope.get(url, { config: { ...config, also_produces: 'text/html' }, schema }, async (request, reply) => {
          const path = pathOf(request)
          if (PATH.test(path) && FILE_OF_PAGE.test(path)) return reply.redirect(addressOf(path))
          const found = await findFile(dist, path)
          if (found) return sendPage(reply, dist, found)
          return sendMissing(request, reply, { dist, service_name })
        })
    })
  })
}

/** The address of a page whose file is asked for. */
function addressOf(file: string): string {
  return `/docs/${file}`.replace(FILE_OF_PAGE, '')
}

function pathOf(request: FastifyRequest): string {
  return (request.params as { '*'?: string })['*'] ?? ''
}

/** The file of a path, relative to the site. */
async function findFile(dist: string, path: string): Promise<string | undefined> {
  if (path === '') return (await exists(join(dist, 'index.html'))) ? 'index.html' : undefined
  if (!PATH.test(path)) return undefined
  const name = path.replace(/\/$/, '')
  const candidates = /\.(txt|json)$/.test(name) ? [name] : [`${name}.html`, `${name}/index.html`]
  for (const candidate of candidates) if (await exists(join(dist, candidate))) return candidate
  return undefined
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Send a page, which browsers ask about each time: it names the files of one build. */
function sendPage(reply: FastifyReply, dist: string, file: string): FastifyReply {
  reply.headers(PAGE_HEADERS)
  return reply.sendFile(file, dist, { maxAge: 0 })
}

/** Say that there is no such page, or no site; programs get the same body as at any other address. */
async function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  { dist, service_name }: { dist: string; service_name: string },
): Promise<FastifyReply> {
  if (!prefersToJson(request.headers.accept, 'text/html')) throw new NotFound()
  const page = await readFile(join(dist, '404.html'), 'utf8').catch(() => undefined)
  reply.code(404).type('text/html; charset=utf-8').headers(PAGE_HEADERS)
  if (page !== undefined) return reply.send(page)
  return reply.header('content-security-policy', PLAIN_PAGE_POLICY).send(notBuiltPage(service_name))
}
