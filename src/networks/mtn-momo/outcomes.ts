import { z } from 'zod'
import { spare } from '../../drivers/members.ts'
import type { FailedOutcome, FailureReason, OrderCheck } from '../../lib/adapter-types.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import type { OrderKind } from '../contract.ts'
import { readJsonAmount } from '../shared/text.ts'
import { normalizeCode } from './client.ts'

/*
 * Meanings of MTN's words. An unlisted word is never a failure, except as the reason of an order whose status is
 * failed.
 */

interface ReasonMeaning {
  reason: FailureReason
  /** Message for people. */
  message: string
  /** Kinds of orders for which the cause is on our side, and the repair for the operator. */
  alarm?: { kinds: readonly OrderKind[]; message: string }
}

const ALL = ['charge', 'payout', 'refund'] as const
const OUT = ['payout', 'refund'] as const

/** The reasons of MTN's schema, and those that were seen besides. */
export const reasons: Record<string, ReasonMeaning> = {
  NOT_ENOUGH_FUNDS: {
    reason: 'insufficient_funds',
    message: 'There is not enough money in the wallet.',
    alarm: { kinds: OUT, message: 'There is too little money in our wallet at MTN MoMo for payouts: add money to it.' },
  },
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: {
    reason: 'insufficient_funds',
    message: 'There is not enough money in the wallet, or a limit is reached, or the payment is not allowed.',
  },
  INTERNAL_PROCESSING_ERROR: {
    reason: 'rejected',
    message: 'MTN MoMo refused without a reason. Most often there is not enough money in the wallet.',
  },
  APPROVAL_REJECTED: { reason: 'cancelled', message: 'The payer refused the payment.' },
  REJECTED: { reason: 'cancelled', message: 'The payer refused the payment.' },
  PAYMENT_NOT_APPROVED: { reason: 'cancelled', message: 'The payer did not approve the payment.' },
  TRANSACTION_CANCELED: { reason: 'cancelled', message: 'The payment was cancelled.' },
  TRANSACTION_CANCELLED: { reason: 'cancelled', message: 'The payment was cancelled.' },
  EXPIRED: { reason: 'prompt_expired', message: 'The payer did not approve the payment within 5 minutes.' },
  TIMEOUT: { reason: 'prompt_expired', message: 'The payer did not approve the payment within 5 minutes.' },
  COULD_NOT_PERFORM_TRANSACTION: {
    reason: 'prompt_expired',
    message: 'The payment was not approved within 5 minutes, or MTN MoMo could not carry it out.',
  },
  PAYER_LIMIT_REACHED: {
    reason: 'limit_reached',
    message: 'A limit of the paying wallet is reached.',
    alarm: { kinds: OUT, message: 'A limit of our wallet at MTN MoMo is reached: ask MTN for a higher one.' },
  },
  PAYEE_LIMIT_REACHED: {
    reason: 'limit_reached',
    message: 'A limit of the receiving wallet is reached.',
    alarm: { kinds: ['charge'], message: 'A limit of our wallet at MTN MoMo is reached: move money out of it.' },
  },
  PAYER_NOT_FOUND: {
    reason: 'payer_not_found',
    message: 'The paying number has no MTN MoMo account.',
    alarm: { kinds: OUT, message: 'MTN MoMo does not find our own wallet for payouts: ask MTN about it.' },
  },
  SENDER_ACCOUNT_NOT_ACTIVE: {
    reason: 'payer_not_found',
    message: 'The paying MTN MoMo account is not active.',
    alarm: { kinds: OUT, message: 'Our wallet at MTN MoMo is not active: ask MTN to activate it.' },
  },
  PAYEE_NOT_FOUND: {
    reason: 'payee_not_found',
    message: 'The receiving number has no MTN MoMo account.',
    alarm: {
      kinds: ['charge'],
      message: 'MTN MoMo does not find our own wallet, so nobody can pay: ask MTN whether it is blocked.',
    },
  },
  PAYEE_NOT_ALLOWED_TO_RECEIVE: {
    reason: 'not_allowed',
    message: 'The receiving wallet may not receive this payment.',
    alarm: { kinds: ['charge'], message: 'Our wallet at MTN MoMo may not receive payments: ask MTN to allow it.' },
  },
  NOT_ALLOWED: {
    reason: 'not_allowed',
    message: 'MTN MoMo does not allow this payment.',
    alarm: {
      kinds: ALL,
      message: 'MTN MoMo says that our API user may not do this (NOT_ALLOWED): ask MTN for the permission.',
    },
  },
  NOT_ALLOWED_TARGET_ENVIRONMENT: {
    reason: 'not_allowed',
    message: 'MTN MoMo does not allow this payment, because the connection names the wrong country.',
    alarm: {
      kinds: ALL,
      message: 'MTN MoMo refuses target_environment: set that of the country in which the API user was made.',
    },
  },
  TRANSFER_TYPE_UNKNOWN: {
    reason: 'not_allowed',
    message: 'MTN MoMo does not know this kind of transfer.',
    alarm: { kinds: OUT, message: 'MTN MoMo refuses payout_operation: ask MTN whether you have transfer or deposit.' },
  },
  INVALID_CALLBACK_URL_HOST: {
    reason: 'rejected',
    message: 'MTN MoMo refused the payment, because our callback address is not registered.',
    alarm: {
      kinds: ALL,
      message:
        'MTN MoMo refuses the host of our callback address: register it for the API user, or switch callbacks off.',
    },
  },
  INVALID_CURRENCY: {
    reason: 'rejected',
    message: 'MTN MoMo refused the currency.',
    alarm: {
      kinds: ALL,
      message: 'MTN MoMo refuses our currency: check target_environment and the currencies of the connection.',
    },
  },
  VALIDATION_ERROR: { reason: 'rejected', message: 'MTN MoMo refused what we sent as malformed.' },
  TRANSACTION_NOT_FOUND: { reason: 'rejected', message: 'MTN MoMo does not find the transaction.' },
  RESOURCE_NOT_FOUND: { reason: 'rejected', message: 'MTN MoMo does not find what the order refers to.' },
  RESOURCE_ALREADY_EXIST: { reason: 'rejected', message: 'MTN MoMo has another order with the same id.' },
  SERVICE_UNAVAILABLE: { reason: 'unreachable', message: 'MTN MoMo could not reach the wallet. Try again later.' },
}

