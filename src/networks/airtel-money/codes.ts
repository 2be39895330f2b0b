import type { FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'

/** Meaning of Airtel's code for an order. */
export type Meaning =
  /** The order is there, and its end is open. */
  | { says: 'taken' }
  | { says: 'paid' }
  /** Airtel itself does not know the state of the order. */
  | { says: 'ambiguous' }
  /** An order with our id already exists. */
  | { says: 'duplicate' }
  | { says: 'not_found' }
  | Refusal

export interface Refusal {
  says: 'refused'
  reason: FailureReason
  /** Message for people. */
  message: string
  /** Repair that the operator must make, if the refusal is our fault. */
  repair?: string
  /** The key of Airtel with which we encrypt may be out of date. */
  stale_key?: true
}

export type CodeTable = Readonly<Record<string, Meaning>>

const taken: Meaning = { says: 'taken' }
const paid: Meaning = { says: 'paid' }
const ambiguous: Meaning = { says: 'ambiguous' }
const duplicate: Meaning = { says: 'duplicate' }
const not_found: Meaning = { says: 'not_found' }

function refused(reason: FailureReason, message: string, repair?: string): Refusal {
  return { says: 'refused', reason, message, ...(repair === undefined ? {} : { repair }) }
}

const COUNTRY = getMessage('airtel.check_setting_country')
const CURRENCY = getMessage('airtel.check_settings_country')
const PRODUCT = getMessage('airtel.ask_set_up')

const unsigned: Refusal = {
  ...refused(
    'not_allowed',
    getMessage('airtel.refused_signature_request'),
    'Airtel finds that the signature does not fit. Ask whether message signing is on for this application: with signing the ' +
      'settings collection_version and payout_version are v2, without it v1.',
  ),
  stale_key: true,
}

/** The codes of the layers before the wallet, which are the same for all products. */
const gatewayCodes: CodeTable = {
  ESB000001: ambiguous,
  ESB000004: ambiguous,
  ESB000008: ambiguous,
  ESB000010: taken,
  ESB000011: refused('rejected', getMessage('airtel.refused_request')),
  ESB000014: ambiguous,
  ESB000033: refused('rejected', getMessage('airtel.says_phone_number')),
  ESB000034: refused('not_allowed', getMessage('airtel.not_accept_country'), COUNTRY),
  ESB000035: refused('not_allowed', getMessage('airtel.not_accept_currency'), CURRENCY),
  ESB000036: refused('rejected', getMessage('airtel.says_phone_number_wrong')),
  ESB000039: refused('not_allowed', getMessage('airtel.not_serve_country'), COUNTRY),
  ESB000041: duplicate,
  ESB000045: not_found,
  '0000900': ambiguous,
  ROUTER001: refused('not_allowed', getMessage('airtel.no_wallet_application'), PRODUCT),
  ROUTER003: refused('rejected', getMessage('airtel.says_header_field'), CURRENCY),
  ROUTER005: refused('not_allowed', getMessage('airtel.no_route_country'), COUNTRY),
  ROUTER006: refused('not_allowed', getMessage('airtel.not_know_country'), COUNTRY),
  ROUTER007: refused('not_allowed', getMessage('airtel.not_allow_us'), COUNTRY),
  ROUTER112: refused('not_allowed', getMessage('airtel.not_accept_currency'), CURRENCY),
  ROUTER117: ambiguous,
  ROUTER119: refused('not_allowed', getMessage('airtel.not_accept_currency'), CURRENCY),
}

/** The codes of the product Collection. */
export const collectionCodes: CodeTable = {
  ...gatewayCodes,
  ROUTER114: refused('wrong_pin', getMessage('sandbox.wrong_pin')),
  ROUTER115: refused('wrong_pin', getMessage('sandbox.wrong_pin')),
  ROUTER116: unsigned,
  DP00800001000: ambiguous,
  DP00800001001: paid,
  DP00800001002: refused('wrong_pin', getMessage('sandbox.wrong_pin')),
  DP00800001003: refused('limit_reached', getMessage('airtel.amount_above_limit')),
  DP00800001004: refused('limit_reached', getMessage('airtel.amount_below_smallest')),
  DP00800001005: refused('prompt_expired', getMessage('airtel.customer_entered_no_pin')),
  DP00800001006: taken,
  DP00800001007: refused('insufficient_funds', getMessage('drivers.customer_not_enough')),
  DP00800001008: refused('cancelled', getMessage('airtel.customer_refused_payment')),
  DP00800001009: refused('rejected', getMessage('airtel.not_honour_payment')),
  DP00800001010: refused('not_allowed', getMessage('airtel.wallet_barred_closed')),
  DP00800001024: ambiguous,
  DP00800001025: not_found,
  DP00800001026: unsigned,
  DP00800001029: refused('prompt_expired', getMessage('airtel.payment_expired_before')),
}

/** The codes of the product Disbursement. */
export const payoutCodes: CodeTable = {
  ...gatewayCodes,
  ROUTER114: refused('not_allowed', getMessage('airtel.not_check_pin'), getMessage('airtel.check_setting_pin')),
  ROUTER115: refused('not_allowed', getMessage('airtel.says_pin_wrong'), getMessage('airtel.check_setting_pin_before')),
  ROUTER116: {
    ...refused('not_allowed', getMessage('airtel.not_decrypt_pin'), getMessage('airtel.cannot_decrypt_pin')),
    stale_key: true,
  },
  DP00900001000: ambiguous,
  DP00900001001: paid,
  DP00900001003: refused('limit_reached', getMessage('airtel.limit_day_reached')),
  DP00900001004: refused('limit_reached', getMessage('airtel.amount_outside_limits')),
  DP00900001005: refused('rejected', getMessage('airtel.not_carry_out_payout')),
  DP00900001006: taken,
  DP00900001007: refused('insufficient_funds', getMessage('airtel.disbursement_wallet_not_enough')),
  DP00900001009: refused('payee_not_found', getMessage('airtel.recipient_no_money')),
  DP00900001010: refused('not_allowed', getMessage('airtel.not_allow_account'), PRODUCT),
  DP00900001011: duplicate,
  DP00900001012: refused('payee_not_found', getMessage('airtel.phone_number_wrong')),
  DP00900001013: refused('rejected', getMessage('airtel.refused_payout')),
  DP00900001014: ambiguous,
  DP00900001015: not_found,
  DP00900001016: unsigned,
  DP00900001017: duplicate,
  DP00900001018: unsigned,
}

/** Code with its meaning. */
export interface KnownCode {
  code: string
  meaning: Meaning
}

/** "Failed", which Airtel also sends beside the code of a product that says more, such as that the end is ambiguous. */
const GENERAL_FAILURE = 'ESB000011'

/**
 * Read the codes of an answer, the product's code first. A code about the order or the refusal counts before a general
 * one: Airtel sends `DP00800001000` (ambiguous) together with `ESB000041` (duplicate). Undefined: no code is known.
 */
export function readCodes(codes: readonly string[], table: CodeTable): KnownCode | undefined {
  const known = codes.flatMap((code) => (Object.hasOwn(table, code) ? [{ code, meaning: table[code]! }] : []))
  const named = known.find(({ meaning }) => meaning.says === 'duplicate' || meaning.says === 'not_found')
  return named ?? known.find(({ code, meaning }) => meaning.says === 'refused' && code !== GENERAL_FAILURE) ?? known[0]
}
