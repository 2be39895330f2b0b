import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { collectionsById } from '../../core/collections/collections.ts'
import { requestsById } from '../../core/collections/requests.ts'
import { documented, integer, optional } from '../../core/fields.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { issueReceipt } from '../../core/receipts/issue.ts'
import { Receipt } from '../../core/receipts/receipt.ts'
import { listReceipts, readReceipts, receiptFilters, receiptsById } from '../../core/receipts/receipts.ts'
import { chooseSend, newSendBody, sendReceipts } from '../../core/receipts/sending.ts'
import { readReceiptSettings } from '../../core/receipts/settings.ts'
import { Invalid } from '../../core/refusals.ts'
import type { NewSendBody } from '../../core/sms/document-sends.ts'
import { begin, type Tx } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { writeHeaders } from '../headers.ts'

/** The column of each ordering. The amount is the payment's own. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'id' } as const

const newReceiptBody = z
  .object({
    collection: optional(documented(integer({ min: 1 }), 'The payment.', 12)),
    collection_request: optional(documented(integer({ min: 1 }), 'Or the request that it fulfilled.', 17)),
  })
  .meta({ id: 'NewReceipt', examples: [{ collection: 12 }] })
type NewReceiptBody = z.output<typeof newReceiptBody>

/** Add the receipts of payments. The pages for customers are in `src/pay`. */
export function addReceipts(server: Server, app: App): void {
  addIssue(server, app)
  addList(server, app)
  addGet(server, app)
  addSend(server, app)
}

function addIssue(server: Server, app: App): void {
  server.post('/api/receipts', {
    config: { permission: 'initiate_collections', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Receipts'],
      operationId: 'issueReceipt',
      summary: 'Issue the receipt of a payment, or get the existing one',
      description:
        'Creates the receipt of a payment that arrived, with a number and a page. Name the collection, or its request. A second call returns the same receipt.',
      body: newReceiptBody,
      response: { 201: Receipt },
    },
    handler: async (request, reply) => {
      const { organization } = request.caller
      const receipt = await begin(app.db, async (tx) => {
        const collection = await findCollection(tx, organization, request.body)
        const id = await issueReceipt(tx, app.clock.now(), collection)
        await recordRequestAction(tx, app, request, { action: 'issue receipt', object_type: 'receipt', object: id })
        return (await receiptsById(tx, [id], app.address.url)).get(id)!
      })
      return reply.code(201).send(receipt)
    },
  })
}

const ONE_OF = 'Give collection or collection_request.'

/** The payment that a body names. @throws Invalid, Forbidden, NotFound */
async function findCollection(tx: Tx, organization: number, body: NewReceiptBody) {
  if ((body.collection === undefined) === (body.collection_request === undefined))
    throw new Invalid({ collection: [ONE_OF] })
  if (body.collection !== undefined)
    return requireOwned(organization, (await collectionsById(tx, [body.collection])).get(body.collection))
  const id = body.collection_request!
  const { collection, status } = requireOwned(organization, (await requestsById(tx, [id])).get(id))
  if (collection === null)
    throw new Invalid({
      collection_request: [getMessage('receipts.request_receipt_made', { status })],
    })
  return (await collectionsById(tx, [collection])).get(collection)!
}

function addList(server: Server, app: App): void {
  server.get('/api/receipts', {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Receipts'],
      operationId: 'listReceipts',
      summary: 'List receipts',
      description: 'Returns your receipts with their addresses.',
      querystring: listQuery(receiptFilters),
      response: { 200: listOf(Receipt) },
    },
    handler: async (request) => {
      const { query, caller } = request
      const page = readPage(query, orderings)
      const { field, descending } = page.ordering
      const slice = { limit: page.limit, offset: page.offset, field: columns[field], descending }
      const list = await app.reads.snapshot((tx) =>
        listReceipts(tx, caller.organization, query, slice, app.address.url),
      )
      return answerPage(app, request, page, list)
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/receipts/:id', {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
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
    config: { permission: 'initiate_collections', allow: 'POST, OPTIONS' },
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
    handler: async (request) => {
      const key = request.headers['duplicate-check-key']
      const sent = await begin(app.db, (tx) =>
        sendReceipt(tx, app, request, { id: request.params.id, body: request.body, key }),
      )
      app.wake()
      return sent
    },
  })
}

/** Put a receipt into an outbox, and claim the Duplicate-Check-Key. @throws Duplicate, Invalid, Forbidden, NotFound */
async function sendReceipt(
  tx: Tx,
  app: App,
  request: FastifyRequest,
  { id, body, key }: { id: number; body: NewSendBody; key: string | undefined },
): Promise<Receipt> {
  const { organization, user } = request.caller
  const now = app.clock.now()
  const receipt = requireOwned(organization, (await readReceipts(tx, [id]))[0])
  const claim = key ? createDuplicateKeyClaim(organization, key) : undefined
  const [duplicate] = await claimDuplicateKeys(tx, now, 'receipt', [claim])
  if (duplicate) throw duplicate
  const { language } = await readReceiptSettings(tx, organization)
  const options = { language, base_url: app.address.url, has_mail: app.mailer !== null }
  const send = chooseSend(receipt, body, options)
  await sendReceipts(tx, now, [send], options, user)
  linkKeysToObjects(tx, [{ claim, object: id }])
  const details = { channel: send.channel }
  await recordRequestAction(tx, app, request, { action: 'send receipt', object_type: 'receipt', object: id, details })
  return (await receiptsById(tx, [id], app.address.url)).get(id)!
}
