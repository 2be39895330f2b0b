import type { FailureReason } from '../../../lib/adapter-types.ts'
import type { Outcome } from '../../world/world.ts'
import type { TestNumber } from '../door.ts'

/*
 * The test numbers of MTN's sandbox. They mean different things for charges and transfers, for accounts and for refunds.
 */

/** Effect of a number or reference on an order: one of MTN's codes, or a word for an order that does not fail. */
type Effect = { code: string; reason: FailureReason } | 'stays open' | 'delayed' | 'successful'

const failed = (code: string, reason: FailureReason): Effect => ({ code, reason })
const internal = failed('INTERNAL_PROCESSING_ERROR', 'rejected')
const rejected = failed('APPROVAL_REJECTED', 'cancelled')
const expired = failed('EXPIRED', 'prompt_expired')
const notAllowed = failed('NOT_ALLOWED', 'not_allowed')
const targetEnvironment = failed('NOT_ALLOWED_TARGET_ENVIRONMENT', 'not_allowed')
const callbackHost = failed('INVALID_CALLBACK_URL_HOST', 'rejected')
const currency = failed('INVALID_CURRENCY', 'rejected')
const unavailable = failed('SERVICE_UNAVAILABLE', 'unreachable')
const couldNotPerform = failed('COULD_NOT_PERFORM_TRANSACTION', 'prompt_expired')
const transferType = failed('TRANSFER_TYPE_UNKNOWN', 'not_allowed')

/** The effects from the number …50 on. */
const chargeEffects: readonly Effect[] = [
  internal,
  rejected,
  expired,
  'stays open',
  'delayed',
  failed('PAYER_NOT_FOUND', 'payer_not_found'),
  failed('PAYEE_NOT_ALLOWED_TO_RECEIVE', 'not_allowed'),
  notAllowed,
  targetEnvironment,
  callbackHost,
  currency,
  internal,
  unavailable,
  couldNotPerform,
  transferType,
]
const transferEffects: readonly Effect[] = [
  internal,
  rejected,
  expired,
  'stays open',
  'delayed',
  failed('NOT_ENOUGH_FUNDS', 'insufficient_funds'),
  failed('PAYER_LIMIT_REACHED', 'limit_reached'),
  failed('PAYEE_NOT_FOUND', 'payee_not_found'),
  notAllowed,
  targetEnvironment,
  callbackHost,
  currency,
  internal,
  unavailable,
  transferType,
]
/** By `referenceIdToRefund`, from 1 on. */
const refundEffects: readonly Effect[] = [
  failed('TRANSACTION_NOT_FOUND', 'rejected'),
  internal,
  rejected,
  expired,
  'stays open',
  'delayed',
  notAllowed,
  targetEnvironment,
  callbackHost,
  currency,
  internal,
  unavailable,
  couldNotPerform,
]

const FIRST = '467331234'
const FIRST_ENDING = 50
/** After how many seconds a delayed order ends, as it was measured. */
const DELAYED_S = 25

export type NumberedOperation = 'requesttopay' | 'deposit' | 'transfer' | 'refund'

/**
 * Return the effect of a test number on an order; undefined for other numbers.
 * @param number a phone number without plus sign; for a refund, `referenceIdToRefund`
 */
export function effectOf(operation: NumberedOperation, number: string): Effect | undefined {
  if (operation === 'refund') return /^\d{1,2}$/.test(number) ? refundEffects[Number(number) - 1] : undefined
  if (!number.startsWith(FIRST) || number.length !== FIRST.length + 2) return undefined
  const effects = operation === 'transfer' ? transferEffects : chargeEffects
  return effects[Number(number.slice(-2)) - FIRST_ENDING]
}

/** The outcome of an effect in the simulated world. Nothing waits for an approval there, so failures are seen at once. */
export function outcomeOf(effect: Effect): Outcome {
  if (effect === 'stays open') return { ends: 'never' }
  if (effect === 'delayed') return { ends: 'paid', after_s: DELAYED_S }
  if (effect === 'successful') return { ends: 'paid', after_s: 0 }
  return { ends: 'failed', reason: effect.reason, code: effect.code, after_s: 0 }
}

/** Codes with which the call itself can be refused: the switch `refusals` says which. */
export const callCodes: ReadonlySet<string> = new Set([
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
  'INTERNAL_PROCESSING_ERROR',
  'SERVICE_UNAVAILABLE',
])

/** The answer about an account with one of the test numbers or addresses; undefined for others. */
export function accountEffectOf(id: string): { status: number; code?: string } | 'not active' | undefined {
  const name = id.endsWith('@email.com') ? id.slice(0, -'@email.com'.length).toLowerCase() : undefined
  const ending = id.startsWith(FIRST) && id.length === FIRST.length + 2 ? Number(id.slice(-2)) - FIRST_ENDING : -1
  return accountEffects.find((effect, index) => index === ending || effect.name === name)?.answer
}

const accountEffects: readonly { name: string; answer: { status: number; code?: string } | 'not active' }[] = [
  { name: 'notfound', answer: { status: 404, code: 'RESOURCE_NOT_FOUND' } },
  { name: 'notactive', answer: 'not active' },
  { name: 'notallowed', answer: { status: 500, code: 'NOT_ALLOWED' } },
  { name: 'notallowedtargetenvironment', answer: { status: 500, code: 'NOT_ALLOWED_TARGET_ENVIRONMENT' } },
  { name: 'internalprocessingerror', answer: { status: 500, code: 'INTERNAL_PROCESSING_ERROR' } },
  { name: 'serviceunavailable', answer: { status: 503, code: 'SERVICE_UNAVAILABLE' } },
]

/** The test numbers, for people. */
export const numbers: readonly TestNumber[] = [
  ...chargeEffects.map((effect, index) => {
    const [charged, transferred] = [wordsOf(effect), wordsOf(transferEffects[index]!)]
    return {
      number: numberAt(index),
      effect: charged === transferred ? charged : `${charged}; transfer: ${transferred}`,
    }
  }),
  ...accountEffects.map(({ name, answer }, index) => {
    const words = answer === 'not active' ? answer : (answer.code ?? '')
    return { number: numberAt(index), effect: `account holder: ${words} (also ${name}@email.com)` }
  }),
  ...refundEffects.map((effect, index) => ({
    number: `${index + 1}`,
    effect: `as referenceIdToRefund: ${wordsOf(effect)}`,
  })),
]

function numberAt(index: number): string {
  return `${FIRST}${FIRST_ENDING + index}`
}

function wordsOf(effect: Effect): string {
  return typeof effect === 'string' ? effect : effect.code
}
