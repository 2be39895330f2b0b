import type { FastifyRequest } from 'fastify'
import { makeInvoices } from '../../actions/invoice-batches.ts'
import { actorOf, keyOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { InvoiceBatch } from '../../core/batches/batch.ts'
import { digestOf } from '../../core/batches/batches.ts'
import {
  planTagged,
  previewTagged,
  type TaggedBody,
  TaggedPreview,
  taggedBody,
  toTaggedDraft,
} from '../../core/invoices/batches/tagged.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { batchHeaders } from '../../http/headers.ts'
import type { Server } from '../../http/server.ts'

const PATH = '/api/invoices/batches'
const permission = 'initiate_collections'

/**
 * Add batches of invoices: for all customers with a tag, and the list of all batches. Files are read by the console.
 */
export function addInvoiceBatches(server: Server, app: App): void {
  addPreview(server, app)
  server.post(PATH, {
    config: { permission },
    schema: {
      tags: ['Invoices'],
      operationId: 'createInvoiceBatch',
      summary: 'Create an invoice for each customer with a tag',
      description:
        'Makes the invoices as drafts, or issued with `issue`. With the same `Duplicate-Check-Key` an interrupted call continues where it ended.',
      headers: batchHeaders,
      body: taggedBody(collectionCurrencies(app.config)),
      response: { 201: InvoiceBatch },
    },
    handler: async (request, reply) => {
      const made = await create(app, request, request.body)
      return reply.code(201).send(made)
    },
  })
}

function addPreview(server: Server, app: App): void {
  server.post(`${PATH}/preview`, {
    config: { permission },
    schema: {
      tags: ['Invoices'],
      operationId: 'previewInvoiceBatch',
      summary: 'Preview a batch of invoices; nothing is stored',
      description: 'Returns the number of invoices, their sums, and customers who already have the same one.',
      body: taggedBody(collectionCurrencies(app.config)),
      response: { 200: TaggedPreview },
    },
    handler: ({ caller: { organization, time_zone }, body }) => {
      const draft = toTaggedDraft(body, { now: app.clock.now(), time_zone })
      return previewTagged(app.db, app.clock.now(), organization, body.tag, draft)
    },
  })
}

/** Make the invoices. A repeated call with the same Duplicate-Check-Key continues. */
async function create(app: App, request: FastifyRequest, body: TaggedBody) {
  const { organization, time_zone } = request.caller
  const draft = toTaggedDraft(body, { now: app.clock.now(), time_zone })
  const { tag, duplicates = 'skip', issue = false } = body
  const planned = await planTagged(app.db, organization, tag, draft)
  const asked = digestOf({ tag, draft, duplicates, issue })
  const batch = { source: 'tag', name: tag.trim(), digest: null, asked, duplicates, issue } as const
  const counts = { rows: planned.length, refused: 0 }
  return makeInvoices(app, actorOf(request, ''), { ...batch, ...counts }, planned, keyOf(request))
}
