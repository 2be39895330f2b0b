import type { FailedOutcome, FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
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
const ASK_LIMIT = getMessage('gsma.limit_account_reached')
const period = (words: string) => limit(getMessage('gsma.limit_reached', { words }), ASK_LIMIT)

const notAllowed = (message: string) => refused('not_allowed', message)
const malformed = (message: string) => refused('rejected', message, getMessage('gsma.refuses_form_send'))

const CREDENTIALS = getMessage('gsma.check_user_credential_1_user_credential_2')
const party = (message: string): Row => ({
  charge: refused('wrong_pin', getMessage('sandbox.wrong_pin')),
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
  accountmaxtotalvalueexceeded: limit(getMessage('gsma.limit_account_reached_2'), ASK_LIMIT),
  accountmaxtotalvolumeexceeded: limit(getMessage('gsma.limit_account_reached_2'), ASK_LIMIT),
  maxbalanceexceeded: {
    charge: refused(
      'limit_reached',
      getMessage('gsma.receiving_account_would'),
      getMessage('gsma.account_hold_no_money'),
    ),
    out: refused('limit_reached', getMessage('gsma.receiving_account_would')),
  },
  lessthantransactionminvalue: refused('limit_reached', getMessage('gsma.amount_below_smallest')),
  greaterthantransactionmaxvalue: refused('limit_reached', getMessage('gsma.amount_above_largest')),
  insufficientfunds: {
    charge: refused('insufficient_funds', getMessage('drivers.customer_not_enough')),
    out: refused('insufficient_funds', getMessage('gsma.account_not_enough'), getMessage('gsma.account_too_little')),
  },
  requestdeclined: refused('cancelled', getMessage('drivers.customer_not_approve')),
  identifiererror: {
    charge: refused('payer_not_found', getMessage('gsma.customer_no_account')),
    out: refused('payee_not_found', getMessage('gsma.recipient_no_account')),
    refund: refused('rejected', getMessage('gsma.not_know_payment')),
  },
  incorrectstate: notAllowed(getMessage('gsma.state_account_not_allow')),
  nomandateauthority: notAllowed(getMessage('gsma.no_mandate')),
  linkviolation: notAllowed(getMessage('gsma.accounts_not_linked')),
  nationalitynotpermitted: notAllowed(getMessage('gsma.nationality_account_holder')),
  countryoforiginnotpermitted: notAllowed(getMessage('gsma.country_account_holder')),
  iddocumentnotsupported: notAllowed(getMessage('gsma.document_account_holder')),
  issuingcountrynotsupported: notAllowed(getMessage('gsma.country_account_holder_document')),
  transactiontypeerror: refused(
    'not_allowed',
    getMessage('gsma.not_offer_type'),
    getMessage('gsma.ask_open_merchantpay'),
  ),
  requestingpartyauthorisationerror: party(getMessage('gsma.account_not_credential')),
  servicingpartyauthorisationerror: party(getMessage('gsma.account_not_credential')),
  duplicaterequest: { says: 'duplicate' },
  ratelimiterror: uncertain(getMessage('gsma.says_call_too')),
  clientauthorisationerror: uncertain(getMessage('gsma.refuses_credentials_check')),
  samepartieserror: refused('rejected', getMessage('gsma.payer_recipient_same')),
  lengtherror: malformed(getMessage('gsma.says_field_too')),
  formaterror: malformed(getMessage('gsma.says_field_wrong')),
  negativevalue: refused('rejected', getMessage('gsma.says_amount_below')),
  currencynotsupported: refused('rejected', getMessage('gsma.not_currency'), getMessage('gsma.not_currency_check')),
  mandatoryvaluenotsupplied: malformed(getMessage('gsma.says_field_missing')),
  underpaymentnotallowed: refused('rejected', getMessage('gsma.amount_lower_one')),
  overpaymentnotallowed: refused('rejected', getMessage('gsma.amount_higher_one')),
  quotehasexpired: refused('rejected', getMessage('gsma.quotation_expired')),
  invalidoffset: refused('rejected', getMessage('gsma.refused_request')),
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
  return refused('rejected', getMessage('gsma.refused_order', { said }))
}

/** A refusal as the outcome of an order. */
export function toFailure({ reason, message }: Refusal, { code }: ErrorObject): FailedOutcome {
  return { outcome: 'failed', reason, message, code }
}
