import { getMessage } from '../../lib/messages/message.ts'
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
  message: getMessage('reloadly.wallet_empty'),
  alarm: getMessage('reloadly.wallet_too_little'),
}
const WRONG_AMOUNT: Refusal = { reason: 'amount_refused', message: getMessage('reloadly.not_sell_amount') }
const WRONG_PHONE: Refusal = {
  reason: 'account_not_found',
  message: getMessage('reloadly.not_accept_phone'),
}
const MALFORMED: Refusal = { reason: 'rejected', message: getMessage('reloadly.not_accept_order') }

/** A refused call to buy, by the HTTP status and the code. Nothing was sold, and the reference is not used up. */
export const refusals: Readonly<Record<string, Refusal>> = {
  '400 INVALID_AMOUNT': WRONG_AMOUNT,
  '400 INVALID_LOCAL_AMOUNT_FOR_OPERATOR': WRONG_AMOUNT,
  '400 LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR': {
    reason: 'amount_refused',
    message: getMessage('reloadly.sells_operator_currency'),
  },
  '400 INVALID_RECIPIENT_PHONE': WRONG_PHONE,
  '400 OPERATOR_AND_RECIPIENT_PHONE_MISMATCH': WRONG_PHONE,
  '400 INVALID_BILLER_ID': { reason: 'rejected', message: getMessage('reloadly.not_biller') },
  '400 MISSING_REQUIRED_AMOUNT_ID': {
    reason: 'rejected',
    message: getMessage('reloadly.sells_biller_fixed'),
  },
  '400 AMOUNT_ID_NOT_FOUND': { reason: 'rejected', message: getMessage('reloadly.not_product') },
  '400 INVALID_INPUT_PROVIDED': MALFORMED,
  '400 INSUFFICIENT_BALANCE': NO_FUNDS,
  '409 INSUFFICIENT_WALLET_BALANCE': NO_FUNDS,
  // Reloadly says this before it tries anything, even of an operator that does not exist.
  '503 OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE': {
    reason: 'service_inactive',
    message: getMessage('reloadly.cannot_sell_operator'),
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
