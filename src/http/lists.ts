import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { documented, fieldMessages } from '../core/fields.ts'
import { type Page, renderPage } from './pages.ts'

/** Every list takes all of these, because clients ask each for -created; a list without such a field goes by id. */
export const orderings = ['id', 'created', 'modified', 'amount'] as const

/** The query parameters that every list takes (interface-gaps: Lists). */
const pageQuery = {
  limit: z
    .string()
    .optional()
    .meta({ type: 'integer', description: 'Page size, 10 unless given, at most 1000.', examples: [20] }),
  offset: z
    .string()
    .optional()
    .meta({ type: 'integer', description: 'How many items to skip.', examples: [0] }),
  ordering: z
    .string()
    .optional()
    .meta({ description: 'Field to sort by, with `-` in front for descending; newest first unless given.' }),
}

/**
 * The query of a list: page, order and the list's own filters. All of it is checked at once, so that a caller hears of
 * every faulty parameter in one answer. Other parameters are ignored (interface-gaps: Lists).
 */
export function listQuery<const Filters extends z.ZodRawShape>(filters: Filters) {
  const choices = orderings.flatMap((field) => [field, `-${field}`])
  const ordering = z.enum(choices, { error: (issue) => fieldMessages.choice(issue.input) }).optional()
  return z.object({ ...pageQuery, ordering: ordering.meta(pageQuery.ordering.meta()!), ...filters })
}

/** The path parameter of one object. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, fieldMessages.integer)
    .transform(Number)
    .meta({ type: 'integer', examples: [1] }),
})

/** The shape of a list answer (interface section 1). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    count: documented(z.int(), 'How many there are on all pages together.', 42),
    next: documented(z.string().nullable(), 'Address of the next page.', null),
    previous: documented(z.string().nullable(), 'Address of the page before.', null),
    results: z.array(item),
  })
}

/** The part of the App that says how the world reaches us. */
interface PublicAddress {
  config: { PUBLIC_URL?: string }
  address: { url: string }
}

/** One page as the wire has it, with links that work as they stand. */
export function answerPage<Item>(
  app: PublicAddress,
  request: FastifyRequest,
  page: Page,
  list: { rows: Item[]; count: number },
) {
  return renderPage({ results: list.rows, count: list.count, page, url: absoluteUrl(app, request) })
}

/**
 * The caller's own address for this request: PUBLIC_URL when it is set, else the host that the request names, which
 * those of HTTP/1.0 need not.
 */
function absoluteUrl(app: PublicAddress, request: FastifyRequest): string {
  const named = request.host ? `${request.protocol}://${request.host}` : app.address.url
  const base = app.config.PUBLIC_URL ?? named
  return base.replace(/\/$/, '') + request.originalUrl
}