/** Codes with which MTN refuses a call before anything has happened, because of our configuration. */
export const configurationCodes: ReadonlySet<string> = new Set([
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
])

/** Meanings of the status words. A failed order without a reason gets its reason from this table. */
const statuses: Record<string, 'open' | 'successful' | 'failed'> = {
  PENDING: 'open',
  CREATED: 'open',
  ONGOING: 'open',
  DELAYED: 'open',
  SUCCESSFUL: 'successful',
  SUCCESS: 'successful',
  FAILED: 'failed',
  REJECTED: 'failed',
  TIMEOUT: 'failed',
  EXPIRED: 'failed',
}

/** Reasons that say that an order is still open, so they contradict a status that says it has ended. */
const openReasons: ReadonlySet<string> = new Set(['ONGOING', 'DELAYED', 'PENDING', 'PAYER_DELAYED', 'PAYEE_DELAYED'])

/** Failure of an order, and the alarm for the operator. */
export interface Failure {
  answer: FailedOutcome
  alarm: string | undefined
}

/**
 * Return the failure that a reason means for this kind of order.
 * @param words MTN's text besides the code
 */
export function failureOf(code: string, kind: OrderKind, words?: string): Failure {
  const meaning = reasons[code]
  const said = words ? `${code}: ${words}` : code
  const answer: FailedOutcome = meaning
    ? { outcome: 'failed', reason: meaning.reason, message: meaning.message, code }
    : { outcome: 'failed', reason: 'rejected', message: `MTN MoMo refused the payment (${said}).`, code }
  return { answer, alarm: meaning?.alarm?.kinds.includes(kind) ? meaning.alarm.message : undefined }
}

