import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { CollectionRequest } from '../../core/collections/collection-request.ts'
import { requestFilters } from '../../core/collections/request-filters.ts'
import { listCollectionRequests, requestsById } from '../../core/collections/requests.ts'
import { readSearchedRows, typedSearch } from '../../core/typed-search/list-text.ts'
import { answerSearchedPage, idParams, listQuery, orderings, searchedListOf } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

/** The routes for the list of requests in the console: it has a search field besides the filters of the API. */
export function addRequestList(server: Server, app: App): void {
  const url = '/console/api/requests'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ ...requestFilters, search: typedSearch }),
      response: { 200: searchedListOf(CollectionRequest) },
    },
    handler: async (request) => {
      const { query } = request
      const { organization } = request.caller
      const page = readPage(query, orderings)
      const sorted = { limit: page.limit, offset: page.offset, ...page.ordering }
      const list = await app.reads.snapshot(async (tx) => {
        const [found] = await listCollectionRequests(tx, [{ organization, filters: query, page: sorted }])
        return { ...found!, searched_rows: await readSearchedRows(tx, 'collection_requests', organization, query) }
      })
      return answerSearchedPage(app, request, page, list)
    },
  })

  server.get(`${url}/:id`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: CollectionRequest } },
    handler: async ({ caller, params: { id } }) =>
      requireOwned(caller.organization, (await app.reads.read((db) => requestsById(db, [id]))).get(id)),
  })
}
