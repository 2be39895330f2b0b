import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { documented, optional, phonenumber, positiveAmount, text } from '../../core/fields.ts'
import {
  collectInvoiceAction,
  issueInvoiceAction,
  sendInvoiceAction,
  voidInvoiceAction,
} from '../../core/invoices/actions.ts'
import { Invoice } from '../../core/invoices/invoice.ts'
import { invoiceSendBody } from '../../core/invoices/sending.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

const PATH = '/api/invoices/:id'
const config = { permission: 'initiate_collections' } as const

const voidBody = z.preprocess(
  (body) => body ?? {},
  z
    .object({ reason: optional(documented(text(200), 'Reason in your own words, kept on record.', 'Wrong price')) })
    .meta({ id: 'NewInvoiceVoid' }),
)

const collectBody = z.preprocess(
  (body) => body ?? {},
  z
    .object({
      amount: optional(documented(positiveAmount, 'At most what is open. Default: all of it.', '500')),
      phonenumber: optional(phonenumber.meta({ description: 'Who is asked. Default: the customer.' })),
    })
    .meta({ id: 'NewInvoiceCollection' }),
)

/** Add the actions on an invoice: issue, void, send, and request its money. */
export function addInvoiceActions(server: Server, app: App): void {
  addIssue(server, app)
  addVoid(server, app)
  addSend(server, app)
  addCollect(server, app)
}

function addIssue(server: Server, app: App): void {
  server.post(`${PATH}/issue`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'issueInvoice',
      summary: 'Issue a draft; it gets its number and can no longer be changed',
      description: 'Gives the draft its number and its page. Credit of the customer pays it at once.',
      headers: writeHeaders,
      params: idParams,
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, issueInvoiceAction)).invoice,
  })
}

function addVoid(server: Server, app: App): void {
  server.post(`${PATH}/void`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'voidInvoice',
      summary: 'Void an issued invoice; it keeps its number',
      description:
        'Ends the invoice. It is refused while a request may still be paid, and when money arrived that is not refunded.',
      headers: writeHeaders,
      params: idParams,
      body: voidBody,
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, voidInvoiceAction)).invoice,
  })
}

function addSend(server: Server, app: App): void {
  server.post(`${PATH}/send`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'sendInvoice',
      summary: 'Send an issued invoice by SMS or e-mail',
      description: 'Sends its page to the customer, or to the phone or e-mail address in the body.',
      headers: writeHeaders,
      params: idParams,
      body: invoiceSendBody,
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, sendInvoiceAction)).invoice,
  })
}

function addCollect(server: Server, app: App): void {
  server.post(`${PATH}/collect`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'collectInvoice',
      summary: 'Collect the open amount, or part of it, from the customer now',
      description:
        'Creates a collection request for what is open, or for `amount`. It is refused while another request of the invoice may be paid.',
      headers: writeHeaders,
      params: idParams,
      body: collectBody,
      response: { 200: Invoice },
    },
    handler: async (request) => (await performAction(app, request, collectInvoiceAction)).invoice,
  })
}
