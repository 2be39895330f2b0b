import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Amount, parseAmount } from '../../../lib/money.ts'
import type { JsonObject } from '../../../lib/structured-input.ts'
import type { NewPayout, Placed, RefundRefusal } from '../../world/world.ts'
import { errors, type GsmaError, outcomeOf, refundOutcomeOf } from './codes.ts'
import { type CallHeaders, type Refusal, readBody, sendError, switchesOf } from './gateway.ts'
import { type Change, findObject, keepObject, newReference, readNewCall, sendAccepted } from './objects.ts'
import { type Account, resolveAccount } from './parties.ts'
import { redeemCode } from './resources.ts'
import { ACCOUNT, type GsmaSwitches, type GsmaWorld } from './switches.ts'
import {
  type GsmaOrder,
  isCurrency,
  type OrderDetails,
  PROMPT_S,
  readAmount,
  readParty,
  showRequestState,
  type TransactionType,
  transactionTypes,
} from './wire.ts'

type Answer = Placed<GsmaOrder> | Settled | Refusal

/** Transaction that ends at once and moves nothing in or out of the business account. */
interface Settled {
  settled: JsonObject
}

const verbs: Partial<Record<TransactionType, string>> = {
  merchantpay: 'charge',
  disbursement: 'payout',
  adjustment: 'refund',
}

/** Add transactions of all types, and reversals. */
export function addOrderRoutes(server: FastifyInstance, world: GsmaWorld): void {
  for (const type of transactionTypes)
    server.post(`/transactions/type/${type}`, { config: { verb: verbs[type] ?? 'transfer' } }, (request, reply) =>
      place(request, reply, world, type),
    )
  server.post('/transactions/type/:type', { config: { verb: 'transfer' } }, async (request, reply) =>
    sendError(request, reply, world, errors.type),
  )
  server.post<{ Params: { id: string } }>(
    '/transactions/:id/reversals',
    { config: { verb: 'refund' } },
    async (request, reply) => answer(request, reply, world, await reverse(request, world, request.params.id)),
  )
}

async function place(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld, type: TransactionType) {
  const body = readBody(request)
  const switches = switchesOf(request)
  const call = await readNewCall(request, world)
  const read = 'error' in call ? call : readOrder(call, body, type, switches)
  return answer(
    request,
    reply,
    world,
    'error' in read ? read : await placeTransaction(world, switches, type, body!, read),
  )
}

async function answer(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld, answered: Answer) {
  if ('error' in answered) return sendError(request, reply, world, answered.error, answered.words)
  if ('settled' in answered) return sendAccepted(request, reply, world, changeOf(answered.settled))
  if (answered.outcome === 'not_accepted') return sendError(request, reply, world, errors.down)
  if (answered.outcome === 'conflict' || !answered.first) return sendError(request, reply, world, errors.duplicate)
  if (!answered.answers) return reply.hijack()
  return reply.code(202).send(showRequestState(answered.order, switchesOf(request), world.now()))
}

function changeOf(shown: JsonObject): Change {
  const reference = String(shown.transactionReference)
  return { reference, link: `/transactions/${reference}`, shown }
}

/**
 * Place a transaction. Money of a phone that comes to the business, or of the business that goes to a phone, moves in
 * the simulated world; everything else is settled at once.
 */
export async function placeTransaction(
  world: GsmaWorld,
  switches: GsmaSwitches,
  type: TransactionType,
  body: JsonObject,
  read: OrderParts,
): Promise<Answer> {
  const amount = readAmount(body.amount, switches)
  if (String(body.amount).startsWith('-')) return { error: errors.negative }
  if (amount === undefined) return { error: errors.format, words: 'amount' }
  if (amount === 0n) return { error: { category: 'businessRule', code: 'lessThanTransactionMinValue' } }
  if (amount > MAX_AMOUNT) return { error: errors.too_large }
  if (!isCurrency(body.currency, switches)) return { error: errors.currency }
  const parties = await readParties(world, switches, type, body)
  if ('error' in parties) return parties
  const { debit, credit } = parties
  if (debit?.mandate && !isWithin(debit.mandate, amount)) return { error: errors.mandate }
  if (typeof body.oneTimeCode === 'string' && !(await redeemCode(world, body.oneTimeCode)))
    return { error: errors.unknown_id, words: 'oneTimeCode' }
  const currency = body.currency as string
  if (debit?.phone !== undefined && credit?.phone === undefined) {
    const outcome = outcomeOf(debit.phone) ?? (debit.mandate && ({ ends: 'paid' } as const))
    const order = { ...read, phonenumber: debit.phone, amount, currency, ...(outcome && { outcome }) }
    return world.placeCharge({ ...order, receiver: ACCOUNT.value, prompt_s: PROMPT_S })
  }
  if (credit?.phone !== undefined && debit?.phone === undefined) {
    const outcome = outcomeOf(credit.phone)
    const order = { ...read, phonenumber: credit.phone, amount, currency, ...(outcome && { outcome }) }
    const { original } = read.details as unknown as OrderDetails
    if (type === 'adjustment' && original !== undefined) return refund(world, order, { payment: original, amount })
    return world.placePayout({ ...order, sender: ACCOUNT.value })
  }
  return settle(world, { ...body, type })
}

