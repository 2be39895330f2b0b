import { notSentOrder } from '../../drivers/access-tokens.ts'
import type { FailedOutcome, Order, OrderAnswer, OrderCheck, Payout, Refund } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, countDecimals, shortAmount } from '../../lib/money.ts'
import type { DriverTools, OrderKind } from '../contract.ts'
import { plainText } from '../shared/text.ts'
import { beginOperation, type Client, describe, errorCode, isGatewayNotFound, noVerdict, type Reply } from './client.ts'
import { configurationCodes, failureOf, readState, reasons } from './outcomes.ts'
import { currenciesOf, decimalsOf } from './places.ts'
import type { MtnConnection, Product } from './settings.ts'

/** The path of an operation of MTN, to which its orders are posted. */
export type Operation = '/v1_0/requesttopay' | '/v1_0/transfer' | '/v1_0/deposit' | '/v1_0/refund'

/** Properties that all kinds of orders share. */
interface Ask {
  kind: OrderKind
  reference: string
  currency: string
  amount: Amount
  product: Product
  /** The operation that the order is sent to. */
  operation: Operation
  /** The operations where it may be, because it may have been sent before a setting was changed. */
  sent_to: readonly Operation[]
  body: string
}

/** Send orders to MTN and query them. A status query may be one of several calls of an operation. */
export function openOrders(connection: MtnConnection, tools: DriverTools) {
  return {
    send: (ask: Ask) => send(beginOperation(connection, tools), connection, tools, ask),
    status: (ask: Ask, client = beginOperation(connection, tools)) => readStatus(client, tools, ask),
  }
}

/** A charge as a request to pay. */
export function chargeAsk(order: Order, product: Product): Ask {
  const { reference, currency, amount } = order
  const operation: Operation = '/v1_0/requesttopay'
  const payer = { partyIdType: 'MSISDN', partyId: partyId(order.phonenumber) }
  const body = JSON.stringify({
    amount: displayPlain(amount),
    currency,
    externalId: reference,
    payer,
    ...notes(order.reason, reference),
  })
  return { kind: 'charge', reference, currency, amount, product, operation, sent_to: [operation], body }
}

/** A payout as a transfer or a deposit. */
export function payoutAsk(payout: Payout, product: Product, choice: 'transfer' | 'deposit'): Ask {
  const { reference, currency, amount } = payout
  const operation: Operation = `/v1_0/${choice}`
  const other: Operation = choice === 'transfer' ? '/v1_0/deposit' : '/v1_0/transfer'
  const payee = { partyIdType: 'MSISDN', partyId: partyId(payout.phonenumber) }
  const body = JSON.stringify({
    amount: displayPlain(amount),
    currency,
    externalId: reference,
    payee,
    ...notes(payout.reason, reference),
  })
  return { kind: 'payout', reference, currency, amount, product, operation, sent_to: [operation, other], body }
}

/** The return of a charge. MTN names the charge by the id of its request to pay. */
export function refundAsk(refund: Refund, product: Product): Ask {
  const { reference, currency, amount } = refund
  const operation: Operation = '/v1_0/refund'
  const body = JSON.stringify({
    amount: displayPlain(amount),
    currency,
    externalId: reference,
    ...notes(refund.reason, reference),
    referenceIdToRefund: refund.charge.reference,
  })
  return { kind: 'refund', reference, currency, amount, product, operation, sent_to: [operation], body }
}

/**
 * Send an order. Only a 202 is an acceptance. After a refusal MTN is queried once: it counts only if MTN does not know
 * the order. After a 409, an earlier call has already placed it.
 */
async function send(client: Client, connection: MtnConnection, tools: DriverTools, ask: Ask): Promise<OrderAnswer> {
  const fault = orderFault(ask, connection, tools)
  if (fault) return fault
  const reply = await client.order({
    verb: ask.kind,
    method: 'POST',
    product: ask.product,
    path: ask.operation,
    headers: { 'X-Reference-Id': ask.reference, ...callbackHeader(connection, tools, ask) },
    body: ask.body,
  })
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'not_sent') return notSentOrder(reply)
  if (reply.status === 202) return { outcome: 'accepted', remote_id: ask.reference }
  if (reply.status !== 409 && !isRefusal(reply)) return noVerdict(reply)
  const found = await readStatus(client, tools, ask)
  if (found.outcome !== 'not_found') return found
  return reply.status === 409 ? noVerdict(reply) : refusal(reply, ask, tools)
}

/** Query each operation that the order may have been sent to. Only if none of the operations knows it, it is not found. */
async function readStatus(client: Client, tools: DriverTools, ask: Ask): Promise<OrderCheck> {
  if (!UUID_V4.test(ask.reference)) return { outcome: 'unknown', message: WRONG_REFERENCE }
  for (const operation of ask.sent_to) {
    const found = await askOperation(client, tools, ask, operation)
    if (found.outcome !== 'not_found') return found
  }
  return { outcome: 'not_found' }
}

