import type { BillKind, UnknownOutcome, VendAnswer, VendCheck, VendDetails } from '../lib/adapter-types.ts'
import type { Amount } from '../lib/money.ts'

export {
  type BillKind,
  billKinds,
  type Pin,
  type VendAnswer,
  type VendCheck,
  type VendDetails,
  type VendedGoods,
  type VendFailureReason,
  vendFailureReasons,
} from '../lib/adapter-types.ts'

/** Scenarios of the simulated biller, by header or by phone number. Real billers never get them. */
export const scenarios = [
  'success',
  'decline',
  'pending-success',
  'pending-failure',
  'timeout-before',
  'timeout-after',
  'broken',
  'slow',
  'silent',
  'blocked',
  'token-later',
] as const
export type Scenario = (typeof scenarios)[number]

/** Purchase for a customer. `reference` makes it idempotent: the same reference is the same vend. */
export interface Vend {
  reference: string
  kind: BillKind
  /** Such as `mtn` or `ikeja_electric_prepaid`. */
  service_type: string
  /** The number of the meter, smartcard, account or candidate; for airtime and data the phone; for epins empty. */
  account_number: string
  /** The customer's phone as the caller gave it, such as 08012345678. */
  phone: string
  amount: Amount
  details: VendDetails
  scenario: Scenario | null
}

/** Query for the holder of an account, before the customer pays for it. */
export interface AccountQuery {
  service_type: string
  account_number: string
  /** Exam pins only. */
  product_code: string | null
}

/** The holder of a meter, smartcard or account (interface 2.9, name-validation user). */
export interface AccountHolder {
  name: string
  address: string | null
  outstanding_balance: Amount | null
  /** ISO 8601 with offset. */
  due_date: string | null
  district: string | null
  account_number: string | null
  minimum_amount: Amount | null
  /** The biller's own data under its own names; for exam pins firstName, lastName, middleName, gsmNo, error. */
  raw_output: Record<string, unknown>
  /** Further members beside those above, such as currentBouquet of cable TV. */
  more: Record<string, unknown>
}

export type AccountHolderLookup =
  | { outcome: 'found'; holder: AccountHolder }
  | { outcome: 'not_found'; message: string }
  | UnknownOutcome

/**
 * Biller or aggregator of billers. It is stateless and has no database; `vend` is idempotent by `reference`. Methods do
 * not throw for outside events: a time-out, a refusal and a 5xx are answers.
 */
export interface Biller {
  /** Short code, as it is in SQL. */
  code: string
  name: string
  /** False: it only answers status queries for earlier purchases. */
  sells?: boolean
  /**
   * Real milliseconds in which a sent vend may still arrive at the biller. Only after this time does `not_found` mean
   * that nothing was sold. It is longer than a call of `vend` can take.
   */
  in_flight_ms: number
  vend(order: Vend): Promise<VendAnswer>
  checkVend(order: Vend): Promise<VendCheck>
  lookUpAccountHolder(query: AccountQuery): Promise<AccountHolderLookup>
}
