import type { FailureReason } from '../../../lib/adapter-types.ts'
import type { Failure, Outcome } from '../../world/world.ts'
import type { TestNumber } from '../door.ts'
import type { GsmaSwitches } from './switches.ts'

/** The categories of errors, and the HTTP status of each. */
const statuses = {
  businessRule: 400,
  validation: 400,
  authorisation: 401,
  identification: 404,
  internal: 500,
  serviceUnavailable: 503,
} as const
type Category = keyof typeof statuses

/** An error of the standard. */
export interface GsmaError {
  category: Category
  code: string
}

export const errors = {
  duplicate: { category: 'businessRule', code: 'duplicateRequest' },
  unknown_id: { category: 'identification', code: 'identifierError' },
  format: { category: 'validation', code: 'formatError' },
  missing: { category: 'validation', code: 'mandatoryValueNotSupplied' },
  negative: { category: 'validation', code: 'negativeValue' },
  currency: { category: 'validation', code: 'currencyNotSupported' },
  offset: { category: 'validation', code: 'invalidOffset' },
  type: { category: 'businessRule', code: 'transactionTypeError' },
  state: { category: 'businessRule', code: 'incorrectState' },
  mandate: { category: 'businessRule', code: 'noMandateAuthority' },
  too_large: { category: 'businessRule', code: 'greaterThanTransactionMaxValue' },
  rate: { category: 'businessRule', code: 'rateLimitError' },
  generic: { category: 'businessRule', code: 'genericError' },
  client: { category: 'authorisation', code: 'clientAuthorisationError' },
  party: { category: 'authorisation', code: 'requestingPartyAuthorisationError' },
  down: { category: 'serviceUnavailable', code: 'genericError' },
} as const satisfies Record<string, GsmaError>

/** The errors that test numbers cause, from 01 on. The last one is a code of a provider. */
const numbered: readonly [category: Category, code: string, reason?: FailureReason][] = [
  ['businessRule', 'insufficientFunds', 'insufficient_funds'],
  ['authorisation', 'requestDeclined', 'cancelled'],
  ['identification', 'identifierError', 'payer_not_found'],
  ['businessRule', 'dailyVolumeLimitExceeded', 'limit_reached'],
  ['businessRule', 'dailyValueLimitExceeded', 'limit_reached'],
  ['businessRule', 'weeklyVolumeLimitExceeded', 'limit_reached'],
  ['businessRule', 'weeklyValueLimitExceeded', 'limit_reached'],
  ['businessRule', 'monthlyVolumeLimitExceeded', 'limit_reached'],
  ['businessRule', 'monthlyValueLimitExceeded', 'limit_reached'],
  ['businessRule', 'accountMaxTotalValueExceeded', 'limit_reached'],
  ['businessRule', 'accountMaxTotalVolumeExceeded', 'limit_reached'],
  ['businessRule', 'maxBalanceExceeded', 'limit_reached'],
  ['businessRule', 'lessThanTransactionMinValue', 'limit_reached'],
  ['businessRule', 'greaterThanTransactionMaxValue', 'limit_reached'],
  ['businessRule', 'incorrectState', 'not_allowed'],
  ['businessRule', 'noMandateAuthority', 'not_allowed'],
  ['businessRule', 'linkViolation', 'not_allowed'],
  ['businessRule', 'nationalityNotPermitted', 'not_allowed'],
  ['businessRule', 'countryofOriginNotPermitted', 'not_allowed'],
  ['businessRule', 'idDocumentNotSupported', 'not_allowed'],
  ['businessRule', 'issuingCountryNotSupported', 'not_allowed'],
  ['businessRule', 'transactionTypeError', 'not_allowed'],
  ['authorisation', 'requestingPartyAuthorisationError', 'wrong_pin'],
  ['authorisation', 'servicingPartyAuthorisationError', 'wrong_pin'],
  ['businessRule', 'samePartiesError'],
  ['validation', 'lengthError'],
  ['validation', 'formatError'],
  ['validation', 'negativeValue'],
  ['validation', 'currencyNotSupported'],
  ['validation', 'mandatoryValueNotSupplied'],
  ['businessRule', 'underPaymentNotAllowed'],
  ['businessRule', 'overPaymentNotAllowed'],
  ['businessRule', 'quoteHasExpired'],
  ['validation', 'invalidOffset'],
  ['businessRule', 'genericError'],
  ['validation', 'genericError'],
  ['businessRule', 'duplicateRequest'],
  ['businessRule', 'rateLimitError'],
  ['authorisation', 'clientAuthorisationError'],
  ['internal', 'genericError'],
  ['serviceUnavailable', 'genericError'],
  ['businessRule', 'walletIsAsleep'],
]

