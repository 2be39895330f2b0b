import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addDispositions, Incoming } from '../actions/lists/collections.ts'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { prepareRefund } from '../connections/refunds.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { Collection, collectionsById } from '../core/collections/collections.ts'
import { PaidCustomer, readPaidCustomers } from '../core/contacts/customers.ts'
import { matchCollectionAction } from '../core/control/change-actions.ts'
import { PendingAnswer } from '../core/control/control-change.ts'
import { id } from '../core/fields.ts'
import { refundCollectionAction, returnCollectionAction } from '../core/payments/actions.ts'
import { newRefundBody } from '../core/payments/new-refund.ts'
import { Payment } from '../core/payments/payments.ts'
import type { AnyReader } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import type { Amount } from '../lib/money.ts'
import { digestRefund, digestReturn, requireReview } from './payments/reviews.ts'

/** Collection with the customers for whom its phone pays. */
const IncomingDetails = Incoming.extend({ pays_for: z.array(PaidCustomer) }).meta({ id: 'IncomingDetails' })

/** The routes for incoming money: match, return and refund it. */
export function addIncoming(server: Server, app: App): void {
  addGet(server, app)
  addMatch(server, app)
  addRefunds(server, app)
}

function addGet(server: Server, app: App): void {
  server.get('/console/api/incoming/:id', {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: IncomingDetails } },
    handler: (request) =>
      app.reads.snapshot(async (tx) => {
        const collection = await findOwnCollection(tx, request, request.params.id)
        const [incoming] = await addDispositions({ app }, tx, [collection])
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

/** @throws NotFound, Forbidden */
async function findOwnCollection(tx: AnyReader, request: FastifyRequest, id: number): Promise<Collection> {
  return requireOwned(request.caller.organization, (await collectionsById(tx, [id])).get(id))
}
