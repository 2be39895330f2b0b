import { z } from 'zod'
import { notSentOrder } from '../../drivers/access-tokens.ts'
import { spare, spareText as text } from '../../drivers/members.ts'
import type {
  FailedOutcome,
  Order,
  OrderAnswer,
  OrderCheck,
  Payout,
  Refund,
  UnknownOutcome,
} from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, countDecimals, shortAmount } from '../../lib/money.ts'
import type { DriverTools, OrderKind } from '../contract.ts'
import { plainText, readJsonAmount } from '../shared/text.ts'
import { beginOperation, type Client, describe, noVerdict, type Reply, readFailure, unknown } from './client.ts'
import { type Failing, failureOf, isRefusal, refusalOf } from './codes.ts'
import { decimalsOf } from './places.ts'
import { isDown, type Provider, type Providers } from './providers.ts'
import type { PawapayConnection } from './settings.ts'

/** Properties that all kinds of orders share. */
interface Ask {
  kind: OrderKind
  reference: string
  phonenumber: string
  amount: Amount
  currency: string
  /** The body of the call. `party` is the phone with its provider. */
  body(party: object | undefined): object
}

/** The path of each kind of orders, and the name of its id. */
export const kinds = {
  charge: { path: '/v2/deposits', id: 'depositId' },
  payout: { path: '/v2/payouts', id: 'payoutId' },
  refund: { path: '/v2/refunds', id: 'refundId' },
} as const satisfies Record<OrderKind, { path: string; id: string }>

/** Send orders to pawaPay and query them. */
export function openOrders(connection: PawapayConnection, tools: DriverTools, providers: Providers) {
  const session: Session = { connection, tools, providers }
  return {
    send: (ask: Ask) => send({ ...session, client: beginOperation(connection, tools) }, ask),
    status: (ask: Ask) => readStatus({ ...session, client: beginOperation(connection, tools) }, ask),
  }
}

interface Session {
  connection: PawapayConnection
  tools: DriverTools
  providers: Providers
}

type Operation = Session & { client: Client }

export function chargeAsk(order: Order): Ask {
  const { reference, phonenumber, amount, currency, reason } = order
  const body = (party: object | undefined) => ({
    depositId: reference,
    amount: writeAmount(amount),
    currency,
    payer: party,
    customerMessage: customerMessage(reason),
  })
  return { kind: 'charge', reference, phonenumber, amount, currency, body }
}

export function payoutAsk(payout: Payout): Ask {
  const { reference, phonenumber, amount, currency, reason } = payout
  const body = (party: object | undefined) => ({
    payoutId: reference,
    amount: writeAmount(amount),
    currency,
    recipient: party,
    customerMessage: customerMessage(reason),
  })
  return { kind: 'payout', reference, phonenumber, amount, currency, body }
}

/** The return of a charge, or of a part of it. pawaPay names the charge by our reference. */
export function refundAsk(refund: Refund): Ask {
  const { reference, phonenumber, amount, currency } = refund
  const body = () => ({
    refundId: reference,
    depositId: refund.charge.reference,
    amount: writeAmount(amount),
    currency,
  })
  return { kind: 'refund', reference, phonenumber, amount, currency, body }
}

/**
 * Send an order, unless its provider is down. After a refusal pawaPay is queried once: it counts only if pawaPay does
 * not have the order, because an earlier call may have placed it.
 */
async function send(operation: Operation, ask: Ask): Promise<OrderAnswer> {
  const { client, tools, providers } = operation
  const fault = orderFault(ask)
  if (fault) return fault
  const provider = await providers.predict(client, ask.phonenumber)
  // pawaPay finds the provider of a refund by its charge.
  if (provider.outcome === 'unknown' && ask.kind !== 'refund') return provider
  if (provider.outcome === 'failed' && ask.kind !== 'refund')
    return settle(operation, ask, refusalOf(provider.failure, ask.kind))
  const known = provider.outcome === 'found' ? provider : undefined
  const closed = known && (await closedFailure(operation, ask, known))
  if (closed) return settle(operation, ask, closed)
  const { path } = kinds[ask.kind]
  const body = JSON.stringify(ask.body(known && partyOf(known)))
  const reply = await client.order({ verb: ask.kind, method: 'POST', path, body, is_order: true })
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'not_sent') return notSentOrder(reply)
  const verdict = readSent(reply, ask)
  if (verdict === 'taken') return { outcome: 'accepted', remote_id: ask.reference }
  if ('outcome' in verdict) return verdict
  if (reply.status !== 403 && verdict.alarm) tools.alarm(verdict.alarm)
  return settle(operation, ask, { ...verdict, alarm: undefined })
}

