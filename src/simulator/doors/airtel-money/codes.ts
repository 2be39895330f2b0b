import type { FailureReason } from '../../../lib/adapter-types.ts'
import type { Outcome } from '../../world/world.ts'
import type { TestNumber } from '../door.ts'

/** The two products whose orders have codes of their own, and the begin of these codes. */
export type Product = 'collection' | 'disbursement'
const starts: Record<Product, string> = { collection: 'DP008000010', disbursement: 'DP009000010' }

/** Effect of a test number on an order. */
interface TestCase {
  code: string
  /**
   * Stage of the effect. `call`: the call is refused, and the order does not exist. `lost`: the order exists, and no
   * query finds it.
   */
  at: 'call' | 'end' | 'lost'
  outcome?: Outcome
  /** Word of the status query while the order is open. Default: TIP. */
  word?: string
}

type CaseText = readonly [words: string, reason?: FailureReason]

const collectionCodes: Readonly<Record<string, CaseText>> = {
  '00': ['Ambiguous'],
  '01': ['Success'],
  '02': ['Incorrect Pin', 'wrong_pin'],
  '03': ['Exceeds withdrawal amount limit(s)', 'limit_reached'],
  '04': ['Invalid Amount', 'limit_reached'],
  '05': ['Transaction ID is invalid', 'prompt_expired'],
  '06': ['In process'],
  '07': ['Not enough balance', 'insufficient_funds'],
  '08': ['Refused', 'cancelled'],
  '09': ['Do not honor', 'rejected'],
  '10': ['Transaction not permitted to Payee', 'not_allowed'],
  '24': ['Transaction Timed Out'],
  '25': ['Transaction Not Found'],
  '26': ['Forbidden', 'not_allowed'],
  '29': ['Transaction Expired', 'prompt_expired'],
}

const disbursementCodes: Readonly<Record<string, CaseText>> = {
  '00': ['Ambiguous'],
  '01': ['Success'],
  '03': ['Maximum transaction limit reached', 'limit_reached'],
  '04': ['Invalid Amount', 'limit_reached'],
  '05': ['Failed', 'rejected'],
  '06': ['Processing'],
  '07': ['Insufficient Funds', 'insufficient_funds'],
  '09': ['Invalid Initiatee', 'payee_not_found'],
  '10': ['User not allowed', 'not_allowed'],
  '11': ['Transaction not allowed', 'rejected'],
  '12': ['Invalid mobile number', 'payee_not_found'],
  '13': ['Refused', 'rejected'],
  '14': ['Transaction Timed Out'],
  '15': ['Transaction Not Found'],
  '16': ['Forbidden', 'not_allowed'],
  '17': ['Duplicate transaction Id', 'rejected'],
  '18': ['Forbidden', 'not_allowed'],
}

const tables = { collection: collectionCodes, disbursement: disbursementCodes }

/** The code of a payment that is reported as failed and succeeds afterwards. No answer of Airtel has it. */
export const EARLY_FAILURE = 'early failure'

/** Phone numbers whose last six digits are these decide by the last two how an order ends. */
const ENDS: Readonly<Record<string, Product>> = { '0080': 'collection', '0090': 'disbursement' }
/** The same, but the call itself is refused. */
const CALLS: Readonly<Record<string, Product>> = { '0081': 'collection', '0091': 'disbursement' }
const EARLY_FAILURE_NUMBER = '008099'

/**
 * Return the effect of this phone number on an order of this product. Undefined: the number has no effect special to
 * Airtel.
 */
export function testCaseOf(product: Product, phonenumber: string): TestCase | undefined {
  const [start, end] = [phonenumber.slice(-6, -2), phonenumber.slice(-2)]
  if (product === 'collection' && phonenumber.endsWith(EARLY_FAILURE_NUMBER)) return earlyFailure()
  const text = tables[product][end]
  if (!text) return undefined
  const code = `${starts[product]}${end}`
  if (CALLS[start] === product) return { code, at: 'call' }
  if (ENDS[start] !== product) return undefined
  const [words, reason] = text
  if (/Not Found$/.test(words)) return { code, at: 'lost', outcome: { ends: 'never' } }
  if (words === 'Success') return { code, at: 'end', outcome: { ends: 'paid' } }
  if (reason) return { code, at: 'end', outcome: { ends: 'failed', reason, message: words, code } }
  const word = end === '06' ? 'TIP' : 'TA'
  return { code, at: 'end', outcome: { ends: 'never' }, word }
}

function earlyFailure(): TestCase {
  const outcome: Outcome = {
    ends: 'failed',
    reason: 'rejected',
    message: 'Declined',
    code: EARLY_FAILURE,
    paid_after_s: 10,
  }
  return { code: EARLY_FAILURE, at: 'end', outcome }
}

/** Airtel's words for a code. */
export function wordsOf(code: string): string {
  const table = code.startsWith(starts.collection) ? collectionCodes : disbursementCodes
  return table[code.slice(-2)]?.[0] ?? 'FAILED'
}

const collectionReasons: Readonly<Partial<Record<FailureReason, string>>> = {
  cancelled: '08',
  wrong_pin: '02',
  insufficient_funds: '07',
  limit_reached: '03',
  payer_not_found: '10',
  payee_not_found: '10',
  not_allowed: '10',
  prompt_expired: '29',
}

const disbursementReasons: Readonly<Partial<Record<FailureReason, string>>> = {
  insufficient_funds: '07',
  limit_reached: '03',
  payer_not_found: '12',
  payee_not_found: '12',
  not_allowed: '10',
}

/** Return Airtel's code for a failure that a person or a common test number causes. */
export function codeOfReason(product: Product, reason: FailureReason): string {
  const end = product === 'collection' ? (collectionReasons[reason] ?? '09') : (disbursementReasons[reason] ?? '05')
  return `${starts[product]}${end}`
}

/** The numbers for people. */
export const numbers: readonly TestNumber[] = [
  { number: '…0080NN', effect: 'a payment ends with DP008000010NN: 02 wrong PIN, 05 no PIN, 07 not enough balance, …' },
  { number: '…008000, …008024', effect: 'a payment stays ambiguous (TA)' },
  { number: '…008006', effect: 'a payment stays in process (TIP)' },
  { number: '…008025', effect: 'a payment is taken, and the enquiry never finds it' },
  { number: '…008099', effect: 'the callback says TF, and 10 seconds later TS; the enquiry says TIP until then' },
  { number: '…0081NN', effect: 'the call for a payment is refused with DP008000010NN, and nothing happens' },
  {
    number: '…0090NN',
    effect: 'a payout ends with DP009000010NN: 03 limit of the day, 07 our float, 12 wrong number, …',
  },
  { number: '…009015', effect: 'a payout is taken, and the enquiry never finds it' },
  { number: '…0091NN', effect: 'the call for a payout is refused with DP009000010NN, and nothing happens' },
]
