import { fieldMessages } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'

/** The requested part of a list and its order. */
export interface Page<Field extends string = string> {
  readonly limit: number
  readonly offset: number
  readonly ordering: { readonly field: Field; readonly descending: boolean }
}

/**
 * Read `limit`, `offset` and `ordering` of a list request. `orderings` are the fields that sort this list, each also
 * with `-` in front. A limit of 0 or one that is not a number becomes the default, 10; a limit above 1000 becomes 1000.
 * The default order is newest first.
 * @throws Invalid on an unknown ordering.
 */
export function readPage<Field extends string>(query: PageQuery, orderings: readonly Field[]): Page<Field | 'id'> {
  const limit = readCount(query.limit) || DEFAULT_LIMIT
  return {
    limit: Math.min(limit, MAX_LIMIT),
    offset: Math.min(readCount(query.offset), MAX_OFFSET),
    ordering: readOrdering(query.ordering ?? '-id', orderings),
  }
}

/** The query parameters that select a page. */
export interface PageQuery {
  limit?: string
  offset?: string
  ordering?: string
}

/** A list response (interface section 1). */
export interface RenderedPage<Item> {
  count: number
  next: string | null
  previous: string | null
  results: Item[]
}

/**
 * Make the response of one page. `count` is the size of the whole list. `url` is the absolute URL of the request with
 * its query; the links keep all its parameters and set their own `limit` and `offset`.
 */
export function renderPage<Item>(list: {
  results: Item[]
  count: number
  page: Page
  url: string
}): RenderedPage<Item> {
  const { results, count, page, url } = list
  const { limit, offset } = page
  return {
    count,
    next: offset + limit < count ? linkTo(url, limit, offset + limit) : null,
    previous: offset > 0 ? linkTo(url, limit, Math.max(0, offset - limit)) : null,
    results,
  }
}

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 1000
const MAX_OFFSET = 2 ** 31 - 1

function readCount(text: string | undefined): number {
  return text && /^\d+$/.test(text) ? Number(text) : 0
}

function readOrdering<Field extends string>(text: string, orderings: readonly Field[]): Page<Field | 'id'>['ordering'] {
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  const fields = ['id' as const, ...orderings]
  const field = fields.find((one) => one === name)
  if (!field) throw new Invalid({ ordering: [fieldMessages.choice(text, fields)] })
  return { field, descending }
}

/** Parse only the query: the host comes from the caller and may make the whole an invalid URL. */
function linkTo(url: string, limit: number, offset: number): string {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start))
  query.set('limit', String(limit))
  query.set('offset', String(offset))
  return `${start < 0 ? url : url.slice(0, start)}?${query}`
}