/**
 * Return a failure if the order's provider is down, so that it is not sent. pawaPay may carry out a queued order hours
 * later.
 */
async function closedFailure({ connection, client, providers }: Operation, { kind }: Ask, provider: Provider) {
  const state = await providers.status(client, provider, kind)
  const is_queued = state === 'DELAYED' && kind !== 'charge' && connection.settings.delayed_payouts === 'queue'
  if (!isDown(state) || is_queued) return undefined
  const message = `pawaPay says that ${provider.provider} is down (${state}). Try again later.`
  const answer: FailedOutcome = { outcome: 'failed', reason: 'unreachable', message, code: state! }
  return { answer, alarm: undefined }
}

/** The failure of an order that this call has not placed, unless pawaPay has it from an earlier one. */
async function settle(operation: Operation, ask: Ask, { answer, alarm }: Failing): Promise<OrderAnswer> {
  if (alarm) operation.tools.alarm(alarm)
  const found = await readStatus(operation, ask)
  return found.outcome === 'not_found' ? answer : found
}

/** Read the answer to a call that places an order. */
function readSent(reply: Reply, ask: Ask): 'taken' | Failing | UnknownOutcome {
  const { status, failure } = reply
  const sent = Sent.safeParse(reply.body).data
  const id = sent?.[kinds[ask.kind].id]
  if (id !== undefined && id !== ask.reference) return unknown('pawaPay answered about another order.')
  const has_code = failure !== undefined && isRefusal(failure)
  if (status === 200 && !failure && TAKEN.has(sent?.status ?? '')) return 'taken'
  // The word is an end whatever the code, but for the one with which pawaPay says that it does not know.
  if (status === 200 && sent?.status === 'REJECTED' && failure?.code !== 'UNKNOWN_ERROR')
    return refusalOf(failure ?? UNSPECIFIED, ask.kind)
  if (has_code && (status === 400 || (status === 403 && NOT_OPEN.test(failure.code))))
    return refusalOf(failure, ask.kind)
  return unknown(`pawaPay's answer says nothing about the order (${describe(reply)}).`)
}

/** The second call under a reference changes nothing: the first one stands. */
const TAKEN: ReadonlySet<string> = new Set(['ACCEPTED', 'ENQUEUED', 'DUPLICATE_IGNORED'])
const NOT_OPEN = /^(DEPOSITS|PAYOUTS|REFUNDS)_NOT_ALLOWED$/

const Sent = z.object({ status: z.string(), depositId: text, payoutId: text, refundId: text })

async function readStatus({ client, tools }: Operation, ask: Ask): Promise<OrderCheck> {
  if (!UUID_V4.test(ask.reference)) return unknown(WRONG_REFERENCE)
  const { path } = kinds[ask.kind]
  const reply = await client.call({ verb: `${ask.kind} status`, method: 'GET', path: `${path}/${ask.reference}` })
  if (reply.outcome === 'unknown') return reply
  const found = reply.status === 200 ? Found.safeParse(reply.body).data : undefined
  if (found?.status === 'NOT_FOUND' && found.data === undefined) return { outcome: 'not_found' }
  if (found?.status !== 'FOUND') return noVerdict(reply)
  const { answer, alarm } = readState(found.data, ask, tools.now())
  if (alarm) tools.alarm(alarm)
  return answer
}

const Found = z.object({ status: z.string(), data: z.unknown().optional() })

/** Order whose state is read. Without a currency, the currency of the state is not checked. */
export interface AskedOrder {
  kind: OrderKind
  reference: string
  currency?: string
}

/** Verdict of a state, and the alarm for the operator. */
export interface Verdict {
  answer: Exclude<OrderCheck, { outcome: 'not_found' }>
  alarm?: string | undefined
}

