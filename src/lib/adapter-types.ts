import type { Amount } from './money.ts'

/*
 * Types that core and the adapters (networks, billers, SMS senders) exchange. Both import these types, so neither
 * depends on the other.
 */

/** The other side did not give a usable answer. The call may have taken effect, so this is never a failure. */
export interface UnknownOutcome {
  outcome: 'unknown'
  message: string
}

/** The outside has the order, and its end is still open. */
interface AcceptedOutcome {
  outcome: 'accepted'
  remote_id: string
}

/** Reasons why a network did not carry out an order. A closed list, so that no code parses a message. */
export const failureReasons = [
  'cancelled',
  'wrong_pin',
  'insufficient_funds',
  'limit_reached',
  'payer_not_found',
  'payee_not_found',
  'not_allowed',
  'prompt_expired',
  'unreachable',
  'rejected',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** The failures after which the same customer may get another prompt: the customer did not refuse. */
export const retryableReasons: ReadonlySet<FailureReason> = new Set(['prompt_expired', 'unreachable'])

/** Number of decimals of an amount, and the smallest and largest amount of one order or payout. */
export interface Limits {
  decimals: number
  min: Amount
  max: Amount
}

/** A request for money to one phone. `reference` makes it idempotent: the same reference is the same order. */
export interface Order {
  reference: string
  /** Number of ours that the money goes to: till or short code. */
  receiver: string
  /** E.164. */
  phonenumber: string
  amount: Amount
  currency: string
  /** Text that the customer reads on the prompt. */
  reason: string
  /** The network's own id of the order; null until the network has accepted it. */
  remote_id: string | null
  /** Collection request of the order, for the log alone. It is not sent. */
  collection_request?: number | null
}

/** Money or airtime sent to one phone. `reference` makes it idempotent, as for an order. */
export interface Payout {
  reference: string
  kind: 'money' | 'airtime'
  /** Number of ours that the money comes from: till or short code. */
  sender: string
  /** E.164. */
  phonenumber: string
  amount: Amount
  currency: string
  /** Text that the recipient reads. */
  reason: string
  /** The network's own id of the payout; null until the network has accepted it. */
  remote_id: string | null
}

/** The return of the money of a charge to the customer who paid it. */
export interface Refund extends Omit<Payout, 'kind'> {
  /** The charge: our reference of it, the network's id of its order, and the network's id of its money. */
  charge: { reference: string; remote_id: string | null; transaction: string; amount: Amount }
}

/** An order ended well. A missing `amount` is the amount that was ordered, and a missing `remote_id` is not known yet. */
interface SuccessfulOutcome {
  outcome: 'successful'
  /** The network's id of the money, which is in the customer's receipt. */
  remote_id?: string
  amount?: Amount
  /** Charge of the network for it. */
  fee?: Amount
}

/** An order ended without a movement of money. */
export interface FailedOutcome {
  outcome: 'failed'
  reason: FailureReason
  /** Message for a person. */
  message: string
  /** The network's own code or word, for the log and the timeline. */
  code?: string
}

/**
 * The network's answer to an order. `unknown` is never `failed`: the money may still move. `name` (of the customer) and
 * `paid_at` come from networks that report them.
 */
export type OrderAnswer =
  | AcceptedOutcome
  | (SuccessfulOutcome & { name?: string; paid_at?: Date })
  | FailedOutcome
  | UnknownOutcome

/** The state of an order at the network. `not_found` means that the order certainly never arrived there. */
export type OrderCheck = OrderAnswer | { outcome: 'not_found' }

/**
 * Part of a transaction that the network has reversed. `remote_id` is the network's own id of the reversal: the same id
 * is the same reversal, however often it is reported. If the network gives no id, the adapter makes it from the data
 * that distinguish one reversal of the transaction from another.
 */
export interface PartialReversal {
  remote_id: string
  amount: Amount
}

/**
 * Answer of the network to a payout. `successful`: the whole amount had arrived; `reversals` are the parts of it that
 * came back, if this answer names them. `reversed`: the money had arrived, and everything came back.
 */
export type PayoutAnswer =
  | Exclude<OrderAnswer, { outcome: 'successful' }>
  | (SuccessfulOutcome & { name?: string; paid_at?: Date; reversals?: readonly PartialReversal[] })
  | { outcome: 'reversed'; message: string }

/**
 * State of a payout at the network. `not_found` is the network's word. Its certainty depends on the time since the
 * payout was sent (`in_flight_s` of the network).
 */
export type PayoutCheck = PayoutAnswer | { outcome: 'not_found' }

/** Money that the network says has reached one of our receivers, or has been reversed. */
export interface NetworkTransaction {
  remote_id: string
  /** `reversed`: the network has reversed the whole rest. */
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  /** Amount paid, before any reversal. */
  amount: Amount
  /** Reversed parts that this report names. A later report may name others. */
  reversals?: readonly PartialReversal[]
  currency: string
  /** The reference of our order, when the money answers an order. */
  order_reference: string | null
  /** True if the network does not name the order that it answers, so that it may be one of ours. */
  hides_order?: boolean
  /** Reference that the customer typed, if any. */
  reference: string | null
  /** The customer's name; null where the network does not report it. */
  name: string | null
  /** Charge of the network for it, if it says so. */
  fee?: Amount
  paid_at: Date
}

/** The holder of a phone's mobile-money account; `name` is null where the network does not disclose it. */
export type AccountHolderLookup = { outcome: 'found'; name: string | null } | { outcome: 'not_found' } | UnknownOutcome

/** Kinds of bills that can be bought. Each kind has its own routes and its own details. */
export const billKinds = ['airtime', 'databundle', 'cabletv', 'electricity', 'epin', 'exampin'] as const
export type BillKind = (typeof billKinds)[number]

/** Reasons why a biller refused. A closed list, so that no code parses a message. */
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

/** Details of a purchase that only some kinds need. Prices are not here: the catalogue has them. */
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
  /** Electricity: true if a token is due; and the catalogue's price of a kWh without tax. */
  prepaid?: boolean
  tariff?: Amount
}

