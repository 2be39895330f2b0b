import type { App } from '../../app.ts'
import { InvoiceTotals } from '../../core/invoices/invoice.ts'
import { addUp, invoiceTotalsBody } from '../../core/invoices/new-invoice.ts'
import { TEST_CURRENCY } from '../../core/ledger/currencies.ts'
import type { Server } from '../../http/server.ts'

/** What the editor of invoices needs and the interface does not have: the sums of lines that are not stored. */
export function addInvoiceTotals(server: Server, app: App): void {
  const path = '/console/api/invoices/totals'
  const currencies = app.config.COLLECTION_CURRENCIES.filter(
    (code) => app.config.MODE === 'sandbox' || code !== TEST_CURRENCY,
  )

  server.post(path, {
    config: { permission: 'view' },
    schema: { body: invoiceTotalsBody(currencies), response: { 200: InvoiceTotals } },
    handler: async ({ body }) => addUp(body),
  })
}
