import type { ChargeConnection, ChargeConnections } from '../core/collections/charges/attempts.ts'
import type { RequestRow } from '../core/collections/collection-request.ts'
import { canCarry, chooseConnection } from './choose.ts'
import { type Connection, traitsOf } from './connection.ts'
import type { Connections } from './registry.ts'

/** The connections of this process, as the requests need them. */
export function chargeConnections(connections: Connections): ChargeConnections {
  const find = (slug: string) => {
    const connection = connections.find(slug)
    return connection && toChargeConnection(connection)
  }
  return {
    find,
    choose(request, slugs) {
      const own = connections.find(request.connection)
      if (own && isUsable(own)) return toChargeConnection(own)
      const others = connections.list().filter((one) => one !== own && slugs.has(one.slug) && isUsable(one))
      const other = chooseOther(others, request)
      return find(other ?? request.connection)
    },
  }
}

function isUsable(connection: Connection): boolean {
  return connection.state === 'active' && !connection.is_degraded?.()
}

/** The slug of a connection that serves the phone of a request and carries its amount, or undefined. */
function chooseOther(connections: readonly Connection[], request: RequestRow): string | undefined {
  const { organization, phonenumber, currency, amount, send_instructions } = request
  const chosen = chooseConnection(connections, {
    kind: 'charge',
    organization,
    phonenumber,
    currency,
    amount,
    expects_payment: !send_instructions,
  })
  return chosen && canCarry(chosen.limits, amount) ? chosen.slug : undefined
}

function toChargeConnection(connection: Connection): ChargeConnection {
  const { slug, code, name, operations, driver } = connection
  return {
    slug,
    code,
    name,
    instructions: driver.instructions,
    can_prompt: operations.charge !== undefined,
    can_register_expected_payment: operations.registerExpectedPayment !== undefined,
    can_ask: operations.chargeStatus !== undefined,
    reference: traitsOf(connection, 'charge').reference,
  }
}
