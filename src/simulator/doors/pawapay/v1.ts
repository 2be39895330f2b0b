import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parseAmount } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import { wordsOf } from './numbers.ts'
import { limitsOf } from './providers.ts'
import { type OperationName, operations } from './switches.ts'
import {
  describeOrder,
  type Fault,
  type Form,
  idOf,
  joinMetadata,
  type OrderDetails,
  showDate,
  uuid,
  type WantedOrder,
} from './wire.ts'

const id = z.string().regex(uuid)
const party = z.object({ type: z.literal('MSISDN'), address: z.object({ value: z.string() }) })
const metadata = z
  .array(z.object({ fieldName: z.string(), fieldValue: z.string(), isPII: z.boolean().optional() }))
  .max(10)
  .optional()
const common = {
  amount: z.string(),
  currency: z.string(),
  correspondent: z.string(),
  country: z.string().optional(),
  customerTimestamp: z.iso.datetime({ offset: true }),
  statementDescription: z.string().regex(/^[A-Za-z0-9 ]{4,22}$/),
  metadata,
}

/** The bodies of the orders. Members that are not here are not looked at. */
const bodies = {
  deposits: z.object({ depositId: id, payer: party, ...common }),
  payouts: z.object({ payoutId: id, recipient: party, ...common }),
  refunds: z.object({ refundId: id, depositId: id, amount: z.string().optional(), metadata }),
}
type Body = Partial<z.output<(typeof bodies)['deposits']> & z.output<(typeof bodies)['payouts']>>

/**
 * Version 1 of the API: it says correspondents for providers, answers with lists, and has further states and refusals.
 */
export const v1: Form = {
  path: '',
  read,
  accept: (operation, order, status) => ({
    [operations[operation].id]: order.key,
    status: status === 'ACCEPTED' && (order.details as OrderDetails).is_enqueued ? 'ENQUEUED' : status,
    created: showDate(order.created),
  }),
  refuse(operation, body, { code, words }) {
    const error = errors[code]
    if (error) return { status: error.status, body: fail(code) }
    const rejectionCode = rejectionOf(operation, body, code)
    const rejectionReason = { rejectionCode, rejectionMessage: words ?? wordsOf(rejectionCode) }
    return { status: 200, body: { ...shownId(operation, body), status: 'REJECTED', rejectionReason } }
  },
  fail,
  show(order, switches) {
    const one = describeOrder(order, switches)
    const is_paid = one.status === 'COMPLETED'
    const paid_at = one.side === 'payer' ? 'respondedByPayer' : 'receivedByRecipient'
    return {
      ...one.id,
      status: states[one.status] ?? one.status,
      ...(one.side === 'recipient' && { amount: one.amount }),
      ...(one.side === 'payer' && { requestedAmount: one.amount, ...(is_paid && { depositedAmount: one.amount }) }),
      currency: one.currency,
      country: one.country,
      correspondent: one.provider,
      [one.side]: { type: 'MSISDN', address: { value: one.phone } },
      customerTimestamp: one.details.customerTimestamp ?? showDate(order.created),
      statementDescription: order.reason,
      created: showDate(order.created),
      ...(is_paid && one.paid_at && { [paid_at]: showDate(one.paid_at) }),
      ...(one.transaction && { correspondentIds: { PROVIDER_FINAL: one.transaction } }),
      ...(one.failure && {
        failureReason: { ...one.failure, failureCode: failureOf(one.failure.failureCode) },
      }),
      ...(one.details.metadata && { metadata: one.details.metadata }),
    }
  },
  find: (data) => (data ? [data] : []),
  act(operation, found_id, refused) {
    const { id: name, type } = operations[operation]
    if (!refused) return { [name]: found_id, status: 'ACCEPTED' }
    const words = refused === 'NOT_FOUND' ? 'not found' : 'is not in the right state'
    const rejectionReason = `${type[0]}${type.slice(1).toLowerCase()} with ID #${found_id} ${words}`
    return { [name]: found_id, status: 'REJECTED', rejectionReason }
  },
}

