import type { FastifyInstance } from 'fastify'
import type { ZodError } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import { formatAmount } from '../../../lib/money.ts'
import { Reference } from '../../world/fields.ts'
import type { CallbackRequest, Change, World } from '../../world/world.ts'
import { type Door, defineDoor } from '../door.ts'
import {
  hasSecret,
  OrderBody,
  PayoutBody,
  RefundBody,
  showOrder,
  showPayout,
  showTransaction,
  signBody,
  ValidationAnswer,
} from './wire.ts'

export interface SandboxDoorOptions {
  /** Shared with the business: authenticates its calls to the network and signs the network's callbacks. */
  secret: string
  /** Return the complete callback URL of the business; null to call nobody. Read at every callback. */
  callback_url(): string | null
}

/** Time limit for the answer to a validation request. The business asks an organization, which has a minute. */
const VALIDATION_TIMEOUT_S = 70

/**
 * The sandbox's own network: `POST /orders`, `GET /orders/:reference`, `GET /transactions/:remote_id`, `POST /payouts`,
 * `GET /payouts/:reference`, `POST /refunds`, `GET /refunds/:reference`, `GET /holders/:phonenumber`,
 * `GET /balances/:number/:currency`, all with `Authorization: Bearer <secret>`. Errors are `{ error, message }`; `error` is a
 * code that never changes.
 */
export function createSandboxDoor(options: SandboxDoorOptions): Door {
  const { secret, callback_url } = options
  return defineDoor({
    code: 'sandbox',
    name: 'Sandbox Network',
    hosts: { api: '' },
    credentials: [{ name: 'secret', value: secret, help: 'Authorization: Bearer <secret>' }],
    numbers: [],
    switches: {},
    routes: (server, world) => addRoutes(server, world, secret),
    // The body alone is stored. The address and the key may be others after a restart.
    callbacks: (change, { forged }) => [
      {
        url: null,
        body: JSON.stringify(describeChange(change)),
        ...(forged && { headers: { 'x-sandbox-signature': '0'.repeat(64) } }),
        max_attempts: null,
      },
    ],
    completeCallback: (callback) => ({ ...signed(secret, callback), url: callback.url ?? callback_url() }),
    validationRequest(payment) {
      const { remote_id, receiver, phonenumber, currency, reference } = payment
      const offer = { remote_id, receiver, phonenumber, amount: formatAmount(payment.amount), currency, reference }
      const url = callback_url()
      const body = JSON.stringify({ event: 'payment.offered', offer })
      return { ...signed(secret, { url: url && `${url}/validation`, body }), timeout_s: VALIDATION_TIMEOUT_S }
    },
    // Without a readable answer the network takes the money, as many real networks do.
    readVerdict: (reply) =>
      reply && reply.status >= 200 && reply.status <= 299
        ? (ValidationAnswer.safeParse(parseJson(reply.text)).data?.verdict ?? 'accept')
        : 'accept',
  })
}

function signed(secret: string, callback: CallbackRequest): CallbackRequest {
  return { ...callback, headers: { 'x-sandbox-signature': signBody(secret, callback.body), ...callback.headers } }
}

function describeChange(change: Change): object {
  switch (change.event) {
    case 'charge.failed':
      return { event: 'order.failed', order: showOrder(change.charge) }
    case 'payment.reversed':
      return { event: 'payment.reversed', transaction: showTransaction(change.payment) }
    case 'payout.ended':
      return { event: 'payout.ended', payout: showPayout(change.payout) }
    case 'payout.reversed':
      return { event: 'payout.taken_back', payout: showPayout(change.payout) }
    default:
      return { event: 'payment.received', transaction: showTransaction(change.payment) }
  }
}

function addRoutes(server: FastifyInstance, world: Pick<World, keyof World>, secret: string): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!hasSecret(secret, request.headers.authorization))
      return reply.code(401).send({ error: 'unauthorized', message: 'The secret is missing or wrong.' })
  })
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'not_found', message: 'There is nothing at this address.' }),
  )
  addOrderRoutes(server, world)
  addPayoutRoutes(server, world)
  addRefundRoutes(server, world)
  addLookUpRoutes(server, world)
}

const NETWORK_DOWN = { error: 'network_down', message: 'The network is down.' }

