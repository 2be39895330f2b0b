import type { NoNetwork } from '../core/connections/destinations.ts'
import { isBuiltIn } from '../core/connections/sandbox-networks.ts'
import type { RefundedMoney } from '../core/payments/refunds.ts'
import type { Limits } from '../lib/adapter-types.ts'
import { getMessage } from '../lib/messages/message.ts'
import { type Amount, countDecimals, displayAmount } from '../lib/money.ts'
import { readKnownPhone } from '../lib/phone.ts'
import type { Place } from '../networks/contract.ts'
import {
  type Connection,
  type ConnectionQuery,
  canDo,
  limitsOf,
  type OwnPlace,
  placeFor,
  traitsOf,
} from './connection.ts'

/** A connection for one order, and the limits of its amount there. */
export interface ChosenConnection {
  slug: string
  code: string
  name: string
  limits: Limits
  /** The accounts of the organization that may use it for this order; null for all. */
  accounts: readonly number[] | null
}

/** Connection that serves the phone, with the amount limits there. */
interface Candidate {
  connection: Connection
  limits: Limits
  /** The network has said that it takes no such orders to this phone now. */
  is_down: boolean
}

/**
 * Choose the connection for an order among those that the organization may use and that serve this phone and currency.
 * The organization's own come before the operator's, by priority. A degraded connection, or one that is down for this
 * phone, is a last resort. One that cannot carry the amount is taken only if none can: then its limits say why.
 * @returns undefined when no connection serves the phone in this currency
 */
export function chooseConnection(
  connections: readonly Connection[],
  query: ConnectionQuery,
): ChosenConnection | undefined {
  const serving = findServing(connections, query)
  const able = serving.filter(({ limits }) => canCarry(limits, query.amount))
  const isUp = ({ connection, is_down }: Candidate) => !is_down && !connection.is_degraded?.()
  const found = able.find(isUp) ?? able[0] ?? serving[0]
  if (!found) return undefined
  const { slug, code, name, places } = found.connection
  const accounts = places?.filter((place) => isFor(place, query)).map(({ account }) => account) ?? null
  return { slug, code, name, limits: found.limits, accounts }
}

/**
 * Choose the connection that gives collected money back. The collecting one comes first, if it can refund or pay out
 * and carries the amount. Then the customer sees one network and the operator one account. Otherwise choose as for a
 * payout.
 * @returns undefined when no connection can send the money
 */
export function chooseRefundConnection(
  connections: readonly Connection[],
  { connection: slug, charge, ...order }: RefundedMoney,
): ChosenConnection | undefined {
  const own = connections.filter((connection) => connection.slug === slug)
  const can_refund = own.some(
    (connection) =>
      charge !== null &&
      (order.amount === charge.amount || traitsOf(connection, 'refund').refunds !== 'full') &&
      (connection.operations.canRefund?.(charge) ?? true),
  )
  const refund = can_refund ? chooseConnection(own, { ...order, kind: 'refund' }) : undefined
  const choices = [refund, chooseConnection(own, { ...order, kind: 'payout' })]
  const able = choices.find((choice) => choice && canCarry(choice.limits, order.amount))
  return able ?? chooseConnection(connections, { ...order, kind: 'payout' })
}

/**
 * The connection for an order, or why there is none. If only one connection serves the phone, it is returned although it
 * cannot carry the amount: its limits say why.
 */
export function findConnection(
  connections: readonly Connection[],
  query: ConnectionQuery,
): ChosenConnection | NoNetwork {
  const chosen = chooseConnection(connections, query)
  if (!chosen) return { field: 'phonenumber', message: whyNone(connections, query) }
  if (canCarry(chosen.limits, query.amount)) return chosen
  const serving = findServing(connections, query)
  return serving.length === 1 ? chosen : { field: 'amount', message: whyNotCarried(serving) }
}

/**
 * Return true if a network's knowledge of a phone matters for the choice: only where an organization can reach several
 * networks. Numbers of the sandbox's simulated networks are never ported.
 */
export function hasSeveralNetworks(connections: readonly Connection[], organization: number): boolean {
  const usable = connections.filter(
    (one) =>
      one.state === 'active' &&
      !isBuiltIn(one.slug) &&
      (one.organization === null || one.organization === organization),
  )
  return new Set(usable.map(({ name }) => name)).size > 1
}

/** The connections that serve an order, the preferred ones first. */
function findServing(connections: readonly Connection[], query: ConnectionQuery): Candidate[] {
  const usable = connections.filter((connection) => connection.state === 'active' && mayUse(connection, query))
  const byPrefix = usable.flatMap((connection) => toCandidate(connection, query, placeFor(connection, query)))
  const all = ofKnownNetwork(usable, byPrefix, query) ?? byPrefix
  const able = all.filter(({ connection }) => isMadeFor(connection, query))
  const candidates = able.length > 0 ? able : all
  return candidates.toSorted(
    (a, b) => rank(a.connection) - rank(b.connection) || a.connection.priority - b.connection.priority,
  )
}

/** Return true if the connection meets the order's needs beside moving money. */
function isMadeFor({ driver, operations }: Connection, { expects_payment, airtime }: ConnectionQuery): boolean {
  if (expects_payment && !operations.registerExpectedPayment) return false
  return !airtime || driver.airtime === true
}

/** The organization's own before the operator's, and the sandbox's own network after all others. */
function rank({ organization, places }: Connection): number {
  if (organization !== null) return 0
  return places === null ? 2 : 1
}

