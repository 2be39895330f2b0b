import type { FailedOutcome, FailureReason } from '../../lib/adapter-types.ts'
import type { OrderKind } from '../contract.ts'
import type { ErrorObject } from './answers.ts'

/** Meaning of an error object for an order. */
export type Meaning =
  | Refusal
  /** A request with our correlation id already exists. */
  | { says: 'duplicate' }
  /** The error says nothing about the money. */
  | { says: 'uncertain'; repair?: string }

export interface Refusal {
  says: 'refused'
  reason: FailureReason
  /** Message for people. */
  message: string
  /** Repair that the operator must make, if the cause is on our side. */
  repair?: string
}

/** Meaning for all orders, or one for charges and one for outgoing money. A refund may have a third. */
type Row = Meaning | Readonly<{ charge: Meaning; out: Meaning; refund?: Meaning }>

const uncertain = (repair?: string): Meaning => ({ says: 'uncertain', ...(repair !== undefined && { repair }) })

function refused(reason: FailureReason, message: string, repair?: string): Refusal {
  return { says: 'refused', reason, message, ...(repair !== undefined && { repair }) }
}

const limit = (message: string, repair: string) => ({
  charge: refused('limit_reached', message),
  out: refused('limit_reached', message, repair),
})
const ASK_LIMIT = 'A limit of our account may be reached: ask the provider which one.'
const period = (words: string) => limit(`A limit of the ${words} is reached.`, ASK_LIMIT)

const notAllowed = (message: string) => refused('not_allowed', message)
const malformed = (message: string) =>
  refused(
    'rejected',
    message,
    'The provider refuses the form of what we send: compare account_type, account_id and phone_format with what it demands.',
  )

const CREDENTIALS = 'Check user_credential_1 and user_credential_2, and what our account is allowed to do.'
const party = (message: string): Row => ({
  charge: refused('wrong_pin', 'The customer entered a wrong PIN.'),
  out: refused('not_allowed', message, CREDENTIALS),
})

/** The codes of the standard, in lower case: its text begins them with a capital, its OpenAPI files do not. */
const codes: Readonly<Record<string, Row>> = {
  dailyvolumelimitexceeded: period('day'),
  dailyvaluelimitexceeded: period('day'),
  weeklyvolumelimitexceeded: period('week'),
  weeklyvaluelimitexceeded: period('week'),
  monthlyvolumelimitexceeded: period('month'),
  monthlyvaluelimitexceeded: period('month'),
  accountmaxtotalvalueexceeded: limit('A limit of the account is reached.', ASK_LIMIT),
  accountmaxtotalvolumeexceeded: limit('A limit of the account is reached.', ASK_LIMIT),
  maxbalanceexceeded: {
    charge: refused(
      'limit_reached',
      'The receiving account would hold more than it may.',
      'Our account may hold no more money: move some out of it.',
    ),
    out: refused('limit_reached', 'The receiving account would hold more than it may.'),
  },
  lessthantransactionminvalue: refused('limit_reached', 'The amount is below the smallest that the provider takes.'),
  greaterthantransactionmaxvalue: refused('limit_reached', 'The amount is above the largest that the provider takes.'),
  insufficientfunds: {
    charge: refused('insufficient_funds', 'The customer does not have enough money.'),
    out: refused(
      'insufficient_funds',
      'Our account does not have enough money.',
      'Our account at the provider has too little money: add money to it.',
    ),
  },
  requestdeclined: refused('cancelled', 'The customer did not approve the payment.'),
  identifiererror: {
    charge: refused('payer_not_found', 'The customer has no account at this provider.'),
    out: refused('payee_not_found', 'The recipient has no account at this provider.'),
    refund: refused('rejected', 'The provider does not know the payment that is to be given back.'),
  },
  incorrectstate: notAllowed('The state of the account does not allow it.'),
  nomandateauthority: notAllowed('There is no mandate for it.'),
  linkviolation: notAllowed('The accounts are not linked as they must be.'),
  nationalitynotpermitted: notAllowed('The nationality of the account holder does not allow it.'),
  countryoforiginnotpermitted: notAllowed('The country of the account holder does not allow it.'),
  iddocumentnotsupported: notAllowed('The document of the account holder does not allow it.'),
  issuingcountrynotsupported: notAllowed("The country of the account holder's document does not allow it."),
  transactiontypeerror: refused(
    'not_allowed',
    'The provider does not offer this type of transaction.',
    'Ask the provider to open merchantpay, disbursement and the setting refund_operation (reversal or adjustment) for our account.',
  ),
  requestingpartyauthorisationerror: party('Our account may not do this, or its credential is wrong.'),
  servicingpartyauthorisationerror: party('Our account may not do this, or its credential is wrong.'),
  duplicaterequest: { says: 'duplicate' },
  ratelimiterror: uncertain('The provider says that we call too often: lower max_per_second of the connection.'),
  clientauthorisationerror: uncertain(
    'The provider refuses our credentials: check api_key, consumer_key and client_id.',
  ),
  samepartieserror: refused('rejected', 'Payer and recipient are the same account.'),
  lengtherror: malformed('The provider says that a field is too short or too long.'),
  formaterror: malformed('The provider says that a field has a wrong form.'),
  negativevalue: refused('rejected', 'The provider says that the amount is below zero.'),
  currencynotsupported: refused(
    'rejected',
    'The provider does not have this currency.',
    'The provider does not have the currency: check the places of the connection.',
  ),
  mandatoryvaluenotsupplied: malformed('The provider says that a field is missing.'),
  underpaymentnotallowed: refused('rejected', 'The amount is lower than the one that is due.'),
  overpaymentnotallowed: refused('rejected', 'The amount is higher than the one that is due.'),
  quotehasexpired: refused('rejected', 'The quotation has expired.'),
  invalidoffset: refused('rejected', 'The provider refused the request.'),
}

/** Categories whose errors without a known code are refusals. In all others the fault is the provider's own. */
const refusingCategories: ReadonlySet<string> = new Set(['businessrule', 'validation', 'identification'])

/** Return the meaning of an error for an order of this kind. */
export function meaningOf({ category, code, words }: ErrorObject, kind: OrderKind): Meaning {
  const name = code.toLowerCase()
  const row = Object.hasOwn(codes, name) ? codes[name] : undefined
  if (row && 'says' in row) return row
  if (row) return kind === 'charge' ? row.charge : (kind === 'refund' && row.refund) || row.out
  if (!refusingCategories.has(category)) return uncertain()
  const said = [code, words].filter(Boolean).join(': ')
  return refused('rejected', `The provider refused the order (${said}).`)
}

/** A refusal as the outcome of an order. */
export function toFailure({ reason, message }: Refusal, { code }: ErrorObject): FailedOutcome {
  return { outcome: 'failed', reason, message, code }
}
