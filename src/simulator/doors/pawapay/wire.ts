import { z } from 'zod'
import { type Amount, formatAmount, parseAmount, shortAmount } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import type { CallbackRequest, Change, Charge, Payout } from '../../world/world.ts'
import { codeOfReason, isUnclear } from './numbers.ts'
import { findProvider } from './providers.ts'
import type { Mark } from './signatures.ts'
import { type OperationName, operations, type PawapayState, type PawapaySwitches } from './switches.ts'

/** No zeros before the number or at its end, and no sign. */
const amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/)
  .transform((text) => parseAmount(text)!)
  .refine((value: Amount) => value > 0n)
const currency = z.string().regex(/^[A-Z]{3}$/)
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i)
const party = z.object({
  type: z.literal('MMO'),
  accountDetails: z.object({ phoneNumber: z.string().regex(/^[1-9]\d{6,14}$/), provider: z.string().min(1) }),
})
const metadata = z.array(z.record(z.string(), z.unknown())).max(10)
const common = { clientReferenceId: z.string().optional(), metadata: metadata.optional() }
const message = z
  .string()
  .regex(/^[A-Za-z0-9 ]{4,22}$/)
  .optional()

/** The bodies of the orders. Members that are not here are refused. */
export const Deposit = z.strictObject({
  depositId: uuid,
  amount,
  currency,
  payer: party,
  preAuthorisationCode: z.string().optional(),
  customerMessage: message,
  ...common,
})
export const PayoutBody = z.strictObject({
  payoutId: uuid,
  amount,
  currency,
  recipient: party,
  customerMessage: message,
  ...common,
})
export const Refund = z.strictObject({
  refundId: uuid,
  depositId: uuid,
  amount: amount.optional(),
  currency: currency.optional(),
  ...common,
})

/** The code for a body that is not as it must be, with the member that is meant. */
export function faultOf(body: unknown, error: z.ZodError): { code: string; words: string } {
  if (!isObject(body)) return { code: 'INVALID_INPUT', words: 'The body cannot be read.' }
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    return { code: 'UNSUPPORTED_PARAMETER', words: `Unknown: ${issue.keys.join(', ')}` }
  const path = issue?.path.map(String) ?? []
  const is_missing = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), body) === undefined
  return { code: is_missing ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER', words: `Check ${path.join('.')}.` }
}

/** What the network keeps of an order besides what the simulated world knows. */
export interface OrderDetails {
  clientReferenceId?: string
  customerMessage?: string
  metadata?: Record<string, unknown>
  /** The provider was down when the order came. */
  is_enqueued?: boolean
}

/** The members of a list of metadata as one object; undefined where a name comes twice. */
export function joinMetadata(list: readonly Record<string, unknown>[]): Record<string, unknown> | undefined {
  const members = list.flatMap(({ isPII: _, ...one }) => Object.entries(one))
  const joined = Object.fromEntries(members)
  return Object.keys(joined).length === members.length ? joined : undefined
}

/** The operation of an order. */
export function operationOf(order: Charge | Payout): OperationName {
  if ('receiver' in order) return 'deposits'
  return order.kind === 'refund' ? 'refunds' : 'payouts'
}

/** An order as the status question and the callback show it. */
export function showOrder(order: Charge | Payout, { receipts }: Pick<PawapaySwitches, 'receipts'>) {
  const operation = operationOf(order)
  const is_deposit = 'receiver' in order
  const { clientReferenceId, customerMessage, metadata: given } = order.details as OrderDetails
  const found = findProvider(order.phonenumber)
  const money = is_deposit ? order.payment : null
  const transaction = is_deposit ? order.payment?.remote_id : order.transaction
  return {
    [operations[operation].id]: order.key,
    status: statusOf(order),
    amount: showAmount(money?.amount ?? order.amount),
    currency: money?.currency ?? order.currency,
    country: is_deposit ? order.receiver : order.sender,
    [is_deposit ? 'payer' : 'recipient']: {
      type: 'MMO',
      accountDetails: { phoneNumber: order.phonenumber.slice(1), provider: found?.provider.code },
    },
    ...(customerMessage !== undefined && { customerMessage }),
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    created: showDate(order.created),
    ...(receipts && transaction && { providerTransactionId: transaction }),
    ...(order.state === 'failed' && { failureReason: failureOf(order, operation) }),
    ...(given && { metadata: given }),
  }
}

function statusOf(order: Charge | Payout): string {
  if (order.state === 'failed') return 'FAILED'
  // The network does not report that it has taken money back.
  if (order.state !== 'pending') return 'COMPLETED'
  if (isUnclear(order.phonenumber)) return 'IN_RECONCILIATION'
  return (order.details as OrderDetails).is_enqueued ? 'ENQUEUED' : 'PROCESSING'
}

function failureOf({ failure }: Charge | Payout, operation: OperationName) {
  const { code, reason, message: failureMessage } = failure!
  return { failureCode: code ?? codeOfReason(operation, reason), failureMessage }
}

/** The network writes amounts with two decimals, however they were sent. */
export function showAmount(value: Amount): string {
  const [whole, decimals] = formatAmount(value).split('.')
  return value % 100n === 0n ? `${whole}.${decimals!.slice(0, 2)}` : shortAmount(value)
}

export function showDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** How often a callback is sent while the answer is not 2xx: for seven minutes, and pawaPay stops after fifteen. */
const MAX_ATTEMPTS = 8

/** The callback about the end of an order. */
export function callbackOf(order: Charge | Payout, switches: PawapaySwitches, forged: boolean): CallbackRequest[] {
  const url = switches[`${operationOf(order)}_callback_url`]
  if (url === '') return []
  const mark: Mark = `${forged ? 'forged' : 'genuine'} ${switches.signature_form}`
  const headers = { 'content-type': 'application/json', ...(switches.signed_callbacks && { signature: mark }) }
  return [{ url, headers, body: JSON.stringify(showOrder(order, switches)), max_attempts: MAX_ATTEMPTS }]
}

/** The callbacks about a change: one when an order ends. */
export function callbacksOf(change: Change, { switches, forged }: PawapayState): CallbackRequest[] {
  const order = endedOrder(change)
  return order ? callbackOf(order, switches, forged) : []
}

function endedOrder(change: Change): Charge | Payout | undefined {
  if (change.event === 'charge.paid') return { ...change.charge, payment: change.payment }
  if (change.event === 'charge.failed') return change.charge
  return change.event === 'payout.ended' ? change.payout : undefined
}