function read(operation: OperationName, body: unknown): WantedOrder | Fault {
  if (!isObject(body)) return { code: 'INVALID_INPUT' }
  const parsed = bodies[operation].safeParse(body)
  if (!parsed.success) return { code: 'INVALID_PARAMETER', words: `Check ${parsed.error.issues[0]!.path.join('.')}.` }
  const data: Body = parsed.data
  const amount = data.amount === undefined ? undefined : readAmount(data.amount)
  if (data.amount !== undefined && !amount) return { code: 'INVALID_AMOUNT' }
  const phone = (data.payer ?? data.recipient)?.address.value
  if (phone !== undefined && !/^[1-9]\d{6,14}$/.test(phone)) return { code: 'INVALID_PHONE_NUMBER' }
  const { metadata: given = [], statementDescription, customerTimestamp } = data
  const joined = joinMetadata(given.map(({ fieldName, fieldValue }) => ({ [fieldName]: fieldValue })))
  if (!joined) return { code: 'DUPLICATE_METADATA_FIELD' }
  return {
    key: idOf(operation, body)!.toLowerCase(),
    amount,
    currency: data.currency,
    reason: statementDescription ?? 'Refund',
    details: {
      is_v1: true,
      ...(statementDescription !== undefined && { customerMessage: statementDescription }),
      ...(customerTimestamp !== undefined && { customerTimestamp }),
      ...(given.length > 0 && { metadata: joined }),
    },
    party: phone === undefined ? undefined : { phone, provider: data.correspondent!, country: data.country },
    deposit: operation === 'refunds' ? data.depositId : undefined,
  }
}

/** Zeros at the end are permitted here. */
function readAmount(text: string) {
  return /^(0|[1-9]\d{0,17})(\.\d{1,4})?$/.test(text) ? parseAmount(text) : undefined
}

function shownId(operation: OperationName, body: unknown) {
  const given = idOf(operation, body)
  return given === undefined ? {} : { [operations[operation].id]: given }
}

/** Codes of calls that are wrong, whatever their order is. */
const errors: Readonly<Record<string, { status: number; errorCode: number }>> = {
  INVALID_INPUT: { status: 400, errorCode: 1 },
  HTTP_SIGNATURE_ERROR: { status: 403, errorCode: 3 },
}

function fail(code: string) {
  const errorCode = code.includes('AUTHENTICATION') ? 2 : (errors[code]?.errorCode ?? 0)
  return { errorId: randomUUID(), errorCode, errorMessage: wordsOf(code) }
}

const states: Readonly<Record<string, string>> = { PROCESSING: 'SUBMITTED', IN_RECONCILIATION: 'SUBMITTED' }

/** Codes of version 2 that version 1 has under another name. */
const rejections: Readonly<Record<string, string>> = {
  INVALID_PROVIDER: 'INVALID_CORRESPONDENT',
  INVALID_PARAMETER: 'PARAMETER_INVALID',
  DUPLICATE_METADATA_FIELD: 'PARAMETER_INVALID',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  NOT_FOUND: 'DEPOSIT_NOT_FOUND',
  INVALID_STATE: 'DEPOSIT_NOT_COMPLETED',
  DEPOSIT_ALREADY_REFUNDED: 'ALREADY_REFUNDED',
}

function rejectionOf(operation: OperationName, body: unknown, code: string): string {
  if (code === 'INVALID_PHONE_NUMBER') return `INVALID_${operation === 'deposits' ? 'PAYER' : 'RECIPIENT'}_FORMAT`
  if (code !== 'AMOUNT_OUT_OF_BOUNDS') return rejections[code] ?? code
  const { amount, currency } = body as { amount: string; currency: string }
  return parseAmount(amount)! < limitsOf(currency).least ? 'AMOUNT_TOO_SMALL' : 'AMOUNT_TOO_LARGE'
}

const failures: Readonly<Record<string, string>> = {
  PAYMENT_IN_PROGRESS: 'TRANSACTION_ALREADY_IN_PROCESS',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'BALANCE_INSUFFICIENT',
  UNSPECIFIED_FAILURE: 'OTHER_ERROR',
  UNKNOWN_ERROR: 'OTHER_ERROR',
  WALLET_LIMIT_REACHED: 'OTHER_ERROR',
  RECIPIENT_LIMIT_REACHED: 'OTHER_ERROR',
}

function failureOf(code: string): string {
  return failures[code] ?? code
}