async function askOperation(client: Client, tools: DriverTools, ask: Ask, operation: Operation): Promise<OrderCheck> {
  const path = `${operation}/${ask.reference}`
  const is_other = operation !== ask.operation
  const verb = `${ask.kind} status`
  const reply = await client.call({ verb, method: 'GET', product: ask.product, path, is_optional: is_other })
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 404 && errorCode(reply) === 'RESOURCE_NOT_FOUND') return { outcome: 'not_found' }
  if (is_other && isNotOffered(reply)) return { outcome: 'not_found' }
  if (reply.status !== 200) return noVerdict(reply)
  const { answer, alarm } = readState(reply.body, ask)
  if (alarm) tools.alarm(alarm)
  return answer
}

/** Most contracts have one kind of payouts only. Nothing can have been sent by one that MTN does not offer us. */
function isNotOffered(reply: Reply): boolean {
  return isGatewayNotFound(reply) || ['NOT_ALLOWED', 'TRANSFER_TYPE_UNKNOWN'].includes(errorCode(reply) ?? '')
}

/**
 * Return a fault that MTN can never accept, so that the order is not sent. Its values do not change, so this holds for
 * every call.
 */
function orderFault(
  { reference, currency, amount }: Ask,
  { settings }: MtnConnection,
  tools: DriverTools,
): FailedOutcome | undefined {
  const failed = (message: string): FailedOutcome => ({ outcome: 'failed', reason: 'rejected', message })
  if (!UUID_V4.test(reference)) return failed(WRONG_REFERENCE)
  if (!currenciesOf(settings.target_environment).includes(currency)) {
    const message = `MTN MoMo has no ${currency} in the target environment ${settings.target_environment}`
    tools.alarm(`${message}: check target_environment and the currencies of the connection.`)
    return failed(`${message}.`)
  }
  const decimals = decimalsOf(currency)
  if (amount <= 0n || countDecimals(amount) > decimals)
    return failed(getMessage('mtn.takes_amounts_above', { currency, decimals }))
  return undefined
}

function callbackHeader(connection: MtnConnection, tools: DriverTools, { reference }: Ask): Record<string, string> {
  return connection.settings.callbacks ? { 'X-Callback-Url': tools.callbackUrl(reference) } : {}
}

/** Return true if MTN refused the call itself, for a reason that another call does not change. */
function isRefusal(reply: Reply): boolean {
  const code = errorCode(reply)
  if (reply.status === 400) return reply.text.trim() === '' || isObject(reply.body)
  return [404, 500].includes(reply.status) && code !== undefined && isCertain(code)
}

/** Codes that name a fault of the order or our settings. The others may hide a placed order. */
function isCertain(code: string): boolean {
  return reasons[code] !== undefined && !UNCERTAIN.has(code)
}

function refusal(reply: Reply, ask: Ask, tools: DriverTools): FailedOutcome {
  const code = errorCode(reply)
  if (code && isCertain(code)) {
    const { answer, alarm } = failureOf(code, ask.kind)
    if (alarm) tools.alarm(alarm)
    return configurationCodes.has(code) ? { ...answer, reason: 'not_allowed' } : answer
  }
  tools.alarm(getMessage('mtn.refuses_send_malformed', { answer: describe(reply) }))
  const message = getMessage('mtn.refused_payment_malformed', { answer: describe(reply) })
  return { outcome: 'failed', reason: 'rejected', message, ...(code && { code }) }
}

/** MTN refuses messages that are missing, longer than this or with other characters. It shows the note in its own report. */
function notes(reason: string, reference: string) {
  return { payerMessage: plainText(reason, MESSAGE), payeeNote: reference }
}

/** The form of a text for payers. */
export const MESSAGE = { punctuation: '-_.,', max: 128, otherwise: 'Payment' }

/** The number as MTN writes it: digits with the country code, without a plus sign. */
export function partyId(phonenumber: string): string {
  return phonenumber.replace(/^\+/, '')
}

/** An amount without zeros at its end, and without commas. */
function displayPlain(amount: Amount): string {
  return shortAmount(amount)
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

const WRONG_REFERENCE = getMessage('drivers.reference_order_not_uuid')
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const UNCERTAIN: ReadonlySet<string> = new Set([
  'INTERNAL_PROCESSING_ERROR',
  'SERVICE_UNAVAILABLE',
  'RESOURCE_NOT_FOUND',
  'RESOURCE_ALREADY_EXIST',
  'TIMEOUT',
])
