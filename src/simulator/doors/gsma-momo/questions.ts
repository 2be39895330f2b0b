import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OrderName } from '../../world/world.ts'
import { errors } from './codes.ts'
import { sendError, switchesOf } from './gateway.ts'
import type { GsmaWorld } from './switches.ts'
import { type GsmaOrder, showPayment, showRequestState, showTransaction, transactionIdOf } from './wire.ts'

type WithId = { Params: { id: string } }

/** Adds the questions about orders: by the provider's id, by that of the business, and by the transaction. */
export function addQuestionRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const isOverLimit = countQuestions()
  server.get<WithId>('/requeststates/:id', { config: { verb: 'status' } }, async (request, reply) => {
    const { id } = request.params
    const switches = switchesOf(request)
    const order = await findOrder(world, { remote_id: id.toLowerCase() })
    if (!order) return sendError(request, reply, world, errors.unknown_id)
    if (isOverLimit(id, switches.poll_limit)) return sendError(request, reply, world, errors.rate)
    return showRequestState(order, switches, world.now())
  })

  server.get<WithId>('/responses/:id', { config: { verb: 'response' } }, async (request, reply) => {
    const { responses } = switchesOf(request)
    if (responses === 'none') return sendNoRoute(reply)
    const order = await findOrder(world, { reference: request.params.id.toLowerCase() })
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
    return payment ? showPayment(payment, switches) : sendError(request, reply, world, errors.unknown_id)
  })
}

/** An order of any kind. */
export async function findOrder(world: GsmaWorld, name: OrderName): Promise<GsmaOrder | undefined> {
  return (await world.findCharge(name)) ?? (await world.findPayout(name)) ?? (await world.findRefund(name))
}

export function sendNoRoute(reply: FastifyReply) {
  return reply.code(404).send({ message: 'no Route matched with those values' })
}

/** The most requests whose questions one process counts. */
const MAX_COUNTED = 10_000

/** @returns a function that counts a question about a request, and says whether there were too many */
function countQuestions(): (id: string, limit: number) => boolean {
  const counts = new Map<string, number>()
  return (id, limit) => {
    if (counts.size >= MAX_COUNTED) counts.clear()
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count > limit
  }
}
