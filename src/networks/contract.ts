import type { z } from 'zod'
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
import type { HttpAnswer } from '../lib/http/http-call.ts'
import type { Amount } from '../lib/money.ts'
import type { StatementLine } from '../lib/network-statement.ts'
import type { ParsedCallback, RawCallback, ValidationRequest } from './callbacks.ts'

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
export interface NetworkTraits {
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
  /** The most seconds that one call may take. Leases are longer than this. */
  call_s: number
  /** The seconds before the first status question, the second, and so on. The last one repeats. */
  status_waits_s?: readonly number[]
  callbacks: 'signed' | 'unsigned' | 'none'
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

/** One environment of a network, such as its sandbox. */
export interface Environment {
  title: string
  /** Real money moves here. Live mode refuses all others. */
  live: boolean
  /** The base URLs that the driver needs, by its own names, such as `api`. */
  hosts: Record<string, string>
}

/** The merchant account that a driver opens. */
export interface OpenedConnection<Settings = Record<string, unknown>> {
  slug: string
  environment: string
  /** The hosts of the environment. A connection may replace them, to reach a simulated network or a proxy. */
  hosts: Record<string, string>
  /** Validated by `settings` of the driver, with the secrets in plain text. */
  settings: Settings
}

/** A simulated network for tests and the sandbox: `npx kusanya networks simulate` serves the doors of all drivers. */
export interface NetworkDriver<Settings = never> {
  /** Lower-case letters, digits and hyphens: `mtn-momo`. It is part of callback addresses, so no network may refuse it. */
  code: string
  name: string
  /** What the driver needs to know of a merchant account. Fields are made with `setting` and `secretSetting`. */
  settings: z.ZodObject
  environments: Record<string, Environment>
  places: readonly Place[]
  traits: DriverTraits
  /** Whether `payout` sends airtime, too. */
  airtime?: boolean
  /** The SMS with payment instructions, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  instructions?: string
  /**
   * Names of headers, query parameters and JSON members whose values are not stored with callbacks. `readCallback` reads a
   * stored callback again without them.
   */
  secret_fields?: readonly string[]
  /**
   * What is wrong with the settings of a connection beyond their form, such as a callback address that the network refuses.
   * Returns messages by the name of the setting.
   */
  checkSettings?(connection: OpenedConnection<Settings>, callback_url: string): Record<string, string>
  /**
   * Makes credentials in the network's own test environment, where it lets programs do that. A person asks for it. The given
   * settings are not checked: some may be missing, among them those that it makes.
   */
  provision?(connection: OpenedConnection, tools: NetworkTools): Promise<ProvisionAnswer>
  open(connection: OpenedConnection<Settings>, tools: NetworkTools): NetworkOperations
}

/** The settings that a network has made, by their names. `message` says what to do. */
export type ProvisionAnswer =
  | { outcome: 'provisioned'; settings: Record<string, unknown> }
  | { outcome: 'failed'; message: string }
  | UnknownOutcome

/** What an operation may use of the service. */
export interface NetworkTools {
  /**
   * Makes one HTTP call, with a time limit, a limit for the size of the answer, and without redirects. It is logged and
   * measured. It never throws: without an answer the outcome is `unknown`.
   */
  http(call: NetworkCall): Promise<HttpAnswer | UnknownOutcome>
  /** The access tokens of this connection. */
  tokens: TokenStore
  /** The real time, in which networks measure. */
  now(): Date
  /**
   * The address at which the network reports about one order, or about the connection where `reference` is null. `purpose` is
   * the end of the path, so that a driver can tell its callbacks apart: `result`, `timeout`.
   */
  callbackUrl(reference: string | null, purpose?: string): string
  /** Tells the operator what only the operator can repair, such as a refused credential. It is logged, and shown. */
  alarm(message: string): void
}

/** One HTTP call of a driver. */
export interface NetworkCall {
  /** What the call does, in the words of the log and the metrics: `token`, `charge`, `charge status`, `balance`. */
  verb: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** The exact text to send; left out for none. */
  body?: string
  /** The most seconds for connection, request and answer together; `call_s` of the traits unless given. */
  timeout_s?: number
}

/** A token, and for how many seconds it is valid. */
export interface AccessToken {
  token: string
  expires_in_s: number
}

/** What became of the wish for a token. */
export type TokenAnswer = { outcome: 'token'; token: string } | UnknownOutcome

export interface TokenStore {
  /**
   * Returns the token with this name, such as `collection`. It is fetched once for all callers and renewed before it expires.
   * `fetch` returns the new token, or why there is none; what it returns is never logged.
   */
  get(name: string, fetch: () => Promise<AccessToken | UnknownOutcome>): Promise<TokenAnswer>
  /** The network has refused this token: the next `get` fetches a new one, unless another caller has done so already. */
  refuse(name: string, token: string): void
}

/** What a network says about an order: as for a payout. `asked`: the answer comes later, at our callback address. */
export type StatusAnswer = PayoutCheck | { outcome: 'asked' }
export type ChargeStatus = OrderCheck | { outcome: 'asked' }

/** The answer of a network before the charge: its id of the order, which is kept before the charge goes out. */
export type PrepareAnswer =
  | { outcome: 'prepared'; remote_id: string }
  | Extract<OrderAnswer, { outcome: 'failed' }>
  | UnknownOutcome

/** The money that is on our side of a connection. `asked`: the answer comes later, at our callback address. */
export type BalanceAnswer =
  | { outcome: 'found'; balances: readonly { currency: string; amount: Amount; name?: string }[] }
  | { outcome: 'asked' }
  | UnknownOutcome

export type TransactionLookup =
  | { outcome: 'found'; receipt: NetworkTransaction }
  | { outcome: 'not_found' }
  | UnknownOutcome

/** One thing that `connections test` has tried: `token`, `balance`, `callback address`. */
export interface CheckResult {
  name: string
  /** `skipped`: the network has no way to try this. */
  outcome: 'ok' | 'failed' | 'unknown' | 'skipped'
  /** What was found, and what to do about it, in words for a person. */
  message: string
}

/** A period of time for a statement. */
export interface Period {
  from: Date
  to: Date
}

/** What a network gets as the answer to a callback. */
export interface CallbackReply {
  status: number
  content_type: string
  body: string
}

/** The operations of one connection. A missing one is something that this network cannot do. */
export interface NetworkOperations {
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
  /** The limits that a provider states today, where they change. They count in addition to those of the place. */
  limits?(place: { country: string; currency: string; phonenumber: string }): Promise<Limits | undefined>
  /** Looks up the account of a phone (E.164). `not_found` means that it certainly has no mobile money here. */
  accountHolder?(phonenumber: string): Promise<AccountHolderLookup>
  transaction?(remote_id: string): Promise<TransactionLookup>
  balance?(): Promise<BalanceAnswer>
  /** The network's own record of what moved, for reconciliation. */
  statement?(period: Period): AsyncIterable<StatementLine>
  /** Registers our addresses at the network. A person asks for it, once. */
  setUp?(): Promise<CheckResult[]>
  /** Tries the credentials without moving money. Each result says which setting is wrong, if one is. */
  test?(): Promise<CheckResult[]>
  /**
   * Fetches what `readCallback` needs for this callback, such as keys of the network. Undefined when nothing is missing. It
   * never throws; what could not be fetched leaves the callback unverified.
   */
  prepareCallback?(callback: RawCallback): Promise<void> | undefined
  readCallback?(callback: RawCallback): ParsedCallback
  /** The answer to a callback; 200 with an empty body unless given. */
  callbackReply?(callback: RawCallback): CallbackReply
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
