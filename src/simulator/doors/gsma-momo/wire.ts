import { createHash } from 'node:crypto'
import { type Amount, parseAmount, shortAmount } from '../../../lib/money.ts'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import type { CallbackRequest, Change, Charge, Payment, Payout } from '../../world/world.ts'
import { errorOf, isNameless, showError } from './codes.ts'
import { ACCOUNT, type GsmaState, type GsmaSwitches } from './switches.ts'

/** How long the customer may take. */
export const PROMPT_S = 300

/** What the provider keeps of an order besides what the simulated world knows. */
export interface OrderDetails {
  type: 'merchantpay' | 'disbursement' | 'adjustment' | 'reversal'
  /** What the business calls it. */
  own_reference?: string
  description?: string
  /** The transaction that it gives back. */
  original?: string
}

export type GsmaOrder = Charge | Payout

/** Reads an amount as the standard wants it; undefined: it is none. */
export function readAmount(value: unknown, { amounts_taken }: Pick<GsmaSwitches, 'amounts_taken'>): Amount | undefined {
  const pattern = amounts_taken === 'text' ? AMOUNT_OF_TEXT : AMOUNT_OF_FILES
  return typeof value === 'string' && pattern.test(value) ? parseAmount(value) : undefined
}

const AMOUNT_OF_TEXT = /^(0|[1-9]\d{0,17})(\.\d{1,4})?$/
const AMOUNT_OF_FILES = /^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/

/** One identifier of a party. */
export interface Identifier {
  key: string
  value: string
}

/** The identifiers of a party of an order; undefined for anything that is not 1 to 10 of them. */
export function readParty(body: JsonObject, name: 'debitParty' | 'creditParty'): Identifier[] | undefined {
  const party = body[name]
  if (!Array.isArray(party) || party.length < 1 || party.length > 10) return undefined
  const isIdentifier = (one: unknown) => isObject(one) && typeof one.key === 'string' && typeof one.value === 'string'
  return party.every(isIdentifier) ? (party as Identifier[]) : undefined
}

export function showAmount(amount: Amount, { amounts_shown }: Pick<GsmaSwitches, 'amounts_shown'>): string {
  const text = shortAmount(amount)
  const [whole, decimals = ''] = text.split('.') as [string, string?]
  return amounts_shown === 'plain' ? text : `${whole}.${decimals.padEnd(2, '0')}`
}

/** The state of a request. */
export function showRequestState(order: GsmaOrder, switches: GsmaSwitches, now: Date) {
  const { remote_id, state, failure, callback_url, created, phonenumber } = order
  const status = state === 'pending' ? 'pending' : state === 'failed' ? 'failed' : 'completed'
  const transaction = isNameless(phonenumber) ? undefined : transactionIdOf(order)
  return {
    serverCorrelationId: remote_id,
    status,
    notificationMethod: callback_url === null ? 'polling' : 'callback',
    objectReference: transaction ?? '',
    pollLimit: switches.poll_limit,
    expiryTime: new Date(created.getTime() + PROMPT_S * 1_000).toISOString(),
    ...(status === 'pending' && { pendingReason: 'awaiting the approval of the debit party' }),
    ...(failure && { [switches.state_error]: showError(errorOf(failure, switches), switches, now) }),
  }
}

/** The transaction that an order has become; undefined while there is none. */
export function transactionIdOf(order: GsmaOrder): string | undefined {
  return ('receiver' in order ? order.payment?.remote_id : order.transaction) ?? undefined
}

/** A transaction without what its order says about it. */
interface Money {
  id: string
  type: string
  status: string
  amount: Amount
  currency: string
  phonenumber: string
  /** Whether the money came to the business. */
  came_in: boolean
  at: Date
}

/** The transaction of an order that has become one. */
export function showTransaction(order: GsmaOrder, switches: GsmaSwitches) {
  const { type, own_reference, description, original } = order.details as unknown as OrderDetails
  const came_in = 'receiver' in order
  const payment = came_in ? order.payment : null
  const money: Money = {
    id: transactionIdOf(order)!,
    ...{ type, came_in, phonenumber: order.phonenumber },
    ...{ amount: payment?.amount ?? order.amount, currency: payment?.currency ?? order.currency },
    status: payment ? statusOf(payment, switches) : order.state === 'taken_back' ? 'reversed' : switches.completed_word,
    at: payment?.paid_at ?? (came_in ? order.created : (order.paid_at ?? order.created)),
  }
  return {
    ...showMoney(money, switches),
    ...(own_reference !== undefined && { requestingOrganisationTransactionReference: own_reference }),
    ...(original !== undefined && { originalTransactionReference: original }),
    ...(description !== undefined && { descriptionText: description }),
  }
}

/** The transaction of unrequested money. */
export function showPayment(payment: Payment, switches: GsmaSwitches) {
  const { remote_id: id, amount, currency, phonenumber, paid_at: at } = payment
  const status = statusOf(payment, switches)
  return showMoney({ id, type: 'merchantpay', status, amount, currency, phonenumber, came_in: true, at }, switches)
}

export function showMoney(money: Money, switches: GsmaSwitches) {
  const { id, type, status, amount, currency, phonenumber, came_in, at } = money
  const customer = [{ key: 'msisdn', value: phonenumber }]
  return {
    transactionReference: id,
    type,
    transactionStatus: status,
    amount: showAmount(amount, switches),
    currency,
    debitParty: came_in ? customer : [ACCOUNT],
    creditParty: came_in ? [ACCOUNT] : customer,
    creationDate: at.toISOString(),
    modificationDate: at.toISOString(),
  }
}

function statusOf({ status, amount, refunded }: Payment, switches: GsmaSwitches): string {
  const is_given_back = refunded >= amount && switches.refunded_status === 'reversed'
  return status === 'reversed' || is_given_back ? 'reversed' : switches.completed_word
}

/**
 * The callback about the end of an order: the transaction, or the bare error. Only a header says which order it is about. Nothing
 * is reported that happens afterwards.
 */
export function callbacksOf(change: Change, { switches, now }: GsmaState): CallbackRequest[] {
  const order = endedOrder(change)
  if (!switches.callbacks || !order || order.callback_url === null) return []
  const shown = order.failure
    ? showError(errorOf(order.failure, switches), switches, now)
    : showTransaction(order, switches)
  const body = JSON.stringify(shown)
  const hash = createHash('sha256').update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-correlationid': order.reference,
    'x-date': now.toISOString(),
    ...(switches.security_level === 'enhanced' && { 'x-content-hash': hash }),
  }
  return [{ url: order.callback_url, method: 'PUT', headers, body }]
}

function endedOrder(change: Change): GsmaOrder | undefined {
  if (change.event === 'charge.paid') return { ...change.charge, failure: null, payment: change.payment }
  if (change.event === 'charge.failed') return change.charge
  return change.event === 'payout.ended' ? change.payout : undefined
}
