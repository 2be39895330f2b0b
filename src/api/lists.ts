import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { texts } from '../core/fields.ts'
import { type Page, renderPage } from '../http/pages.ts'

/** The query parameters that every list takes (decisions, section 1). */
export const pageQuery = {
  limit: z
    .string()
    .optional()
    .meta({ description: 'Page size, 10 unless given, at most 1000.', examples: ['20'] }),
  offset: z
    .string()
    .optional()
    .meta({ description: 'How many items to skip.', examples: ['0'] }),
  ordering: z
    .string()
    .optional()
    .meta({ description: 'Field to sort by, with - in front for descending.', examples: ['-id'] }),
}

/** The path parameter of one object. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, texts.integer)
    .transform(Number)
    .meta({ examples: ['1'] }),
})

/** The shape of a list answer (interface section 1). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })
}

/** One page as the wire has it, with links that work as they stand. */
export function answerPage<Item>(app: App, request: FastifyRequest, page: Page, list: { rows: Item[]; count: number }) {
  return renderPage({ results: list.rows, count: list.count, page, url: absoluteUrl(app, request) })
}

/** The caller's own address for this request: PUBLIC_URL when it is set, else the host that the request names. */
function absoluteUrl(app: App, request: FastifyRequest): string {
  const base = app.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`
  return base.replace(/\/$/, '') + request.originalUrl
}
