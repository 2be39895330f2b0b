import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import { type Amount, countDecimals } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import type { Charge, Outcome, Payout, Placed } from '../../world/world.ts'
import { failure, refusal, refuseOrder } from './gateway.ts'
import { outcomeOf } from './numbers.ts'
import { findProvider, limitsOf, type Provider, providers } from './providers.ts'
import {
  type OperationName,
  operationNames,
  operations,
  type PawapaySwitches,
  type PawapayWorld,
  statusOf,
} from './switches.ts'
import {
  callbackOf,
  Deposit,
  faultOf,
  joinMetadata,
  type OrderDetails,
  PayoutBody,
  Refund,
  showDate,
  showOrder,
} from './wire.ts'

/** How long a prompt stays on the phone. */
const PROMPT_S = 300
/** When an order goes out that came while its provider was down. */
const ENQUEUED_S = 600

/** Adds deposits, payouts and refunds, the questions about them, and the callbacks that are asked for again. */
export function addOrderRoutes(server: FastifyInstance, world: PawapayWorld): void {
  for (const operation of operationNames) {
    const { verb } = operations[operation]
    server.post(`/v2/${operation}`, { config: { verb } }, (request, reply) => place(request, reply, world, operation))

    const status = { config: { verb: `${verb} status` } }
    server.get<{ Params: { id: string } }>(`/v2/${operation}/:id`, status, async (request) => {
      const found = await find(world, operation, request.params.id)
      return found ? { status: 'FOUND', data: showOrder(found, await world.switches()) } : { status: 'NOT_FOUND' }
    })

    const resend = { config: { verb: 'resend callback' } }
    server.post<{ Params: { id: string } }>(`/v2/${operation}/resend-callback/:id`, resend, async (request) => {
      const { id } = request.params
      const found = await find(world, operation, id)
      if (!found) return refusal(operation, id, 'NOT_FOUND')
      if (found.state === 'pending') return refusal(operation, id, 'INVALID_STATE')
      for (const callback of callbackOf(found, await world.switches(), false)) await world.sendCallback(callback)
      return { [operations[operation].id]: found.key, status: 'ACCEPTED' }
    })
  }
  addBulkPayouts(server, world)
}

/** Several payouts in one call. Each has its own answer. */
function addBulkPayouts(server: FastifyInstance, world: PawapayWorld): void {
  server.post('/v2/payouts/bulk', { config: { verb: 'payout' } }, async (request, reply) => {
    const switches = await world.switches()
    const refused = refuseOrder(request, reply, { operation: 'payouts', id: undefined, switches, world })
    if (refused) return refused
    const list = parseJson(request.body as string)
    if (!Array.isArray(list) || list.length > 20) return reply.code(400).send(failure('INVALID_INPUT'))
    const answers: object[] = []
    for (const body of list) {
      const answer = await take(world, switches, 'payouts', body)
      answers.push(
        answer === 'no answer' || answer === 'down'
          ? refusal('payouts', idOf('payouts', body), 'UNKNOWN_ERROR')
          : answer.body,
      )
    }
    return answers
  })
}

async function place(request: FastifyRequest, reply: FastifyReply, world: PawapayWorld, operation: OperationName) {
  const switches = await world.switches()
  const body = parseJson(request.body as string)
  const id = idOf(operation, body)
  const refused = refuseOrder(request, reply, { operation, id, switches, world })
  if (refused) return refused
  const answer = await take(world, switches, operation, body)
  if (answer === 'no answer') return reply.hijack()
  if (answer === 'down')
    return reply.code(500).send({ ...(id && { [operations[operation].id]: id }), ...failure('UNKNOWN_ERROR') })
  return reply.code(answer.status).send(answer.body)
}

function idOf(operation: OperationName, body: unknown): string | undefined {
  const id = isObject(body) ? body[operations[operation].id] : undefined
  return typeof id === 'string' ? id : undefined
}

type Answer = { status: number; body: object } | 'no answer' | 'down'

/** An order that was read, before it is placed. */
interface Order {
  key: string
  amount: Amount | undefined
  currency: string | undefined
  reason: string
  details: OrderDetails
}

