import { Invalid } from '../core/refusals.ts'

/** Which part of a list is asked for, and in which order. */
export interface Page<Field extends string = string> {
  readonly limit: number
  readonly offset: number
  readonly ordering: { readonly field: Field; readonly descending: boolean }
}

/**
 * Reads `limit`, `offset` and `ordering` of a list request. `orderings` are the fields this list can be sorted by, each
 * also with `-` in front. A limit of 0 or one that is no number is the default, 10; above 1000 it is 1000. The newest
 * comes first unless the caller says otherwise. Throws Invalid on an unknown ordering.
 */
export function readPage<Field extends string>(query: PageQuery, orderings: readonly Field[]): Page<Field | 'id'> {
  const limit = readCount(query.limit) || DEFAULT_LIMIT
  return {
    limit: Math.min(limit, MAX_LIMIT),
    offset: Math.min(readCount(query.offset), MAX_OFFSET),
    ordering: readOrdering(query.ordering ?? '-id', orderings),
  }
}

/** The part of a list's query that says which page is wanted. */
export interface PageQuery {
  limit?: string
  offset?: string
  ordering?: string
}

/** A list as the interface writes it (section 1). */
export interface RenderedPage<Item> {
  count: number
  next: string | null
  previous: string | null
  results: Item[]
}

/**
 * Writes one page of a list. `count` is that of the whole list; `url` is the absolute URL of the request with its
 * query, of which the links keep every parameter but `limit` and `offset`, their own.
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
  const field = ['id' as const, ...orderings].find((one) => one === name)
  if (!field) throw new Invalid({ ordering: [`"${text}" is not a valid choice.`] })
  return { field, descending }
}

/** Only the query is taken apart: the host is the caller's word, and may be something that is no URL at all. */
function linkTo(url: string, limit: number, offset: number): string {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start < 0 ? '' : url.slice(start))
  query.set('limit', String(limit))
  query.set('offset', String(offset))
  return `${start < 0 ? url : url.slice(0, start)}?${query}`
}
