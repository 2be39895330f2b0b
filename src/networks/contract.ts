import type { z } from 'zod'
import type {
  CallbackReply,
  CallTraits,
  Driver,
  DriverOperations,
  DriverTools,
  OpenedConnection,
  OpeningTools,
} from '../drivers/contract.ts'
import type { RawCallback } from '../drivers/raw-callback.ts'
import type {
  AccountHolderLookup,
  Limits,
  NetworkTransaction,
  Order,
  OrderAnswer,
  OrderCheck,
  Payout,
  PayoutAnswer,
  PayoutCheck,
  Refund,
  UnknownOutcome,
} from '../lib/adapter-types.ts'
import type { Portal } from '../lib/statements/portal.ts'
import type { StatementLine } from '../lib/statements/statement-line.ts'
import type { ParsedCallback, ValidationRequest } from './callbacks.ts'

export type {
  AccessToken,
  BalanceAnswer,
  CallbackReply,
  CheckResult,
  DriverTools,
  Environment,
  OpenedConnection,
  OpeningTools,
  OutgoingCall,
  ProvisionAnswer,
  TokenAnswer,
  TokenStore,
} from '../drivers/contract.ts'
export {
  type AccountHolderLookup,
  type FailureReason,
  failureReasons,
  type Limits,
  type NetworkTransaction,
  type Order,
  type OrderAnswer,
  type OrderCheck,
  type PartialReversal,
  type Payout,
  type PayoutAnswer,
  type PayoutCheck,
  type Refund,
  type UnknownOutcome,
} from '../lib/adapter-types.ts'

/*
 * A network driver speaks the protocol of one network. It has no database and knows no organization. A connection is
 * one merchant account at one network in one environment. The driver opens it and returns the operations that this
 * account can do. Operations do not throw for outside events: a time-out, a refusal and a 5xx are answers.
 */

/** Operations of a driver on an order. */
export type OrderKind = 'charge' | 'payout' | 'refund'

/** Facts about a network that decide how the service may handle an order. They are stated, never guessed. */
export interface NetworkTraits extends CallTraits {
  /**
   * The form of our references. `uuid-v4`: 36 characters, lower case. `alphanumeric-25`: at most 25 letters and digits.
   * `ascii-12`: at most 12 letters and digits.
   */
  reference: 'uuid-v4' | 'alphanumeric-25' | 'ascii-12'
  /**
   * Effect of a second call under the same reference. `same-answer`: the network returns the existing order. `refused`:
   * it refuses the call and keeps the order. `charges-again`: it makes a second order, so there is never a second call.
   */
  repeat: 'same-answer' | 'refused' | 'charges-again'
  /** Meaning of `not_found` after `in_flight_s`: proof that an order never arrived, or nothing. */
  unseen: 'certain' | 'never-certain'
  /** Id that a status query needs. With `remote_id`, an order without one cannot be queried. */
  asked_by: 'reference' | 'remote_id'
  /** Channel of the answer to a status query: its reply, or a later call to our callback address. */
  answers: 'in-reply' | 'by-callback'
  /** Seconds after a call in which the network may not yet know an order that it has received. */
  in_flight_s: number
  /** Seconds until a prompt expires on the phone. */
  prompt_s: number
  /** Seconds before the first status query, the second, and so on. The last one repeats. */
  status_waits_s?: readonly number[]
  /** Part of a charge that `refund` can give back: any or only all. Default: any. */
  refunds?: 'any' | 'full'
}

/** Traits of a driver: for all orders, and overrides for one kind of order. */
export type DriverTraits = NetworkTraits & Partial<Record<OrderKind, Partial<NetworkTraits>>>

/** Country and currency that a network serves. */
export interface Place {
  /** ISO 3166-1, two letters. Null: any. */
  country: string | null
  /** ISO 4217. Null: any. */
  currency: string | null
  limits: Limits
  /** The limits of payouts, where they differ. */
  payout_limits?: Limits
  /** The phone numbers (E.164) that this network serves here: the form, and its own prefixes where they are known. */
  phones: RegExp
  /** The environments in which this place exists; all of them unless given. */
  environments?: readonly string[]
}

/** The driver of a mobile-money network. */
export interface NetworkDriver<Settings = never> extends Driver<Settings> {
  places: readonly Place[]
  traits: DriverTraits
  /** True if `payout` also sends airtime. */
  airtime?: boolean
  /** The SMS with payment instructions, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  instructions?: string
  /** Form of the statements that people download from the network's own portal. */
  portal?: Portal
  open(connection: OpenedConnection<Settings>, tools: OpeningTools): NetworkOperations
}

/** State of an order, as for a payout. `asked`: the answer comes later, at our callback address. */
export type StatusAnswer = PayoutCheck | { outcome: 'asked' }
export type ChargeStatus = OrderCheck | { outcome: 'asked' }

