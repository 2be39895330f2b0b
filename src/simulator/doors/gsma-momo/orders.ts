import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Amount } from '../../../lib/money.ts'
import type { JsonObject } from '../../../lib/structured-input.ts'
import type { NewPayout, Placed, RefundRefusal } from '../../world/world.ts'
import { errors, type GsmaError, outcomeOf, refundOutcomeOf, refusalOf } from './codes.ts'
import { header, readBody, sendError, switchesOf } from './gateway.ts'
import { ACCOUNT, type GsmaSwitches, type GsmaWorld } from './switches.ts'
import { type GsmaOrder, type OrderDetails, PROMPT_S, readAmount, readParty, showRequestState } from './wire.ts'

type Type = OrderDetails['type']
type Answer = Placed<GsmaOrder> | { error: GsmaError; words?: string }

/** Adds merchant payments, disbursements, adjustments and reversals. */
export function addOrderRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const verbs = { merchantpay: 'charge', disbursement: 'payout', adjustment: 'refund' } as const
  for (const type of Object.keys(verbs) as (keyof typeof verbs)[])
    server.post(`/transactions/type/${type}`, { config: { verb: verbs[type] } }, async (request, reply) =>
      answer(request, reply, world, await place(request, world, type)),
    )
  server.post('/transactions/type/:type', { config: { verb: 'transaction' } }, async (request, reply) =>
    sendError(request, reply, world, errors.type),
  )
  server.post<{ Params: { id: string } }>(
    '/transactions/:id/reversals',
    { config: { verb: 'refund' } },
    async (request, reply) => answer(request, reply, world, await reverse(request, world, request.params.id)),
  )
}

function answer(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld, answered: Answer) {
  if ('error' in answered) return sendError(request, reply, world, answered.error, answered.words)
  if (answered.outcome === 'not_accepted') return sendError(request, reply, world, errors.down)
  if (answered.outcome === 'conflict' || !answered.first) return sendError(request, reply, world, errors.duplicate)
  if (!answered.answers) return reply.hijack()
  return reply.code(202).send(showRequestState(answered.order, switchesOf(request), world.now()))
}

/** A transaction to or from a phone. */
async function place(request: FastifyRequest, world: GsmaWorld, type: Exclude<Type, 'reversal'>): Promise<Answer> {
  const body = readBody(request)
  const switches = switchesOf(request)
  const read = body ? readOrder(request, body, type) : { error: errors.format, words: 'the content is no JSON object' }
  if ('error' in read) return read
  const [debit, credit] = [readParty(body!, 'debitParty'), readParty(body!, 'creditParty')]
  const [ours, theirs] = type === 'merchantpay' ? [credit, debit] : [debit, credit]
  const amount = readAmount(body!.amount, switches)
  if (String(body!.amount).startsWith('-')) return { error: errors.negative }
  if (amount === undefined) return { error: errors.format, words: 'amount' }
  if (amount === 0n) return { error: { category: 'businessRule', code: 'lessThanTransactionMinValue' } }
  if (amount > MAX_AMOUNT) return { error: errors.too_large }
  if (body!.currency !== switches.currency) return { error: errors.currency }
  if (!theirs) return { error: errors.missing, words: type === 'merchantpay' ? 'debitParty' : 'creditParty' }
  // The account may be left out: it is then the one of the application.
  if (ours && !ours.some(({ key, value }) => key === ACCOUNT.key && value === ACCOUNT.value))
    return { error: errors.unknown_id, words: 'the account of the business' }
  const phone = readPhone(theirs.find(({ key }) => key === 'msisdn')?.value, switches)
  if (phone === undefined) return { error: errors.format, words: 'msisdn' }
  const refused = refusalOf(phone)
  if (refused) return { error: refused }
  const outcome = outcomeOf(phone)
  const order = { ...read, phonenumber: phone, amount, currency: switches.currency, ...(outcome && { outcome }) }
  if (type === 'merchantpay') return world.placeCharge({ ...order, receiver: ACCOUNT.value, prompt_s: PROMPT_S })
  const { original } = read.details as unknown as OrderDetails
  if (type === 'adjustment' && original !== undefined) return refund(world, order, { payment: original, amount })
  return world.placePayout({ ...order, sender: ACCOUNT.value })
}

/** Gives back a payment: all of it, or a part where an amount is given. */
async function reverse(request: FastifyRequest, world: GsmaWorld, payment: string): Promise<Answer> {
  const body = readBody(request)
  const switches = switchesOf(request)
  const read = body
    ? readOrder(request, { ...body, originalTransactionReference: payment }, 'reversal')
    : { error: errors.format, words: 'the content is no JSON object' }
  if ('error' in read) return read
  if (body!.type !== 'reversal' && body!.type !== 'adjustment') return { error: errors.missing, words: 'type' }
  const amount = body!.amount === undefined ? undefined : readAmount(body!.amount, switches)
  if (body!.amount !== undefined && !amount) return { error: errors.format, words: 'amount' }
  return refund(world, read, { payment, amount, partial_reversals: switches.partial_reversals })
}

