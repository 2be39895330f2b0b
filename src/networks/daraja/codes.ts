import type { FailureReason } from '../contract.ts'

/*
 * Meanings of Daraja's codes. Codes are Safaricom's; sources stand in docs/networks/daraja.md. An unlisted code is
 * unknown and never a failure.
 */

/** Meaning of one code. `alarm`: only the operator can repair it. */
export type CodeMeaning =
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
const WRONG_PIN = 'The customer entered a wrong PIN.'

/** The result codes of prompts (M-Pesa Express), besides 0. */
export const chargeCodes: ReadonlyMap<string, CodeMeaning> = new Map([
  ['1', failed('insufficient_funds', 'The balance of the customer is too low.')],
  ['2', failed('limit_reached', 'The amount is below the minimum.')],
  ['3', failed('limit_reached', 'The amount is above the maximum.')],
  ['4', failed('limit_reached', 'The customer has reached the limit of a day.')],
  ['8', failed('limit_reached', 'The account would hold more than it may.')],
  ['17', failed('unreachable', 'M-Pesa refuses a similar payment within two minutes.')],
  ['26', failed('unreachable', 'M-Pesa is busy.')],
  ['1001', failed('unreachable', 'Another payment is open on the phone.')],
  ['1019', failed('prompt_expired', 'The payment has expired.')],
  ['1025', failed('unreachable', 'The prompt could not be sent.')],
  ['9999', failed('unreachable', 'The prompt could not be sent.')],
  ['1032', failed('cancelled', 'The customer has cancelled the payment.')],
  ['1037', failed('prompt_expired', 'The phone did not answer in time.')],
  ['2001', failed('wrong_pin', WRONG_PIN)],
  [
    '2028',
    failed(
      'not_allowed',
      `${NOT_ALLOWED}.`,
      'M-Pesa Express refuses the short code (2028): check the settings short_code, kind and till.',
    ),
  ],
  [
    'SFC_IC0003',
    failed(
      'not_allowed',
      'The receiver is not valid.',
      'M-Pesa Express does not know the receiver (SFC_IC0003): check the settings short_code, kind and till.',
    ),
  ],
  [
    '8006',
    failed(
      'not_allowed',
      'A credential is locked.',
      'M-Pesa Express reports a locked credential (8006): ask M-Pesa business support to unlock it.',
    ),
  ],
  ['4999', { outcome: 'open' }],
])

/** Result codes of all calls of an API operator, besides 0: payouts, reversals, queries. */
export const initiatorCodes: ReadonlyMap<string, CodeMeaning> = new Map([
  [
    '1',
    failed(
      'insufficient_funds',
      'The balance of our short code is too low.',
      'The balance of the short code is too low (1): move money into its utility account.',
    ),
  ],
  ['2', failed('limit_reached', 'The amount is below the minimum.')],
  ['3', failed('limit_reached', 'The amount is above the maximum.')],
  ['4', failed('limit_reached', 'The limit of a day is reached.')],
  ['8', failed('limit_reached', 'The account of the recipient would hold more than it may.')],
  [
    '11',
    failed(
      'not_allowed',
      'The state of our account does not allow it.',
      'The short code is not active (11): ask M-Pesa business support.',
    ),
  ],
  ['15', unknown('The network has this request already.')],
  ['17', unknown('The network reports an internal failure.')],
  [
    '18',
    failed(
      'not_allowed',
      'The network refuses the initiator.',
      'Wrong password of the initiator (18): check initiator_password, and that certificate belongs to this environment.',
    ),
  ],
  ['19', unknown('The network reports an internal failure.')],
  [
    '20',
    failed(
      'not_allowed',
      'The network does not know the initiator.',
      'The initiator does not exist (20): check initiator, the name of the API operator.',
    ),
  ],
  [
    '21',
    failed(
      'not_allowed',
      'The initiator lacks a role.',
      'The initiator lacks the role for this (21): add the API roles in the organization portal.',
    ),
  ],
  [
    '22',
    failed(
      'not_allowed',
      'The initiator is not active here.',
      'The initiator is not active for the short code (22): check initiator and the short codes.',
    ),
  ],
  ['24', failed('rejected', 'A field is missing.')],
  ['25', failed('rejected', 'A field is not valid.')],
  ['26', unknown('The network is busy.')],
  ['29', failed('rejected', 'The command is not valid.')],
  [
    '2001',
    failed(
      'not_allowed',
      'The network refuses the initiator.',
      'Wrong initiator, password or certificate (2001): check initiator, initiator_password and certificate. After three tries Safaricom locks the operator.',
    ),
  ],
  [
    '2006',
    failed(
      'not_allowed',
      'The state of an account does not allow it.',
      'The state of an account does not allow this (2006): ask M-Pesa business support.',
    ),
  ],
  [
    '2028',
    failed(
      'not_allowed',
      `${NOT_ALLOWED}.`,
      'The short code may not do this (2028): ask Safaricom to assign the product to it.',
    ),
  ],
  ['2040', failed('payee_not_found', 'The recipient has no M-Pesa account.')],
  [
    '8006',
    failed(
      'not_allowed',
      'The initiator is locked.',
      'The initiator is locked (8006): the business administrator unlocks it in the organization portal.',
    ),
  ],
  ['SFC_IC0003', failed('payee_not_found', 'The recipient is not valid.')],
  ['R000001', unknown('The payment has been reversed already. Look at it in the organization portal.')],
  ['R000002', failed('rejected', 'The network does not know the payment that is to be reversed.')],
  ['100000005', failed('rejected', 'A field is not valid.')],
  [
    '100000010',
    failed(
      'not_allowed',
      'The initiator lacks a permission.',
      'The initiator lacks a permission (100000010): add the API roles in the organization portal.',
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
