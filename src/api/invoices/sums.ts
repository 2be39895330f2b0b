import { z } from 'zod'
import type { App } from '../../app.ts'
import { sumByTag, sumFilters, TagSum } from '../../core/invoices/customer-sums.ts'
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
}
