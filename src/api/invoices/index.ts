import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { changeInvoiceAction, createInvoiceAction, deleteInvoiceAction } from '../../core/invoices/actions.ts'
import { Invoice } from '../../core/invoices/invoice.ts'
import { invoiceChangesBody, newInvoiceBody } from '../../core/invoices/new-invoice.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'
import { addInvoiceActions } from './actions.ts'
import { addInvoiceBatches } from './batches.ts'
import { addManyInvoices } from './many.ts'
import { addInvoiceSums } from './sums.ts'

const TAG = 'Invoices'

/** Add invoices. Their pages for customers are in `src/pay`. */
export function addInvoices(server: Server, app: App): void {
  addCreate(server, app)
  addChange(server, app)
  addDelete(server, app)
  addInvoiceActions(server, app)
  addManyInvoices(server, app)
  addInvoiceBatches(server, app)
  addInvoiceSums(server, app)
}

function addCreate(server: Server, app: App): void {
  server.post('/api/invoices', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: 'createInvoice',
      summary: 'Create a draft invoice',
      description:
        'Stores a draft without a number and without a page. It can be changed and deleted until it is issued.',
      headers: writeHeaders,
      body: newInvoiceBody(collectionCurrencies(app.config)),
      response: { 201: Invoice },
    },
    handler: async (request, reply) =>
      reply.code(201).send((await performAction(app, request, createInvoiceAction)).invoice),
  })
}

/** Add invoices that people create and issue at once, in the session scope of the console. */
export function addIssuedInvoices(server: Server, app: App): void {
  server.post('/api/invoices/issued', {
    config: { permission: 'initiate_collections' },
    schema: {
      headers: writeHeaders,
      body: newInvoiceBody(collectionCurrencies(app.config)),
      response: { 201: Invoice },
    },
    handler: async (request, reply) => {
      const input = { ...request.body, issue: true }
      const { invoice } = await performAction(app, request, createInvoiceAction, { input })
      return reply.code(201).send(invoice)
    },
  })
}

function addChange(server: Server, app: App): void {
  server.patch('/api/invoices/:id', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: 'changeInvoice',
      summary: 'Change a draft',
      description: 'Changes the fields that the body has. An issued invoice cannot be changed.',
      params: idParams,
      body: invoiceChangesBody(collectionCurrencies(app.config)),
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, changeInvoiceAction)).invoice,
  })
}

function addDelete(server: Server, app: App): void {
  server.delete('/api/invoices/:id', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: 'deleteInvoice',
      summary: 'Delete a draft, and return it',
      description: 'Deletes the draft and returns it. An issued invoice cannot be deleted; void it.',
      params: idParams,
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, deleteInvoiceAction)).invoice,
  })
}
