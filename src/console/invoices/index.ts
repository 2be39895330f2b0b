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

/** What the console needs for invoices and the interface does not have: sums of the editor, files, class lists as files. */
export function addInvoicePages(server: Server, app: App): void {
  addInvoiceTotals(server, app)
  addInvoiceFiles(server, app)
  addCustomerFile(server, app)
}

/** The customers with a tag, with what they owe and have paid, as a file. */
function addCustomerFile(server: Server, app: App): void {
  const url = '/console/api/invoices/customers/file'
  server.get(url, {
    config: { permission: 'view' },
    schema: { querystring: z.object({ ...customerSumFilters, format: tableFormat }) },
    handler: async ({ caller: { organization, time_zone }, query: { format, ...filters } }, reply) => {
      const about = { ...(await aboutFile(app, organization)), zone: time_zone }
      return sendTable(reply, await customerSumTable(app.reads.exports, organization, filters, about), format)
    },
  })
}

/** What the editor of invoices needs and the interface does not have: the sums of lines that are not stored. */
function addInvoiceTotals(server: Server, app: App): void {
  const path = '/console/api/invoices/totals'
  server.post(path, {
    config: { permission: 'view' },
    schema: { body: invoiceTotalsBody(collectionCurrencies(app.config)), response: { 200: InvoiceTotals } },
    handler: async ({ body }) => addUp(body),
  })
}
