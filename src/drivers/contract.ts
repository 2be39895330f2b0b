import type { Socket } from 'node:net'
import type { z } from 'zod'
import type { UnknownOutcome } from '../lib/adapter-types.ts'
import type { HttpAnswer } from '../lib/http/http-call.ts'
import type { SocketTarget } from '../lib/http/reach.ts'
import type { Amount } from '../lib/money.ts'
import type { RawCallback } from './raw-callback.ts'

/*
 * What the drivers of networks, of SMS providers and of bill providers have in common. A driver speaks the protocol of one
 * provider. It has no database and knows no organization. A connection is one account of ours at one provider in one
 * environment; the driver opens it and returns the operations that this account can do. Operations do not throw for what
 * happens outside: a time-out, a refusal and a 5xx are answers.
 */

/** What connections are for. */
export const connectionKinds = ['network', 'sms', 'bills'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** The facts about a provider that the service needs for every call. */
export interface CallTraits {
  /** The most seconds that one call may take. Leases are longer than this. */
  call_s: number
  /** Whether the provider calls us, and whether what it sends is signed. An unsigned address has a secret in its path. */
  callbacks: 'signed' | 'unsigned' | 'none'
}

/** What every driver has. */
export interface Driver<Settings = never> {
  /** Lower-case letters, digits and hyphens: `mtn-momo`. It is part of callback addresses, so no provider may refuse it. */
  code: string
  name: string
  /** What the driver needs to know of an account. Fields are made with `setting` and `secretSetting`. */
  settings: z.ZodObject
  environments: Record<string, Environment>
  traits: CallTraits
  /**
   * Names of headers, query parameters and JSON members whose values are not stored with callbacks. A stored callback is read
   * again without them.
   */
  secret_fields?: readonly string[]
  /**
   * Where callbacks go to addresses that a person registers, one for each kind: the end of the path (`purpose` of
   * `DriverTools.callbackUrl`), with what the provider calls it, such as `{ deposits: 'Deposits' }`.
   */
  registered_addresses?: Readonly<Record<string, string>>
  /**
   * What is wrong with the settings of a connection beyond their form, such as a callback address that the provider refuses.
   * Returns messages by the name of the setting.
   */
  checkSettings?(connection: OpenedConnection<Settings>, callback_url: string): Record<string, string>
  /**
   * Makes credentials in the provider's own test environment, where it lets programs do that. A person asks for it. The given
   * settings are not checked: some may be missing, among them those that it makes.
   */
  provision?(connection: OpenedConnection, tools: DriverTools): Promise<ProvisionAnswer>
  open(connection: OpenedConnection<Settings>, tools: DriverTools): DriverOperations
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnyDriver = Driver<never>

/** The operations that every connection may have. A missing one is something that this provider cannot do. */
export interface DriverOperations {
  /** Tries the credentials without moving money. Each result says which setting is wrong, if one is. */
  test?(): Promise<CheckResult[]>
  /** Registers our addresses at the provider. A person asks for it, once. */
  setUp?(): Promise<CheckResult[]>
  balance?(): Promise<BalanceAnswer>
  /** The answer to a callback; 200 with an empty body unless given. */
  callbackReply?(callback: RawCallback): CallbackReply
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

/** The settings that a network has made, by their names. `message` says what to do. */
export type ProvisionAnswer =
  | { outcome: 'provisioned'; settings: Record<string, unknown> }
  | { outcome: 'failed'; message: string }
  | UnknownOutcome

/** What an operation may use of the service. */
export interface DriverTools {
  /**
   * Makes one HTTP call, with a time limit, a limit for the size of the answer, and without redirects. It is logged and
   * measured. It never throws: without an answer the outcome is `unknown`.
   */
  http(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome>
  /**
   * Opens a socket for a protocol other than HTTP. It is still connecting, and its errors arrive as events. Drivers have no other way
   * out: this and `http` refuse what the connection of an organization must not call. @throws OutOfReach
   */
  openSocket(target: SocketTarget): Promise<Socket>
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
export interface OutgoingCall {
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

/** The money that is on our side of a connection. `asked`: the answer comes later, at our callback address. */
export type BalanceAnswer =
  | { outcome: 'found'; balances: readonly { currency: string; amount: Amount; name?: string }[] }
  | { outcome: 'asked' }
  | UnknownOutcome

/** One thing that `connections test` has tried: `token`, `balance`, `callback address`. */
export interface CheckResult {
  name: string
  /** `skipped`: the network has no way to try this. */
  outcome: 'ok' | 'failed' | 'unknown' | 'skipped'
  /** What was found, and what to do about it, in words for a person. */
  message: string
}

/** What a network gets as the answer to a callback. */
export interface CallbackReply {
  status: number
  content_type: string
  body: string
}
