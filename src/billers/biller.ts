import type { Amount } from '../lib/money.ts'

/** What can be bought. Each kind has routes of its own and details of its own. */
export const billKinds = ['airtime', 'databundle', 'electricity', 'cabletv', 'epin', 'exampin'] as const
export type BillKind = (typeof billKinds)[number]

/** Why a biller refused. A closed list, so that nobody ever parses a message. */
export const vendFailureReasons = [
  'declined',
  'account_not_found',
  'amount_refused',
  'out_of_stock',
  'service_blocked',
  'service_inactive',
  'no_funds_at_biller',
  'no_answer',
  'rejected',
] as const
export type VendFailureReason = (typeof vendFailureReasons)[number]

/** What the simulated biller can be told to do, by header or by phone number. Real billers never see it. */
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

/** One thing bought for one customer. `reference` makes it idempotent: the same reference is the same vend. */
export interface Vend {
  reference: string
  kind: BillKind
  /** Such as `mtn` or `ikeja_electric_prepaid`. */
  service_type: string
  /** The meter, smartcard, account or candidate that it is for; of airtime and data the phone; of epins empty. */
  account_number: string
  /** The customer's phone as the caller gave it, such as 08012345678. */
  phone: string
  amount: Amount
  details: VendDetails
  scenario: Scenario | null
}

/** What only some kinds need. Prices are not here: they were looked up before. */
export interface VendDetails {
  /** Airtime: `prepaid` or `postpaid`. */
  plan?: string
  datacode?: string
  /** Data of spectranet only. */
  package?: string
  /** Cable TV (`0` is a renewal) and exam pins. */
  product_code?: string
  months?: number
  addon_code?: string
  addon_months?: number
  box_office?: boolean
  pin_value?: Amount
  pins?: number
  /** Electricity: whether a token is due, and the price of a kWh without tax as our catalogue has it. */
  prepaid?: boolean
  tariff?: Amount
}

/** A voucher that was bought. */
export interface Pin {
  instructions: string
  serial_number: string
  pin: string
  /** `YYYY-MM-DD` */
  expires_on: string
}

/** What the customer gets. */
export interface VendedGoods {
  /** Prepaid electricity: 20 digits. A prepaid success without it is not yet one. */
  token: string | null
  /** Prepaid electricity, such as `16.4KWH`. */
  amount_of_power: string | null
  pins: Pin[]
  /** The biller's own words, such as `SendOk`. */
  provider_message: string
  /** What the biller itself tells, shown to the caller as it is. */
  raw_output: Record<string, unknown> | null
  /** Further members of the answer, such as extraData of data bundles, resetToken of a meter, token_pin of exam pins. */
  more: Record<string, unknown>
}

/** What the biller said about a vend. `unknown` is never `failed`: the token may be out. */
export type VendAnswer =
  | { outcome: 'accepted'; remote_id: string }
  | { outcome: 'successful'; remote_id: string; vended: VendedGoods }
  | { outcome: 'failed'; reason: VendFailureReason; message: string }
  | { outcome: 'unknown'; message: string }

/** A vend as the biller knows it; `not_found` means that it was never registered, or is still on its way. */
export type VendCheck = VendAnswer | { outcome: 'not_found' }

/** Whose account it is, before money is paid for it. */
export interface AccountQuery {
  service_type: string
  account_number: string
  /** Of exam pins. */
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
  /** What the biller itself says, with the names that it uses; of exam pins firstName, lastName, middleName, gsmNo, error. */
  raw_output: Record<string, unknown>
  /** Further members beside those above, such as currentBouquet of cable TV. */
  more: Record<string, unknown>
}

export type AccountHolderLookup =
  | { outcome: 'found'; holder: AccountHolder }
  | { outcome: 'not_found'; message: string }
  | { outcome: 'unknown'; message: string }

/**
 * A biller, or an aggregator of billers. Stateless, no database; `vend` is idempotent by `reference`. Verbs do not throw
 * for what the outside does: a time-out, a refusal and a 5xx are answers.
 */
export interface Biller {
  /** Short code used in SQL and in the setting BILLER. */
  code: string
  name: string
  /**
   * How long after a vend was sent it may still arrive there, in real milliseconds. Only past this time does `not_found`
   * mean that nothing was sold. It is longer than a call of `vend` can take.
   */
  in_flight_ms: number
  vend(order: Vend): Promise<VendAnswer>
  checkVend(order: Vend): Promise<VendCheck>
  lookUpAccountHolder(query: AccountQuery): Promise<AccountHolderLookup>
}