/** The answer of a network before the charge: its id of the order, which is kept before the charge goes out. */
export type PrepareAnswer =
  | { outcome: 'prepared'; remote_id: string }
  | Extract<OrderAnswer, { outcome: 'failed' }>
  | UnknownOutcome

export type TransactionLookup =
  | { outcome: 'found'; receipt: NetworkTransaction }
  | { outcome: 'not_found' }
  | UnknownOutcome

/** Charge that its customer has paid. */
export interface PaidCharge extends ChargeIds {
  /** E.164. */
  phonenumber: string
  /** Time of the prompt. */
  sent: Date
}

type ChargeIds = Refund['charge']

/** Payment to us that is looked up by the network's id. */
interface AskedPayment {
  remote_id: string
  /** Text of the payer, if a callback had it and the network does not repeat it. */
  account_number?: string | undefined
}

/** A period of time for a statement. */
export interface Period {
  from: Date
  to: Date
}

/** Order whose limits are read from the network. */
export interface LimitedOrder {
  kind: OrderKind
  /** ISO 3166-1, two letters. */
  country: string
  currency: string
  /** E.164. */
  phonenumber: string
}

/**
 * Limits that a network states for one kind of orders to a phone. `is_down`: it takes none now, so another connection
 * is preferred.
 */
export interface StatedLimits extends Limits {
  is_down?: boolean
}

/** The operations of one connection. A missing one is something that this network cannot do. */
export interface NetworkOperations extends DriverOperations {
  /** Make the network's id of the order before the charge, where the network wants it so. */
  prepare?(order: Order, tools: DriverTools): Promise<PrepareAnswer>
  /** Prompts the customer to pay. */
  charge?(order: Order, tools: DriverTools): Promise<OrderAnswer>
  /** Tell the network to expect a payment, without a prompt to the customer. */
  registerExpectedPayment?(order: Order, tools: DriverTools): Promise<OrderAnswer>
  chargeStatus?(order: Order, tools: DriverTools): Promise<ChargeStatus>
  /** Send money or airtime. A connection with `payout` has `payoutStatus` too. */
  payout?(payout: Payout, tools: DriverTools): Promise<PayoutAnswer>
  payoutStatus?(payout: Payout, tools: DriverTools): Promise<StatusAnswer>
  /** Give back the money of a charge, if the network has an operation for it. */
  refund?(refund: Refund, tools: DriverTools): Promise<PayoutAnswer>
  refundStatus?(refund: Refund, tools: DriverTools): Promise<StatusAnswer>
  /**
   * Return true if a charge can be given back, as far as known without a call. The network may need an id that it has
   * not yet sent. Default: true.
   */
  canRefund?(charge: Refund['charge']): boolean
  /** Look up the money of a paid charge, if `canRefund` needs an id that the network has not sent. */
  chargeMoney?(charge: PaidCharge, tools: DriverTools): Promise<TransactionLookup>
  /** Fetch today's limits of a provider whose limits change. They apply in addition to the limits of the place. */
  limits?(order: LimitedOrder, tools: DriverTools): Promise<StatedLimits | undefined>
  /** Look up the account of a phone (E.164). `not_found` means that it certainly has no mobile money here. */
  accountHolder?(phonenumber: string, tools: DriverTools): Promise<AccountHolderLookup>
  /** Look up a payment to us. */
  transaction?(payment: AskedPayment, tools: DriverTools): Promise<TransactionLookup>
  /** Read the network's own record of money movements, for reconciliation. */
  statement?(period: Period, tools: DriverTools): AsyncIterable<StatementLine>
  /**
   * Fetch the missing data for `readCallback`, such as keys of the network. Undefined: nothing is missing. It never
   * throws; a failed fetch leaves the callback unverified.
   */
  prepareCallback?(callback: RawCallback, tools: DriverTools): Promise<void> | undefined
  readCallback?(callback: RawCallback): ParsedCallback
  /** Read a request of the network that asks us before it takes an unrequested payment. Undefined when it is none. */
  readValidation?(callback: RawCallback): ValidationRequest | undefined
  /** Our answer to a validation request. A connection with `readValidation` has this too. */
  answerValidation?(verdict: 'accept' | 'reject', reason: string | null): CallbackReply
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnyNetworkDriver = NetworkDriver<never>

/** Define a driver. It only gives `open` the type of the settings. */
export function defineNetwork<Schema extends z.ZodObject>(
  driver: Omit<NetworkDriver<z.output<Schema>>, 'settings'> & { settings: Schema },
): AnyNetworkDriver {
  return driver as unknown as AnyNetworkDriver
}

/** The traits of one kind of order. */
export function traitsFor({ traits }: Pick<NetworkDriver, 'traits'>, kind: OrderKind): NetworkTraits {
  return { ...traits, ...traits[kind] }
}
