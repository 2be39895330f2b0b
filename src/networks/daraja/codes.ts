import { getMessage } from '../../lib/messages/message.ts'
import type { FailureReason } from '../contract.ts'

/*
 * Meanings of Daraja's codes. Codes are Safaricom's; sources stand in docs/networks/daraja.md. An unlisted code is
 * unknown and never a failure.
 */

/** Meaning of one code. `alarm`: only the operator can repair it. */
type CodeMeaning =
  | { outcome: 'failed'; reason: FailureReason; words: string; alarm?: string }
  | { outcome: 'open' }
  | { outcome: 'unknown'; words: string }

const failed = (reason: FailureReason, words: string, alarm?: string): CodeMeaning => ({
  outcome: 'failed',
  reason,
  words,
  ...(alarm !== undefined && { alarm }),
})
const unknown = (words: string): CodeMeaning => ({ outcome: 'unknown', words })

const NOT_ALLOWED = 'The short code may not do this'
const WRONG_PIN = getMessage('sandbox.wrong_pin')

/** The result codes of prompts (M-Pesa Express), besides 0. */
export const chargeCodes: ReadonlyMap<string, CodeMeaning> = new Map([
  ['1', failed('insufficient_funds', getMessage('daraja.balance_customer_too'))],
  ['2', failed('limit_reached', getMessage('daraja.amount_below_minimum'))],
  ['3', failed('limit_reached', getMessage('daraja.amount_above_maximum'))],
  ['4', failed('limit_reached', getMessage('daraja.customer_reached_limit'))],
  ['8', failed('limit_reached', getMessage('daraja.account_would_hold'))],
  ['17', failed('unreachable', getMessage('daraja.m_pesa_refuses'))],
  ['26', failed('unreachable', getMessage('daraja.m_pesa_busy'))],
  ['1001', failed('unreachable', getMessage('daraja.another_payment_open'))],
  ['1019', failed('prompt_expired', getMessage('daraja.payment_expired'))],
  ['1025', failed('unreachable', getMessage('daraja.prompt_not_sent'))],
  ['9999', failed('unreachable', getMessage('daraja.prompt_not_sent'))],
  ['1032', failed('cancelled', getMessage('daraja.customer_cancelled_payment'))],
  ['1037', failed('prompt_expired', getMessage('daraja.phone_not_answer'))],
  ['2001', failed('wrong_pin', WRONG_PIN)],
  ['2028', failed('not_allowed', `${NOT_ALLOWED}.`, getMessage('daraja.m_pesa_express'))],
  [
    'SFC_IC0003',
    failed('not_allowed', getMessage('daraja.receiver_not_valid'), getMessage('daraja.m_pesa_express_not_know')),
  ],
  ['8006', failed('not_allowed', getMessage('daraja.credential_locked'), getMessage('daraja.m_pesa_express_reports'))],
  ['4999', { outcome: 'open' }],
])

/** Result codes of all calls of an API operator, besides 0: payouts, reversals, queries. */
export const initiatorCodes: ReadonlyMap<string, CodeMeaning> = new Map([
  [
    '1',
    failed('insufficient_funds', getMessage('daraja.balance_short_code'), getMessage('daraja.balance_short_code_too')),
  ],
  ['2', failed('limit_reached', getMessage('daraja.amount_below_minimum'))],
  ['3', failed('limit_reached', getMessage('daraja.amount_above_maximum'))],
  ['4', failed('limit_reached', getMessage('daraja.limit_day_reached'))],
  ['8', failed('limit_reached', getMessage('daraja.account_recipient_would'))],
  [
    '11',
    failed('not_allowed', getMessage('daraja.state_account_not_allow'), getMessage('daraja.short_code_not_active')),
  ],
  ['15', unknown(getMessage('daraja.network_request_already'))],
  ['17', unknown(getMessage('daraja.network_reports_internal'))],
  [
    '18',
    failed(
      'not_allowed',
      getMessage('daraja.network_refuses_initiator'),
      getMessage('daraja.wrong_password_initiator'),
    ),
  ],
  ['19', unknown(getMessage('daraja.network_reports_internal'))],
  ['20', failed('not_allowed', getMessage('daraja.network_not_know'), getMessage('daraja.initiator_not_exist'))],
  [
    '21',
    failed('not_allowed', getMessage('daraja.initiator_lacks_role'), getMessage('daraja.initiator_lacks_role_21')),
  ],
  [
    '22',
    failed('not_allowed', getMessage('daraja.initiator_not_active'), getMessage('daraja.initiator_not_active_short')),
  ],
  ['24', failed('rejected', getMessage('daraja.field_missing'))],
  ['25', failed('rejected', getMessage('daraja.field_not_valid'))],
  ['26', unknown(getMessage('daraja.network_busy'))],
  ['29', failed('rejected', getMessage('daraja.command_not_valid'))],
  [
    '2001',
    failed(
      'not_allowed',
      getMessage('daraja.network_refuses_initiator'),
      getMessage('daraja.wrong_initiator_password'),
    ),
  ],
  [
    '2006',
    failed(
      'not_allowed',
      getMessage('daraja.state_account_not_allow_2'),
      getMessage('daraja.state_account_not_allow_2006'),
    ),
  ],
  ['2028', failed('not_allowed', `${NOT_ALLOWED}.`, getMessage('daraja.short_code_not_2028'))],
  ['2040', failed('payee_not_found', getMessage('daraja.recipient_no_m'))],
  ['8006', failed('not_allowed', getMessage('daraja.initiator_locked'), getMessage('daraja.initiator_locked_8006'))],
  ['SFC_IC0003', failed('payee_not_found', getMessage('daraja.recipient_not_valid'))],
  ['R000001', unknown(getMessage('daraja.payment_been_reversed'))],
  ['R000002', failed('rejected', getMessage('daraja.network_not_know_payment'))],
  ['100000005', failed('rejected', getMessage('daraja.field_not_valid'))],
  [
    '100000010',
    failed(
      'not_allowed',
      getMessage('daraja.initiator_lacks_permission'),
      getMessage('daraja.initiator_lacks_permission_100000010'),
    ),
  ],
])

/** Codes by which Daraja says that it refuses the access token, so that nothing else has happened. */
export const refusedTokenCodes: ReadonlySet<string> = new Set(['404.001.03', '400.003.01', '401.002.01', '401.001'])

/** Meanings of `TransactionStatus` in the answer to a query about a transaction. */
export const transactionStates: ReadonlyMap<string, 'successful' | 'failed' | 'reversed' | 'open'> = new Map([
  ['completed', 'successful'],
  ['failed', 'failed'],
  ['declined', 'failed'],
  ['expired', 'failed'],
  ['cancelled', 'failed'],
  ['reversed', 'reversed'],
  ['pending', 'open'],
  ['initiated', 'open'],
  ['authorized', 'open'],
  ['submitted', 'open'],
])
