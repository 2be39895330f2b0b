import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { spare } from '../drivers/members.ts'
import { type RawCallback, signedBytes } from '../drivers/raw-callback.ts'
import { secretSetting } from '../drivers/settings.ts'
import { type JsonAnswer, parseJson, unreadableAnswer } from '../lib/http/http-call.ts'
import { getMessage } from '../lib/messages/message.ts'
import { formatAmount, parseAmount } from '../lib/money.ts'
import type { ParsedCallback, ValidationRequest } from './callbacks.ts'
import {
  type AccountHolderLookup,
  type DriverTools,
  defineNetwork,
  failureReasons,
  type Limits,
  type NetworkOperations,
  type NetworkTransaction,
  type OpenedConnection,
  type Order,
  type OrderAnswer,
  type OrderCheck,
  type PartialReversal,
  type Payout,
  type PayoutAnswer,
  type PayoutCheck,
  type Place,
  type Refund,
  type TransactionLookup,
  type UnknownOutcome,
} from './contract.ts'

const TIMEOUT_S = 5

const limits: Limits = { decimals: 4, min: 1n, max: 9_999_999_999_999_999_999n }
/** The limits of a payout in the test currency: 10 to 5,000,000. */
const testPayoutLimits: Limits = { ...limits, min: 100_000n, max: 50_000_000_000n }

/** The countries whose currencies the sandbox has, and the test country `XX`. */
const COUNTRIES = [
  { iso: 'XX', phones: /^\+800\d{8}$/ },
  { iso: 'UG', phones: /^\+256\d{9}$/ },
  { iso: 'KE', phones: /^\+254\d{9}$/ },
  { iso: 'NG', phones: /^\+234\d{10}$/ },
]

/** Each country with its phones, and a catch-all. Payouts in the test currency have their tools limits. */
const PLACES: Place[] = [...COUNTRIES, { iso: null, phones: /^\+/ }].flatMap(({ iso: country, phones }) => [
  { country, currency: 'BXC', limits, payout_limits: testPayoutLimits, phones },
  { country, currency: null, limits, phones },
])

/**
 * The simulated network of the sandbox. We call it over HTTP like any other: `POST /orders`, `GET /orders/:reference`,
 * `GET /transactions/:remote_id`, `POST /payouts`, `GET /payouts/:reference`, `POST /refunds`, `GET /refunds/:reference`,
 * `GET /holders/:phonenumber`. It signs its callbacks with `x-sandbox-signature`, hexadecimal HMAC-SHA256 over the raw body,
 * so a signed callback counts at once.
 */
export const sandbox = defineNetwork({
  code: 'sandbox',
  name: 'Sandbox Network',
  settings: z.object({
    secret: secretSetting(z.string().min(16), {
      title: 'Secret',
      help: 'Authenticates our calls to the simulated network, and signs its callbacks to us.',
    }),
  }),
  environments: { sandbox: { title: 'Sandbox', live: false, hosts: { api: 'http://127.0.0.1:4400/sandbox' } } },
  places: PLACES,
  airtime: true,
  traits: {
    reference: 'uuid-v4',
    repeat: 'same-answer',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    in_flight_s: TIMEOUT_S,
    prompt_s: 300,
    call_s: TIMEOUT_S,
    callbacks: 'signed',
  },
  open(connection, opening): NetworkOperations {
    const wire = (tools: DriverTools): Wire => ({ connection, tools })
    const { secret } = connection.settings
    return {
      charge: (order, tools) => placeOrder(wire(tools), order, true),
      registerExpectedPayment: (order, tools) => placeOrder(wire(tools), order, false),
      chargeStatus: (order, tools) => checkOrder(wire(tools), order),
      payout: (payout, tools) => sendMoney(wire(tools), payout),
      payoutStatus: (payout, tools) => checkPayout(wire(tools), payout, '/payouts', 'payout'),
      refund: (refund, tools) => giveBack(wire(tools), refund),
      refundStatus: (refund, tools) => checkPayout(wire(tools), refund, '/refunds', 'refund'),
      transaction: ({ remote_id }, tools) => findTransaction(wire(tools), remote_id),
      accountHolder: (phonenumber, tools) => lookUpAccountHolder(wire(tools), phonenumber),
      readCallback: (callback) => readCallback(secret, callback, opening.now()),
      callbackReply: () => ({ status: 200, content_type: 'application/json', body: '{"status":"received"}' }),
      readValidation: (callback) => readValidationRequest(secret, callback),
      answerValidation: (verdict, reason) => ({
        status: 200,
        content_type: 'application/json',
        body: JSON.stringify({ verdict, reason }),
      }),
    }
  },
})

