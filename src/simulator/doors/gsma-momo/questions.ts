import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { OrderName } from '../../world/world.ts'
import { errors } from './codes.ts'
import { sendError, sendNoRoute, switchesOf } from './gateway.ts'
import { findLink, findObject, findRequest } from './objects.ts'
import { findOrder } from './order-questions.ts'
import type { GsmaSwitches, GsmaWorld } from './switches.ts'
import { type GsmaOrder, showPayment, showRequestState, showState, showTransaction, transactionIdOf } from './wire.ts'

type WithId = { Params: { id: string } }

/** Add the status queries for orders: by the provider's id, the reference of the business, or the transaction. */
export function addQueryRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const isOverLimit = countQueries()
  server.get<WithId>('/requeststates/:id', { config: { verb: 'status' } }, async (request, reply) => {
    const { id } = request.params
    const switches = switchesOf(request)
    const done = await findRequest(world, id.toLowerCase())
    if (done) return showState(done, switches)
    const order = await findEnded(world, { remote_id: id.toLowerCase() }, switches)
    if (!order) return sendError(request, reply, world, errors.unknown_id)
    if (isOverLimit(id, switches.poll_limit)) return sendError(request, reply, world, errors.rate)
    return showRequestState(order, switches, world.now())
  })

  server.get<WithId>('/responses/:id', { config: { verb: 'response' } }, async (request, reply) => {
    const switches = switchesOf(request)
    const { responses } = switches
    if (responses === 'none') return sendNoRoute(reply)
    const reference = request.params.id.toLowerCase()
    const link = await findLink(world, reference)
    if (link !== undefined) return { link }
    const order = await findEnded(world, { reference }, switches)
    const transaction = order && transactionIdOf(order)
    if (transaction !== undefined) return { link: `/transactions/${transaction}` }
    if (order && responses === 'requeststates') return { link: `/requeststates/${order.remote_id}` }
    return sendError(request, reply, world, errors.unknown_id)
  })

  server.get<WithId>('/transactions/:id', { config: { verb: 'transaction' } }, async (request, reply) => {
    const { id } = request.params
    const switches = switchesOf(request)
    const order = await findOrder(world, { transaction: id })
    if (order) return showTransaction(order, switches)
    const payment = await world.findPayment(id)
    if (payment) return showPayment(payment, switches)
    const settled = await findObject(world, 'transactions', id)
    return settled?.object ?? sendError(request, reply, world, errors.unknown_id)
  })
}

/** Maximum wait of a status query for the end of an order, and the pause between two looks. */
const MAX_WAIT_MS = 3_000
const LOOK_MS = 50

/** Find an order, and wait for its end if queries do that. */
async function findEnded(world: GsmaWorld, name: OrderName, { waits }: GsmaSwitches): Promise<GsmaOrder | undefined> {
  const until_ms = performance.now() + (waits ? MAX_WAIT_MS : 0)
  for (;;) {
    const order = await findOrder(world, name)
    if (order?.state !== 'pending' || performance.now() >= until_ms) return order
    await sleep(LOOK_MS)
  }
}

/** Maximum requests whose status queries one process counts. */
const MAX_COUNTED = 10_000

/**
 * Count the queries about a request. @returns a function that counts a query, and returns true if there were too many
 */
function countQueries(): (id: string, limit: number) => boolean {
  const counts = new Map<string, number>()
  return (id, limit) => {
    if (counts.size >= MAX_COUNTED) counts.clear()
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count > limit
  }
}
