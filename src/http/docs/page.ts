import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { type CompressedFile, compressFile, contentHash } from '../compression/files.ts'

/** Path of the API reference. */
export const REFERENCE_URL = '/docs/reference'
export const SCRIPT_URL = '/docs/js/scalar.js'
/** Path of the document that the reference shows. */
export const DOCUMENT_URL = '/docs/reference.json'

/** The page of the API reference, and its script of several megabytes. */
export interface DocsPage {
  html: string
  script: Buffer
}

/**
 * Load the API reference. Its plugin has several megabytes of script, so it is loaded on the first request for the
 * page, into a separate server: most processes never need it and must start quickly.
 */
export async function loadDocsPage(service_name: string): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const docs_server = Fastify()
  await docs_server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      cdn: SCRIPT_URL,
      url: DOCUMENT_URL,
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

/** Return the path below the built pages at which the console's build puts the compressed script. */
export function builtScriptPath(script: Buffer): string {
  return join('docs', `${contentHash(script)}.js.br`)
}

/** Compress the script, or take the console build's version, which is compressed better. */
export async function compressScript(script: Buffer, dist: string): Promise<CompressedFile> {
  const built = await readFile(join(dist, builtScriptPath(script))).catch(() => undefined)
  return compressFile(script, built)
}
