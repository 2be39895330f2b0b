import type { FailedOutcome, FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { OrderKind } from '../contract.ts'
import type { Failure } from './client.ts'

/** Meaning of pawaPay's code. */
interface Meaning {
  reason: FailureReason
  /** Message for people. */
  message: string
  /** Repair that the operator must make, if the cause is on our side. */
  alarm?: string
}

const WALLET = getMessage('pawapay.wallet_country_too')
const ACCOUNT = (what: string) =>
  `pawaPay says that ${what} are not open for our account at this provider: ask pawaPay to open them.`
const MALFORMED = 'pawaPay refused what we sent as malformed.'
const REPORT = 'pawaPay refuses what we send as malformed: look for a newer version of Kusanya, and report it.'

/**
 * The codes with which pawaPay refuses a call. Nothing has moved then. `PROVIDER_TEMPORARILY_UNAVAILABLE` may be sent again, under a
 * new reference.
 */
const refusals: Readonly<Record<string, Meaning>> = {
  AMOUNT_OUT_OF_BOUNDS: { reason: 'limit_reached', message: getMessage('pawapay.amount_outside_limits') },
  INVALID_AMOUNT: { reason: 'rejected', message: getMessage('pawapay.provider_not_take') },
  INVALID_CURRENCY: { reason: 'rejected', message: getMessage('pawapay.provider_not_take_currency') },
  INVALID_PROVIDER: {
    reason: 'rejected',
    message: 'pawaPay does not offer the provider of this number to us.',
    alarm: 'pawaPay does not offer us the provider of a phone number: ask pawaPay to add it to our account.',
  },
  INVALID_PHONE_NUMBER: { reason: 'payer_not_found', message: getMessage('pawapay.no_provider_carries') },
  PROVIDER_TEMPORARILY_UNAVAILABLE: {
    reason: 'unreachable',
    message: getMessage('pawapay.provider_number_not_available'),
  },
  DEPOSITS_NOT_ALLOWED: {
    reason: 'not_allowed',
    message: 'pawaPay does not collect at this provider for us.',
    alarm: ACCOUNT('deposits'),
  },
  PAYOUTS_NOT_ALLOWED: {
    reason: 'not_allowed',
    message: 'pawaPay does not pay out at this provider for us.',
    alarm: ACCOUNT('payouts'),
  },
  REFUNDS_NOT_ALLOWED: {
    reason: 'not_allowed',
    message: 'pawaPay does not refund at this provider for us.',
    alarm: ACCOUNT('refunds'),
  },
  PAWAPAY_WALLET_OUT_OF_FUNDS: {
    reason: 'rejected',
    message: getMessage('pawapay.wallet_too_little'),
    alarm: WALLET,
  },
  NOT_FOUND: { reason: 'rejected', message: 'pawaPay does not know the payment that is to be refunded.' },
  INVALID_STATE: { reason: 'rejected', message: getMessage('pawapay.payment_not_ended') },
  AMOUNT_TOO_LARGE: { reason: 'rejected', message: getMessage('pawapay.left_payment_cannot_refunded') },
  DEPOSIT_ALREADY_REFUNDED: { reason: 'rejected', message: getMessage('pawapay.payment_refunded_already') },
  REFUND_IN_PROGRESS: { reason: 'rejected', message: getMessage('pawapay.another_refund_payment') },
  INVALID_INPUT: { reason: 'rejected', message: MALFORMED, alarm: REPORT },
  MISSING_PARAMETER: { reason: 'rejected', message: MALFORMED, alarm: REPORT },
  UNSUPPORTED_PARAMETER: { reason: 'rejected', message: MALFORMED, alarm: REPORT },
  INVALID_PARAMETER: { reason: 'rejected', message: MALFORMED, alarm: REPORT },
  DUPLICATE_METADATA_FIELD: { reason: 'rejected', message: MALFORMED, alarm: REPORT },
}

/** The codes of orders that have failed. */
const ends: Readonly<Record<string, Meaning>> = {
  PAYMENT_NOT_APPROVED: { reason: 'cancelled', message: getMessage('drivers.customer_not_approve') },
  INSUFFICIENT_BALANCE: { reason: 'insufficient_funds', message: getMessage('drivers.customer_not_enough') },
  PAYER_LIMIT_REACHED: { reason: 'limit_reached', message: getMessage('pawapay.limit_customer_wallet') },
  WALLET_LIMIT_REACHED: { reason: 'limit_reached', message: getMessage('pawapay.limit_recipient_wallet') },
  RECIPIENT_LIMIT_REACHED: { reason: 'limit_reached', message: getMessage('pawapay.limit_recipient_wallet') },
  PAYER_NOT_FOUND: { reason: 'payer_not_found', message: getMessage('pawapay.phone_number_no_account') },
  RECIPIENT_NOT_FOUND: { reason: 'payee_not_found', message: getMessage('pawapay.phone_number_no_account') },
  RECIPIENT_NOT_ALLOWED_TO_RECEIVE: { reason: 'not_allowed', message: getMessage('pawapay.account_not_receive') },
  PAYMENT_IN_PROGRESS: {
    reason: 'unreachable',
    message: getMessage('pawapay.another_payment_waits'),
  },
  TRANSACTION_ALREADY_IN_PROCESS: {
    reason: 'unreachable',
    message: getMessage('pawapay.another_payment_waits'),
  },
  MANUALLY_CANCELLED: { reason: 'cancelled', message: getMessage('pawapay.payment_cancelled_dashboard') },
  PAWAPAY_WALLET_OUT_OF_FUNDS: {
    reason: 'rejected',
    message: getMessage('pawapay.wallet_too_little'),
    alarm: WALLET,
  },
  UNSPECIFIED_FAILURE: { reason: 'rejected', message: getMessage('pawapay.provider_refused_payment') },
  // For an ended order it is final. As the answer to a call it says nothing.
  UNKNOWN_ERROR: { reason: 'rejected', message: 'pawaPay ended the payment because of an error of its own.' },
}

/** Failure for an unapproved prompt. */
const expired: Meaning = { reason: 'prompt_expired', message: getMessage('pawapay.customer_not_approve') }

/** Maximum seconds of a prompt on a phone. Providers differ, and some keep it for only a minute. */
export const PROMPT_S = 300

/** Failure of an order, and the alarm for the operator. */
export interface Failing {
  answer: FailedOutcome
  alarm: string | undefined
}

/** Return true if this code refuses a call. The others may hide a placed order. */
export function isRefusal({ code }: Failure): boolean {
  return Object.hasOwn(refusals, code)
}

/**
 * Return the meaning of a refused call. The code is accepted by `isRefusal`, or comes from an answer with the word
 * REJECTED.
 */
export function refusalOf(failure: Failure, kind: OrderKind): Failing {
  return toFailing(failure, kind, Object.hasOwn(refusals, failure.code) ? refusals[failure.code] : undefined)
}

/**
 * Return the meaning of an order's final failure.
 * @param lasted_s how long the order has lasted, as far as known: pawaPay has one code for a refusal and for no answer
 */
export function failureOf(failure: Failure, kind: OrderKind, lasted_s: number): Failing {
  const known = Object.hasOwn(ends, failure.code) ? ends[failure.code] : undefined
  const has_expired = failure.code === 'PAYMENT_NOT_APPROVED' && lasted_s >= PROMPT_S
  return toFailing(failure, kind, has_expired ? expired : known)
}

function toFailing({ code, words }: Failure, kind: OrderKind, meaning: Meaning | undefined): Failing {
  if (!meaning) {
    const said = [code, words].filter(Boolean).join(': ')
    const message = `pawaPay refused the payment (${said}).`
    return { answer: { outcome: 'failed', reason: 'rejected', message, code }, alarm: undefined }
  }
  const reason = kind !== 'charge' && meaning.reason === 'payer_not_found' ? 'payee_not_found' : meaning.reason
  return { answer: { outcome: 'failed', reason, message: meaning.message, code }, alarm: meaning.alarm }
}