/** A voucher that the customer bought. */
export interface Pin {
  instructions: string
  serial_number: string
  pin: string
  /** `YYYY-MM-DD` */
  expires_on: string
}

/** Goods that the customer gets. */
export interface VendedGoods {
  /** Prepaid electricity: 20 digits. A prepaid purchase without a token is not yet successful. */
  token: string | null
  /** Prepaid electricity, such as `16.4KWH`. */
  amount_of_power: string | null
  pins: Pin[]
  /** The biller's own words, such as `SendOk`. */
  provider_message: string
  /** The biller's own data, shown to the caller unchanged. */
  raw_output: Record<string, unknown> | null
  /**
   * Further members of the answer, such as extraData of data bundles, resetToken of a meter, token_pin of exam pins.
   */
  more: Record<string, unknown>
}

/** Charge to our float for one purchase, as the provider reports it, in the currency of the float. */
export interface Charge {
  amount: Amount
  /** ISO 4217 */
  currency: string
}

/** The biller's answer to a vend. `unknown` is never `failed`: the biller may have issued the token. */
export type VendAnswer =
  | AcceptedOutcome
  | { outcome: 'successful'; remote_id: string; vended: VendedGoods; charged?: Charge }
  | { outcome: 'failed'; reason: VendFailureReason; message: string }
  | UnknownOutcome

/** The state of a vend at the biller. `not_found` means that it never arrived, or is still on its way. */
export type VendCheck = VendAnswer | { outcome: 'not_found' }

/**
 * The result of one try to send an SMS. `unknown`: the provider may have sent it. An SMS may be sent twice rather than
 * not at all, so an `unknown` one is sent again, like a `failed` one with `retry`.
 */
export type SmsResult =
  | { outcome: 'sent'; remote_id?: string }
  | { outcome: 'failed'; message: string; retry: boolean }
  | UnknownOutcome

/** Reasons why an SMS did not reach its phone. A closed list, so that no code parses a message. */
export const smsFailureReasons = [
  'invalid_number',
  'invalid_sender',
  'opted_out',
  'not_allowed',
  'unreachable',
  'expired',
  'too_long',
  'no_credit',
  'no_route',
  'throttled',
  'credentials',
  'rejected',
  'undelivered',
] as const
export type SmsFailureReason = (typeof smsFailureReasons)[number]

/** Cost of an SMS for us. */
export interface SmsCost {
  amount: Amount
  currency: string
}

/**
 * A provider's answer to an SMS. `retry`: another try at this provider may succeed, after `retry_after_s` if that is given.
 * `unknown`: the provider may have sent it.
 */
export type SmsAnswer =
  | { outcome: 'sent'; remote_id?: string; parts?: number; cost?: SmsCost }
  | {
      outcome: 'failed'
      reason: SmsFailureReason
      /** Message for a person. */
      message: string
      /** The provider's own code, for the log and the timeline. */
      code?: string
      retry: boolean
      retry_after_s?: number
    }
  | UnknownOutcome

/** Report of a provider about an SMS later. `sent`: it is on its way, such as at the network of the phone. */
export interface SmsReport {
  /**
   * Reference of ours for the SMS, or the provider's id of it. The provider may have written the same id in another
   * form in its answer. Then `other_ids` are the forms in which it may be stored. `phonenumbers` are the addresses of the
   * report, as the provider writes them: if there are numbers of phones among them, the SMS went to one of these.
   */
  sms: { reference: string } | { remote_id: string; other_ids?: readonly string[]; phonenumbers?: readonly string[] }
  state: 'sent' | 'delivered' | 'failed'
  reason?: SmsFailureReason
  message?: string
  code?: string
  parts?: number
  cost?: SmsCost
  /** Time of the event, if the provider says so. */
  at?: Date
}