/** Return true if the organization may send this kind of orders over the connection, in this currency. */
function mayUse(connection: Connection, query: ConnectionQuery): boolean {
  const { organization, places } = connection
  if (organization !== null && organization !== query.organization) return false
  return canDo(connection, query.kind) && (places === null || places.some((place) => isFor(place, query)))
}

function isFor(place: OwnPlace, { kind, organization, currency, account }: ConnectionQuery): boolean {
  return (
    place.organization === organization &&
    place.currency === currency &&
    (account === undefined || place.account === account) &&
    (kind === 'payout' ? place.pays_out : place.collects)
  )
}

/**
 * The connections to the network that knows the phone as its customer, where its prefix says otherwise: the number was
 * ported. Undefined when nothing is known, when the prefix agrees, or when the network has no connection here.
 */
function ofKnownNetwork(
  usable: readonly Connection[],
  byPrefix: readonly Candidate[],
  query: ConnectionQuery,
): Candidate[] | undefined {
  const { network_name: name, currency } = query
  if (!name || byPrefix.some(({ connection }) => connection.name === name)) return undefined
  const country = readKnownPhone(query.phonenumber)?.country
  const found = usable
    .filter((connection) => connection.name === name)
    .flatMap((connection) => {
      const { driver, environment } = connection
      const place = driver.places.find(
        (one) =>
          one.country === country &&
          (one.currency === null || one.currency === currency) &&
          (one.environments === undefined || one.environments.includes(environment)),
      )
      return toCandidate(connection, query, place)
    })
  return found.length > 0 ? found : undefined
}

/** A connection with the limits of its place, unless its own number there is for another country. */
function toCandidate(connection: Connection, query: ConnectionQuery, place: Place | undefined): Candidate[] {
  if (!place) return []
  const { country } = place
  const own = connection.places?.filter((one) => isFor(one, query))
  if (own && country !== null && !own.some((one) => one.country === null || one.country === country)) return []
  const limits = limitsOf(place, query.kind)
  const { kind, phonenumber, currency } = query
  const stated = country === null ? undefined : connection.statedLimits?.({ kind, country, currency, phonenumber })
  return [{ connection, limits: stated ? narrower(limits, stated) : limits, is_down: stated?.is_down === true }]
}

/** The limits that satisfy both. */
function narrower(a: Limits, b: Limits): Limits {
  return {
    decimals: Math.min(a.decimals, b.decimals),
    min: inOrder(a.min, b.min)[1],
    max: inOrder(a.max, b.max)[0],
  }
}

function inOrder(a: Amount, b: Amount): [smaller: Amount, larger: Amount] {
  return a < b ? [a, b] : [b, a]
}

export function canCarry({ min, max, decimals }: Limits, amount: Amount | undefined): boolean {
  return amount === undefined || (amount >= min && amount <= max && countDecimals(amount) <= decimals)
}

/**
 * Return `ready` if an organization has a connection in use, `none` if it has no connection, and `unused` if all of its
 * connections are drafts or paused.
 */
export function stateOfNetworks(
  connections: readonly Pick<Connection, 'organization' | 'state'>[],
  organization: number,
): 'ready' | 'none' | 'unused' {
  const own = connections.filter((one) => one.organization === null || one.organization === organization)
  if (own.some(({ state }) => state === 'active')) return 'ready'
  return own.length === 0 ? 'none' : 'unused'
}

/** Explain to the person who typed the phone why no connection serves it. */
function whyNone(connections: readonly Connection[], query: ConnectionQuery): string {
  const { organization, currency, kind } = query
  const own = connections.filter((one) => one.organization === null || one.organization === organization)
  const active = own.filter(({ state }) => state === 'active')
  const networks = stateOfNetworks(connections, organization)
  if (networks !== 'ready')
    return networks === 'none' ? getMessage('networks.none_connected') : getMessage('networks.none_in_use')
  const serving = own.filter((connection) => placeFor(connection, query))
  if (serving.length === 0) {
    const names = [...new Set(active.filter((one) => hasCurrency(one, currency)).map(({ name }) => name))]
    return names.length === 0
      ? getMessage('networks.none_serves', { currency })
      : getMessage('networks.none_serves_but', { currency, names: names.join(', ') })
  }
  const names = [...new Set(serving.map(({ name }) => name))].join(', ')
  if (serving.every(({ state }) => state !== 'active')) return getMessage('networks.paused', { names })
  const able = serving.filter((one) => one.state === 'active' && canDo(one, kind))
  const action_text = getMessage(ACTIONS[kind])
  if (able.length === 0) return getMessage('networks.unable', { names, action_text })
  return query.account === undefined
    ? getMessage('networks.no_account_may', { names, currency, action_text })
    : getMessage('networks.account_may_not', { names, action_text })
}

const ACTIONS = { charge: 'parts.collect', payout: 'parts.pay_out', refund: 'parts.refund' } as const

function hasCurrency({ driver, environment }: Connection, currency: string): boolean {
  return driver.places.some(
    (place) =>
      (place.currency === null || place.currency === currency) &&
      (place.environments === undefined || place.environments.includes(environment)),
  )
}

/** Explain why none of several serving connections carries the amount. */
function whyNotCarried(serving: readonly Candidate[]): string {
  const each = serving.map(({ connection, limits }) => describeLimits(connection.name, limits))
  return getMessage('networks.none_carries', { limits_texts: [...new Set(each)].join('; ') })
}

function describeLimits(name: string, { decimals, min, max }: Limits): string {
  const values = { name, decimals, min: displayAmount(min), max: displayAmount(max) }
  return getMessage(decimals === 0 ? 'parts.whole_amounts' : 'parts.decimal_amounts', values)
}
