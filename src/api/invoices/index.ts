import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { changeStoredDraft, createDraft, deleteDraft } from '../../core/invoices/drafts.ts'
import { Invoice } from '../../core/invoices/invoice.ts'
import { invoiceFilters, listInvoices, readInvoices } from '../../core/invoices/invoices.ts'
import { issueInvoice } from '../../core/invoices/issuing.ts'
import {
  changeDraft,
  invoiceChangesBody,
  type NewInvoiceBody,
  newInvoiceBody,
  readCustomer,
  toDraft,
} from '../../core/invoices/new-invoice.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { writeHeaders } from '../headers.ts'
import { addInvoiceActions } from './actions.ts'
import { addInvoiceBatches } from './batches.ts'
import { addManyInvoices } from './many.ts'
import { nameNetworkOf, readOptions, readOwned } from './reading.ts'
import { addInvoiceSums } from './sums.ts'

const TAG = 'Invoices'
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'total' } as const

/** Add invoices. Their pages for customers are in `src/pay`. */
export function addInvoices(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  addGet(server, app)
  addChange(server, app)
  addDelete(server, app)
  addInvoiceActions(server, app)
  addManyInvoices(server, app)
  addInvoiceBatches(server, app)
  addInvoiceSums(server, app)
}

function addCreate(server: Server, app: App): void {
  server.post('/api/invoices', {
    config: { permission: 'initiate_collections', allow: 'GET, POST, HEAD, OPTIONS' },
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
    handler: async (request, reply) => {
      const created = await create(app, request, request.body, false)
      app.wake()
      return reply.code(201).send(created)
    },
  })
}

/** Add invoices that people create and issue at once, in the session scope of the console. */
export function addIssuedInvoices(server: Server, app: App): void {
  server.post('/api/invoices/issued', {
    config: { permission: 'initiate_collections', allow: 'POST, OPTIONS' },
    schema: {
      headers: writeHeaders,
      body: newInvoiceBody(collectionCurrencies(app.config)),
      response: { 201: Invoice },
    },
    handler: async (request, reply) => {
      const created = await create(app, request, request.body, true)
      app.wake()
      return reply.code(201).send(created)
    },
  })
}

/**
 * Store a draft, issue it if `issues`, and claim the Duplicate-Check-Key, in one transaction.
 * @throws Duplicate, Invalid, Forbidden
 */
async function create(app: App, request: FastifyRequest, body: NewInvoiceBody, issues: boolean) {
  const { organization, user, time_zone } = request.caller
  const now = app.clock.now()
  const customer = readCustomer(body)
  if (!customer) throw new Invalid({ contact: [getMessage('invoices.give_customer')] })
  const draft = { ...toDraft(body, { now, time_zone }), customer }
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  return begin(app.db, async (tx) => {
    const [duplicate] = await claimDuplicateKeys(tx, now, 'invoice', [claim])
    if (duplicate) throw duplicate
    const naming = nameNetworkOf(app, organization, draft.currency)
    const id = await createDraft(tx, now, { organization, user }, draft, naming)
    linkKeysToObjects(tx, [{ claim, object: id }])
    await recordRequestAction(tx, app, request, { action: 'create invoice', object_type: 'invoice', object: id })
    if (issues) {
      await issueInvoice(tx, id, { ...readOptions(app), user })
      await recordRequestAction(tx, app, request, { action: 'issue invoice', object_type: 'invoice', object: id })
    }
    return readOwned(app, tx, organization, id)
  })
}

function addList(server: Server, app: App): void {
  server.get('/api/invoices', {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'listInvoices',
      summary: 'List invoices',
      description: 'Returns your invoices with their sums, payments and reminders.',
      querystring: listQuery(invoiceFilters),
      response: { 200: listOf(Invoice) },
    },
    handler: async (request) => {
      const { query, caller } = request
      const page = readPage(query, orderings)
      const { field, descending } = page.ordering
      const slice = { limit: page.limit, offset: page.offset, field: columns[field], descending }
      const list = await withSnapshot(app.db, (tx) =>
        listInvoices(tx, caller.organization, query, slice, readOptions(app)),
      )
      return answerPage(app, request, page, list)
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/invoices/:id', {
    config: { permission: 'view', allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'getInvoice',
      summary: 'Get one invoice',
      description: 'Returns the invoice with its lines, sums, payments and reminders.',
      params: idParams,
      response: { 200: Invoice },
    },
    handler: ({ caller, params }) => withSnapshot(app.db, (tx) => readOwned(app, tx, caller.organization, params.id)),
  })
}

function addChange(server: Server, app: App): void {
  server.patch('/api/invoices/:id', {
    config: { permission: 'initiate_collections', allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'changeInvoice',
      summary: 'Change a draft',
      description: 'Changes the fields that the body has. An issued invoice cannot be changed.',
      params: idParams,
      body: invoiceChangesBody(collectionCurrencies(app.config)),
      response: { 200: Invoice },
    },
    handler: async (request) => {
      const { caller, params, body } = request
      const now = app.clock.now()
      const customer = readCustomer(body)
      const changed = await begin(app.db, async (tx) => {
        const stored = requireOwned(caller.organization, (await readInvoices(tx, [params.id]))[0])
        const naming = nameNetworkOf(app, caller.organization, body.currency ?? stored.currency)
        const change = (draft: typeof stored) => ({
          ...changeDraft(draft, body, { now, time_zone: stored.time_zone }),
          customer,
        })
        await changeStoredDraft(tx, now, params.id, caller, change, naming)
        const action = { action: 'change invoice', object_type: 'invoice', object: params.id } as const
        await recordRequestAction(tx, app, request, action)
        return readOwned(app, tx, caller.organization, params.id)
      })
      app.wake()
      return changed
    },
  })
}

function addDelete(server: Server, app: App): void {
  server.delete('/api/invoices/:id', {
    config: { permission: 'initiate_collections', allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'deleteInvoice',
      summary: 'Delete a draft, and return it',
      description: 'Deletes the draft and returns it. An issued invoice cannot be deleted; void it.',
      params: idParams,
      response: { 200: Invoice },
    },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const { caller, params } = request
        const draft = await readOwned(app, tx, caller.organization, params.id)
        await deleteDraft(tx, params.id)
        const action = { action: 'delete invoice', object_type: 'invoice', object: params.id } as const
        await recordRequestAction(tx, app, request, action)
        return draft
      }),
  })
}