type OrderParts = Pick<NewPayout, 'key' | 'reference' | 'remote_id' | 'reason' | 'callback_url' | 'details'>

interface WantedRefund {
  payment: string
  amount: bigint | undefined
  partial_reversals?: boolean
}

async function refund(world: GsmaWorld, order: OrderParts, wanted: WantedRefund): Promise<Answer> {
  const { key, reference, remote_id, reason, callback_url, details } = order
  const payment = await world.findPayment(wanted.payment)
  if (!payment) return takeBack(world, order, wanted)
  if (wanted.partial_reversals === false && wanted.amount !== undefined && wanted.amount !== payment.amount)
    return { error: errors.generic, words: 'only whole payments can be reversed' }
  const outcome = refundOutcomeOf(payment.phonenumber)
  const placed = await world.placeRefund({
    ...{ key, remote_id: remote_id!, reason, payment: wanted.payment },
    ...(reference !== undefined && { reference }),
    ...(callback_url !== undefined && { callback_url }),
    ...(details && { details }),
    ...(wanted.amount !== undefined && { amount: wanted.amount }),
    ...(outcome && { outcome }),
  })
  return placed.outcome === 'impossible' ? { error: impossible[placed.reason] } : placed
}

/** Takes back a disbursement, once: the money returns from the customer without a prompt. */
async function takeBack(world: GsmaWorld, order: OrderParts, wanted: WantedRefund): Promise<Answer> {
  const { payment: transaction, partial_reversals } = wanted
  const payout = await world.findPayout({ transaction })
  if (!payout) return { error: errors.unknown_id, words: 'the transaction' }
  const { amount = payout.amount } = wanted
  if (partial_reversals === false && amount !== payout.amount)
    return { error: errors.generic, words: 'only whole payments can be reversed' }
  if (amount > payout.amount) return { error: errors.too_large }
  const name = `reversal of ${transaction}`
  const earlier = await world.recall(name)
  if (payout.state !== 'paid' || (earlier !== undefined && earlier !== order.key)) return { error: errors.state }
  await world.remember(name, order.key)
  const { phonenumber, currency } = payout
  const outcome = { ends: 'paid', after_s: 1 } as const
  return world.placeCharge({ ...order, phonenumber, amount, currency, receiver: ACCOUNT.value, outcome })
}

const impossible: Readonly<Record<RefundRefusal, GsmaError>> = {
  payment_not_found: errors.unknown_id,
  payment_reversed: errors.state,
  amount_too_large: errors.too_large,
  wrong_currency: errors.currency,
}

/** What all orders have. The correlation id is the only thing that makes two calls the same order. */
function readOrder(
  request: FastifyRequest,
  body: JsonObject,
  type: Type,
): OrderParts | { error: GsmaError; words: string } {
  const correlation_id = header(request, 'x-correlationid')
  const callback_url = header(request, 'x-callback-url')
  const { requestingOrganisationTransactionReference: own_reference, descriptionText: description } = body
  const original = body.originalTransactionReference
  if (correlation_id !== undefined && !UUID.test(correlation_id))
    return { error: errors.format, words: 'X-CorrelationID' }
  if (callback_url !== undefined && !URL.canParse(callback_url))
    return { error: errors.format, words: 'X-Callback-URL' }
  const texts = { own_reference, description, original }
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined && !isText(text, name === 'description' ? 160 : 256))
      return { error: { category: 'validation', code: 'lengthError' }, words: name }
  const is_idempotent = correlation_id !== undefined && switchesOf(request).duplicates === 'refused'
  const details: OrderDetails = { type, ...(JSON.parse(JSON.stringify(texts)) as Omit<OrderDetails, 'type'>) }
  return {
    key: is_idempotent ? correlation_id.toLowerCase() : randomUUID(),
    ...(correlation_id !== undefined && { reference: correlation_id.toLowerCase() }),
    remote_id: randomUUID(),
    reason: typeof description === 'string' ? description : type,
    ...(callback_url !== undefined && { callback_url }),
    details: { ...details },
  }
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && [...value].length <= max && value.isWellFormed() && !value.includes('\0')
}

/** The phone (E.164) of an identifier; undefined where it is none, or not in the form that is taken. */
export function readPhone(value: unknown, { phones_taken }: Pick<GsmaSwitches, 'phones_taken'>): string | undefined {
  if (typeof value !== 'string' || !/^\+?[1-9]\d{5,14}$/.test(value)) return undefined
  const is_plus = value.startsWith('+')
  if (phones_taken !== 'any' && is_plus !== (phones_taken === 'plus')) return undefined
  return is_plus ? value : `+${value}`
}

/** The simulated world has no more than this: 15 digits and 4 decimals. */
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