/** Read both parties. One may be left out where the type says who it is: it is then the account of the business. */
async function readParties(
  world: GsmaWorld,
  switches: GsmaSwitches,
  type: TransactionType,
  body: JsonObject,
): Promise<{ debit: Account | undefined; credit: Account | undefined } | Refusal> {
  const needed = {
    debitParty: !(type === 'disbursement' || type === 'adjustment'),
    creditParty: type !== 'merchantpay',
  }
  const found: { debitParty?: Account; creditParty?: Account } = {}
  for (const name of ['debitParty', 'creditParty'] as const) {
    const identifiers = readParty(body[name])
    if (!identifiers && (needed[name] || body[name] !== undefined)) return { error: errors.missing, words: name }
    const account = identifiers && (await resolveAccount(world, identifiers, switches))
    if (account && 'error' in account) return account
    if (account) found[name] = account
  }
  return { debit: found.debitParty, credit: found.creditParty }
}

function isWithin({ amountLimit }: JsonObject, amount: Amount): boolean {
  return typeof amountLimit !== 'string' || amount <= parseAmount(amountLimit)!
}

/** Keep a transaction that moves nothing in or out of the account of the business. */
async function settle(world: GsmaWorld, body: JsonObject): Promise<Settled> {
  const now = world.now()
  const id = newReference(now)
  const dates = { creationDate: now.toISOString(), modificationDate: now.toISOString() }
  const { completed_word: transactionStatus } = await world.switches()
  const settled = { ...body, transactionReference: id, transactionStatus, ...dates }
  await keepObject(world, 'transactions', id, { account: null, object: settled })
  return { settled }
}

/** Give back a payment: all of it, or a part where an amount is given. */
async function reverse(request: FastifyRequest, world: GsmaWorld, payment: string): Promise<Answer> {
  const body = readBody(request)
  const switches = switchesOf(request)
  const call = await readNewCall(request, world)
  if ('error' in call) return call
  const read = readOrder(call, body && { ...body, originalTransactionReference: payment }, 'reversal', switches)
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
    key,
    remote_id: remote_id!,
    reason,
    payment: wanted.payment,
    ...(reference !== undefined && { reference }),
    ...(callback_url !== undefined && { callback_url }),
    ...(details && { details }),
    ...(wanted.amount !== undefined && { amount: wanted.amount }),
    ...(outcome && { outcome }),
  })
  return placed.outcome === 'impossible' ? { error: impossible[placed.reason] } : placed
}

/** Take back a disbursement, once: the money returns from the customer without a prompt. */
async function takeBack(world: GsmaWorld, order: OrderParts, wanted: WantedRefund): Promise<Answer> {
  const { payment: transaction, partial_reversals } = wanted
  const payout = await world.findPayout({ transaction })
  if (!payout) return reverseSettled(world, transaction)
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

/** Reverse a transaction that was settled at once. */
async function reverseSettled(world: GsmaWorld, id: string): Promise<Answer> {
  const found = await findObject(world, 'transactions', id)
  if (!found) return { error: errors.unknown_id, words: 'the transaction' }
  const { transactionStatus, type, debitParty, creditParty, amount, currency } = found.object
  if (transactionStatus === 'reversed' || type === 'reversal') return { error: errors.state }
  await keepObject(world, 'transactions', id, { ...found, object: { ...found.object, transactionStatus: 'reversed' } })
  const parties = { debitParty: creditParty, creditParty: debitParty }
  return settle(world, { ...parties, amount, currency, type: 'reversal', originalTransactionReference: id })
}

const impossible: Readonly<Record<RefundRefusal, GsmaError>> = {
  payment_not_found: errors.unknown_id,
  payment_reversed: errors.state,
  amount_too_large: errors.too_large,
  wrong_currency: errors.currency,
}

/** Read the fields that all orders share. Only an equal correlation id makes two calls the same order. */
export function readOrder(
  { correlation_id, callback_url }: CallHeaders,
  body: JsonObject | undefined,
  type: OrderDetails['type'],
  { duplicates }: Pick<GsmaSwitches, 'duplicates'>,
): OrderParts | Refusal {
  if (!body) return { error: errors.format, words: 'the content is no JSON object' }
  const { requestingOrganisationTransactionReference: own_reference, descriptionText: description } = body
  const original = body.originalTransactionReference
  const texts = { own_reference, description, original }
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined && !isText(text, name === 'description' ? 160 : 256))
      return { error: { category: 'validation', code: 'lengthError' }, words: name }
  const details: OrderDetails = { type, ...(JSON.parse(JSON.stringify(texts)) as Omit<OrderDetails, 'type'>) }
  return {
    key: correlation_id !== undefined && duplicates === 'refused' ? correlation_id : randomUUID(),
    ...(correlation_id !== undefined && { reference: correlation_id }),
    remote_id: randomUUID(),
    reason: typeof description === 'string' ? description : type,
    ...(callback_url !== undefined && { callback_url }),
    details: { ...details },
  }
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && [...value].length <= max && value.isWellFormed() && !value.includes('\0')
}

/** The simulated world has no more than this: 15 digits and 4 decimals. */
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n
