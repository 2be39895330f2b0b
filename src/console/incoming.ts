import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { matchByHand } from '../core/collections/manual-actions.ts'
import { collectionFilters } from '../core/collections/filters.ts'
import { requestsById } from '../core/collections/requests.ts'
import { Collection, collectionsById, listCollections, Standing, standingsOf } from '../core/collections/collections.ts'
import { flag, id, optional, positiveAmount } from '../core/fields.ts'
import { owned } from '../core/access/organizations.ts'
import { Payment } from '../core/payments/payments.ts'
import { type GiveBack, refundCollection, returnCollection } from '../core/payments/refunds.ts'
import { begin, type Reader, type Tx } from '../db/client.ts'
import { snapshot } from '../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { senderFor } from '../networks/index.ts'
import { recordDeed } from './audit.ts'
import { signedIn } from './guard.ts'

/** A collection with what people must know to decide what becomes of it. */
const Incoming = Collection.extend({ standing: Standing }).meta({ id: 'Incoming' })

/** Money that came in, and what people do with what no request asked for. */
export function addIncoming(server: Server, app: App): void {
  addList(server, app)
  addGet(server, app)
  addMatch(server, app)
  addGiveBack(server, app)
}

function addList(server: Server, app: App): void {
  server.get('/console/api/incoming', {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ ...collectionFilters, unmatched: flag.optional() }),
      response: { 200: listOf(Incoming) },
    },
    handler: async (request) => {
      const { unmatched, ...query } = request.query
      const page = readPage(query, orderings)
      const slice = { limit: page.limit, offset: page.offset, ...page.ordering }
      const filters = { ...query, ...(unmatched && { unmatched: true as const }) }
      const list = await snapshot(app.db, async (tx) => {
        const { rows, count } = await listCollections(tx, request.caller.organization, filters, slice)
        return { rows: await withStandings(tx, rows), count }
      })
      return answerPage(app, request, page, list)
    },
  })
  closeAddress(server, '/console/api/incoming', ['GET'])
}

function addGet(server: Server, app: App): void {
  server.get('/console/api/incoming/:id', {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: Incoming } },
    handler: (request) =>
      snapshot(app.db, async (tx) => {
        const [incoming] = await withStandings(tx, [await ownCollection(tx, request, request.params.id)])
        return incoming!
      }),
  })
  closeAddress(server, '/console/api/incoming/:id', ['GET'])
}

function addMatch(server: Server, app: App): void {
  const url = '/console/api/incoming/:id/match'
  server.post(url, {
    config: { permission: 'initiate_collections' },
    schema: { params: idParams, body: z.object({ collection_request: id }), response: { 200: Collection } },
    handler: async (request) => {
      const { user, organization } = request.caller
      const by = { user, name: signedIn(request).name }
      const matched = await begin(app.db, async (tx) => {
        const { id: collection } = await ownCollection(tx, request, request.params.id)
        const wanted = request.body.collection_request
        owned(organization, (await requestsById(tx, [wanted])).get(wanted))
        return matchByHand(tx, app.clock.now(), { collection, request: wanted, by })
      })
      app.wake()
      return matched
    },
  })
  closeAddress(server, url, ['POST'])
}

/** Giving back makes a payment, so it needs the permission for payments, and an approval may stand before it. */
function addGiveBack(server: Server, app: App): void {
  const permission = 'initiate_payments'
  const giveBack = async (
    request: FastifyRequest,
    collection: number,
    action: string,
    work: (tx: Tx, now: Date, wish: GiveBack) => Promise<Payment>,
  ) => {
    const made = await begin(app.db, async (tx) => {
      const { phonenumber, currency } = await ownCollection(tx, request, collection)
      const { organization, user: author } = request.caller
      const network = senderFor(app.networks, phonenumber, currency)
      const payment = await work(tx, app.clock.now(), { organization, collection, author, network })
      const details = { payment: payment.id }
      await recordDeed(tx, app, request, { action, object_type: 'collection', object: collection, details })
      return payment
    })
    app.wake()
    return made
  }

  server.post('/console/api/incoming/:id/return', {
    config: { permission },
    schema: { params: idParams, response: { 200: Payment } },
    handler: (request) => giveBack(request, request.params.id, 'return collection', returnCollection),
  })
  closeAddress(server, '/console/api/incoming/:id/return', ['POST'])

  server.post('/console/api/incoming/:id/refund', {
    config: { permission },
    schema: { params: idParams, body: z.object({ amount: optional(positiveAmount) }), response: { 200: Payment } },
    handler: (request) =>
      giveBack(request, request.params.id, 'refund collection', (tx, now, wish) =>
        refundCollection(tx, now, { ...wish, amount: request.body.amount }),
      ),
  })
  closeAddress(server, '/console/api/incoming/:id/refund', ['POST'])
}

/** @throws NotFound, Forbidden */
async function ownCollection(tx: Tx, request: FastifyRequest, id: number): Promise<Collection> {
  return owned(request.caller.organization, (await collectionsById(tx, [id])).get(id))
}

async function withStandings(db: Reader, collections: readonly Collection[]) {
  const standings = await standingsOf(
    db,
    collections.map((collection) => collection.id),
  )
  return collections.map((collection) => ({ ...collection, standing: standings.get(collection.id)! }))
}
