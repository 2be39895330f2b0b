import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { paymentFilters } from '../../core/payments/filters.ts'
import { findPaymentSummaries, listPaymentSummaries, PaymentSummary } from '../../core/payments/summaries.ts'
import { readSearchedRows, typedSearch } from '../../core/typed-search/list-text.ts'
import { answerSearchedPage, idParams, listQuery, orderings, searchedListOf } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

/** The routes for the list of payments: the filters and orders of the API, but without all recipients of each payment. */
export function addPaymentSummaries(server: Server, app: App): void {
  const url = '/console/api/payment-summaries'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ ...paymentFilters, search: typedSearch }),
      response: { 200: searchedListOf(PaymentSummary) },
    },
    handler: async (request) => {
      const { query } = request
      const { organization } = request.caller
      const page = readPage(query, orderings)
      const slice = { limit: page.limit, offset: page.offset, ...page.ordering }
      const list = await app.reads.snapshot(async (tx) => ({
        ...(await listPaymentSummaries(tx, organization, query, slice)),
        searched_rows: await readSearchedRows(tx, 'payments', organization, query),
      }))
      return answerSearchedPage(app, request, page, list)
    },
  })

  server.get(`${url}/:id`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: PaymentSummary } },
    handler: async ({ caller, params: { id } }) =>
      requireOwned(caller.organization, (await app.reads.read((db) => findPaymentSummaries(db, [id]))).get(id)),
  })
}
