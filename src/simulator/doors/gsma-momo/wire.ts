import { createHash } from 'node:crypto'
import { type Amount, parseAmount, shortAmount } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import type { CallbackRequest, Change, Charge, Payment, Payout } from '../../world/world.ts'
import { errorOf, isNameless, showError } from './codes.ts'
import { ACCOUNT, type GsmaState, type GsmaSwitches } from './switches.ts'

/** Seconds until a prompt expires. */
export const PROMPT_S = 300

/** Types of transactions that a call may request. */
export const transactionTypes = [
  'merchantpay',
  'disbursement',
  'adjustment',
  'transfer',
  'inttransfer',
  'deposit',
  'withdrawal',
  'billpay',
] as const
export type TransactionType = (typeof transactionTypes)[number]

/** Data of an order that only the provider needs. */
export interface OrderDetails {
  type: TransactionType | 'reversal'
  /** Reference of the business. */
  own_reference?: string
  description?: string
  /** The transaction that it gives back. */
  original?: string
}

export type GsmaOrder = Charge | Payout

/** Read an amount as the standard wants it; undefined: it is none. */
export function readAmount(value: unknown, { amounts_taken }: Pick<GsmaSwitches, 'amounts_taken'>): Amount | undefined {
  const pattern = amounts_taken === 'text' ? AMOUNT_OF_TEXT : AMOUNT_OF_FILES
  return typeof value === 'string' && pattern.test(value) ? parseAmount(value) : undefined
}

/** Say whether orders may have this currency. */
export function isCurrency(value: unknown, { currencies, currency }: Pick<GsmaSwitches, 'currencies' | 'currency'>) {
  if (currencies === 'one' || value === currency) return value === currency
  return typeof value === 'string' && Intl.supportedValuesOf('currency').includes(value)
}

const AMOUNT_OF_TEXT = /^(0|[1-9]\d{0,17})(\.\d{1,4})?$/
const AMOUNT_OF_FILES = /^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/

/** Identifier of a party. */
export interface Identifier {
  key: string
  value: string
}

/** The identifiers of a party; undefined for anything that is not 1 to 10 of them. */
export function readParty(party: unknown): Identifier[] | undefined {
  if (!Array.isArray(party) || party.length < 1 || party.length > 10) return undefined
  const isIdentifier = (one: unknown) => isObject(one) && typeof one.key === 'string' && typeof one.value === 'string'
  return party.every(isIdentifier) ? (party as Identifier[]) : undefined
}

export function showAmount(amount: Amount, { amounts_shown }: Pick<GsmaSwitches, 'amounts_shown'>): string {
  const text = shortAmount(amount)
  const [whole, decimals = ''] = text.split('.') as [string, string?]
  return amounts_shown === 'plain' ? text : `${whole}.${decimals.padEnd(2, '0')}`
}

/** The state of the request for an order. */
export function showRequestState(order: GsmaOrder, switches: GsmaSwitches, now: Date) {
  const { remote_id: id, state, failure, callback_url, created, phonenumber } = order
  const status = state === 'pending' ? 'pending' : state === 'failed' ? 'failed' : 'completed'
  const reference = isNameless(phonenumber) ? undefined : transactionIdOf(order)
  const has_callback = callback_url !== null
  return {
    ...showState({ id, status, has_callback, created, ...(reference !== undefined && { reference }) }, switches),
    ...(failure && { [switches.state_error]: showError(errorOf(failure, switches), switches, now) }),
  }
}

/** The request for an object of the provider. */
export interface RequestState {
  id: string
  status: 'pending' | 'completed' | 'failed'
  has_callback: boolean
  created: Date
  /** The reference of the object that it has become. */
  reference?: string
}

/** The state of a request. */
export function showState({ id, status, has_callback, created, reference = '' }: RequestState, switches: GsmaSwitches) {
  return {
    serverCorrelationId: id,
    status,
    notificationMethod: has_callback ? 'callback' : 'polling',
    objectReference: reference,
    pollLimit: switches.poll_limit,
    expiryTime: new Date(created.getTime() + PROMPT_S * 1_000).toISOString(),
    ...(status === 'pending' && { pendingReason: 'awaiting the approval of the debit party' }),
  }
}

/** The transaction that an order has become; undefined while there is none. */
export function transactionIdOf(order: GsmaOrder): string | undefined {
  return ('receiver' in order ? order.payment?.remote_id : order.transaction) ?? undefined
}

/** Money of a transaction, without its order. */
interface Money {
  id: string
  type: string
  status: string
  amount: Amount
  currency: string
  phonenumber: string
  /** True if the money came to the business. */
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
    type,
    came_in,
    phonenumber: order.phonenumber,
    amount: payment?.amount ?? order.amount,
    currency: payment?.currency ?? order.currency,
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
  return [makeCallback(shown, { url: order.callback_url, reference: order.reference }, switches, now)]
}

/** A callback with an object of the standard. */
export function makeCallback(
  shown: object,
  { url, reference }: { url: string; reference: string },
  switches: Pick<GsmaSwitches, 'security_level'>,
  now: Date,
): CallbackRequest {
  const body = JSON.stringify(shown)
  const hash = createHash('sha256').update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-correlationid': reference,
    'x-date': now.toISOString(),
    ...(switches.security_level === 'enhanced' && { 'x-content-hash': hash }),
  }
  return { url, method: 'PUT', headers, body }
}

function endedOrder(change: Change): GsmaOrder | undefined {
  if (change.event === 'charge.paid') return { ...change.charge, failure: null, payment: change.payment }
  if (change.event === 'charge.failed') return change.charge
  return change.event === 'payout.ended' ? change.payout : undefined
}