/** Connection details for the simulated network. */
interface Wire {
  connection: OpenedConnection<{ secret: string }>
  tools: DriverTools
}

/**
 * Place an order. Only a 400 proves that the network does not accept it. With any other status, an earlier call without
 * an answer may have placed it.
 */
async function placeOrder(wire: Wire, order: Order, prompt: boolean): Promise<OrderAnswer> {
  const { reference, receiver, phonenumber, currency, reason } = order
  const body = { reference, receiver, phonenumber, amount: formatAmount(order.amount), currency, reason, prompt }
  const reply = await callNetwork(wire, 'charge', 'POST', '/orders', body)
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.data?.error === 'invalid_order')
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message }
  return reply.status === 202 ? readOrder(reply, reference) : unreadableAnswer(CALLEE, reply)
}

async function checkOrder(wire: Wire, order: Order): Promise<OrderCheck> {
  const reply = await callNetwork(wire, 'charge status', 'GET', `/orders/${encodeURIComponent(order.reference)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'order_not_found')) return { outcome: 'not_found' }
  return reply.status === 200 ? readOrder(reply, order.reference) : unreadableAnswer(CALLEE, reply)
}

/** Send money. As for orders, only a 400 proves that nothing was or will be sent. */
async function sendMoney(wire: Wire, payout: Payout): Promise<PayoutAnswer> {
  const { reference, kind, sender, phonenumber, currency, reason } = payout
  const body = { reference, kind, sender, phonenumber, amount: formatAmount(payout.amount), currency, reason }
  const reply = await callNetwork(wire, 'payout', 'POST', '/payouts', body)
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.data?.error === 'invalid_payout')
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message }
  return reply.status === 202 ? readPayout(reply, reference) : unreadableAnswer(CALLEE, reply)
}

/** Of the answers to a refund only a 400 says for certain that no money goes back. */
async function giveBack(wire: Wire, refund: Refund): Promise<PayoutAnswer> {
  const { reference, currency, reason, charge } = refund
  const body = { reference, transaction: charge.transaction, amount: formatAmount(refund.amount), currency, reason }
  const reply = await callNetwork(wire, 'refund', 'POST', '/refunds', body)
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.success)
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message, code: refusal.data.error }
  return reply.status === 202 ? readPayout(reply, reference) : unreadableAnswer(CALLEE, reply)
}

async function checkPayout(
  wire: Wire,
  { reference }: { reference: string },
  path: '/payouts' | '/refunds',
  kind: 'payout' | 'refund',
): Promise<PayoutCheck> {
  const reply = await callNetwork(wire, `${kind} status`, 'GET', `${path}/${encodeURIComponent(reference)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, `${kind}_not_found`)) return { outcome: 'not_found' }
  return reply.status === 200 ? readPayout(reply, reference) : unreadableAnswer(CALLEE, reply)
}

