import { z } from 'zod'
import { spare } from '../../drivers/members.ts'
import type { FailedOutcome, FailureReason, OrderCheck } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
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
    message: getMessage('mtn.not_enough_money'),
    alarm: { kinds: OUT, message: getMessage('mtn.too_little_money') },
  },
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED: {
    reason: 'insufficient_funds',
    message: getMessage('mtn.not_enough_money_wallet'),
  },
  INTERNAL_PROCESSING_ERROR: {
    reason: 'rejected',
    message: getMessage('mtn.refused_without_reason'),
  },
  APPROVAL_REJECTED: { reason: 'cancelled', message: getMessage('mtn.payer_refused_payment') },
  REJECTED: { reason: 'cancelled', message: getMessage('mtn.payer_refused_payment') },
  PAYMENT_NOT_APPROVED: { reason: 'cancelled', message: getMessage('mtn.payer_not_approve') },
  TRANSACTION_CANCELED: { reason: 'cancelled', message: getMessage('mtn.payment_cancelled') },
  TRANSACTION_CANCELLED: { reason: 'cancelled', message: getMessage('mtn.payment_cancelled') },
  EXPIRED: { reason: 'prompt_expired', message: getMessage('mtn.payer_not_approve_payment') },
  TIMEOUT: { reason: 'prompt_expired', message: getMessage('mtn.payer_not_approve_payment') },
  COULD_NOT_PERFORM_TRANSACTION: {
    reason: 'prompt_expired',
    message: getMessage('mtn.payment_not_approved'),
  },
  PAYER_LIMIT_REACHED: {
    reason: 'limit_reached',
    message: getMessage('mtn.limit_paying_wallet'),
    alarm: { kinds: OUT, message: getMessage('mtn.limit_wallet_reached') },
  },
  PAYEE_LIMIT_REACHED: {
    reason: 'limit_reached',
    message: getMessage('mtn.limit_receiving_wallet'),
    alarm: { kinds: ['charge'], message: getMessage('mtn.limit_wallet_reached_move') },
  },
  PAYER_NOT_FOUND: {
    reason: 'payer_not_found',
    message: getMessage('mtn.paying_number_no_account'),
    alarm: { kinds: OUT, message: getMessage('mtn.not_find_own') },
  },
  SENDER_ACCOUNT_NOT_ACTIVE: {
    reason: 'payer_not_found',
    message: getMessage('mtn.paying_account_not_active'),
    alarm: { kinds: OUT, message: getMessage('mtn.wallet_not_active') },
  },
  PAYEE_NOT_FOUND: {
    reason: 'payee_not_found',
    message: getMessage('mtn.receiving_number_no_account'),
    alarm: {
      kinds: ['charge'],
      message: getMessage('mtn.not_find_own_wallet'),
    },
  },
  PAYEE_NOT_ALLOWED_TO_RECEIVE: {
    reason: 'not_allowed',
    message: getMessage('mtn.receiving_wallet_not_receive'),
    alarm: { kinds: ['charge'], message: getMessage('mtn.wallet_not_receive') },
  },
  NOT_ALLOWED: {
    reason: 'not_allowed',
    message: getMessage('mtn.not_allow_payment'),
    alarm: {
      kinds: ALL,
      message: getMessage('mtn.says_api_user'),
    },
  },
  NOT_ALLOWED_TARGET_ENVIRONMENT: {
    reason: 'not_allowed',
    message: getMessage('mtn.not_allow_payment_because'),
    alarm: {
      kinds: ALL,
      message: getMessage('mtn.refuses_target_environment_set'),
    },
  },
  TRANSFER_TYPE_UNKNOWN: {
    reason: 'not_allowed',
    message: getMessage('mtn.not_know_kind'),
    alarm: { kinds: OUT, message: getMessage('mtn.refuses_payout_operation_ask') },
  },
  INVALID_CALLBACK_URL_HOST: {
    reason: 'rejected',
    message: getMessage('mtn.refused_payment_because'),
    alarm: {
      kinds: ALL,
      message: getMessage('mtn.refuses_host_callback'),
    },
  },
  INVALID_CURRENCY: {
    reason: 'rejected',
    message: getMessage('mtn.refused_currency'),
    alarm: {
      kinds: ALL,
      message: getMessage('mtn.refuses_currency_check'),
    },
  },
  VALIDATION_ERROR: { reason: 'rejected', message: getMessage('mtn.refused_sent_malformed') },
  TRANSACTION_NOT_FOUND: { reason: 'rejected', message: getMessage('mtn.not_find_transaction') },
  RESOURCE_NOT_FOUND: { reason: 'rejected', message: getMessage('mtn.not_find_order') },
  RESOURCE_ALREADY_EXIST: { reason: 'rejected', message: getMessage('mtn.another_order_same') },
  SERVICE_UNAVAILABLE: { reason: 'unreachable', message: getMessage('mtn.not_reach_wallet') },
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
    : { outcome: 'failed', reason: 'rejected', message: getMessage('mtn.refused_payment', { said }), code }
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
  if (!state) return unknown(getMessage('mtn.answered_without_state'))
  if (state.externalId !== undefined && state.externalId.toLowerCase() !== order.reference)
    return unknown(getMessage('mtn.answered_state_another'))
  const word = normalizeCode(state.status)
  const meaning = statuses[word]
  const { code, message } = readReason(state.reason)
  if (meaning === 'open') return { answer: { outcome: 'accepted', remote_id: order.reference } }
  if (meaning === 'successful' && !(code && contradicts(code))) return readSuccess(state, order)
  if (meaning === 'failed' && !(code && openReasons.has(code))) return failureOf(code ?? word, order.kind, message)
  return unknown(getMessage('mtn.answered_state_not_known', { list: [word, code].filter(Boolean).join(', ') }))
}

/** A reason for a failure, or for an order that is open, beside a status that says that the money has arrived. */
function contradicts(code: string): boolean {
  return reasons[code] !== undefined || openReasons.has(code)
}

/** A sum in another currency, or one that cannot be read, is nothing that we could book; nor is money with an empty id. */
function readSuccess(state: z.infer<typeof State>, order: AskedOrder): Verdict {
  const { currency, financialTransactionId } = state
  if (financialTransactionId === '') return unknown(getMessage('mtn.answered_without_state'))
  const amount = state.amount === undefined ? undefined : readJsonAmount(state.amount)
  if (currency !== undefined && currency.trim().toUpperCase() !== order.currency)
    return {
      ...unknown(getMessage('mtn.reports_payment_another')),
      alarm: getMessage('mtn.reports_payment_another_currency'),
    }
  if (state.amount !== undefined && (amount === undefined || amount <= 0n))
    return unknown(getMessage('mtn.reports_payment_amount'))
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
  /** MTN's receipt. It exists only when money has moved; without money it may be empty. */
  financialTransactionId: optional(z.union([z.string().regex(/^[0-9A-Za-z._-]{0,100}$/), z.int().positive()])),
  externalId: spare(word),
  reason: spare(z.union([word, z.object({ code: spare(word), message: spare(word) })])),
})