/** The test numbers with an error, by their last digits: `…700001` ends with insufficientFunds. */
export const errorNumbers: readonly { digits: string; error: GsmaError; reason: FailureReason }[] = numbered.map(
  ([category, code, reason = 'rejected'], index) => ({
    digits: String(index + 1).padStart(2, '0'),
    error: { category, code },
    reason,
  }),
)

/** Prefix for numbers that fail: the order ends with the error, the call is refused, or the refund fails. */
const ENDS = '7000'
const REFUSED = '7100'
const REFUND_ENDS = '7200'
const OPEN = '730000'
/** Complete the request without naming the transaction. */
const NAMELESS = '730001'

function numberedErrorOf(start: string, phonenumber: string) {
  if (phonenumber.slice(-6, -2) !== start) return undefined
  return errorNumbers.find(({ digits }) => phonenumber.endsWith(digits))
}

/** The error with which a call for this phone is refused. */
export function refusalOf(phonenumber: string): GsmaError | undefined {
  return numberedErrorOf(REFUSED, phonenumber)?.error
}

/** Return the end of an order for this phone. Undefined: no effect special to this standard. */
export function outcomeOf(phonenumber: string): Outcome | undefined {
  if (phonenumber.endsWith(OPEN)) return { ends: 'never' }
  return toOutcome(numberedErrorOf(ENDS, phonenumber))
}

/** Return the end of a refund of a payment by this phone. */
export function refundOutcomeOf(phonenumber: string): Outcome | undefined {
  return toOutcome(numberedErrorOf(REFUND_ENDS, phonenumber))
}

function toOutcome(found: (typeof errorNumbers)[number] | undefined): Outcome | undefined {
  if (!found) return undefined
  const { error, reason } = found
  return { ends: 'failed', reason, message: error.code, code: `${error.category}/${error.code}` }
}

export function isNameless(phonenumber: string): boolean {
  return phonenumber.endsWith(NAMELESS)
}

const reasons: Readonly<Record<FailureReason, GsmaError>> = {
  cancelled: { category: 'authorisation', code: 'requestDeclined' },
  wrong_pin: errors.party,
  insufficient_funds: { category: 'businessRule', code: 'insufficientFunds' },
  limit_reached: errors.too_large,
  payer_not_found: errors.unknown_id,
  payee_not_found: errors.unknown_id,
  not_allowed: errors.state,
  prompt_expired: errors.generic,
  unreachable: errors.generic,
  rejected: errors.generic,
}

/** The error of an order that has failed. */
export function errorOf({ code, reason }: Failure, { expired_code }: Pick<GsmaSwitches, 'expired_code'>): GsmaError {
  if (code !== null) {
    const [category, name] = code.split('/') as [Category, string]
    return { category, code: name }
  }
  return reason === 'prompt_expired' && expired_code === 'requestDeclined' ? reasons.cancelled : reasons[reason]
}

/** An error as it goes over the wire. */
export function showError(error: GsmaError, switches: GsmaSwitches, now: Date, words?: string) {
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
  const spell = (text: string) => (switches.error_codes === 'capital' ? capital(text) : text)
  const is_down = error.category === 'serviceUnavailable' && switches.error_codes === 'capital'
  return {
    errorCategory: is_down ? 'Service Unavailable' : spell(error.category),
    errorCode: spell(error.code),
    [switches.error_description]: words ?? wordsOf(error.code),
    errorDateTime: now.toISOString(),
  }
}

/** `insufficientFunds` becomes `insufficient funds`. */
function wordsOf(code: string): string {
  return code.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

export function statusOf({ category }: GsmaError): number {
  return statuses[category]
}

/** The numbers for people. */
export const numbers: readonly TestNumber[] = [
  ...errorNumbers.map(({ digits, error }) => ({
    number: `…${ENDS}${digits}`,
    effect: `an order is taken, and ends with ${error.category}/${error.code}`,
  })),
  { number: `…${REFUSED}NN`, effect: 'the call is refused with the error of …7000NN, and nothing happens' },
  { number: `…${REFUND_ENDS}NN`, effect: 'pays; the refund of the payment ends with the error of …7000NN' },
  { number: `…${OPEN}`, effect: 'an order is taken, and stays pending' },
  {
    number: `…${NAMELESS}`,
    effect: 'the completed request has no objectReference: only /responses leads to the transaction',
  },
]
