import type { AnyBillDriver, BillOperations } from '../billers/contract.ts'
import { sandboxNetworks } from '../core/connections/sandbox-networks.ts'
import type { AnyDriver, ConnectionKind, DriverOperations, DriverTools } from '../drivers/contract.ts'
import type { Limits } from '../lib/adapter-types.ts'
import type { Amount } from '../lib/money.ts'
import {
  type AnyNetworkDriver,
  type LimitedOrder,
  type NetworkOperations,
  type NetworkTraits,
  type OrderKind,
  type Place,
  type StatedLimits,
  traitsFor,
} from '../networks/contract.ts'
import type { AnySmsDriver, SmsOperations } from '../senders/contract.ts'
import type { ConnectionTools, Slots } from './tools/index.ts'

/** Our account at a provider, opened in this process, with its operations. */
export interface ProviderConnection<
  D extends AnyDriver = AnyDriver,
  Operations extends DriverOperations = DriverOperations,
> {
  kind: ConnectionKind
  /** The permanent name of the connection, as tables, addresses and commands have it. */
  slug: string
  /** The code and the name of its provider. */
  code: string
  name: string
  driver: D
  environment: string
  /** Owner of the account; null for the operator. */
  organization: number | null
  /** State. Only `active` connections get new work; all others are only queried about existing orders. */
  state: 'draft' | 'active' | 'paused' | 'removed'
  /** Priority; the smallest number comes first. */
  priority: number
  /** The part of its callback address that only the provider knows. */
  callback_secret: string
  operations: Operations
  /** The version of the settings that it was opened with, where a row holds them. */
  version?: number
  /** The settings of the service describe it, not a person. */
  from_settings?: true
  /** Tools of its calls, which `callDriver` hands to its operations. Missing where they use none. */
  tools?: DriverTools & Pick<ConnectionTools, 'run' | 'log'>
  /** Slots for operations. Missing where a test has made the connection: use `unlimited` then. */
  slots?: Slots
  /** True if it serves only where no other active connection can, or where a route names it. */
  is_fallback?: boolean
  /** Return true if most recent calls had no answer. Such a connection is skipped while another one can do the work. */
  is_degraded?(): boolean
}

/** An account at an SMS provider. */
export type SmsConnection = ProviderConnection<AnySmsDriver, SmsOperations>

/** An account at a bill provider. */
export type BillConnection = ProviderConnection<AnyBillDriver, BillOperations>

/** A merchant account at a network. */
export interface Connection extends Omit<ProviderConnection<AnyNetworkDriver, NetworkOperations>, 'kind'> {
  kind?: 'network'
  /**
   * Accounts that use it. Null for the sandbox's own network, which serves every account: a missing number is reported
   * when the money is to move.
   */
  places: readonly OwnPlace[] | null
  /** Return the network's latest statement about today's limits; undefined if it made none. */
  statedLimits?(order: LimitedOrder): StatedLimits | undefined
}

/** Account that uses a connection. */
export interface OwnPlace {
  organization: number
  account: number
  currency: string
  /** ISO 3166-1; null if it counts for all countries. */
  country: string | null
  collects: boolean
  pays_out: boolean
}

/** Requirements of an order on its connection. */
export interface ConnectionQuery {
  kind: OrderKind
  organization: number
  /** E.164. */
  phonenumber: string
  currency: string
  /** Connections that cannot carry the amount are skipped while another can. */
  amount?: Amount
  /** The account that the money goes to or comes from, where it is known already. */
  account?: number
  /** True if money comes without a prompt. Connections that can announce it to their network are preferred. */
  expects_payment?: boolean
  /** The payout is airtime: connections that send it are taken, where there are such. */
  airtime?: boolean
  /** The name of the network that knows the phone as its customer, where one has said so. Numbers are ported. */
  network_name?: string
}

/** The place at which a connection serves a phone and a currency, if it does. */
export function placeFor(
  { driver, environment }: Pick<Connection, 'driver' | 'environment'>,
  { phonenumber, currency }: Pick<ConnectionQuery, 'phonenumber' | 'currency'>,
): Place | undefined {
  return driver.places.find(
    (place) =>
      (place.currency === null || place.currency === currency) &&
      (place.environments === undefined || place.environments.includes(environment)) &&
      place.phones.test(phonenumber),
  )
}

/** The limits of one order at a place. A refund sends money, as a payout does. */
export function limitsOf(place: Place, kind: ConnectionQuery['kind']): Limits {
  return (kind === 'charge' ? undefined : place.payout_limits) ?? place.limits
}

/** Return true if a connection can do a kind of orders. A network without prompts collects payments to our number. */
export function canDo({ operations }: Connection, kind: OrderKind): boolean {
  return kind === 'charge'
    ? Boolean(operations.charge ?? operations.registerExpectedPayment ?? operations.readCallback)
    : Boolean(operations[kind])
}

/** The traits of a connection for one kind of orders. */
export function traitsOf({ driver }: Pick<Connection, 'driver'>, kind: OrderKind): NetworkTraits {
  return traitsFor(driver, kind)
}

/** A simulated network of the sandbox serves one currency only. The account of any other connection may have several. */
function hasPlace({ slug }: Connection, { currency }: Place): boolean {
  const simulated = sandboxNetworks.find((network) => network.slug === slug)
  return simulated === undefined || simulated.currency === currency
}

/** List the networks of these connections, once for each of their countries. */
export function networkCountries(connections: readonly Connection[]) {
  const drivers = [...new Set(connections.map(({ driver }) => driver))]
  return drivers.flatMap(({ code, name, places: all }) => {
    const places = all.filter((place) => connections.some((one) => one.driver.code === code && hasPlace(one, place)))
    const countries = new Map(places.flatMap(({ country, phones }) => (country ? [[country, phones] as const] : [])))
    return [...countries].map(([country, phones]) => ({ code, name, country, phone_regex: phones.source }))
  })
}
