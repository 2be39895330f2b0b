import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import { countDecimals } from '../../../lib/money.ts'
import type { Charge, NewPayout, Payout, Placed } from '../../world/world.ts'
import { header, sendError, sendNotFound } from './answers.ts'
import { decimalsOf } from './environments.ts'
import { admit, type Caller, type ProductName } from './gateway.ts'
import { callCodes, effectOf, type NumberedOperation, outcomeOf } from './numbers.ts'
import { type MtnWorld, walletOf } from './switches.ts'
import { findUser, UUID_V4 } from './users.ts'
import { ChargeBody, type OrderDetails, PayoutBody, RefundBody, showState } from './wire.ts'

/** Seconds until a prompt expires. It is the only such time that MTN publishes. */
const PROMPT_S = 300

/** Call that places an order, after the checks common to all kinds. */
interface NewCall<Body> {
  caller: Caller
  body: Body
  /** The fields of the order that do not depend on its kind. */
  order: Pick<NewPayout, 'key' | 'amount' | 'currency' | 'reason' | 'callback_url' | 'details' | 'outcome'>
}

/** Kind of order: how to place and query it. */
interface Kind<Body> {
  product: ProductName
  operation: NumberedOperation
  verb: 'charge' | 'payout' | 'refund'
  versions: readonly string[]
  body: z.ZodType<Body & CommonBody>
  /** The test number of an order. */
  numberOf(body: Body): string
  place(world: MtnWorld, call: NewCall<Body>): Promise<Placed<Charge | Payout>>
  find(world: MtnWorld, key: string): Promise<Charge | Payout | undefined>
}

interface CommonBody {
  amount: bigint
  currency: string
  externalId?: string | undefined
  payerMessage: string
  payeeNote: string
}

/** Add requesttopay, transfer, deposit and refund with their status queries. */
export function addOrderRoutes(server: FastifyInstance, world: MtnWorld): void {
  addKind(server, world, charges)
  addKind(server, world, payoutsBy('transfer'))
  addKind(server, world, payoutsBy('deposit'))
  addKind(server, world, refunds)
}

const charges: Kind<z.output<typeof ChargeBody>> = {
  product: 'collection',
  operation: 'requesttopay',
  verb: 'charge',
  versions: ['v1_0'],
  body: ChargeBody,
  numberOf: ({ payer }) => payer.partyId,
  place: (world, { caller, body, order }) =>
    world.placeCharge({
      ...order,
      phonenumber: phoneOf(body.payer.partyId),
      receiver: caller.environment,
      prompt_s: PROMPT_S,
    }),
  find: (world, key) => world.findCharge({ key }),
}

function payoutsBy(operation: 'transfer' | 'deposit'): Kind<z.output<typeof PayoutBody>> {
  return {
    product: 'disbursement',
    operation,
    verb: 'payout',
    versions: operation === 'deposit' ? ['v1_0', 'v2_0'] : ['v1_0'],
    body: PayoutBody,
    numberOf: ({ payee }) => payee.partyId,
    async place(world, { caller, body, order }) {
      const sender = walletOf(await world.switches(), 'disbursement', caller.environment)
      return world.placePayout({ ...order, phonenumber: phoneOf(body.payee.partyId), sender })
    },
    find: (world, key) => world.findPayout({ key }),
  }
}

const refunds: Kind<z.output<typeof RefundBody>> = {
  product: 'disbursement',
  operation: 'refund',
  verb: 'refund',
  versions: ['v1_0', 'v2_0'],
  body: RefundBody,
  numberOf: ({ referenceIdToRefund }) => referenceIdToRefund,
  place: placeRefund,
  find: async (world, key) => (await world.findRefund({ key })) ?? (await world.findPayout({ key })),
}

/** A refund of a charge that was paid. What cannot be refunded fails after it was accepted, as it does at MTN. */
async function placeRefund(world: MtnWorld, { caller, body, order }: NewCall<z.output<typeof RefundBody>>) {
  const charge = order.outcome ? undefined : await world.findCharge({ key: body.referenceIdToRefund.toLowerCase() })
  if (charge?.payment) {
    const placed = await world.placeRefund({ ...order, payment: charge.payment.remote_id })
    if (placed.outcome !== 'impossible') return placed
  }
  const failure = { code: 'TRANSACTION_NOT_FOUND', reason: 'rejected' } as const
  const outcome = order.outcome ?? outcomeOf(failure)
  return world.placePayout({
    ...order,
    outcome,
    phonenumber: charge?.phonenumber ?? NOBODY,
    sender: caller.environment,
  })
}

/** The phone of a refund whose charge does not exist. */
const NOBODY = '+46733123499'

