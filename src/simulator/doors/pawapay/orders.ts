import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJson } from '../../../lib/http/http-call.ts'
import { type Amount, countDecimals } from '../../../lib/money.ts'
import type { Charge, Outcome, Payout, Placed } from '../../world/world.ts'
import { callbackOf } from './callbacks.ts'
import { findFault } from './gateway.ts'
import { outcomeOf, wordsOf } from './numbers.ts'
import { findProvider, limitsOf, type Provider, providers } from './providers.ts'
import {
  type OperationName,
  operationNames,
  operations,
  type PawapaySwitches,
  type PawapayWorld,
  statusOf,
} from './switches.ts'
import { v1 } from './v1.ts'
import { v2 } from './v2.ts'
import { type Form, idOf, type OrderDetails, type WantedOrder } from './wire.ts'

/** Seconds until a prompt expires. */
const PROMPT_S = 300
/** Delay in seconds before an order leaves that arrived while its provider was down. */
const ENQUEUED_S = 600

/** Add deposits, payouts and refunds, their status queries and their actions, in both API versions. */
export function addOrderRoutes(server: FastifyInstance, world: PawapayWorld): void {
  for (const form of [v1, v2]) {
    for (const operation of operationNames) {
      const { verb } = operations[operation]
      const path = `${form.path}/${operation}`
      server.post(path, { config: { verb } }, (request, reply) => place(request, reply, world, form, operation))
      const status = { config: { verb: `${verb} status` } }
      server.get<WithId>(`${path}/:id`, status, async ({ params }) => {
        const found = await find(world, operation, params.id)
        return form.find(found && form.show(found, await world.switches()))
      })
      const resend = { config: { verb: 'resend callback' } }
      const by_body = form === v1
      server.post<WithId>(`${path}/resend-callback${by_body ? '' : '/:id'}`, resend, async ({ params, body }) => {
        const id = by_body ? idOf(operation, parseJson(body as string)) : params.id
        return id === undefined ? form.fail('INVALID_INPUT') : sendAgain(world, form, operation, id)
      })
    }
    const cancel = { config: { verb: 'cancel payout' } }
    server.post<WithId>(`${form.path}/payouts/fail-enqueued/:id`, cancel, ({ params }) =>
      cancelPayout(world, form, params.id),
    )
    addBulkPayouts(server, world, form)
  }
}

type WithId = { Params: { id: string } }

async function sendAgain(world: PawapayWorld, form: Form, operation: OperationName, id: string): Promise<object> {
  const found = await find(world, operation, id)
  if (!found) return form.act(operation, id, 'NOT_FOUND')
  if (found.state === 'pending') return form.act(operation, id, 'INVALID_STATE')
  for (const callback of callbackOf(found, await world.switches(), false)) await world.sendCallback(callback)
  return form.act(operation, found.key, undefined)
}

/** Take a payout from the queue: it fails. */
async function cancelPayout(world: PawapayWorld, form: Form, id: string): Promise<object> {
  const found = await find(world, 'payouts', id)
  if (!found) return form.act('payouts', id, 'NOT_FOUND')
  const code = 'MANUALLY_CANCELLED'
  const is_cancelled =
    (found.details as OrderDetails).is_enqueued === true &&
    (await world.failPayout(found.key, { reason: 'cancelled', code, message: wordsOf(code) }))
  return form.act('payouts', found.key, is_cancelled ? undefined : 'INVALID_STATE')
}

/** Several payouts in one call. Each has its own answer. */
function addBulkPayouts(server: FastifyInstance, world: PawapayWorld, form: Form): void {
  server.post(`${form.path}/payouts/bulk`, { config: { verb: 'payout' } }, async (request, reply) => {
    const switches = await world.switches()
    const fault = findFault(request, 'payouts', switches, world)
    if (fault) return send(reply, form.refuse('payouts', undefined, fault))
    const list = parseJson(request.body as string)
    if (!Array.isArray(list) || list.length > 20) return reply.code(400).send(form.fail('INVALID_INPUT'))
    const answers: object[] = []
    for (const body of list) {
      const answer = await take(world, switches, form, 'payouts', body)
      const is_known = answer !== 'no answer' && answer !== 'down'
      answers.push((is_known ? answer : form.refuse('payouts', body, { code: 'UNKNOWN_ERROR' })).body)
    }
    return answers
  })
}

async function place(
  request: FastifyRequest,
  reply: FastifyReply,
  world: PawapayWorld,
  form: Form,
  operation: OperationName,
) {
  const switches = await world.switches()
  const body = parseJson(request.body as string)
  const fault = findFault(request, operation, switches, world)
  if (fault) return send(reply, form.refuse(operation, body, fault))
  const answer = await take(world, switches, form, operation, body)
  if (answer === 'no answer') return reply.hijack()
  if (answer === 'down') {
    const id = idOf(operation, body)
    return reply.code(500).send(form.fail('UNKNOWN_ERROR', id === undefined ? {} : { [operations[operation].id]: id }))
  }
  return send(reply, answer)
}

interface Answer {
  status: number
  body: object
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}

