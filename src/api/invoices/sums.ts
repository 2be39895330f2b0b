import { z } from 'zod'
import type { App } from '../../app.ts'
import {
  CustomerSum,
  customerSumFilters,
  sumByCustomer,
  sumByTag,
  sumFilters,
  TagSum,
} from '../../core/invoices/customer-sums.ts'
import { answerPage, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

/** Add the invoiced, paid and open sums by the tags of customers, and by the customers with a tag. */
export function addInvoiceSums(server: Server, app: App): void {
  const config = { permission: 'view' } as const
  server.get('/api/invoices/tags', {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'sumInvoicesByTag',
      summary: 'Get invoiced, paid and open amounts by customer tag',
      description: 'Returns the sums of each tag in each currency. A customer counts for each of its tags.',
      querystring: z.object(sumFilters),
      response: { 200: z.object({ results: z.array(TagSum) }) },
    },
    handler: async ({ caller: { organization }, query }) => ({
      results: await app.reads.snapshot((tx) => sumByTag(tx, organization, query, app.clock.now())),
    }),
  })

  server.get('/api/invoices/customers', {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'listInvoiceCustomers',
      summary: 'List the customers with a tag, with amounts paid and owed',
      description: 'Returns each customer with the state and the sums in each currency.',
      querystring: listQuery(customerSumFilters),
      response: { 200: listOf(CustomerSum) },
    },
    handler: async (request) => {
      const { query, caller } = request
      const page = readPage(query, orderings)
      const slice = { now: app.clock.now(), limit: page.limit, offset: page.offset }
      const list = await app.reads.snapshot((tx) => sumByCustomer(tx, caller.organization, query, slice))
      return answerPage(app, request, page, list)
    },
  })
}
