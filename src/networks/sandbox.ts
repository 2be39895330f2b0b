import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { callJson, type JsonAnswer, parseJson, unreadableAnswer } from '../lib/http/http-call.ts'
import { formatAmount, parseAmount } from '../lib/money.ts'
import {
  type AccountHolderLookup,
  failureReasons,
  type Limits,
  type Network,
  type NetworkTransaction,
  type Order,
  type OrderAnswer,
  type OrderCheck,
  type ParsedCallback,
  type PartialReversal,
  type Payout,
  type PayoutAnswer,
  type PayoutCheck,
  type RawCallback,
  signedBytes,
  type TransactionLookup,
  type ValidationRequest,
} from './network.ts'

export interface SandboxNetworkOptions {
  /** The base URL of the simulated network. Read at every call, because it is known only once the network listens. */
  url(): string
  /** Authenticates our calls to the network, and signs its callbacks to us. */
  secret: string
  /** How long the network may take to answer. */
  timeout_ms?: number
}

const TIMEOUT_MS = 5_000
/** A call that takes longer is given up. */
const IN_FLIGHT_S = TIMEOUT_MS / 1_000

/**
 * The simulated network of the sandbox. We call it over HTTP like any other: `POST /orders`, `GET /orders/:reference`,
 * `GET /transactions/:remote_id`, `POST /payouts`, `GET /payouts/:reference`, `GET /holders/:phonenumber`. It signs its
 * callbacks with `x-sandbox-signature`, hexadecimal HMAC-SHA256 over the raw body, so a signed callback counts at once.
 */
export function createSandboxNetwork(options: SandboxNetworkOptions): Network {
  return {
    code: 'sandbox',
    name: 'Sandbox Network',
    limits,
    serves: () => true,
    countries: COUNTRIES,
    callbackReply: { content_type: 'application/json', body: '{"status":"received"}' },
    requestMoney: (order) => placeOrder(options, order, true),
    registerExpectedPayment: (order) => placeOrder(options, order, false),
    checkOrder: (order) => checkOrder(options, order),
    in_flight_s: IN_FLIGHT_S,
    payoutLimits: (currency) => (currency === 'BXC' ? testPayoutLimits : limits),
    sendMoney: (payout) => sendMoney(options, payout),
    checkPayout: (payout) => checkPayout(options, payout),
    findTransaction: (remote_id) => findTransaction(options, remote_id),
    lookUpAccountHolder: (phonenumber) => lookUpAccountHolder(options, phonenumber),
    readCallback: (callback) => readCallback(options.secret, callback),
    readValidationRequest: (callback) => readValidationRequest(options.secret, callback),
    answerValidationRequest: (verdict, reason) => ({
      content_type: 'application/json',
      body: JSON.stringify({ verdict, reason }),
    }),
  }
}

const limits: Limits = { decimals: 4, min: 1n, max: 9_999_999_999_999_999_999n }
/** The limits of a payout in the test currency: 10 to 5,000,000. */
const testPayoutLimits: Limits = { ...limits, min: 100_000n, max: 50_000_000_000n }

/** The countries whose currencies the sandbox has, and the test country `XX`. */
const COUNTRIES = [
  { iso: 'XX', phone_regex: '^\\+800\\d{8}$' },
  { iso: 'UG', phone_regex: '^\\+256\\d{9}$' },
  { iso: 'KE', phone_regex: '^\\+254\\d{9}$' },
  { iso: 'NG', phone_regex: '^\\+234\\d{10}$' },
]

/**
 * Only a 400 says for certain that the network does not accept this order. With any other status, an earlier call
 * without an answer may have placed it already.
 */
async function placeOrder(options: SandboxNetworkOptions, order: Order, prompt: boolean): Promise<OrderAnswer> {
  const { reference, receiver, phonenumber, currency, reason } = order
  const body = { reference, receiver, phonenumber, amount: formatAmount(order.amount), currency, reason, prompt }
  const reply = await callNetwork(options, 'POST', '/orders', body)
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.data?.error === 'invalid_order')
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message }
  return reply.status === 202 ? readOrder(reply, reference) : unreadableAnswer(CALLEE, reply)
}

async function checkOrder(options: SandboxNetworkOptions, order: Order): Promise<OrderCheck> {
  const reply = await callNetwork(options, 'GET', `/orders/${encodeURIComponent(order.reference)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'order_not_found')) return { outcome: 'not_found' }
  return reply.status === 200 ? readOrder(reply, order.reference) : unreadableAnswer(CALLEE, reply)
}

/** As for orders, only a 400 says for certain that nothing was or will be sent. */
async function sendMoney(options: SandboxNetworkOptions, payout: Payout): Promise<PayoutAnswer> {
  const { reference, kind, sender, phonenumber, currency, reason } = payout
  const body = { reference, kind, sender, phonenumber, amount: formatAmount(payout.amount), currency, reason }
  const reply = await callNetwork(options, 'POST', '/payouts', body)
  if (reply.outcome === 'unknown') return reply
  const refusal = ErrorBody.safeParse(reply.body)
  if (reply.status === 400 && refusal.data?.error === 'invalid_payout')
    return { outcome: 'failed', reason: 'rejected', message: refusal.data.message }
  return reply.status === 202 ? readPayout(reply, reference) : unreadableAnswer(CALLEE, reply)
}

async function checkPayout(options: SandboxNetworkOptions, payout: Payout): Promise<PayoutCheck> {
  const reply = await callNetwork(options, 'GET', `/payouts/${encodeURIComponent(payout.reference)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'payout_not_found')) return { outcome: 'not_found' }
  return reply.status === 200 ? readPayout(reply, payout.reference) : unreadableAnswer(CALLEE, reply)
}

