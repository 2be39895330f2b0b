import type { FailureReason } from '../../lib/adapter-types.ts'

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

const COUNTRY =
  'Check the setting country, the environment, and that Airtel has opened this country for the application.'
const CURRENCY = 'Check the settings country and currency.'
const PRODUCT = 'Ask Airtel to set up the wallet of this application, and the products Collection and Disbursement.'

const unsigned: Refusal = {
  ...refused(
    'not_allowed',
    'Airtel refused the signature of the request.',
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
  ESB000011: refused('rejected', 'Airtel refused the request.'),
  ESB000014: ambiguous,
  ESB000033: refused('rejected', 'Airtel says that the phone number has the wrong length.'),
  ESB000034: refused('not_allowed', 'Airtel does not accept the country.', COUNTRY),
  ESB000035: refused('not_allowed', 'Airtel does not accept the currency.', CURRENCY),
  ESB000036: refused('rejected', 'Airtel says that the phone number is wrong.'),
  ESB000039: refused('not_allowed', 'Airtel does not serve this country for us.', COUNTRY),
  ESB000041: duplicate,
  ESB000045: not_found,
  '0000900': ambiguous,
  ROUTER001: refused('not_allowed', 'Airtel has no wallet for our application.', PRODUCT),
  ROUTER003: refused('rejected', 'Airtel says that a header or a field is missing.', CURRENCY),
  ROUTER005: refused('not_allowed', 'Airtel has no route to this country.', COUNTRY),
  ROUTER006: refused('not_allowed', 'Airtel does not know the country.', COUNTRY),
  ROUTER007: refused('not_allowed', 'Airtel does not allow us to use this country.', COUNTRY),
  ROUTER112: refused('not_allowed', 'Airtel does not accept the currency.', CURRENCY),
  ROUTER117: ambiguous,
  ROUTER119: refused('not_allowed', 'Airtel does not accept the currency.', CURRENCY),
}

/** The codes of the product Collection. */
export const collectionCodes: CodeTable = {
  ...gatewayCodes,
  ROUTER114: refused('wrong_pin', 'The customer entered a wrong PIN.'),
  ROUTER115: refused('wrong_pin', 'The customer entered a wrong PIN.'),
  ROUTER116: unsigned,
  DP00800001000: ambiguous,
  DP00800001001: paid,
  DP00800001002: refused('wrong_pin', 'The customer entered a wrong PIN.'),
  DP00800001003: refused('limit_reached', "The amount is above a limit of the customer's wallet."),
  DP00800001004: refused('limit_reached', 'The amount is below the smallest that Airtel takes.'),
  DP00800001005: refused('prompt_expired', 'The customer entered no PIN.'),
  DP00800001006: taken,
  DP00800001007: refused('insufficient_funds', 'The customer does not have enough money.'),
  DP00800001008: refused('cancelled', 'The customer refused the payment.'),
  DP00800001009: refused('rejected', 'Airtel did not honour the payment and gives no reason.'),
  DP00800001010: refused('not_allowed', 'The wallet is barred, closed, or not registered for Airtel Money.'),
  DP00800001024: ambiguous,
  DP00800001025: not_found,
  DP00800001026: unsigned,
  DP00800001029: refused('prompt_expired', 'The payment expired before the customer confirmed it.'),
}

/** The codes of the product Disbursement. */
export const payoutCodes: CodeTable = {
  ...gatewayCodes,
  ROUTER114: refused('not_allowed', 'Airtel could not check our PIN.', 'Check the setting pin.'),
  ROUTER115: refused(
    'not_allowed',
    'Airtel says that our PIN is wrong.',
    'Check the setting pin before the next payout: several wrong PINs may block the account.',
  ),
  ROUTER116: {
    ...refused(
      'not_allowed',
      'Airtel could not decrypt our PIN.',
      'Airtel cannot decrypt the PIN with its key of today. Ask Airtel which key this application has.',
    ),
    stale_key: true,
  },
  DP00900001000: ambiguous,
  DP00900001001: paid,
  DP00900001003: refused('limit_reached', 'The limit of the day is reached.'),
  DP00900001004: refused('limit_reached', 'The amount is outside of the limits of Airtel.'),
  DP00900001005: refused('rejected', 'Airtel did not carry out the payout and gives no reason.'),
  DP00900001006: taken,
  DP00900001007: refused('insufficient_funds', 'Our disbursement wallet does not have enough money.'),
  DP00900001009: refused('payee_not_found', 'The recipient has no Airtel Money account.'),
  DP00900001010: refused('not_allowed', 'Airtel does not allow our account to send money.', PRODUCT),
  DP00900001011: duplicate,
  DP00900001012: refused('payee_not_found', 'The phone number is wrong or has no Airtel Money account.'),
  DP00900001013: refused('rejected', 'Airtel refused the payout.'),
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
