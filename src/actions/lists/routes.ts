import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { NotFound } from '../../core/refusals.ts'
import { readSearchedRows, type SearchFilters } from '../../core/typed-search/list-text.ts'
import type { AnyReader } from '../../db/client.ts'
import { CSV_MEDIA_TYPE, csvQuery, sendCsv, wantsCsv } from '../../http/files/csv.ts'
import { answerPage, idParams, listOf, listQuery, orderings, searchedListOf } from '../../http/lists.ts'
import { type PageQuery, readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import type { List } from './list.ts'
import { readFrom, readList, readSearched } from './read.ts'
import { lists } from './table.ts'

/** Answer in place of the list, or with `answer` by the list. */
type Handler = (request: FastifyRequest, reply: FastifyReply, answer: () => Promise<object>) => Promise<object>

/** Add all lists of the interface, but those whose routes have code of their own. */
export function addApiLists(server: Server, app: App): void {
  for (const list of lists) if (list.api && !list.api.is_own) addApiList(server, app, list)
}

/**
 * Add a list of the interface.
 * @param handler answers, if it is not the list alone
 * @param more query parameters that are no filters
 */
export function addApiList(server: Server, app: App, list: List, handler?: Handler, more?: z.ZodRawShape): void {
  const { permission, api, view } = list
  const { path, tag, operation, summary, description, csv } = api!
  server.get(`/api${path}`, {
    config: { permission, ...(csv && { also_produces: CSV_MEDIA_TYPE }) },
    schema: {
      tags: [tag],
      operationId: operation,
      summary,
      description,
      ...(csv && { produces: ['application/json', CSV_MEDIA_TYPE] }),
      ...paramsOf(path),
      querystring: listQuery({ ...list.filters, ...(csv && csvQuery), ...more }),
      response: { 200: listOf(view!) },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (csv && wantsCsv(request))
        return sendCsv(
          request,
          reply,
          csv(app.reads.exports, request.caller.organization, request.query as object),
        ) as never
      const answerList = () => answer(app, request, list)
      return (handler ? handler(request, reply, answerList) : answerList()) as never
    },
  })
}

/** Add the single objects of the lists of the interface. */
export function addApiObjects(server: Server, app: App): void {
  for (const list of lists) {
    const { api, view, one } = list
    if (!api || !one?.operation) continue
    const { operation: operationId, summary, description } = one
    addOne(server, app, list, {
      url: `/api${api.path}`,
      view: view!,
      words: { tags: [api.tag], operationId, summary, description },
    })
  }
}

/** Add the lists that only the console has, with their single objects. */
export function addConsoleLists(server: Server, app: App): void {
  for (const list of lists) if (list.console) addConsoleList(server, app, list)
}

function addConsoleList(server: Server, app: App, list: List): void {
  const { permission, filters, people, searched } = list
  const { path, read = list.read, view = list.view } = list.console!
  const url = `/console/api${path}`
  server.get(url, {
    config: { permission },
    schema: {
      ...paramsOf(path),
      querystring: listQuery({ ...filters, ...people }),
      response: { 200: searched ? searchedListOf(view!) : listOf(view!) },
    },
    handler: (request: FastifyRequest) => answer(app, request, { ...list, read } as List, searched),
  })
  if (list.one) addOne(server, app, list, { url, view: view! })
}

/** @param route.words its words in the reference */
function addOne(server: Server, app: App, list: List, route: { url: string; view: z.ZodType; words?: object }): void {
  const { permission, one } = list
  server.get(`${route.url}/:id`, {
    config: { permission },
    schema: { ...route.words, params: idParams, response: { 200: route.view } },
    handler: async ({ caller, params }: FastifyRequest<{ Params: { id: number } }>) => {
      const { organization, permissions } = caller
      const request = { app, now: app.clock.now(), organization, permissions, id: params.id }
      const found = await readFrom<{ organization: number } | undefined>(app, list, one!.find, request)
      if (!one!.decides) return requireOwned(organization, found)
      if (!found) throw new NotFound()
      return found
    },
  })
}

/** Answer a page of a list. @param searched the table in which a search looks for parts of texts */
async function answer(app: App, request: FastifyRequest, list: List, searched?: string) {
  const query = request.query as PageQuery
  const page = readPage(query, orderings)
  const { limit, offset } = page
  const { field, descending: is_descending } = page.ordering
  const descending = is_descending && !(list.oldest_first && query.ordering === undefined)
  const { organization, permissions } = request.caller
  const { id } = request.params as { id: number }
  const asked = { organization, permissions, filters: query, page: { limit, offset, field, descending }, id }
  if (!searched) return answerPage(app, request, page, await readList(app, list, asked))
  const rows_of = (db: AnyReader) => readSearchedRows(db, searched, organization, query as SearchFilters)
  const { searched_rows, ...found } = await readSearched(app, list, asked, rows_of)
  return { ...answerPage(app, request, page, found), searched_rows }
}

/** Return the schema of the path of a list that belongs to an object. */
function paramsOf(path: string) {
  return path.includes(':id') && { params: idParams }
}
