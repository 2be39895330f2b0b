import { getMessage } from '../../lib/messages/message.ts'
import type { VendFailureReason } from '../contract.ts'

/*
 * Codes of VTpass (vtpass.com/documentation/response-codes). A code in none of these tables says nothing, and causes a
 * status query, as VTpass itself demands.
 */

/** Meaning of a refusal, and the repair for the operator. */
export interface Refusal {
  reason: VendFailureReason
  message: string
  alarm?: string
}

/** A refused call to buy: nothing was sold, and nothing was charged. */
export const refusals: Readonly<Record<string, Refusal>> = {
  '010': { reason: 'rejected', message: getMessage('vtpass.not_product') },
  '011': { reason: 'rejected', message: getMessage('vtpass.misses_something_order') },
  '012': { reason: 'rejected', message: getMessage('vtpass.not_service') },
  '013': { reason: 'amount_refused', message: getMessage('vtpass.amount_below_minimum') },
  '015': { reason: 'rejected', message: getMessage('vtpass.not_accept_form') },
  '017': { reason: 'amount_refused', message: getMessage('vtpass.amount_above_maximum') },
  '018': {
    reason: 'no_funds_at_biller',
    message: getMessage('vtpass.wallet_empty'),
    alarm: getMessage('vtpass.wallet_too_little'),
  },
  '019': {
    reason: 'declined',
    message: getMessage('vtpass.sold_same_account'),
  },
  '021': accountRefusal(getMessage('vtpass.account_locked'), getMessage('vtpass.ask_account_locked')),
  '022': accountRefusal(getMessage('vtpass.account_suspended'), getMessage('vtpass.ask_account_suspended')),
  '023': accountRefusal(getMessage('vtpass.account_without_api'), getMessage('vtpass.ask_account_without_api')),
  '024': accountRefusal(getMessage('vtpass.account_inactive'), getMessage('vtpass.ask_account_inactive')),
  '025': { reason: 'account_not_found', message: getMessage('vtpass.not_know_bank') },
  '026': { reason: 'account_not_found', message: getMessage('vtpass.cannot_verify_account') },
  '027': {
    reason: 'rejected',
    message: getMessage('vtpass.not_let_server'),
    alarm: getMessage('vtpass.refuses_address_server'),
  },
  '028': {
    reason: 'service_inactive',
    message: getMessage('vtpass.not_opened_service'),
    alarm: getMessage('vtpass.not_opened_service_account'),
  },
  '030': { reason: 'no_answer', message: getMessage('vtpass.cannot_reach_biller') },
  '031': { reason: 'amount_refused', message: getMessage('vtpass.sells_pieces_once') },
  '032': { reason: 'amount_refused', message: getMessage('vtpass.sells_fewer_pieces') },
  '034': { reason: 'service_inactive', message: getMessage('vtpass.suspended_service_moment') },
  '035': { reason: 'service_inactive', message: getMessage('vtpass.switched_service_off') },
  '085': { reason: 'rejected', message: getMessage('vtpass.not_accept_date') },
}

function accountRefusal(message: string, alarm: string): Refusal {
  return { reason: 'rejected', message, alarm }
}

/** The transaction ended without a sale. */
export const failures: Readonly<Record<string, Refusal>> = {
  '016': { reason: 'declined', message: getMessage('vtpass.biller_declined_purchase') },
  '040': { reason: 'declined', message: getMessage('vtpass.biller_not_carry') },
  '091': { reason: 'declined', message: getMessage('vtpass.not_process_purchase') },
}

/** The transaction is there, and its status says the rest. */
export const statusCodes: ReadonlySet<string> = new Set(['000', '001'])

/** Code of a purchase in progress. */
export const PROCESSING = '099'
/** Code of a used request id, which causes a status query. */
export const ALREADY_USED = '014'
/** Answer to a query for an unknown request id. */
export const NOT_USED = '015'
/** A person at VTpass has decided it, and only VTpass says how. */
export const RESOLVED = '044'
/** Code for wrong keys, or keys of the other host. */
export const WRONG_KEYS = '087'

/** The words of `content.transactions.status`. */
export const statuses: Readonly<Record<string, 'open' | 'delivered' | 'failed'>> = {
  initiated: 'open',
  pending: 'open',
  delivered: 'delivered',
  failed: 'failed',
  reversed: 'failed',
}
