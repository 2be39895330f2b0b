import { z } from 'zod'
import type { FailureReason } from '../../../lib/adapter-types.ts'
import { type Amount, shortAmount } from '../../../lib/money.ts'
import { currency, newAmount } from '../../world/fields.ts'
import type { CallbackRequest, Change, Charge, Payout } from '../../world/world.ts'
import type { MtnSwitches } from './switches.ts'

/** A message or note: special characters are refused, and so is null. */
const note = z
  .string()
  .max(160)
  .regex(/^[A-Za-z0-9 \-_.,]*$/)
const party = z.object({ partyIdType: z.enum(['MSISDN', 'EMAIL', 'PARTY_CODE']), partyId: z.string().min(1).max(100) })
const common = {
  amount: newAmount,
  currency,
  externalId: z.string().max(200).optional(),
  payerMessage: note,
  payeeNote: note,
}

/** The body of a request to pay. */
export const ChargeBody = z.object({ ...common, payer: party })
/** The body of a transfer or deposit. */
export const PayoutBody = z.object({ ...common, payee: party })
export const RefundBody = z.object({ ...common, referenceIdToRefund: z.string().min(1).max(100) })

/** Data of an order that only the network needs. */
export interface OrderDetails {
  operation: 'requesttopay' | 'transfer' | 'deposit' | 'refund'
  external_id: string | null
  payer_message: string
  payee_note: string
  /** The status while it is open, where a test number decides it. */
  open_status?: string
}

/** Return the state of an order, as the status query and the callback show it. */
export function showState(order: Charge | Payout, switches: Pick<MtnSwitches, 'reason' | 'open_status'>) {
  const { external_id, payer_message, payee_note, open_status } = order.details as unknown as OrderDetails
  const is_charge = 'receiver' in order
  // The party of a refund is not shown: the business has not named one.
  const role = is_charge ? 'payer' : order.kind === 'refund' ? undefined : 'payee'
  const party = { partyIdType: 'MSISDN', partyId: order.phonenumber.slice(1) }
  const transaction = is_charge ? order.payment?.remote_id : order.transaction
  return {
    ...(transaction && { financialTransactionId: transaction }),
    ...(external_id !== null && { externalId: external_id }),
    amount: showAmount(is_charge ? (order.payment?.amount ?? order.amount) : order.amount),
    currency: is_charge ? (order.payment?.currency ?? order.currency) : order.currency,
    ...(role && { [role]: party }),
    payerMessage: payer_message,
    payeeNote: payee_note,
    ...statusOf(order, switches, open_status ?? switches.open_status),
  }
}

/** Amounts come back without zeros at their end, however they were sent. */
export function showAmount(amount: Amount): string {
  return shortAmount(amount)
}

function statusOf(order: Charge | Payout, switches: Pick<MtnSwitches, 'reason'>, open_status: string) {
  if (order.state === 'pending') return { status: open_status }
  // MTN does not report that it has taken money back.
  if (order.state !== 'failed') return { status: 'SUCCESSFUL' }
  const { code, message, reason } = order.failure!
  const word = code ?? codes['receiver' in order ? 'charge' : 'payout'][reason]
  return { status: 'FAILED', reason: switches.reason === 'object' ? { code: word, message } : word }
}

/** MTN's codes for failures that common test numbers cause. */
const commonCodes = {
  cancelled: 'APPROVAL_REJECTED',
  wrong_pin: 'PAYMENT_NOT_APPROVED',
  insufficient_funds: 'NOT_ENOUGH_FUNDS',
  payer_not_found: 'PAYER_NOT_FOUND',
  payee_not_found: 'PAYEE_NOT_FOUND',
  not_allowed: 'NOT_ALLOWED',
  prompt_expired: 'EXPIRED',
  unreachable: 'SERVICE_UNAVAILABLE',
  rejected: 'INTERNAL_PROCESSING_ERROR',
}
const codes: Record<'charge' | 'payout', Record<FailureReason, string>> = {
  charge: { ...commonCodes, limit_reached: 'PAYER_LIMIT_REACHED' },
  payout: { ...commonCodes, limit_reached: 'PAYEE_LIMIT_REACHED' },
}

/** Delay in seconds before a callback is repeated. */
const REPEATED_AFTER_S = 180

/** The callbacks about a change: one when an order ends, to the address of its call. */
export function callbacksOf(change: Change, switches: MtnSwitches): CallbackRequest[] {
  const order = endedOrder(change)
  if (!switches.callbacks || !order || order.callback_url === null) return []
  const { operation, external_id } = order.details as unknown as OrderDetails
  // Some orders have another name in a callback that lies; then their external id is another one, too.
  const named =
    external_id === null ? order : { ...order, details: { ...order.details, external_id: renamed(order, external_id) } }
  const shown = { ...showState(named, switches), ...(switches.callback_names_reference && { referenceId: order.key }) }
  const callback: CallbackRequest = {
    url: order.callback_url,
    // MTN says that the callback of the first version of the deposit is a POST.
    method: operation === 'deposit' ? 'POST' : switches.callback_method,
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'LWAC Http Client 1.0' },
    body: JSON.stringify(shown),
  }
  return switches.callback_repeats ? [callback, { ...callback, after_s: REPEATED_AFTER_S }] : [callback]
}

function endedOrder(change: Change): Charge | Payout | undefined {
  if (change.event === 'charge.paid') return { ...change.charge, payment: change.payment }
  if (change.event === 'charge.failed') return change.charge
  return change.event === 'payout.ended' ? change.payout : undefined
}

function renamed({ key, details }: Charge | Payout, external_id: string): string {
  return (details as { key?: string }).key === external_id ? key : external_id
}
