import Fastify, { type FastifyInstance } from 'fastify'
import type { Database } from '../db/client.ts'
import { behaviourOf } from './behaviours.ts'
import { findOrder, findTransaction, type Placed } from './orders.ts'
import { knows, OrderBody, showOrder, showTransaction } from './wire.ts'

/**
 * The HTTP door of the simulated network: `POST /orders`, `GET /orders/:reference`, `GET /transactions/:remote_id`, all
 * with `Authorization: Bearer <secret>`. Errors are `{ error, message }`; `error` is a code that never changes.
 */
export function createDoor(options: {
  db: Database
  secret: string
  placeOrder(body: OrderBody): Promise<Placed>
  onFault(error: unknown): void
}): FastifyInstance {
  const door = Fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024, routerOptions: { maxParamLength: 1_000 } })

  door.addHook('onRequest', async (request, reply) => {
    if (!knows(options.secret, request.headers.authorization))
      return reply.code(401).send({ error: 'unauthorized', message: 'The secret is missing or wrong.' })
  })

  door.post('/orders', async (request, reply) => {
    const body = OrderBody.safeParse(request.body)
    if (!body.success) {
      const message = body.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
      return reply.code(400).send({ error: 'invalid_order', message })
    }
    const placed = await options.placeOrder(body.data)
    if (placed.outcome === 'turned_away')
      return reply.code(503).send({ error: 'network_down', message: 'The network is down.' })
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another order.' })
    // Whoever hijacks a reply and does not write one leaves the caller waiting for as long as the caller likes.
    if (placed.first && behaviourOf(body.data.phonenumber).hangs) return reply.hijack()
    return reply.code(202).send(showOrder(placed.order, placed.transaction))
  })

  door.get<{ Params: { reference: string } }>('/orders/:reference', async (request, reply) => {
    const found = await findOrder(options.db, request.params.reference)
    if (!found) return reply.code(404).send({ error: 'order_not_found', message: 'There is no such order.' })
    return showOrder(found.order, found.transaction)
  })

  door.get<{ Params: { remote_id: string } }>('/transactions/:remote_id', async (request, reply) => {
    const found = await findTransaction(options.db, request.params.remote_id)
    if (!found)
      return reply.code(404).send({ error: 'transaction_not_found', message: 'There is no such transaction.' })
    return showTransaction(found)
  })

  door.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'unreadable', message: error.message })
    options.onFault(error)
    return reply.code(500).send({ error: 'internal', message: 'The network failed.' })
  })

  return door
}