/** Takes an order, or refuses it. The first one under an id stands, whatever the next one says. */
async function take(
  world: PawapayWorld,
  switches: PawapaySwitches,
  operation: OperationName,
  body: unknown,
): Promise<Answer> {
  const schema: z.ZodType = { deposits: Deposit, payouts: PayoutBody, refunds: Refund }[operation]
  const parsed = schema.safeParse(body)
  const refuse = (code: string, status = 200, words?: string) => ({
    status,
    body: refusal(operation, idOf(operation, body), code, words),
  })
  if (!parsed.success) {
    const { code, words } = faultOf(body, parsed.error)
    return refuse(code, 400, words)
  }
  const { clientReferenceId, customerMessage, metadata = [] } = parsed.data as z.output<typeof Deposit>
  const joined = joinMetadata(metadata)
  if (!joined) return refuse('DUPLICATE_METADATA_FIELD', 400)
  const key = idOf(operation, body)!.toLowerCase()
  const earlier = await find(world, operation, key)
  if (earlier) return { status: 200, body: accepted(operation, earlier, 'DUPLICATE_IGNORED') }
  const { amount, currency } = parsed.data as z.output<typeof Refund>
  const order: Order = {
    ...{ key, amount, currency, reason: customerMessage ?? 'Kusanya' },
    details: {
      ...(clientReferenceId !== undefined && { clientReferenceId }),
      ...(customerMessage !== undefined && { customerMessage }),
      ...(metadata.length > 0 && { metadata: joined }),
    },
  }
  const placed =
    operation === 'refunds'
      ? await placeRefund(world, switches, order, parsed.data as z.output<typeof Refund>)
      : await placeOrder(world, switches, operation, order, partyIn(parsed.data))
  if (typeof placed === 'string') return refuse(placed)
  if (placed.outcome === 'not_accepted') return 'down'
  const word = placed.outcome === 'conflict' || !placed.first ? 'DUPLICATE_IGNORED' : 'ACCEPTED'
  if (placed.outcome === 'accepted' && !placed.answers) return 'no answer'
  return { status: 200, body: accepted(operation, placed.order, word) }
}

type Party = z.output<typeof Deposit>['payer']['accountDetails']

function partyIn(data: unknown): Party {
  const { payer, recipient } = data as { payer?: { accountDetails: Party }; recipient?: { accountDetails: Party } }
  return (payer ?? recipient)!.accountDetails
}

function accepted(operation: OperationName, order: Charge | Payout, status: string) {
  const next = operation === 'deposits' ? { nextStep: 'FINAL_STATUS' } : {}
  return { [operations[operation].id]: order.key, status, ...next, created: showDate(order.created) }
}

/** Places a deposit or a payout. @returns the code with which it is refused, or what became of it */
async function placeOrder(
  world: PawapayWorld,
  switches: PawapaySwitches,
  operation: 'deposits' | 'payouts',
  order: Order,
  { phoneNumber, provider: code }: Party,
): Promise<string | Placed<Charge | Payout>> {
  const [amount, currency] = [order.amount!, order.currency!]
  const provider = providers.find((one) => one.code === code)
  if (!provider) return 'INVALID_PROVIDER'
  if (!provider.currencies.includes(currency)) return 'INVALID_CURRENCY'
  // Ported numbers are taken, as long as they are of the country of the provider.
  if (findProvider(phoneNumber)?.provider.country !== provider.country) return 'INVALID_PHONE_NUMBER'
  const fault = amountFault(amount, currency)
  if (fault) return fault
  const status = statusOf(switches, code, operation)
  if (status === 'CLOSED') return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  const phonenumber = `+${phoneNumber}`
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

/** Places a refund of a deposit: of all that is left, unless it says how much. */
async function placeRefund(
  world: PawapayWorld,
  switches: PawapaySwitches,
  { key, amount, currency, reason, details }: Order,
  { depositId }: z.output<typeof Refund>,
): Promise<string | Placed<Payout>> {
  const deposit = await world.findCharge({ key: depositId.toLowerCase() })
  if (!deposit) return 'NOT_FOUND'
  if (!deposit.payment) return 'INVALID_STATE'
  const { payment } = deposit
  if (payment.refunded >= payment.amount) return 'DEPOSIT_ALREADY_REFUNDED'
  if (amount !== undefined && countDecimals(amount) > limitsOf(payment.currency).decimals) return 'INVALID_AMOUNT'
  const status = statusOf(switches, findProvider(deposit.phonenumber)?.provider.code ?? '', 'refunds')
  if (status === 'CLOSED') return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  const placed = await world.placeRefund({
    ...{ key, reason, payment: payment.remote_id },
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