/** The order that a status answer is read for. */
export interface AskedOrder {
  kind: OrderKind
  reference: string
  currency: string
}

/** Verdict of a status answer, and the alarm for the operator. */
export interface Verdict {
  answer: Exclude<OrderCheck, { outcome: 'not_found' }>
  alarm?: string
}

/** Read the state of an order as MTN returns it. What does not have the expected form is unknown. */
export function readState(body: unknown, order: AskedOrder): Verdict {
  const state = State.safeParse(body).data
  if (!state) return unknown('MTN MoMo answered without the state of the order.')
  if (state.externalId !== undefined && state.externalId.toLowerCase() !== order.reference)
    return unknown('MTN MoMo answered with the state of another order.')
  const word = normalizeCode(state.status)
  const meaning = statuses[word]
  const { code, message } = readReason(state.reason)
  if (meaning === 'open') return { answer: { outcome: 'accepted', remote_id: order.reference } }
  if (meaning === 'successful' && !(code && contradicts(code))) return readSuccess(state, order)
  if (meaning === 'failed' && !(code && openReasons.has(code))) return failureOf(code ?? word, order.kind, message)
  return unknown(`MTN MoMo answered with a state that is not known (${[word, code].filter(Boolean).join(', ')}).`)
}

/** A reason for a failure, or for an order that is open, beside a status that says that the money has arrived. */
function contradicts(code: string): boolean {
  return reasons[code] !== undefined || openReasons.has(code)
}

/** A sum in another currency, or one that cannot be read, is nothing that we could book. */
function readSuccess(state: z.infer<typeof State>, order: AskedOrder): Verdict {
  const { currency, financialTransactionId } = state
  const amount = state.amount === undefined ? undefined : readJsonAmount(state.amount)
  if (currency !== undefined && currency.trim().toUpperCase() !== order.currency)
    return {
      ...unknown('MTN MoMo reports a payment in another currency than the one ordered.'),
      alarm: 'MTN MoMo reports a payment in another currency than the one ordered: ask MTN what was paid.',
    }
  if (state.amount !== undefined && (amount === undefined || amount <= 0n))
    return unknown('MTN MoMo reports a payment with an amount that cannot be read.')
  const remote_id = financialTransactionId && String(financialTransactionId)
  return { answer: { outcome: 'successful', ...(remote_id && { remote_id }), ...(amount && { amount }) } }
}

/** A reason is a word or an object with a code, depending on the deployment. */
function readReason(reason: z.infer<typeof State>['reason']): { code?: string; message?: string } {
  if (reason === undefined) return {}
  const { code, message } = typeof reason === 'string' ? { code: reason, message: undefined } : reason
  return {
    ...(code?.trim() && { code: normalizeCode(code) }),
    ...(message?.trim() && { message: toStorableText(message.trim()).slice(0, MAX_WORDS) }),
  }
}

function unknown(message: string): Verdict {
  return { answer: { outcome: 'unknown', message } }
}

const MAX_WORDS = 200

/** Accept a missing or null member. Members that decide are strict. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined)
const word = z.union([z.string(), z.number()]).transform(String)

const State = z.object({
  status: z.string().min(1),
  amount: optional(z.union([z.string(), z.number()])),
  currency: spare(z.string()),
  /** MTN's receipt. It exists only when money has moved. */
  financialTransactionId: optional(z.union([z.string().regex(/^[0-9A-Za-z._-]{1,100}$/), z.int().positive()])),
  externalId: spare(word),
  reason: spare(z.union([word, z.object({ code: spare(word), message: spare(word) })])),
})
