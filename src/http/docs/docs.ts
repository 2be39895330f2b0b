import swagger from '@fastify/swagger'
import { chooseLanguage } from '../../lib/text/languages.ts'
import { prefersToJson } from '../accept.ts'
import { compressFile, sendFile } from '../compression/files.ts'
import { withOtherMethods } from '../methods.ts'
import { withGuide } from '../openapi/guide.ts'
import { completeDocument, describeRoute, openApiBase } from '../openapi.ts'
import type { Server } from '../server.ts'
import { frontPage } from './front-page.ts'
import { PLAIN_PAGE_POLICY } from './html.ts'
import { compressScript, DOCUMENT_URL, loadDocsPage, REFERENCE_URL, SCRIPT_URL } from './page.ts'
import { addSite } from './site.ts'

const HTML = 'text/html'

interface DocsOptions {
  version: string
  service_name: string
  /** True if there is a web console. */
  console: boolean
  sandbox: boolean
  /** The folder of the console's built pages, which has the compressed script of the reference. */
  dist: string
  /** The folder of the built documentation. */
  site: string
}

/**
 * Describe every route in OpenAPI 3.1, from the schemas that also check and write the bodies. It adds `/openapi.json`,
 * a page that shows it with a guide at `/docs/reference`, the documentation at `/docs`, and a list of addresses at `/`. Call it
 * before the routes are added.
 */
export async function addOpenApi(server: Server, options: DocsOptions): Promise<void> {
  await server.register(swagger, {
    openapi: openApiBase(options),
    transform: describeRoute,
    transformObject: completeDocument,
  })
  const document = once(() => compressFile(JSON.stringify(server.swagger())))
  server.register(async (inner) => {
    const scope = inner as unknown as Server
    withOtherMethods(scope, () => {
      scope.get('/openapi.json', { schema: { hide: true } }, async (request, reply) =>
        sendFile(request, reply.type('application/json; charset=utf-8'), await document()),
      )
      addServiceInfo(scope, options)
      addReference(scope, options)
    })
  })
  addSite(server, { dist: options.site, service_name: options.service_name })
}

/**
 * Add `/`: programs get the name, the version and the main addresses of the service, browsers a page that leads to
 * them.
 */
function addServiceInfo(server: Server, options: DocsOptions): void {
  const info = {
    service: options.service_name,
    version: options.version,
    documentation: '/docs',
    openapi: '/openapi.json',
    health: '/healthz',
    interface: '/api',
    console: options.console ? '/console' : 'Switched off. The command line does without: npx kusanya --help',
  }
  server.get('/', { config: { also_produces: HTML }, schema: { hide: true } }, async (request, reply) => {
    if (!prefersToJson(request.headers.accept, HTML)) return info
    reply.header('content-security-policy', PLAIN_PAGE_POLICY).header('vary', 'accept, accept-language')
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    return reply.type(`${HTML}; charset=utf-8`).send(frontPage(options, language))
  })
}

/**
 * The page contains all that it needs and the browser may load nothing from other hosts: no third party learns who reads
 * it, and it works without internet access.
 */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

function addReference(server: Server, { service_name, dist }: DocsOptions): void {
  const load = once(async () => {
    const { html, script } = await loadDocsPage(service_name)
    const [page, code] = await Promise.all([compressFile(html), compressScript(script, dist)])
    return { page, code }
  })
  server.get(REFERENCE_URL, { config: { also_produces: HTML }, schema: { hide: true } }, async (request, reply) => {
    const { page } = await load()
    reply.header('content-security-policy', CONTENT_POLICY).type(`${HTML}; charset=utf-8`)
    return sendFile(request, reply, page)
  })
  const document = once(() => compressFile(JSON.stringify(documentWithGuide(server))))
  server.get(DOCUMENT_URL, { schema: { hide: true } }, async (request, reply) =>
    sendFile(request, reply.type('application/json; charset=utf-8'), await document()),
  )
  server.get(SCRIPT_URL, { schema: { hide: true } }, async (request, reply) => {
    const { code } = await load()
    reply.header('cache-control', 'max-age=3600').type('text/javascript; charset=utf-8')
    return sendFile(request, reply, code)
  })
}

/** The document with the sections for people, which the reference shows. */
function documentWithGuide(server: Server): object {
  const { info, ...rest } = server.swagger()
  return { ...rest, info: { ...info, description: withGuide(info.description!) } }
}

/** Run the work on the first call, and again only after it has failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
