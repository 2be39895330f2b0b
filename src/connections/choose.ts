import type { Limits } from '../lib/adapter-types.ts'
import { type Connection, canDo, limitsOf, type Need, placeFor } from './connection.ts'

/** A connection for one order, and the limits of its amount there. */
export interface ChosenConnection {
  slug: string
  code: string
  name: string
  limits: Limits
}

/**
 * The connection for an order: one that serves this phone and currency; the organization's own before the operator's; the
 * one that can carry the amount; in the order of their priorities.
 * @returns undefined when no connection serves the phone in this currency
 */
export function chooseConnection(connections: readonly Connection[], need: Need): ChosenConnection | undefined {
  const candidates = connections
    .filter(
      (connection) =>
        connection.state === 'active' &&
        (connection.organization === null || connection.organization === need.organization) &&
        canDo(connection, need.kind),
    )
    .flatMap((connection) => {
      const place = placeFor(connection, need)
      return place ? [{ connection, limits: limitsOf(place, need.kind) }] : []
    })
    .toSorted((a, b) => rank(a.connection) - rank(b.connection) || a.connection.priority - b.connection.priority)
  const found = candidates.find(({ limits }) => canCarry(limits, need.amount)) ?? candidates[0]
  if (!found) return undefined
  const { slug, code, name } = found.connection
  return { slug, code, name, limits: found.limits }
}

function rank({ organization }: Connection): number {
  return organization === null ? 1 : 0
}

function canCarry({ min, max, decimals }: Limits, amount: Need['amount']): boolean {
  if (amount === undefined) return true
  const unit = 10n ** BigInt(4 - decimals)
  return amount >= min && amount <= max && amount % unit === 0n
}
