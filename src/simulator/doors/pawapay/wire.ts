import { type Amount, formatAmount, shortAmount } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import type { Charge, Payout } from '../../world/world.ts'
import { codeOfReason, isUnclear } from './numbers.ts'
import { findProvider } from './providers.ts'
import { type OperationName, operations, type PawapaySwitches } from './switches.ts'

/*
 * Parts that both API versions share. They are two forms of one network: either finds an order that the other placed.
 */

/** Data of an order that only the network needs. */
export interface OrderDetails {
  clientReferenceId?: string
  customerMessage?: string
  metadata?: Record<string, unknown>
  /** The provider was down when the order came. */
  is_enqueued?: boolean
  /** True if version 1 of the API placed the order. Its callback then has that form. */
  is_v1?: boolean
  /** Time of the customer's request, which version 1 requires. */
  customerTimestamp?: string
}

/** Order that was read but not yet placed. */
export interface WantedOrder {
  key: string
  amount: Amount | undefined
  currency: string | undefined
  reason: string
  details: OrderDetails
  /** The customer's phone, and the provider that carries it. A refund has the deposit instead. */
  party: { phone: string; provider: string; country?: string | undefined } | undefined
  deposit: string | undefined
}

/** The reason why an order is not taken: a code of version 2, with its HTTP status, 200 unless given. */
export interface Fault {
  code: string
  status?: number
  words?: string
}

interface FormAnswer {
  status: number
  body: object
}

/** A version of the API: how it reads orders, and how it writes answers and callbacks. */
export interface Form {
  /** The beginning of its paths. */
  path: '' | '/v2'
  read(operation: OperationName, body: unknown): WantedOrder | Fault
  accept(operation: OperationName, order: Charge | Payout, status: 'ACCEPTED' | 'DUPLICATE_IGNORED'): object
  refuse(operation: OperationName, body: unknown, fault: Fault): FormAnswer
  /** Answer a call that is wrong, or that the network cannot serve, whatever it is about. */
  fail(code: string, ids?: object): object
  /** An order as the callback shows it. */
  show(order: Charge | Payout, switches: Pick<PawapaySwitches, 'receipts'>): object
  /** Answer the status query for an order. */
  find(order: object | undefined): object
  /** Answer an action on an order: resend a callback, or take a payout from the queue. */
  act(operation: OperationName, id: string, refused: 'NOT_FOUND' | 'INVALID_STATE' | undefined): object
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The id of an order in its body, as it was sent; undefined if there is none. */
export function idOf(operation: OperationName, body: unknown): string | undefined {
  const id = isObject(body) ? body[operations[operation].id] : undefined
  return typeof id === 'string' ? id : undefined
}

/** The members of a list of metadata as one object; undefined if a name comes twice. */
export function joinMetadata(list: readonly Record<string, unknown>[]): Record<string, unknown> | undefined {
  const members = list.flatMap(({ isPII: _, ...one }) => Object.entries(one))
  const joined = Object.fromEntries(members)
  return Object.keys(joined).length === members.length ? joined : undefined
}

export function operationOf(order: Charge | Payout): OperationName {
  if ('receiver' in order) return 'deposits'
  return order.kind === 'refund' ? 'refunds' : 'payouts'
}

/** Describe an order for both forms. */
export function describeOrder(order: Charge | Payout, { receipts }: Pick<PawapaySwitches, 'receipts'>) {
  const operation = operationOf(order)
  const is_deposit = 'receiver' in order
  const money = is_deposit ? order.payment : null
  const { failure } = order
  return {
    operation,
    id: { [operations[operation].id]: order.key },
    status: statusOf(order),
    amount: showAmount(money?.amount ?? order.amount),
    currency: money?.currency ?? order.currency,
    country: is_deposit ? order.receiver : order.sender,
    side: is_deposit ? 'payer' : 'recipient',
    phone: order.phonenumber.slice(1),
    provider: findProvider(order.phonenumber)?.provider.code,
    transaction: (receipts && (is_deposit ? order.payment?.remote_id : order.transaction)) || undefined,
    paid_at: is_deposit ? order.payment?.paid_at : order.paid_at,
    failure: order.state === 'failed' && {
      failureCode: failure!.code ?? codeOfReason(operation, failure!.reason),
      failureMessage: failure!.message,
    },
    details: order.details as OrderDetails,
  }
}

function statusOf(order: Charge | Payout): string {
  if (order.state === 'failed') return 'FAILED'
  // The network does not report that it has taken money back.
  if (order.state !== 'pending') return 'COMPLETED'
  if (isUnclear(order.phonenumber)) return 'IN_RECONCILIATION'
  return (order.details as OrderDetails).is_enqueued ? 'ENQUEUED' : 'PROCESSING'
}

/** The network writes amounts with two decimals, however they were sent. */
export function showAmount(value: Amount): string {
  const [whole, decimals] = formatAmount(value).split('.')
  return value % 100n === 0n ? `${whole}.${decimals!.slice(0, 2)}` : shortAmount(value)
}

export function showDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
