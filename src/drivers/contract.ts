import type { Socket } from 'node:net'
import type { z } from 'zod'
import type { UnknownOutcome } from '../lib/adapter-types.ts'
import type { HttpAnswer } from '../lib/http/http-call.ts'
import type { SocketTarget } from '../lib/http/reach.ts'
import type { Amount } from '../lib/money.ts'
import type { RawCallback } from './raw-callback.ts'

/*
 * Common contract of the drivers of networks, SMS providers and bill providers. A driver speaks the protocol of one
 * provider. It has no database and knows no organization. A connection is our account at one provider in one
 * environment. The driver opens it and returns the operations that this account can do. Operations do not throw for
 * outside events: a time-out, a refusal and a 5xx are answers.
 */

export const connectionKinds = ['network', 'sms', 'bills'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** The facts about a provider that the service needs for every call. */
export interface CallTraits {
  /** Maximum seconds of one call. Leases are longer than this. */
  call_s: number
  /** Callbacks of the provider: signed, unsigned or none. An unsigned address has a secret in its path. */
  callbacks: 'signed' | 'unsigned' | 'none'
}

/** Properties that every driver has. */
export interface Driver<Settings = never> {
  /** Lower-case letters, digits and hyphens: `mtn-momo`. It is part of callback addresses, so no provider may refuse it. */
  code: string
  name: string
  /** Settings of an account. Fields are made with `setting` and `secretSetting`. */
  settings: z.ZodObject
  environments: Record<string, Environment>
  traits: CallTraits
  /**
   * Names of headers, query parameters and JSON members whose values are not stored with callbacks. A stored callback is read
   * again without them.
   */
  secret_fields?: readonly string[]
  /**
   * Addresses for callbacks that a person registers, one per kind. Each maps the end of the path (`purpose` of
   * `DriverTools.callbackUrl`) to the provider's name for it, such as `{ deposits: 'Deposits' }`.
   */
  registered_addresses?: Readonly<Record<string, string>>
  /**
   * Find faults in a connection's settings beyond their form, such as a callback address that the provider refuses.
   * Returns messages by setting name.
   */
  checkSettings?(connection: OpenedConnection<Settings>, callback_url: string): Record<string, string>
  /**
   * Make credentials in the provider's own test environment, where it lets programs do that. A person asks for it. The
   * given settings are not checked: some may be missing, among them those that it makes.
   */
  provision?(connection: OpenedConnection, tools: DriverTools): Promise<ProvisionAnswer>
  /** Open an account once. What its calls share, such as a session, is kept here; `http` comes with each call. */
  open(connection: OpenedConnection<Settings>, tools: OpeningTools): DriverOperations
}

/** A driver with the type of its settings hidden, as lists hold it. */
export type AnyDriver = Driver<never>

/**
 * The operations that every connection may have. A missing one is something that this provider cannot do. `callDriver`
 * calls those that end with `tools`: these are the tools of this one call, and know the order that it is about.
 */
export interface DriverOperations {
  /** Try the credentials without moving money. Each result says which setting is wrong, if one is. */
  test?(tools: DriverTools): Promise<CheckResult[]>
  /** Register our addresses at the provider. A person asks for it, once. */
  setUp?(tools: DriverTools): Promise<CheckResult[]>
  balance?(tools: DriverTools): Promise<BalanceAnswer>
  /** The answer to a callback; 200 with an empty body unless given. */
  callbackReply?(callback: RawCallback): CallbackReply
}

/** Environment of a network, such as its sandbox. */
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

/** Settings that a network has made, by name. `message` gives the next step. */
export type ProvisionAnswer =
  | { outcome: 'provisioned'; settings: Record<string, unknown> }
  | { outcome: 'failed'; message: string }
  | UnknownOutcome

/** Tools of the service for one call of an operation. */
export interface DriverTools {
  /**
   * Make one HTTP call, with a time limit, a limit for the size of the answer, and without redirects. It is logged and
   * measured. It never throws: without an answer the outcome is `unknown`.
   */
  http(call: OutgoingCall): Promise<HttpAnswer | UnknownOutcome>
  /**
   * Open a socket for a protocol other than HTTP. It is still connecting, and its errors arrive as events. Drivers have
   * no other way out: this and `http` refuse addresses that the organization's connection must not call. @throws
   * OutOfReach
   */
  openSocket(target: SocketTarget): Promise<Socket>
  /** The access tokens of this connection. */
  tokens: TokenStore
  /** The real time, in which networks measure. */
  now(): Date
  /**
   * Return the address for the network's reports about one order, or about the connection if `reference` is null.
   * `purpose` is the end of the path, so that a driver can tell its callbacks apart: `result`, `timeout`.
   */
  callbackUrl(reference: string | null, purpose?: string): string
  /**
   * Alert the operator to a fault that only the operator can repair, such as a refused credential. It is logged and
   * shown.
   */
  alarm(message: string): void
}

/** Tools of the service that a driver gets when it opens a connection. */
export type OpeningTools = Omit<DriverTools, 'http'>

/** HTTP call of a driver. */
export interface OutgoingCall {
  /** Purpose of the call, in the words of the log and the metrics: `token`, `charge`, `charge status`, `balance`. */
  verb: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** The exact text to send; left out for none. */
  body?: string
  /** Maximum seconds for connection, request and answer together. Default: `call_s` of the traits. */
  timeout_s?: number
  /** It fetches an access token: it belongs to no order, and does not tell whether the provider carries orders. */
  is_token?: boolean
}

/** A token, and for how many seconds it is valid. */
export interface AccessToken {
  token: string
  expires_in_s: number
}

/** Answer to a request for a token. */
export type TokenAnswer = { outcome: 'token'; token: string } | UnknownOutcome

export interface TokenStore {
  /**
   * Return the token with this name, such as `collection`. It is fetched once for all callers and renewed before it
   * expires. `fetch` returns the new token, or the reason for its absence; its result is never logged.
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

/** Result of one step of `connections test`: `token`, `balance`, `callback address`. */
export interface CheckResult {
  name: string
  /** `skipped`: the network has no way to try this. */
  outcome: 'ok' | 'failed' | 'unknown' | 'skipped'
  /** Finding and advice, in words for a person. */
  message: string
}

/** Our answer to a network's callback. */
export interface CallbackReply {
  status: number
  content_type: string
  body: string
}
