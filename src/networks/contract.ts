import type { z } from 'zod'
import type {
  CallbackReply,
  CallTraits,
  Driver,
  DriverOperations,
  DriverTools,
  OpenedConnection,
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
 * A network driver speaks the protocol of one network. It has no database and knows no organization. A connection is one
 * merchant account at one network in one environment; the driver opens it and returns the operations that this account can
 * do. Operations do not throw for what happens outside: a time-out, a refusal and a 5xx are answers.
 */

/** What a driver can be asked to do for an order. */
export type OrderKind = 'charge' | 'payout' | 'refund'

/** The facts about a network that decide what the service may do with an order. They are stated, never guessed. */
export interface NetworkTraits extends CallTraits {
  /**
   * The form of our references. `uuid-v4`: 36 characters, lower case. `alphanumeric-25`: at most 25 letters and digits.
   * `ascii-12`: at most 12 letters and digits.
   */
  reference: 'uuid-v4' | 'alphanumeric-25' | 'ascii-12'
  /**
   * What a second call under the same reference does. `same-answer`: the network returns the order that it has. `refused`:
   * it refuses the call and keeps the order. `charges-again`: it makes a second order, so there is never a second call.
   */
  repeat: 'same-answer' | 'refused' | 'charges-again'
  /** Whether `not_found` proves, after `in_flight_s`, that an order never arrived. Otherwise it counts as unknown. */
  unseen: 'certain' | 'never-certain'
  /** What a status question needs. An order without a `remote_id` cannot be asked about where this is `remote_id`. */
  asked_by: 'reference' | 'remote_id'
  /** Whether a status question is answered in its reply or later, at our callback address. */
  answers: 'in-reply' | 'by-callback'
  /** For how many seconds after a call the network may not know the order yet although it has received it. */
  in_flight_s: number
  /** For how many seconds a prompt stays on the phone. */
  prompt_s: number
  /** The seconds before the first status question, the second, and so on. The last one repeats. */
  status_waits_s?: readonly number[]
  /** What `refund` can give back: any part of a charge, or only all of it. Any unless given. */
  refunds?: 'any' | 'full'
}

/** The traits of a driver: those of all orders, and where one kind of order differs. */
export type DriverTraits = NetworkTraits & Partial<Record<OrderKind, Partial<NetworkTraits>>>

/** One country and currency that a network serves. */
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
  /** Whether `payout` sends airtime, too. */
  airtime?: boolean
  /** The SMS with payment instructions, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  instructions?: string
  /** What the network's own portal writes into the statements that people download there. */
  portal?: Portal
  open(connection: OpenedConnection<Settings>, tools: DriverTools): NetworkOperations
}

/** What a network says about an order: as for a payout. `asked`: the answer comes later, at our callback address. */
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

/** A charge that its customer has paid. */
export interface PaidCharge extends ChargeIds {
  /** E.164. */
  phonenumber: string
  /** When the prompt was sent. */
  sent: Date
}

type ChargeIds = Refund['charge']

/** A period of time for a statement. */
export interface Period {
  from: Date
  to: Date
}

/** What a network is asked its limits for. */
export interface LimitedOrder {
  kind: OrderKind
  /** ISO 3166-1, two letters. */
  country: string
  currency: string
  /** E.164. */
  phonenumber: string
}

/** What a network says about one kind of orders to a phone. `is_down`: it takes none now, so another connection is preferred. */
export interface StatedLimits extends Limits {
  is_down?: boolean
}

/** The operations of one connection. A missing one is something that this network cannot do. */
export interface NetworkOperations extends DriverOperations {
  /** Makes the network's id of the order before the charge, where the network wants it so. */
  prepare?(order: Order): Promise<PrepareAnswer>
  /** Prompts the customer to pay. */
  charge?(order: Order): Promise<OrderAnswer>
  /** Tells the network to expect a payment, without a prompt to the customer. */
  registerExpectedPayment?(order: Order): Promise<OrderAnswer>
  chargeStatus?(order: Order): Promise<ChargeStatus>
  /** Sends money or airtime. A connection with `payout` has `payoutStatus` too. */
  payout?(payout: Payout): Promise<PayoutAnswer>
  payoutStatus?(payout: Payout): Promise<StatusAnswer>
  /** Gives back the money of a charge, where the network has an operation of its own for that. */
  refund?(refund: Refund): Promise<PayoutAnswer>
  refundStatus?(refund: Refund): Promise<StatusAnswer>
  /** Whether a charge can be given back, as far as that is known without a call: the network may need an id that it has not told. Yes unless given. */
  canRefund?(charge: Refund['charge']): boolean
  /** Looks up the money of a paid charge, where `canRefund` needs its id and the network has not told it. */
  chargeMoney?(charge: PaidCharge): Promise<TransactionLookup>
  /** The limits that a provider states today, where they change. They count in addition to those of the place. */
  limits?(order: LimitedOrder): Promise<StatedLimits | undefined>
  /** Looks up the account of a phone (E.164). `not_found` means that it certainly has no mobile money here. */
  accountHolder?(phonenumber: string): Promise<AccountHolderLookup>
  /**
   * Looks up a payment to us by the network's id.
   * @param account_number what the payer typed, where a callback has said it and the network does not repeat it
   */
  transaction?(remote_id: string, account_number?: string): Promise<TransactionLookup>
  /** The network's own record of what moved, for reconciliation. */
  statement?(period: Period): AsyncIterable<StatementLine>
  /**
   * Fetches what `readCallback` needs for this callback, such as keys of the network. Undefined when nothing is missing. It
   * never throws; what could not be fetched leaves the callback unverified.
   */
  prepareCallback?(callback: RawCallback): Promise<void> | undefined
  readCallback?(callback: RawCallback): ParsedCallback
  /** Reads a request of the network that asks us before it takes an unrequested payment. Undefined when it is none. */
  readValidation?(callback: RawCallback): ValidationRequest | undefined
  /** Our answer to a validation request. A connection with `readValidation` has this too. */
  answerValidation?(verdict: 'accept' | 'reject', reason: string | null): CallbackReply
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnyNetworkDriver = NetworkDriver<never>

/** Defines a driver. It only gives `open` the type of the settings. */
export function defineNetwork<Schema extends z.ZodObject>(
  driver: Omit<NetworkDriver<z.output<Schema>>, 'settings'> & { settings: Schema },
): AnyNetworkDriver {
  return driver as unknown as AnyNetworkDriver
}

/** The traits of one kind of order. */
export function traitsFor({ traits }: Pick<NetworkDriver, 'traits'>, kind: OrderKind): NetworkTraits {
  return { ...traits, ...traits[kind] }
}