async function findTransaction(wire: Wire, remote_id: string): Promise<TransactionLookup> {
  // The id may come from an unsigned callback. An id of another form cannot be a payment of this network.
  if (!RemoteId.safeParse(remote_id).success) return { outcome: 'not_found' }
  const reply = await callNetwork(wire, 'transaction', 'GET', `/transactions/${encodeURIComponent(remote_id)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'transaction_not_found')) return { outcome: 'not_found' }
  const receipt = Transaction.safeParse(reply.body)
  if (reply.status !== 200 || receipt.data?.remote_id !== remote_id) return unreadableAnswer(CALLEE, reply)
  return { outcome: 'found', receipt: toReceipt(receipt.data, wire.tools.now()) }
}

async function lookUpAccountHolder(wire: Wire, phonenumber: string): Promise<AccountHolderLookup> {
  const reply = await callNetwork(wire, 'account holder', 'GET', `/holders/${encodeURIComponent(phonenumber)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'holder_not_found')) return { outcome: 'not_found' }
  const holder = HolderBody.safeParse(reply.body)
  if (reply.status !== 200 || holder.data?.phonenumber !== phonenumber) return unreadableAnswer(CALLEE, reply)
  return { outcome: 'found', name: holder.data.name }
}

function readCallback(secret: string, callback: RawCallback, now: Date): ParsedCallback {
  const parsed = CallbackBody.safeParse(parseJson(callback.body))
  const verified = isSigned(secret, callback)
  if (!parsed.success)
    return { subject: 'unrecognized', message: getMessage('networks.not_callback_sandbox'), verified }
  if (parsed.data.event === 'order.failed') {
    const { reference } = parsed.data.order
    const answer: OrderAnswer = verified
      ? toOrderAnswer(parsed.data.order)
      : { outcome: 'unknown', message: getMessage('callbacks.callback_not_signed') }
    return { subject: 'order', order: { reference }, verified, answer }
  }
  if ('payout' in parsed.data) {
    const { payout } = parsed.data
    const answer: PayoutAnswer = verified
      ? toPayoutAnswer(payout)
      : { outcome: 'unknown', message: getMessage('callbacks.callback_not_signed') }
    return { subject: 'order', order: { reference: payout.reference }, verified, answer }
  }
  const receipt = toReceipt(parsed.data.transaction, now)
  return { subject: 'transaction', remote_id: receipt.remote_id, verified, receipt: verified ? receipt : null }
}

/** Convert a transaction. An unreadable date must not lose the money. */
function toReceipt({ paid_at, ...transaction }: z.infer<typeof Transaction>, now: Date): NetworkTransaction {
  return { ...transaction, paid_at: paid_at ?? now }
}

/** The network signs its validation requests as it signs its callbacks. */
function readValidationRequest(secret: string, callback: RawCallback): ValidationRequest | undefined {
  const parsed = ValidationBody.safeParse(parseJson(callback.body))
  return parsed.success && isSigned(secret, callback) ? parsed.data.offer : undefined
}

const amount = z.string().transform((text, context) => {
  const sum = text.length > 40 ? undefined : parseAmount(text)
  if (sum !== undefined && sum > 0n) return sum
  context.addIssue('must be an amount above zero')
  return z.NEVER
})

const RemoteId = z.string().regex(/^[A-Z0-9]{1,100}$/)

const Reversal = z.object({ remote_id: RemoteId, amount }) satisfies z.ZodType<PartialReversal>

/** Transaction of the network. The customer, the typed text and the date decide nothing about the money. */
const Transaction = z.object({
  remote_id: RemoteId,
  status: z.enum(['successful', 'reversed']),
  receiver: z.string(),
  phonenumber: z.string().catch(''),
  amount,
  reversals: z.array(Reversal).default([]),
  currency: z.string(),
  order_reference: z.string().nullable(),
  reference: z.string().nullable().catch(null),
  name: z.string().nullable().catch(null),
  paid_at: spare(z.iso.datetime().transform((text) => new Date(text))),
})

/** Failure for an unlisted reason, which is still a failure. */
const NO_REASON = { reason: 'rejected', message: getMessage('networks.no_reason') } as const
const Failure = z
  .object({ reason: z.enum(failureReasons).catch('rejected'), message: z.string().catch(NO_REASON.message) })
  .catch(NO_REASON)

const OrderState = z.discriminatedUnion('state', [
  z.object({ reference: z.string(), state: z.literal('pending'), remote_id: RemoteId }),
  z.object({ reference: z.string(), state: z.literal('paid'), transaction: Transaction }),
  z.object({ reference: z.string(), state: z.literal('failed'), failure: Failure }),
])