/** Read the state of an order from a status query or a callback. A state in another form is unknown. */
export function readState(body: unknown, order: AskedOrder, now: Date): Verdict {
  const state = State.safeParse(body).data
  if (!state) return { answer: unknown('pawaPay answered without the state of the order.') }
  if (state[kinds[order.kind].id] !== order.reference)
    return { answer: unknown('pawaPay answered about another order.') }
  const failure = readFailure(body)
  if (OPEN.has(state.status)) return { answer: { outcome: 'accepted', remote_id: order.reference } }
  if (state.status === 'COMPLETED' && !failure) return readSuccess(state, order)
  // The word is the end, whatever is said of the reason.
  if (state.status === 'FAILED') return failureOf(failure ?? UNSPECIFIED, order.kind, lastedS(state.created, now))
  if (state.status === 'REJECTED') return refusalOf(failure ?? UNSPECIFIED, order.kind)
  if (state.status === 'IN_RECONCILIATION')
    return { answer: unknown('pawaPay does not yet know the result of the payment at the provider.') }
  const said = [state.status.slice(0, MAX_WORD), failure?.code].filter(Boolean).join(', ')
  return { answer: unknown(`pawaPay answered with a state that is not known (${said}).`) }
}

/** Stand-in for a reason that is missing, or cannot be read. */
const UNSPECIFIED = { code: 'UNSPECIFIED_FAILURE', words: '' }

const OPEN: ReadonlySet<string> = new Set(['ACCEPTED', 'PROCESSING', 'ENQUEUED'])
const MAX_WORD = 60

const State = z.object({
  status: z.string().min(1),
  depositId: text,
  payoutId: text,
  refundId: text,
  amount: spare(z.union([z.string(), z.number()])),
  currency: text,
  created: text,
  /** The id of the money at the provider, which is in the receipt of the customer. */
  providerTransactionId: spare(z.union([z.string(), z.int().positive().transform(String)])),
})

/** A sum in another currency, or one that cannot be read, is nothing that we could book. */
function readSuccess(state: z.output<typeof State>, order: AskedOrder): Verdict {
  const amount = readJsonAmount(state.amount)
  const is_other = order.currency !== undefined && state.currency !== order.currency
  if (is_other && state.currency !== undefined)
    return {
      answer: unknown('pawaPay reports a payment in another currency than the one ordered.'),
      alarm: 'pawaPay reports a payment in another currency than the one ordered: ask pawaPay what was paid.',
    }
  if (is_other || amount === undefined || amount <= 0n)
    return { answer: unknown('pawaPay reports a payment without an amount that can be read.') }
  const receipt = state.providerTransactionId?.trim()
  const is_receipt = receipt !== undefined && RECEIPT.test(receipt)
  return { answer: { outcome: 'successful', amount, ...(is_receipt && { remote_id: receipt }) } }
}

const RECEIPT = /^[\x21-\x7e]{1,100}$/

function lastedS(created: string | undefined, now: Date): number {
  const began_ms = created !== undefined && ZONED.test(created) ? Date.parse(created) : Number.NaN
  return Number.isNaN(began_ms) ? 0 : (now.getTime() - began_ms) / 1_000
}

const ZONED = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/

/**
 * Return a fault that pawaPay can never accept, so that the order is not sent. Its values do not change, so this holds
 * for every call.
 */
function orderFault({ reference, amount, currency }: Ask): FailedOutcome | undefined {
  const failed = (message: string): FailedOutcome => ({ outcome: 'failed', reason: 'rejected', message })
  if (!UUID_V4.test(reference)) return failed(WRONG_REFERENCE)
  const decimals = decimalsOf(currency)
  if (amount <= 0n || countDecimals(amount) > decimals)
    return failed(`pawaPay takes amounts in ${currency} above zero with at most ${decimals} decimals.`)
  return undefined
}

/** An amount without zeros at its end, which pawaPay refuses, and without commas: `5000`, `10.5`. */
function writeAmount(amount: Amount): string {
  return shortAmount(amount)
}

function partyOf({ provider, phone_number: phoneNumber }: Provider) {
  return { type: 'MMO', accountDetails: { phoneNumber, provider } }
}

/** pawaPay takes 4 to 22 letters, digits and blanks. */
export function customerMessage(reason: string): string {
  const text = plainText(reason, MESSAGE)
  return text.length < 4 ? `${MESSAGE.otherwise} ${text}` : text
}

const MESSAGE = { punctuation: '', max: 22, otherwise: 'Payment' }
const WRONG_REFERENCE = getMessage('drivers.reference_order_not_uuid')
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
