import Fastify, { type FastifyInstance } from 'fastify'
import type { ZodError } from 'zod'
import type { Database } from '../db/client.ts'
import { accountHolderOf, behaviourOf, payoutBehaviourOf } from './behaviours.ts'
import { addBillerRoutes } from './biller-routes.ts'
import { findOrder, findTransaction, type PlacedOrder } from './orders.ts'
import { findPayout, type PlacedPayout } from './payouts.ts'
import { hasSecret, OrderBody, PayoutBody, showOrder, showPayout, showTransaction } from './wire.ts'

/**
 * Creates the HTTP server of the simulated network: `POST /orders`, `GET /orders/:reference`,
 * `GET /transactions/:remote_id`, `POST /payouts`, `GET /payouts/:reference`, `GET /holders/:phonenumber`, all with
 * `Authorization: Bearer <secret>`. Errors are `{ error, message }`; `error` is a code that never changes.
 */
export function createSimulatorServer(options: {
  db: Database
  now(): Date
  secret: string
  placeOrder(body: OrderBody): Promise<PlacedOrder>
  placePayout(body: PayoutBody): Promise<PlacedPayout>
  onError(error: unknown): void
}): FastifyInstance {
  const server = Fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 1_000 },
  })

  server.addHook('onRequest', async (request, reply) => {
    if (!hasSecret(options.secret, request.headers.authorization))
      return reply.code(401).send({ error: 'unauthorized', message: 'The secret is missing or wrong.' })
  })

  server.post('/orders', async (request, reply) => {
    const body = OrderBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_order', message: describeIssues(body.error) })
    const placed = await options.placeOrder(body.data)
    if (placed.outcome === 'not_accepted')
      return reply.code(503).send({ error: 'network_down', message: 'The network is down.' })
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another order.' })
    // A hijacked reply without a text leaves the caller waiting until it gives up.
    if (placed.first && behaviourOf(body.data.phonenumber).never_answers) return reply.hijack()
    return reply.code(202).send(showOrder(placed.order, placed.transaction))
  })

  server.get<{ Params: { reference: string } }>('/orders/:reference', async (request, reply) => {
    const found = await findOrder(options.db, request.params.reference)
    if (!found) return reply.code(404).send({ error: 'order_not_found', message: 'There is no such order.' })
    return showOrder(found.order, found.transaction)
  })

  addPayoutRoutes(server, options)

  server.get<{ Params: { remote_id: string } }>('/transactions/:remote_id', async (request, reply) => {
    const found = await findTransaction(options.db, request.params.remote_id)
    if (!found)
      return reply.code(404).send({ error: 'transaction_not_found', message: 'There is no such transaction.' })
    return showTransaction(found)
  })

  server.get<{ Params: { phonenumber: string } }>('/holders/:phonenumber', async (request, reply) => {
    const { phonenumber } = request.params
    const holder = accountHolderOf(phonenumber)
    if (holder === 'network_down')
      return reply.code(503).send({ error: 'network_down', message: 'The network is down.' })
    if (holder === 'not_registered')
      return reply.code(404).send({ error: 'holder_not_found', message: 'This number has no mobile money.' })
    return { phonenumber, name: holder.name }
  })

  addBillerRoutes(server, options)

  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'unreadable', message: error.message })
    options.onError(error)
    return reply.code(500).send({ error: 'internal', message: 'The network failed.' })
  })

  return server
}

/** Adds the routes for payouts, which answer like those for orders. */
function addPayoutRoutes(
  server: FastifyInstance,
  options: { db: Database; now(): Date; placePayout(body: PayoutBody): Promise<PlacedPayout> },
): void {
  server.post('/payouts', async (request, reply) => {
    const body = PayoutBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_payout', message: describeIssues(body.error) })
    const placed = await options.placePayout(body.data)
    if (placed.outcome === 'not_accepted')
      return reply.code(503).send({ error: 'network_down', message: 'The network is down.' })
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another payout.' })
    if (placed.first && payoutBehaviourOf(body.data.phonenumber).never_answers) return reply.hijack()
    return reply.code(202).send(showPayout(placed.payout))
  })

  server.get<{ Params: { reference: string } }>('/payouts/:reference', async (request, reply) => {
    const found = await findPayout(options.db, options.now(), request.params.reference)
    if (!found) return reply.code(404).send({ error: 'payout_not_found', message: 'There is no such payout.' })
    return showPayout(found)
  })
}

function describeIssues(error: ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
}
