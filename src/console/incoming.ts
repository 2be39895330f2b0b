import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addDispositions, Incoming } from '../actions/lists/collections.ts'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { prepareRefund } from '../connections/refunds.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { matchCollectionAction } from '../core/approvals/changes/actions.ts'
import { Collection, collectionsById } from '../core/collections/collections.ts'
import { PaidCustomer, readPaidCustomers } from '../core/contacts/customers.ts'
import { id } from '../core/fields.ts'
import { refundCollectionAction, returnCollectionAction } from '../core/payments/actions.ts'
import { newRefundBody } from '../core/payments/new-refund.ts'
import { Payment } from '../core/payments/payments.ts'
import type { AnyReader } from '../db/client.ts'
import type { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import type { Amount } from '../lib/money.ts'
import { addAction } from './actor.ts'
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
  addView(server, app, {
    url: '/console/api/incoming/:id',
    permission: 'view',
    answer: IncomingDetails,
    of: async (db, { id }) => (await collectionsById(db, [id])).get(id),
    async read(db, { organization, of: collection }) {
      const [incoming] = await addDispositions({ app }, db, [collection])
      return { ...incoming!, pays_for: await readPaidCustomers(db, organization, collection.phonenumber) }
    },
  })
}

function addMatch(server: Server, app: App): void {
  addAction(server, app, matchCollectionAction, {
    method: 'POST',
    url: '/console/api/incoming/:id/match',
    body: z.object({ collection_request: id }),
    answer: Collection,
    input: ({ params, body }) => ({ collection: params.id, ...body }),
    view: (_, request) => findOwnCollection(app.db, request, request.params.id),
  })
}

/** A refund creates a payment, so it needs the permission for payments and may need an approval. */
function addRefunds(server: Server, app: App): void {
  const prepare = async (request: FastifyRequest, id: number, amount?: Amount) => {
    await findOwnCollection(app.db, request, id)
    const prepared = await prepareRefund(app, { collection: id, amount })
    return { id, prepared, reviewed: request.reviewed }
  }
  const review = async (request: FastifyRequest, digestOf: (id: number) => string) => {
    const { id } = request.params as z.output<typeof idParams>
    await findOwnCollection(app.db, request, id)
    requireReview(app, request, digestOf(id))
  }
  addAction(server, app, returnCollectionAction, {
    method: 'POST',
    url: '/console/api/incoming/:id/return',
    answer: Payment,
    preHandler: (request) => review(request, digestReturn),
    input: (request) => prepare(request, request.params.id),
  })
  addAction(server, app, refundCollectionAction, {
    method: 'POST',
    url: '/console/api/incoming/:id/refund',
    body: newRefundBody,
    answer: Payment,
    preHandler: (request) => review(request, (id) => digestRefund(id, (request.body as { amount?: Amount }).amount)),
    input: async (request) => ({
      ...request.body,
      ...(await prepare(request, request.params.id, request.body.amount)),
    }),
  })
}

/** @throws NotFound, Forbidden */
async function findOwnCollection(tx: AnyReader, request: FastifyRequest, id: number): Promise<Collection> {
  return requireOwned(request.caller.organization, (await collectionsById(tx, [id])).get(id))
}