function addOrderRoutes(server: FastifyInstance, world: World): void {
  server.post('/orders', { config: { verb: 'charge' } }, async (request, reply) => {
    const body = OrderBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_order', message: describeIssues(body.error) })
    const { reference: key, ...charge } = body.data
    const placed = await world.placeCharge({ ...charge, key })
    if (placed.outcome === 'not_accepted') return reply.code(503).send(NETWORK_DOWN)
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another order.' })
    // A hijacked reply without a text leaves the caller waiting until it gives up.
    if (!placed.answers) return reply.hijack()
    return reply.code(202).send(showOrder(placed.order))
  })

  server.get<{ Params: { reference: string } }>(
    '/orders/:reference',
    { config: { verb: 'charge status' } },
    async (request, reply) => {
      const { reference } = request.params
      const found = isReference(reference) && (await world.findCharge({ key: reference }))
      if (!found) return reply.code(404).send({ error: 'order_not_found', message: 'There is no such order.' })
      return showOrder(found)
    },
  )
}

/** Payouts answer like orders. */
function addPayoutRoutes(server: FastifyInstance, world: World): void {
  server.post('/payouts', { config: { verb: 'payout' } }, async (request, reply) => {
    const body = PayoutBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_payout', message: describeIssues(body.error) })
    const { reference: key, ...payout } = body.data
    const placed = await world.placePayout({ ...payout, key })
    if (placed.outcome === 'not_accepted') return reply.code(503).send(NETWORK_DOWN)
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another payout.' })
    if (!placed.answers) return reply.hijack()
    return reply.code(202).send(showPayout(placed.order))
  })

  server.get<{ Params: { reference: string } }>(
    '/payouts/:reference',
    { config: { verb: 'payout status' } },
    async (request, reply) => {
      const { reference } = request.params
      const found = isReference(reference) && (await world.findPayout({ key: reference }))
      if (!found) return reply.code(404).send({ error: 'payout_not_found', message: 'There is no such payout.' })
      return showPayout(found)
    },
  )
}

function addRefundRoutes(server: FastifyInstance, world: World): void {
  server.post('/refunds', { config: { verb: 'refund' } }, async (request, reply) => {
    const body = RefundBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_refund', message: describeIssues(body.error) })
    const { reference: key, transaction: payment, ...refund } = body.data
    const placed = await world.placeRefund({ ...refund, key, payment })
    if (placed.outcome === 'impossible')
      return reply.code(400).send({ error: placed.reason, message: 'This refund is not possible.' })
    if (placed.outcome === 'not_accepted') return reply.code(503).send(NETWORK_DOWN)
    if (placed.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another refund.' })
    if (!placed.answers) return reply.hijack()
    return reply.code(202).send(showPayout(placed.order))
  })

  server.get<{ Params: { reference: string } }>(
    '/refunds/:reference',
    { config: { verb: 'refund status' } },
    async (request, reply) => {
      const { reference } = request.params
      const found = isReference(reference) && (await world.findRefund({ key: reference }))
      if (!found) return reply.code(404).send({ error: 'refund_not_found', message: 'There is no such refund.' })
      return showPayout(found)
    },
  )
}

function addLookUpRoutes(server: FastifyInstance, world: World): void {
  server.get<{ Params: { remote_id: string } }>(
    '/transactions/:remote_id',
    { config: { verb: 'transaction' } },
    async (request, reply) => {
      const { remote_id } = request.params
      const found = isReference(remote_id) && (await world.findPayment(remote_id))
      if (!found)
        return reply.code(404).send({ error: 'transaction_not_found', message: 'There is no such transaction.' })
      return showTransaction(found)
    },
  )

  server.get<{ Params: { phonenumber: string } }>(
    '/holders/:phonenumber',
    { config: { verb: 'account holder' } },
    async (request, reply) => {
      const { phonenumber } = request.params
      const holder = world.holder(phonenumber)
      if (holder === 'network_down') return reply.code(503).send(NETWORK_DOWN)
      if (holder === 'not_registered')
        return reply.code(404).send({ error: 'holder_not_found', message: 'This number has no mobile money.' })
      return { phonenumber, name: holder.name }
    },
  )

  server.get<{ Params: { number: string; currency: string } }>(
    '/balances/:number/:currency',
    { config: { verb: 'balance' } },
    async (request, reply) => {
      const { number, currency } = request.params
      if (!isReference(number) || !/^[A-Z]{3}$/.test(currency))
        return reply.code(404).send({ error: 'account_not_found', message: 'There is no such account.' })
      return { number, currency, balance: formatAmount(await world.balance(number, currency)) }
    },
  )
}

function isReference(text: string): boolean {
  return Reference.safeParse(text).success
}

function describeIssues(error: ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
}