const PayoutState = z.discriminatedUnion('state', [
  z.object({ reference: z.string(), state: z.literal('pending'), remote_id: RemoteId }),
  z.object({
    reference: z.string(),
    state: z.literal('paid'),
    transaction: RemoteId,
    amount,
    reversals: z.array(Reversal).default([]),
  }),
  z.object({ reference: z.string(), state: z.literal('failed'), failure: Failure }),
  z.object({ reference: z.string(), state: z.literal('taken_back') }),
])

const CallbackBody = z.discriminatedUnion('event', [
  z.object({ event: z.enum(['payment.received', 'payment.reversed']), transaction: Transaction }),
  z.object({ event: z.literal('order.failed'), order: OrderState }),
  z.object({ event: z.enum(['payout.ended', 'payout.taken_back']), payout: PayoutState }),
])

const HolderBody = z.object({ phonenumber: z.string(), name: z.string().nullable().catch(null) })

const ValidationBody = z.object({
  event: z.literal('payment.offered'),
  offer: Transaction.pick({
    remote_id: true,
    receiver: true,
    phonenumber: true,
    amount: true,
    currency: true,
    reference: true,
  }) satisfies z.ZodType<ValidationRequest>,
})

const ErrorBody = z.object({ error: z.string(), message: z.string().catch(NO_REASON.message) })

const CALLEE = 'network'

/** A 404 means "not found" only with the network's tools error code: a wrong URL answers 404 as well. */
function isNotFound(reply: JsonAnswer, error: string): boolean {
  return reply.status === 404 && ErrorBody.safeParse(reply.body).data?.error === error
}

function readOrder(reply: JsonAnswer, reference: string): OrderAnswer {
  const order = OrderState.safeParse(reply.body)
  return order.data?.reference === reference ? toOrderAnswer(order.data) : unreadableAnswer(CALLEE, reply)
}

function toOrderAnswer(order: z.infer<typeof OrderState>): OrderAnswer {
  if (order.state === 'pending') return { outcome: 'accepted', remote_id: order.remote_id }
  if (order.state === 'failed') return { outcome: 'failed', ...order.failure }
  const { remote_id, amount, name, paid_at } = order.transaction
  return { outcome: 'successful', remote_id, amount, ...(paid_at && { paid_at }), ...(name === null ? {} : { name }) }
}

function readPayout(reply: JsonAnswer, reference: string): PayoutAnswer {
  const payout = PayoutState.safeParse(reply.body)
  return payout.data?.reference === reference ? toPayoutAnswer(payout.data) : unreadableAnswer(CALLEE, reply)
}

function toPayoutAnswer(payout: z.infer<typeof PayoutState>): PayoutAnswer {
  if (payout.state === 'pending') return { outcome: 'accepted', remote_id: payout.remote_id }
  if (payout.state === 'taken_back') return { outcome: 'reversed', message: getMessage('networks.taken_back') }
  if (payout.state === 'failed') return { outcome: 'failed', ...payout.failure }
  const { transaction: remote_id, amount, reversals } = payout
  return { outcome: 'successful', remote_id, amount, ...(reversals.length > 0 && { reversals }) }
}

async function callNetwork(
  { connection, tools }: Wire,
  verb: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<JsonAnswer | UnknownOutcome> {
  const answer = await tools.http({
    verb,
    method,
    url: connection.hosts.api + path,
    headers: {
      authorization: `Bearer ${connection.settings.secret}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  if (answer.outcome === 'unknown') return answer
  if (answer.incomplete !== null) return { outcome: 'unknown', message: answer.incomplete }
  return { outcome: 'answered', status: answer.status, body: parseJson(answer.text) }
}

function isSigned(secret: string, callback: RawCallback): boolean {
  const given = Buffer.from(callback.headers['x-sandbox-signature'] ?? '')
  const expected = Buffer.from(createHmac('sha256', secret).update(signedBytes(callback)).digest('hex'))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
