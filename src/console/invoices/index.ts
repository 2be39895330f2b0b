import { z } from 'zod'
import type { App } from '../../app.ts'
import { customerSumFilters, customerSumTable } from '../../core/invoices/customer-sums.ts'
import { InvoiceTotals } from '../../core/invoices/invoice.ts'
import { addUp, invoiceTotalsBody } from '../../core/invoices/new-invoice.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { sendTable, tableFormat } from '../../http/files/send-table.ts'
import type { Server } from '../../http/server.ts'
import { aboutFile } from '../reports/index.ts'
import { addInvoiceFiles } from './files.ts'

/** Add the routes for invoices that only the console has: sums of the editor, files, class lists as files. */
export function addInvoicePages(server: Server, app: App): void {
  addInvoiceTotals(server, app)
  addInvoiceFiles(server, app)
  addCustomerFile(server, app)
}

/** Export the customers with a tag, with their open and paid amounts, as a file. */
function addCustomerFile(server: Server, app: App): void {
  const url = '/console/api/invoices/customers/file'
  server.get(url, {
    config: { permission: 'view' },
    schema: { querystring: z.object({ ...customerSumFilters, format: tableFormat }) },
    handler: async (request, reply) => {
      const { organization, time_zone } = request.caller
      const { format, ...filters } = request.query
      const about = { ...(await aboutFile(app, request)), zone: time_zone }
      return sendTable(reply, await customerSumTable(app.reads.exports, organization, filters, about), format)
    },
  })
}

/** Add the sums of unstored lines, which only the editor of invoices needs. */
function addInvoiceTotals(server: Server, app: App): void {
  const path = '/console/api/invoices/totals'
  server.post(path, {
    config: { permission: 'view' },
    schema: { body: invoiceTotalsBody(collectionCurrencies(app.config)), response: { 200: InvoiceTotals } },
    handler: async ({ body }) => addUp(body),
  })
}
