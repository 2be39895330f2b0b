import type { FailureReason } from '../../../lib/adapter-types.ts'
import type { Outcome } from '../../world/world.ts'
import type { TestNumber } from '../door.ts'
import type { OperationName } from './switches.ts'

/*
 * The numbers of pawaPay's sandbox: the prefix of a provider, 456 (in Benin 345), and three digits that decide. Those with 457 are
 * ours, for the codes that pawaPay documents without a number.
 */

interface Effect {
  code: string
  reason: FailureReason
}

const failed = (code: string, reason: FailureReason): Effect => ({ code, reason })

const deposits: Readonly<Record<string, Effect>> = {
  '6019': failed('PAYER_LIMIT_REACHED', 'limit_reached'),
  '6029': failed('PAYER_NOT_FOUND', 'payer_not_found'),
  '6039': failed('PAYMENT_NOT_APPROVED', 'cancelled'),
  '6049': failed('INSUFFICIENT_BALANCE', 'insufficient_funds'),
  '6059': failed('TRANSACTION_ALREADY_IN_PROCESS', 'unreachable'),
  '6069': failed('UNSPECIFIED_FAILURE', 'rejected'),
  '7001': failed('PAYMENT_IN_PROGRESS', 'unreachable'),
  '7002': failed('WALLET_LIMIT_REACHED', 'limit_reached'),
  '7003': failed('MANUALLY_CANCELLED', 'cancelled'),
  '7004': failed('UNKNOWN_ERROR', 'rejected'),
}

const payouts: Readonly<Record<string, Effect>> = {
  '6079': failed('RECIPIENT_NOT_FOUND', 'payee_not_found'),
  '6089': failed('RECIPIENT_NOT_FOUND', 'payee_not_found'),
  '6099': failed('WALLET_LIMIT_REACHED', 'limit_reached'),
  '6109': failed('RECIPIENT_LIMIT_REACHED', 'limit_reached'),
  '6119': failed('UNSPECIFIED_FAILURE', 'rejected'),
  '7003': failed('MANUALLY_CANCELLED', 'cancelled'),
  '7004': failed('UNKNOWN_ERROR', 'rejected'),
  '7005': failed('RECIPIENT_NOT_ALLOWED_TO_RECEIVE', 'not_allowed'),
  '7006': failed('PAWAPAY_WALLET_OUT_OF_FUNDS', 'rejected'),
}

const tables: Readonly<Record<OperationName, Readonly<Record<string, Effect>>>> = { deposits, payouts, refunds: {} }

const OPEN = '6129'
/** Make the order's state say that pawaPay does not know its end. */
const UNCLEAR = '7129'

/** The last four digits, if the number is one of those that decide. */
function endingOf(phonenumber: string): string | undefined {
  const [, sixth, three] = /(?:45([67])|345)(\d{3})$/.exec(phonenumber) ?? []
  return three === undefined ? undefined : `${sixth ?? '6'}${three}`
}

/** Return the effect of a number on an order; undefined for other numbers. */
export function outcomeOf(operation: OperationName, phonenumber: string): Outcome | undefined {
  const ending = endingOf(phonenumber)
  if (ending === OPEN || ending === UNCLEAR) return { ends: 'never' }
  if (ending === '6789') return { ends: 'paid' }
  const effect = ending === undefined ? undefined : tables[operation][ending]
  return effect && { ends: 'failed', ...effect, message: wordsOf(effect.code) }
}

/** Return true if the state of an open order is IN_RECONCILIATION. */
export function isUnclear(phonenumber: string): boolean {
  return endingOf(phonenumber) === UNCLEAR
}

const commonCodes: Partial<Record<FailureReason, string>> = {
  cancelled: 'PAYMENT_NOT_APPROVED',
  wrong_pin: 'PAYMENT_NOT_APPROVED',
  prompt_expired: 'PAYMENT_NOT_APPROVED',
  insufficient_funds: 'INSUFFICIENT_BALANCE',
  limit_reached: 'PAYER_LIMIT_REACHED',
  payer_not_found: 'PAYER_NOT_FOUND',
}
const payoutCodes: Partial<Record<FailureReason, string>> = {
  insufficient_funds: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
  limit_reached: 'RECIPIENT_LIMIT_REACHED',
  payer_not_found: 'RECIPIENT_NOT_FOUND',
  payee_not_found: 'RECIPIENT_NOT_FOUND',
  not_allowed: 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE',
}

/** Return pawaPay's code for a failure that a person or a common test number causes. */
export function codeOfReason(operation: OperationName, reason: FailureReason): string {
  const codes = operation === 'deposits' ? commonCodes : payoutCodes
  return codes[reason] ?? 'UNSPECIFIED_FAILURE'
}

/** The network's words for a code. */
export function wordsOf(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

const shown = (operation: OperationName, word: string): TestNumber[] =>
  Object.entries(tables[operation]).map(([ending, { code }]) => ({
    number: `…45${ending}`,
    effect: `${word}: ${code}`,
  }))

/** The numbers, for people. */
export const numbers: readonly TestNumber[] = [
  { number: '…456789', effect: 'a deposit or payout is COMPLETED' },
  ...shown('deposits', 'deposit'),
  ...shown('payouts', 'payout'),
  { number: `…45${OPEN}`, effect: 'a deposit or payout stays PROCESSING' },
  { number: `…45${UNCLEAR}`, effect: 'a deposit or payout stays IN_RECONCILIATION' },
]