/** Take an order, or refuse it. The first one under an id stands, whatever the next one says. */
async function take(
  world: PawapayWorld,
  switches: PawapaySwitches,
  form: Form,
  operation: OperationName,
  body: unknown,
): Promise<Answer | 'no answer' | 'down'> {
  const order = form.read(operation, body)
  if ('code' in order) return form.refuse(operation, body, order)
  const earlier = await find(world, operation, order.key)
  if (earlier) return { status: 200, body: form.accept(operation, earlier, 'DUPLICATE_IGNORED') }
  const placed =
    operation === 'refunds'
      ? await placeRefund(world, switches, order)
      : await placeOrder(world, switches, operation, order)
  if (typeof placed === 'string') return form.refuse(operation, body, { code: placed })
  if (placed.outcome === 'not_accepted') return 'down'
  const word = placed.outcome === 'conflict' || !placed.first ? 'DUPLICATE_IGNORED' : 'ACCEPTED'
  if (placed.outcome === 'accepted' && !placed.answers) return 'no answer'
  return { status: 200, body: form.accept(operation, placed.order, word) }
}

/** Place a deposit or a payout. @returns the code of its refusal, or its state */
async function placeOrder(
  world: PawapayWorld,
  switches: PawapaySwitches,
  operation: 'deposits' | 'payouts',
  order: WantedOrder,
): Promise<string | Placed<Charge | Payout>> {
  const [amount, currency] = [order.amount!, order.currency!]
  const { phone, provider: code, country } = order.party!
  const provider = providers.find((one) => one.code === code)
  if (!provider) return 'INVALID_PROVIDER'
  if (country !== undefined && country !== provider.country) return 'INVALID_COUNTRY'
  if (!provider.currencies.includes(currency)) return 'INVALID_CURRENCY'
  // Ported numbers are taken, as long as they are of the country of the provider.
  if (findProvider(phone)?.provider.country !== provider.country) return 'INVALID_PHONE_NUMBER'
  const fault = amountFault(amount, currency)
  if (fault) return fault
  const status = statusOf(switches, code, operation)
  if (status === 'CLOSED') return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  const phonenumber = `+${phone}`
  const shared = { key: order.key, phonenumber, amount, currency, reason: order.reason }
  const known = outcomeOf(operation, phonenumber)
  if (operation === 'deposits') {
    const details = { ...order.details }
    return world.placeCharge({
      ...shared,
      details,
      receiver: provider.country,
      prompt_s: PROMPT_S,
      ...(known && { outcome: known }),
    })
  }
  const outcome = status === 'DELAYED' ? enqueued : (known ?? (await emptyWallet(world, provider, currency, amount)))
  const details = { ...order.details, ...(status === 'DELAYED' && { is_enqueued: true }) }
  return world.placePayout({ ...shared, details, sender: provider.country, ...(outcome && { outcome }) })
}

const enqueued: Outcome = { ends: 'paid', after_s: ENQUEUED_S }

/** A payout of more than the wallet has is taken, and fails. */
async function emptyWallet(
  world: PawapayWorld,
  { country }: Provider,
  currency: string,
  amount: Amount,
): Promise<Outcome | undefined> {
  if ((await world.balance(country, currency)) >= amount) return undefined
  return { ends: 'failed', reason: 'rejected', code: 'PAWAPAY_WALLET_OUT_OF_FUNDS' }
}

function amountFault(amount: Amount, currency: string): string | undefined {
  const { decimals, least, most } = limitsOf(currency)
  if (countDecimals(amount) > decimals) return 'INVALID_AMOUNT'
  return amount < least || amount > most ? 'AMOUNT_OUT_OF_BOUNDS' : undefined
}

/** Place a refund of a deposit: of all that is left, unless it says how much. */
async function placeRefund(
  world: PawapayWorld,
  switches: PawapaySwitches,
  { key, amount, currency, reason, details, deposit: depositId }: WantedOrder,
): Promise<string | Placed<Payout>> {
  const deposit = await world.findCharge({ key: depositId!.toLowerCase() })
  if (!deposit) return 'NOT_FOUND'
  if (!deposit.payment) return 'INVALID_STATE'
  const { payment } = deposit
  if (payment.refunded >= payment.amount) return 'DEPOSIT_ALREADY_REFUNDED'
  if (amount !== undefined && countDecimals(amount) > limitsOf(payment.currency).decimals) return 'INVALID_AMOUNT'
  const status = statusOf(switches, findProvider(deposit.phonenumber)?.provider.code ?? '', 'refunds')
  if (status === 'CLOSED') return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  const placed = await world.placeRefund({
    key,
    reason,
    payment: payment.remote_id,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    details: { ...details, ...(status === 'DELAYED' && { is_enqueued: true }) },
    ...(status === 'DELAYED' && { outcome: enqueued }),
  })
  return placed.outcome === 'impossible' ? impossible[placed.reason] : placed
}

const impossible = {
  payment_not_found: 'NOT_FOUND',
  payment_reversed: 'INVALID_STATE',
  amount_too_large: 'AMOUNT_TOO_LARGE',
  wrong_currency: 'INVALID_CURRENCY',
} as const

async function find(world: PawapayWorld, operation: OperationName, id: string): Promise<Charge | Payout | undefined> {
  const key = id.toLowerCase()
  if (operation === 'deposits') return world.findCharge({ key })
  return operation === 'payouts' ? world.findPayout({ key }) : world.findRefund({ key })
}
