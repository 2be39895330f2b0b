import type { App } from '../app.ts'
import { Currency, listCurrencies } from '../core/ledger/currencies.ts'
import { NotFound } from '../core/refusals.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'

/** Add the currencies (interface 4.1). */
export function addCurrencies(server: Server, app: App): void {
  server.get('/api/currencies', {
    config: { permission: 'view' },
    schema: {
      tags: ['Currencies'],
      operationId: 'listCurrencies',
      summary: 'List the currencies of local wallets',
      description: 'Returns the currencies of local wallets. The test currency exists only in the sandbox.',
      querystring: listQuery({}),
      response: { 200: listOf(Currency) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const currencies = await listCurrencies(app.db, app.config.MODE)
      if (page.ordering.descending && request.query.ordering !== undefined) currencies.reverse()
      return answerPage(app, request, page, {
        rows: currencies.slice(page.offset, page.offset + page.limit),
        count: currencies.length,
      })
    },
  })

  server.get('/api/currencies/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Currencies'],
      operationId: 'getCurrency',
      summary: 'Get one currency',
      description: 'Returns the currency with its country and its rate to the US dollar.',
      params: idParams,
      response: { 200: Currency },
    },
    handler: async (request) => {
      const currency = (await listCurrencies(app.db, app.config.MODE)).find(({ id }) => id === request.params.id)
      if (!currency) throw new NotFound()
      return currency
    },
  })
}