/** Return the phone number of a party. Numbers have no plus sign here; other parties have no phone. */
function phoneOf(party_id: string): string {
  return `+${party_id}`
}

function addKind<Body>(server: FastifyInstance, world: MtnWorld, kind: Kind<Body>): void {
  const { product, operation, verb } = kind
  for (const version of kind.versions)
    server.post(`/${product}/${version}/${operation}`, { config: { verb } }, async (request, reply) => {
      const call = await readCall(request, reply, world, kind)
      if (!call) return reply
      return answerPlaced(reply, await kind.place(world, call))
    })

  server.get<{ Params: { id: string } }>(
    `/${product}/v1_0/${operation}/:id`,
    { config: { verb: `${verb} status` } },
    async (request, reply) => {
      if (!(await admit(request, reply, world, product))) return reply
      const switches = await world.switches()
      const found = await kind.find(world, request.params.id.toLowerCase())
      const is_of_kind = (found?.details as Partial<OrderDetails> | undefined)?.operation === operation
      if (!found || !is_of_kind) return sendNotFound(reply, switches.not_found_code)
      return showState(found, switches)
    },
  )
}

/** The same id is refused, whatever the call asks. */
function answerPlaced(reply: FastifyReply, placed: Placed<Charge | Payout>) {
  if (placed.outcome === 'not_accepted')
    return sendError(reply, 503, 'SERVICE_UNAVAILABLE', 'Service temporarily unavailable.')
  if (placed.outcome === 'conflict' || !placed.first)
    return sendError(reply, 409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
  return placed.answers ? reply.code(202).send() : reply.hijack()
}

/** Check a call that places an order. Undefined when it was refused, and its answer is sent. */
async function readCall<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  world: MtnWorld,
  kind: Kind<Body>,
): Promise<NewCall<Body> | undefined> {
  const caller = await admit(request, reply, world, kind.product)
  if (!caller) return undefined
  const id = header(request, 'x-reference-id') ?? ''
  const is_json = /^application\/json\b/i.test(header(request, 'content-type') ?? '')
  const body = is_json ? kind.body.safeParse(parseJson(request.body as string)).data : undefined
  const number = body && kind.numberOf(body)
  if (
    !UUID_V4.test(id) ||
    !body ||
    countDecimals(body.amount) > decimalsOf(body.currency) ||
    !isNumber(kind, number!)
  ) {
    sendError(reply, 400, undefined, 'Bad request. Invalid data was sent in the request.')
    return undefined
  }
  if (!caller.currencies.includes(body.currency)) {
    sendError(reply, 500, 'INVALID_CURRENCY', 'Currency not supported.')
    return undefined
  }
  const callback_url = header(request, 'x-callback-url')
  if (callback_url !== undefined && !(await isOwnHost(world, caller, callback_url))) {
    sendError(
      reply,
      500,
      'INVALID_CALLBACK_URL_HOST',
      'Callback URL with different host name then configured for API User.',
    )
    return undefined
  }
  const effect = effectOf(kind.operation, number!)
  const { refusals } = await world.switches()
  if (refusals === 'call' && typeof effect === 'object' && callCodes.has(effect.code)) {
    sendError(reply, effect.code === 'SERVICE_UNAVAILABLE' ? 503 : 500, effect.code, 'The call was refused.')
    return undefined
  }
  const details: OrderDetails & { key: string } = {
    key: id.toLowerCase(),
    operation: kind.operation,
    external_id: body.externalId ?? null,
    payer_message: body.payerMessage,
    payee_note: body.payeeNote,
    ...(effect === 'delayed' && { open_status: 'CREATED' }),
  }
  return {
    caller,
    body,
    order: {
      key: id.toLowerCase(),
      amount: body.amount,
      currency: body.currency,
      reason: body.payerMessage,
      ...(callback_url !== undefined && { callback_url }),
      details: { ...details },
      ...(effect && { outcome: outcomeOf(effect) }),
    },
  }
}

/** Return true if the order names a phone in MTN's form. A refund names a charge instead. */
function isNumber({ operation }: Pick<Kind<unknown>, 'operation'>, number: string): boolean {
  return operation === 'refund' || /^[1-9]\d{6,14}$/.test(number)
}

async function isOwnHost(world: MtnWorld, { user }: Caller, callback_url: string): Promise<boolean> {
  if (!URL.canParse(callback_url)) return false
  const host = (await findUser(world, user))?.callback_host
  if (host === undefined) return false
  const { hostname, host: with_port } = new URL(callback_url)
  return host === null || [hostname, with_port].includes(host.toLowerCase())
}
