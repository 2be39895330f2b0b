import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { prepareRefund } from '../connections/refunds.ts'
import { nameOfNetwork } from '../connections/registry.ts'
import { requireOwned, requireSingleOrganization } from '../core/access/organizations.ts'
import {
  Collection,
  collectionsById,
  Disposition,
  listCollections,
  readDispositions,
} from '../core/collections/collections.ts'
import { collectionFilters } from '../core/collections/filters.ts'
import { listUnassigned, UnassignedPayment, unassignedStates } from '../core/connections/unassigned-payments.ts'
import { PaidCustomer, readPaidCustomers } from '../core/contacts/customers.ts'
import { matchCollectionAction } from '../core/control/change-actions.ts'
import { PendingAnswer } from '../core/control/control-change.ts'
import { booleanField, id } from '../core/fields.ts'
import { refundCollectionAction, returnCollectionAction } from '../core/payments/actions.ts'
import { newRefundBody } from '../core/payments/new-refund.ts'
import { Payment } from '../core/payments/payments.ts'
import { readSearchedRows, typedSearch } from '../core/typed-search/list-text.ts'
import type { AnyReader } from '../db/client.ts'
import {
  answerPage,
  answerSearchedPage,
  idParams,
  listOf,
  listQuery,
  orderings,
  searchedListOf,
} from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import type { Amount } from '../lib/money.ts'
import { digestRefund, digestReturn, requireReview } from './payments/reviews.ts'

/** Collection with its disposition, so that people can decide its use. */
const Incoming = Collection.extend({ standing: Disposition.extend({ network_name: z.string() }) }).meta({
  id: 'Incoming',
})

/** Collection with the customers for whom its phone pays. */
const IncomingDetails = Incoming.extend({ pays_for: z.array(PaidCustomer) }).meta({ id: 'IncomingDetails' })

/** The routes for incoming money: list, match, return and refund it, and list what has no account. */
export function addIncoming(server: Server, app: App): void {
  addList(server, app)
  addGet(server, app)
  addMatch(server, app)
  addRefunds(server, app)
  addUnassigned(server, app)
}

function addList(server: Server, app: App): void {
  server.get('/console/api/incoming', {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ ...collectionFilters, unmatched: booleanField.optional(), search: typedSearch }),
      response: { 200: searchedListOf(Incoming) },
    },
    handler: async (request) => {
      const { unmatched, ...query } = request.query
      const page = readPage(query, orderings)
      const slice = { limit: page.limit, offset: page.offset, ...page.ordering }
      const filters = { ...query, ...(unmatched && { unmatched: true as const }) }
      const list = await app.reads.snapshot(async (tx) => {
        const { organization } = request.caller
        const { rows, count } = await listCollections(tx, organization, filters, slice)
        const searched_rows = await readSearchedRows(tx, 'collections', organization, filters)
        return { rows: await addDispositions(app, tx, rows), count, searched_rows }
      })
      return answerSearchedPage(app, request, page, list)
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/console/api/incoming/:id', {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: IncomingDetails } },
    handler: (request) =>
      app.reads.snapshot(async (tx) => {
        const collection = await findOwnCollection(tx, request, request.params.id)
        const [incoming] = await addDispositions(app, tx, [collection])
        const pays_for = await readPaidCustomers(tx, request.caller.organization, collection.phonenumber)
        return { ...incoming!, pays_for }
      }),
  })
}

function addMatch(server: Server, app: App): void {
  const url = '/console/api/incoming/:id/match'
  server.post(url, {
    config: { permission: 'initiate_collections' },
    schema: {
      params: idParams,
      body: z.object({ collection_request: id }),
      response: { 200: Collection, 202: PendingAnswer },
    },
    handler: async (request, reply) => {
      const { id: collection } = request.params
      const input = { collection, ...request.body }
      const { is_pending, change } = await performAction(app, request, matchCollectionAction, { input })
      if (is_pending) return reply.code(202).send({ pending: change! })
      return findOwnCollection(app.db, request, collection)
    },
  })
}

/** A refund creates a payment, so it needs the permission for payments and may need an approval. */
function addRefunds(server: Server, app: App): void {
  const { permission } = refundCollectionAction
  const prepare = async (request: FastifyRequest, id: number, amount?: Amount) => {
    await findOwnCollection(app.db, request, id)
    const prepared = await prepareRefund(app, { collection: id, amount })
    return { id, prepared, reviewed: request.reviewed }
  }

  server.post('/console/api/incoming/:id/return', {
    config: { permission },
    schema: { params: idParams, response: { 200: Payment } },
    preHandler: async (request) => {
      const { id } = request.params
      await findOwnCollection(app.db, request, id)
      requireReview(app, request, digestReturn(id))
    },
    handler: async (request) =>
      performAction(app, request, returnCollectionAction, { input: await prepare(request, request.params.id) }),
  })

  server.post('/console/api/incoming/:id/refund', {
    config: { permission },
    schema: { params: idParams, body: newRefundBody, response: { 200: Payment } },
    preHandler: async (request) => {
      const { id } = request.params
      await findOwnCollection(app.db, request, id)
      requireReview(app, request, digestRefund(id, request.body.amount))
    },
    handler: async (request) => {
      const prepared = await prepare(request, request.params.id, request.body.amount)
      return performAction(app, request, refundCollectionAction, { input: { ...request.body, ...prepared } })
    },
  })
}

/**
 * Money without an account belongs to no organization yet, so only the operator may see it: a manager of the only
 * organization here.
 */
function addUnassigned(server: Server, app: App): void {
  const url = '/console/api/unassigned'
  server.get(url, {
    config: { permission: 'manage_organization' },
    schema: {
      querystring: listQuery({ state: z.enum(unassignedStates).optional() }),
      response: { 200: listOf(UnassignedPayment) },
    },
    handler: async (request) => {
      await requireSingleOrganization(app.db, request.caller.organization)
      const { state, ...query } = request.query
      const page = readPage(query, orderings)
      const slice = { limit: page.limit, offset: page.offset, descending: page.ordering.descending }
      return answerPage(app, request, page, await listUnassigned(app.db, { state }, slice))
    },
  })
}

/** @throws NotFound, Forbidden */
async function findOwnCollection(tx: AnyReader, request: FastifyRequest, id: number): Promise<Collection> {
  return requireOwned(request.caller.organization, (await collectionsById(tx, [id])).get(id))
}

async function addDispositions(app: App, db: AnyReader, collections: readonly Collection[]) {
  const dispositions = await readDispositions(
    db,
    collections.map((collection) => collection.id),
  )
  return collections.map((collection) => {
    const standing = dispositions.get(collection.id)!
    return { ...collection, standing: { ...standing, network_name: nameOfNetwork(app.connections, standing.network) } }
  })
}
