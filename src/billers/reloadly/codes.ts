import type { VendFailureReason } from '../contract.ts'

/*
 * The codes of Reloadly. Those that are not here say nothing, and the purchase is looked for by our reference.
 */

/** Meaning of a refusal, and the repair for the operator. */
export interface Refusal {
  reason: VendFailureReason
  message: string
  alarm?: string
}

const NO_FUNDS: Refusal = {
  reason: 'no_funds_at_biller',
  message: 'Our wallet at Reloadly is empty.',
  alarm: 'Our wallet at Reloadly has too little money for a purchase: add money to it.',
}
const WRONG_AMOUNT: Refusal = { reason: 'amount_refused', message: 'Reloadly does not sell this amount.' }
const WRONG_PHONE: Refusal = {
  reason: 'account_not_found',
  message: 'Reloadly does not accept the phone number for this operator.',
}
const MALFORMED: Refusal = { reason: 'rejected', message: 'Reloadly does not accept the order.' }

/** A refused call to buy, by the HTTP status and the code. Nothing was sold, and the reference is not used up. */
export const refusals: Readonly<Record<string, Refusal>> = {
  '400 INVALID_AMOUNT': WRONG_AMOUNT,
  '400 INVALID_LOCAL_AMOUNT_FOR_OPERATOR': WRONG_AMOUNT,
  '400 LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR': {
    reason: 'amount_refused',
    message: 'Reloadly sells this operator in the currency of our account only.',
  },
  '400 INVALID_RECIPIENT_PHONE': WRONG_PHONE,
  '400 OPERATOR_AND_RECIPIENT_PHONE_MISMATCH': WRONG_PHONE,
  '400 INVALID_BILLER_ID': { reason: 'rejected', message: 'Reloadly does not have this biller any more.' },
  '400 MISSING_REQUIRED_AMOUNT_ID': {
    reason: 'rejected',
    message: 'Reloadly sells this biller in fixed amounts only, and the offer names none.',
  },
  '400 AMOUNT_ID_NOT_FOUND': { reason: 'rejected', message: 'Reloadly does not have this product any more.' },
  '400 INVALID_INPUT_PROVIDED': MALFORMED,
  '400 INSUFFICIENT_BALANCE': NO_FUNDS,
  '409 INSUFFICIENT_WALLET_BALANCE': NO_FUNDS,
  // Reloadly says this before it tries anything, even of an operator that does not exist.
  '503 OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE': {
    reason: 'service_inactive',
    message: 'Reloadly cannot sell this operator at the moment.',
  },
}

/** The reference was used before: the purchase is read back. */
export const alreadyUsed: ReadonlySet<string> = new Set([
  '400 CUSTOM_IDENTIFIER_ALREADY_USED',
  '400 REFERENCE_ID_ALREADY_USED',
])

/** The words of `status`. */
export const statuses: Readonly<Record<string, 'open' | 'successful' | 'failed' | 'refunded'>> = {
  PENDING: 'open',
  PROCESSING: 'open',
  SUCCESSFUL: 'successful',
  FAILED: 'failed',
  REFUNDED: 'refunded',
}
