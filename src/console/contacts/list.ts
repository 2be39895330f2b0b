import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { ContactDetails, findContact, listContacts } from '../../core/contacts/details.ts'
import { contactFilters } from '../../core/contacts/filters.ts'
import { readSearchedRows, typedSearch } from '../../core/typed-search/list-text.ts'
import { answerSearchedPage, idParams, listQuery, orderings, searchedListOf } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

/** The column of each ordering. A contact has no amount, so that ordering is by id. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'id' } as const

/** The routes for the list of contacts in the console: it has a search field besides the filters of the API. */
export function addContactList(server: Server, app: App): void {
  const url = '/console/api/customers'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ ...contactFilters, search: typedSearch }),
      response: { 200: searchedListOf(ContactDetails) },
    },
    handler: async (request) => {
      const { query } = request
      const { organization } = request.caller
      const page = readPage(query, orderings)
      const { field, descending } = page.ordering
      const slice = { limit: page.limit, offset: page.offset, field: columns[field], descending }
      const list = await app.reads.snapshot(async (tx) => ({
        ...(await listContacts(tx, organization, query, slice)),
        searched_rows: await readSearchedRows(tx, 'contacts', organization, query),
      }))
      return answerSearchedPage(app, request, page, list)
    },
  })

  server.get(`${url}/:id`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: ContactDetails } },
    handler: async ({ caller, params: { id } }) =>
      requireOwned(caller.organization, await app.reads.read((db) => findContact(db, id))),
  })
}