async function findTransaction(options: SandboxNetworkOptions, remote_id: string): Promise<TransactionLookup> {
  // The id may come from an unsigned callback. An id of another form cannot be a payment of this network.
  if (!RemoteId.safeParse(remote_id).success) return { outcome: 'not_found' }
  const reply = await callNetwork(options, 'GET', `/transactions/${encodeURIComponent(remote_id)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'transaction_not_found')) return { outcome: 'not_found' }
  const receipt = Transaction.safeParse(reply.body)
  if (reply.status !== 200 || receipt.data?.remote_id !== remote_id) return unreadableAnswer(CALLEE, reply)
  return { outcome: 'found', receipt: receipt.data }
}

async function lookUpAccountHolder(options: SandboxNetworkOptions, phonenumber: string): Promise<AccountHolderLookup> {
  const reply = await callNetwork(options, 'GET', `/holders/${encodeURIComponent(phonenumber)}`)
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply, 'holder_not_found')) return { outcome: 'not_found' }
  const holder = HolderBody.safeParse(reply.body)
  if (reply.status !== 200 || holder.data?.phonenumber !== phonenumber) return unreadableAnswer(CALLEE, reply)
  return { outcome: 'found', name: holder.data.name }
}

function readCallback(secret: string, callback: RawCallback): ParsedCallback {
  const parsed = CallbackBody.safeParse(parseJson(callback.body))
  const verified = isSigned(secret, callback)
  if (!parsed.success)
    return { subject: 'unrecognized', message: 'This is not a callback of the sandbox network.', verified }
  if (parsed.data.event === 'order.failed') {
    const { reference } = parsed.data.order
    const answer: OrderAnswer = verified
      ? toOrderAnswer(parsed.data.order)
      : { outcome: 'unknown', message: 'The callback is not signed.' }
    return { subject: 'order', order_reference: reference, verified, answer }
  }
  if ('payout' in parsed.data) {
    const { payout } = parsed.data
    const answer: PayoutAnswer = verified
      ? toPayoutAnswer(payout)
      : { outcome: 'unknown', message: 'The callback is not signed.' }
    return { subject: 'order', order_reference: payout.reference, verified, answer }
  }
  const receipt = parsed.data.transaction
  return { subject: 'transaction', remote_id: receipt.remote_id, verified, receipt: verified ? receipt : null }
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

const Transaction = z.object({
  remote_id: RemoteId,
  status: z.enum(['successful', 'reversed']),
  receiver: z.string(),
  phonenumber: z.string(),
  amount,
  reversals: z.array(Reversal).default([]),
  currency: z.string(),
  order_reference: z.string().nullable(),
  reference: z.string().nullable(),
  name: z.string().nullable(),
  paid_at: z.iso.datetime().transform((text) => new Date(text)),
}) satisfies z.ZodType<NetworkTransaction>

/** A reason that is not on our list is still a failure. */
const Failure = z.object({ reason: z.enum(failureReasons).catch('rejected'), message: z.string() })

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

const HolderBody = z.object({ phonenumber: z.string(), name: z.string().nullable() })

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

const ErrorBody = z.object({ error: z.string(), message: z.string() })

const CALLEE = 'network'

/** A 404 means "not found" only with the network's own error code: a wrong URL answers 404 as well. */
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
  return { outcome: 'successful', remote_id, amount, paid_at, ...(name === null ? {} : { name }) }
}

function readPayout(reply: JsonAnswer, reference: string): PayoutAnswer {
  const payout = PayoutState.safeParse(reply.body)
  return payout.data?.reference === reference ? toPayoutAnswer(payout.data) : unreadableAnswer(CALLEE, reply)
}

function toPayoutAnswer(payout: z.infer<typeof PayoutState>): PayoutAnswer {
  if (payout.state === 'pending') return { outcome: 'accepted', remote_id: payout.remote_id }
  if (payout.state === 'taken_back') return { outcome: 'reversed', message: 'The network has taken the money back.' }
  if (payout.state === 'failed') return { outcome: 'failed', ...payout.failure }
  const { transaction: remote_id, amount, reversals } = payout
  return { outcome: 'successful', remote_id, amount, ...(reversals.length > 0 && { reversals }) }
}

function callNetwork(options: SandboxNetworkOptions, method: 'GET' | 'POST', path: string, body?: object) {
  return callJson({
    method,
    url: options.url() + path,
    headers: { authorization: `Bearer ${options.secret}` },
    body,
    timeout_ms: options.timeout_ms ?? TIMEOUT_MS,
    callee: CALLEE,
  })
}

function isSigned(secret: string, callback: RawCallback): boolean {
  const given = Buffer.from(callback.headers['x-sandbox-signature'] ?? '')
  const expected = Buffer.from(createHmac('sha256', secret).update(signedBytes(callback)).digest('hex'))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
