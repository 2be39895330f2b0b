import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { documented, integer, optional } from '../../core/fields.ts'
import { issueReceiptAction, sendReceiptAction } from '../../core/receipts/actions.ts'
import { Receipt } from '../../core/receipts/receipt.ts'
import { listReceipts, receiptFilters, receiptsById } from '../../core/receipts/receipts.ts'
import { newSendBody } from '../../core/receipts/sending.ts'
import { answerList, idParams, listOf, listQuery } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

/** The column of each ordering. The amount is the payment's own. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'id' } as const

const newReceiptBody = z
  .object({
    collection: optional(documented(integer({ min: 1 }), 'The payment.', 12)),
    collection_request: optional(documented(integer({ min: 1 }), 'Or the request that it fulfilled.', 17)),
  })
  .meta({ id: 'NewReceipt', examples: [{ collection: 12 }] })

/** Add the receipts of payments. The pages for customers are in `src/pay`. */
export function addReceipts(server: Server, app: App): void {
  addIssue(server, app)
  addList(server, app)
  addGet(server, app)
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

function addList(server: Server, app: App): void {
  server.get('/api/receipts', {
    config: { permission: 'view' },
    schema: {
      tags: ['Receipts'],
      operationId: 'listReceipts',
      summary: 'List receipts',
      description: 'Returns your receipts with their addresses.',
      querystring: listQuery(receiptFilters),
      response: { 200: listOf(Receipt) },
    },
    handler: (request) => {
      const { query, caller } = request
      return answerList(app, request, columns, (slice) =>
        app.reads.snapshot((tx) => listReceipts(tx, caller.organization, query, slice, app.address.url)),
      )
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/receipts/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Receipts'],
      operationId: 'getReceipt',
      summary: 'Get one receipt',
      description: 'Returns the receipt with its addresses and its present state.',
      params: idParams,
      response: { 200: Receipt },
    },
    handler: async ({ caller, params }) => {
      const receipts = await app.reads.read((db) => receiptsById(db, [params.id], app.address.url))
      return requireOwned(caller.organization, receipts.get(params.id))
    },
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
