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
  '010': { reason: 'rejected', message: 'VTpass does not have this product any more.' },
  '011': { reason: 'rejected', message: 'VTpass misses something in the order.' },
  '012': { reason: 'rejected', message: 'VTpass does not have this service.' },
  '013': { reason: 'amount_refused', message: 'The amount is below the minimum of VTpass.' },
  '015': { reason: 'rejected', message: 'VTpass does not accept the form of the request id.' },
  '017': { reason: 'amount_refused', message: 'The amount is above the maximum of VTpass.' },
  '018': {
    reason: 'no_funds_at_biller',
    message: 'Our wallet at VTpass is empty.',
    alarm: 'Our wallet at VTpass has too little money for a purchase: add money to it.',
  },
  '019': {
    reason: 'declined',
    message: 'VTpass has sold this to the same account in the last 30 seconds. Try again a little later.',
  },
  '021': accountRefusal('is locked'),
  '022': accountRefusal('is suspended'),
  '023': accountRefusal('has no access to the API', 'ask VTpass to activate it'),
  '024': accountRefusal('is inactive'),
  '025': { reason: 'account_not_found', message: 'VTpass does not know this bank.' },
  '026': { reason: 'account_not_found', message: 'VTpass cannot verify this account.' },
  '027': {
    reason: 'rejected',
    message: 'VTpass does not let this server in.',
    alarm: 'VTpass refuses the address of this server: give VTpass its public IP address.',
  },
  '028': {
    reason: 'service_inactive',
    message: 'VTpass has not opened this service for our account.',
    alarm: 'VTpass has not opened a service for our account: ask for it, or take it out of the catalogue.',
  },
  '030': { reason: 'no_answer', message: 'VTpass cannot reach the biller at the moment.' },
  '031': { reason: 'amount_refused', message: 'VTpass sells more pieces at once only.' },
  '032': { reason: 'amount_refused', message: 'VTpass sells fewer pieces at once only.' },
  '034': { reason: 'service_inactive', message: 'VTpass has suspended this service for the moment.' },
  '035': { reason: 'service_inactive', message: 'VTpass has switched this service off.' },
  '085': { reason: 'rejected', message: 'VTpass does not accept the date in the request id.' },
}

function accountRefusal(state: string, repair = 'ask VTpass why'): Refusal {
  return {
    reason: 'rejected',
    message: `Our account at VTpass ${state}.`,
    alarm: `Our account at VTpass ${state}: ${repair}.`,
  }
}

/** The transaction ended without a sale. */
export const failures: Readonly<Record<string, Refusal>> = {
  '016': { reason: 'declined', message: 'The biller declined this purchase.' },
  '040': { reason: 'declined', message: 'The biller did not carry it out, and VTpass gave the money back.' },
  '091': { reason: 'declined', message: 'VTpass did not process this purchase.' },
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
