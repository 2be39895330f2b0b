import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { refuseOtherMethods } from './methods.ts'
import { completeDocument, describeRoute, openApiBase } from './openapi.ts'
import type { Server } from './server.ts'

interface DocsOptions {
  version: string
  service_name: string
  /** Whether there is a web console. */
  console: boolean
}

/**
 * Describes every route in OpenAPI 3.1, from the schemas that also check and write the bodies. It adds `/openapi.json`,
 * a page that shows it at `/docs`, and a list of addresses at `/`. Call it before the routes are added.
 */
export async function addOpenApi(server: Server, options: DocsOptions): Promise<void> {
  await server.register(swagger, {
    openapi: openApiBase(options),
    transform: describeRoute,
    transformObject: completeDocument,
  })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
  refuseOtherMethods(server, '/openapi.json', ['GET'])
  addServiceInfo(server, options)
  addDocsPage(server, options.service_name)
}

/** Adds `/`: people who open the address of the service in a browser see its name, version and main addresses. */
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
  server.get('/', { schema: { hide: true } }, async () => info)
  refuseOtherMethods(server, '/', ['GET'])
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

const SCRIPT_URL = '/docs/js/scalar.js'

function addDocsPage(server: Server, service_name: string): void {
  let loading: Promise<LoadedPage> | undefined
  const load = () => {
    loading ??= loadPage(service_name)
    return loading
  }
  server.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    const { html } = await load()
    return reply.header('content-security-policy', CONTENT_POLICY).type('text/html; charset=utf-8').send(html)
  })
  server.get(SCRIPT_URL, { schema: { hide: true } }, async (_request, reply) => {
    const { script } = await load()
    return reply.header('cache-control', 'max-age=3600').type('text/javascript; charset=utf-8').send(script)
  })
  for (const url of ['/docs', SCRIPT_URL]) refuseOtherMethods(server, url, ['GET'])
}

interface LoadedPage {
  html: string
  script: Buffer
}

/**
 * Loads the documentation page. Its plugin has several megabytes of script, so it is loaded on the first request for the
 * page, into a separate server: most processes never need it and must start quickly.
 */
async function loadPage(service_name: string): Promise<LoadedPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const docs_server = Fastify()
  await docs_server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      cdn: SCRIPT_URL,
      url: '/openapi.json',
      pageTitle: `${service_name} API`,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: {
        preferredSecurityScheme: 'token',
        securitySchemes: { token: { name: 'Authorization', in: 'header', value: 'Token ' } },
      },
    },
  })
  const [html, script] = await Promise.all([docs_server.inject('/docs/'), docs_server.inject(SCRIPT_URL)])
  return { html: html.body, script: script.rawPayload }
}
