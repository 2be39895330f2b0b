import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { documented, integer, optional } from '../../core/fields.ts'
import { issueReceiptAction, sendReceiptAction } from '../../core/receipts/actions.ts'
import { Receipt } from '../../core/receipts/receipt.ts'
import { newSendBody } from '../../core/receipts/sending.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

const newReceiptBody = z
  .object({
    collection: optional(documented(integer({ min: 1 }), 'The payment.', 12)),
    collection_request: optional(documented(integer({ min: 1 }), 'Or the request that it fulfilled.', 17)),
  })
  .meta({ id: 'NewReceipt', examples: [{ collection: 12 }] })

/** Add the receipts of payments. The pages for customers are in `src/pay`. */
export function addReceipts(server: Server, app: App): void {
  addIssue(server, app)
  addSend(server, app)
}

function addIssue(server: Server, app: App): void {
  server.post('/api/receipts', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Receipts'],
      operationId: 'issueReceipt',
      summary: 'Issue the receipt of a payment, or get the existing one',
      description:
        'Creates the receipt of a payment that arrived, with a number and a page. Name the collection, or its request. A second call returns the same receipt.',
      body: newReceiptBody,
      response: { 201: Receipt },
    },
    handler: async (request, reply) => reply.code(201).send(await performAction(app, request, issueReceiptAction)),
  })
}

function addSend(server: Server, app: App): void {
  server.post('/api/receipts/:id/send', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Receipts'],
      operationId: 'sendReceipt',
      summary: 'Send a receipt by SMS or e-mail',
      description: 'Sends its address to the phone that paid, or to the phone or e-mail address in the body.',
      headers: writeHeaders,
      params: idParams,
      body: newSendBody,
      response: { 200: Receipt },
    },
    handler: async (request) => (await performAction(app, request, sendReceiptAction)).receipt,
  })
}
