import type { FailureReason } from '../../../lib/adapter-types.ts'
import type { Outcome } from '../../world/world.ts'

/*
 * The documented credentials and short codes of the simulated network, and the numbers with an effect.
 */

export const CONSUMER_KEY = 'simulated-consumer-key'
export const CONSUMER_SECRET = 'simulated-consumer-secret'
export const PASSKEY = 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919'
/** Take prompts and payments of customers. */
export const PAYBILL = '174379'
/** The store number of a till: it takes prompts for the till. */
export const STORE = '600610'
export const TILL = '5123456'
/** Pay out. */
export const PAYOUT_SHORT_CODE = '600996'
/** Have every product: prompts, payments of customers, payouts. */
export const FULL_SHORT_CODE = '600000'
export const INITIATOR = 'testapi'
export const INITIATOR_PASSWORD = 'Simulated#999'

/** The short codes to which customers can pay. */
export const RECEIVERS: readonly string[] = [PAYBILL, STORE, TILL, FULL_SHORT_CODE]

/** Result code, with the failure reason that the simulated world needs. */
interface CodeOfNumber {
  code: string
  reason: FailureReason
  words: string
}

const code = (name: string, reason: FailureReason, words: string): CodeOfNumber => ({ code: name, reason, words })

/** By the last four digits of `2547 0900 …`: how a prompt ends. */
export const chargeNumbers: Readonly<Record<string, CodeOfNumber>> = {
  '0001': code('1', 'insufficient_funds', 'The balance is insufficient for the transaction.'),
  '0002': code('2', 'limit_reached', 'Declined due to limit rule: less than the minimum transaction amount.'),
  '0003': code('3', 'limit_reached', 'Declined due to limit rule: greater than the maximum transaction amount.'),
  '0004': code('4', 'limit_reached', 'Declined due to limit rule: would exceed daily transfer limit.'),
  '0008': code('8', 'limit_reached', 'Declined due to limit rule: would exceed the maximum balance.'),
  '0017': code('17', 'unreachable', 'System internal error.'),
  '0026': code('26', 'unreachable', 'Traffic blocking condition in place.'),
  '1001': code('1001', 'unreachable', 'Unable to lock subscriber, a transaction is already in process.'),
  '1019': code('1019', 'prompt_expired', 'Transaction expired.'),
  '1025': code('1025', 'unreachable', 'An error occurred while sending a push request.'),
  '1032': code('1032', 'cancelled', 'Request cancelled by user.'),
  '1037': code('1037', 'prompt_expired', 'DS timeout user cannot be reached.'),
  '2001': code('2001', 'wrong_pin', 'The initiator information is invalid.'),
  '2028': code('2028', 'not_allowed', 'The request is not permitted according to product assignment.'),
  '8006': code('8006', 'not_allowed', 'The security credential is locked.'),
  '9999': code('9999', 'unreachable', 'An error occurred while sending a push request.'),
  '9003': code('SFC_IC0003', 'not_allowed', 'The operator does not exist.'),
}

/** By the last four digits of `2547 0900 …`: how a payout ends. */
export const payoutNumbers: Readonly<Record<string, CodeOfNumber>> = {
  '0001': code('1', 'insufficient_funds', 'The balance is insufficient for the transaction.'),
  '0002': code('2', 'limit_reached', 'Declined due to limit rule: less than the minimum transaction amount.'),
  '0003': code('3', 'limit_reached', 'Declined due to limit rule: greater than the maximum transaction amount.'),
  '0004': code('4', 'limit_reached', 'Declined due to limit rule: would exceed daily transfer limit.'),
  '0008': code('8', 'limit_reached', 'Declined due to limit rule: would exceed the maximum balance.'),
  '0011': code('11', 'not_allowed', 'The DebitParty is in an invalid state.'),
  '0018': code('18', 'not_allowed', 'Initiator credential check failure.'),
  '0020': code('20', 'not_allowed', 'Unresolved initiator.'),
  '0021': code('21', 'not_allowed', 'The initiator is not allowed to initiate this request.'),
  '0022': code('22', 'not_allowed', 'Initiator to primary party permission failure.'),
  '0024': code('24', 'rejected', 'Missing mandatory fields.'),
  '0025': code('25', 'rejected', 'Invalid request parameters.'),
  '0029': code('29', 'rejected', 'Invalid command.'),
  '2001': code('2001', 'not_allowed', 'The initiator information is invalid.'),
  '2006': code(
    '2006',
    'not_allowed',
    'Declined due to account rule: the account status does not allow this transaction.',
  ),
  '2028': code('2028', 'not_allowed', 'The request is not permitted according to product assignment.'),
  '2040': code(
    '2040',
    'payee_not_found',
    'Credit party customer type (unregistered or registered customer) is not supported.',
  ),
  '8006': code('8006', 'not_allowed', 'The security credential is locked.'),
  '9003': code('SFC_IC0003', 'payee_not_found', 'The operator does not exist.'),
}

const CODE_NUMBER = /^\+25470900(\d{4})$/

/** Return the effect of a documented number; undefined for every other number. */
export function outcomeOf(numbers: Readonly<Record<string, CodeOfNumber>>, phonenumber: string): Outcome | undefined {
  const found = numbers[CODE_NUMBER.exec(phonenumber)?.[1] ?? '']
  return found && { ends: 'failed', reason: found.reason, message: found.words, code: found.code }
}

/** End with a code that is in no table. */
export const UNKNOWN_CODE: Outcome = { ends: 'failed', reason: 'rejected', message: 'Unknown.', code: '7777' }
export const UNKNOWN_CODE_PHONE = '+254709007777'
/** The request waits too long in the queue, is carried out all the same, and only the time-out is reported. */
export const QUEUE_TIMEOUT_PHONE = '+254709005555'

/** A payout stays open for ever. */
export const SILENT_PHONE = '+254709006666'

/** Codes for the failures that common test numbers cause. */
const chargeCodes: Partial<Record<FailureReason, [string, string]>> = {
  insufficient_funds: ['1', 'The balance is insufficient for the transaction.'],
  wrong_pin: ['2001', 'The initiator information is invalid.'],
  cancelled: ['1032', 'Request cancelled by user.'],
  prompt_expired: ['1037', 'DS timeout user cannot be reached.'],
  limit_reached: ['4', 'Declined due to limit rule: would exceed daily transfer limit.'],
  not_allowed: ['2028', 'The request is not permitted according to product assignment.'],
}
const payoutCodes: Partial<Record<FailureReason, [string, string]>> = {
  insufficient_funds: ['1', 'The balance is insufficient for the transaction.'],
  payee_not_found: ['2040', 'Credit party customer type (unregistered or registered customer) is not supported.'],
  limit_reached: ['4', 'Declined due to limit rule: would exceed daily transfer limit.'],
}

interface Failed {
  failure: { reason: FailureReason; message: string; code: string | null } | null
}

/** The result code of a prompt that has failed. */
export function chargeResult({ failure }: Failed): [code: string, words: string] {
  if (failure?.code) return [failure.code, failure.message]
  return chargeCodes[failure?.reason ?? 'rejected'] ?? ['1025', 'An error occurred while sending a push request.']
}

/** The result code of a payout or a reversal that has failed. */
export function payoutResult({ failure }: Failed): [code: string, words: string] {
  if (failure?.code) return [failure.code, failure.message]
  return payoutCodes[failure?.reason ?? 'rejected'] ?? ['25', 'Invalid request parameters.']
}
