import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { choiceError, documented, fieldMessages } from '../core/fields.ts'
import { type Page, renderPage } from './pages.ts'

/**
 * Orderings that every list accepts, since clients sort every list by `-created`. A list without the field sorts by id.
 */
export const orderings = ['id', 'created', 'modified', 'amount'] as const

export type Ordering = (typeof orderings)[number]

/** Columns of a list that has a column for each ordering. */
export const byColumns = { id: 'id', created: 'created', modified: 'modified', amount: 'amount' } as const

/** Columns of a list whose objects have no amount. */
export const byTimes = { ...byColumns, amount: 'id' } as const

/** Columns of a list whose rows get their ids in the order of their times. */
export const byId = { id: 'id', created: 'id', modified: 'id', amount: 'id' } as const

/** The query parameters of every list (interface-gaps: Lists). */
const pageQuery = {
  limit: z
    .string()
    .optional()
    .meta({ type: 'integer', description: 'Page size; default 10, at most 1000.', examples: [20] }),
  offset: z
    .string()
    .optional()
    .meta({ type: 'integer', description: 'Number of items to skip.', examples: [0] }),
  ordering: z
    .string()
    .optional()
    .meta({ description: 'Field to sort by, with `-` in front for descending order; default: newest first.' }),
}

/**
 * The query schema of a list: page, order and the list's own filters. All are checked together, so that one response
 * names every invalid parameter. Other parameters are ignored (interface-gaps: Lists).
 */
export function listQuery<const Filters extends z.ZodRawShape>(filters: Filters) {
  const choices = orderings.flatMap((field) => [field, `-${field}`])
  const ordering = z.enum(choices, { error: choiceError(choices) }).optional()
  return z.object({ ...pageQuery, ordering: ordering.meta(pageQuery.ordering.meta()!), ...filters })
}

/** The path parameter `id` of one object. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,16}$/, fieldMessages.integer)
    .transform(Number)
    .meta({ type: 'integer', description: 'Id of the object.', examples: [1] }),
})

/** The fields of every page of a list. */
export const pageFields = {
  count: documented(z.int(), 'Number of items on all pages together.', 42),
  next: documented(z.string().nullable(), 'URL of the next page, or null.', null),
  previous: documented(z.string().nullable(), 'URL of the previous page, or null.', null),
}

/** The schema of a list response (interface section 1). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ ...pageFields, results: z.array(item) })
}

/** The schema of the response of a list with a search field. */
export function searchedListOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    ...pageFields,
    searched_rows: documented(
      z.int().nullable(),
      'Number of the newest rows in which parts of the text were looked for; null for all.',
      null,
    ),
    results: z.array(item),
  })
}

/** The part of the App that knows the public address of the service. */
interface PublicAddress {
  config: { PUBLIC_URL?: string }
  address: { url: string }
}

/** Make the response of one page, with absolute links to the pages around it. */
export function answerPage<Item>(
  app: PublicAddress,
  request: FastifyRequest,
  page: Page,
  list: { rows: Item[]; count: number },
) {
  return renderPage({ results: list.rows, count: list.count, page, url: absoluteUrl(app, request) })
}

/**
 * The absolute URL of this request: from PUBLIC_URL when it is set, else from the Host header. A request of HTTP/1.0 may
 * have no Host header; then the address of the server is used.
 */
function absoluteUrl(app: PublicAddress, request: FastifyRequest): string {
  const requested = request.host ? `${request.protocol}://${request.host}` : app.address.url
  const base = app.config.PUBLIC_URL ?? requested
  return base.replace(/\/$/, '') + request.originalUrl
}
