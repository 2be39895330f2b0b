import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { sumByTag, sumFilters, TagSum } from '../../core/invoices/customer-sums.ts'
import type { Server } from '../../http/server.ts'

/** Add the invoiced, paid and open sums by the tags of customers, and by the customers with a tag. */
export function addInvoiceSums(server: Server, app: App): void {
  addView(server, app, {
    url: '/api/invoices/tags',
    permission: 'view',
    words: {
      tag: 'Invoices',
      operation: 'sumInvoicesByTag',
      summary: 'Get invoiced, paid and open amounts by customer tag',
      description: 'Returns the sums of each tag in each currency. A customer counts for each of its tags.',
    },
    query: z.object(sumFilters),
    answer: z.object({ results: z.array(TagSum) }),
    read: async (db, { organization, query, now }) => ({ results: await sumByTag(db, organization, query, now) }),
  })
}
