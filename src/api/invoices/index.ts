import { addApiRoute } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { createInvoiceAction } from '../../core/invoices/actions.ts'
import { Invoice } from '../../core/invoices/invoice.ts'
import { newInvoiceBody } from '../../core/invoices/new-invoice.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import type { Server } from '../../http/server.ts'
import { addInvoiceBatches } from './batches.ts'
import { addManyInvoices } from './many.ts'
import { addInvoiceSums } from './sums.ts'

/** Add invoices. Their pages for customers are in `src/pay`. */
export function addInvoices(server: Server, app: App): void {
  addManyInvoices(server, app)
  addInvoiceBatches(server, app)
  addInvoiceSums(server, app)
}

/** Add invoices that people create and issue at once, in the session scope of the console. */
export function addIssuedInvoices(server: Server, app: App): void {
  addApiRoute(server, app, createInvoiceAction, {
    method: 'POST',
    url: '/api/invoices/issued',
    body: newInvoiceBody(collectionCurrencies(app.config)),
    answer: Invoice,
    status: 201,
    input: ({ body }) => ({ ...body, issue: true }),
    view: ({ invoice }) => invoice,
  })
}
