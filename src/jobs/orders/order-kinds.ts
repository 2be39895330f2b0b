import type { App } from '../../app.ts'
import { type Connection, traitsOf } from '../../connections/connection.ts'
import { leastWaitSeconds } from '../../connections/late-callbacks.ts'
import { callDriver } from '../../connections/tools/call-driver.ts'
import { readWantedCharges } from '../../core/collections/charges/attempts.ts'
import {
  type LearntOrder,
  type MoneyKind,
  type NetworkOrder,
  needsPersonNow,
  type OrderAnswer,
  type OrderRules,
} from '../../core/connections/network-orders.ts'
import { exceedsCollection, readChargeOfRefund, readWantedPayouts } from '../../core/payments/payout-orders.ts'
import type { Settlement } from '../../core/settlements/settle.ts'
import type { Order, Payout } from '../../lib/adapter-types.ts'
import { logEvent } from '../../lib/log-events.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { DriverCall, OrderKindRules } from './rules.ts'

const learn: OrderKindRules<Connection, OrderAnswer>['learn'] = learntFrom

/** The kinds of orders to networks that the job carries out. */
export const networkKindRules: Record<MoneyKind, OrderKindRules<Connection, OrderAnswer>> = {
  charge: {
    learn,
    traits: (connection) => traitsOf(connection, 'charge'),
    send(app, connection, order) {
      const { prepare } = connection.operations
      const call = prepare && order.remote_id === null ? 'prepare' : order.prompt ? 'charge' : 'registerExpectedPayment'
      if (!connection.operations[call]) return undefined
      return { call, make: () => callDriver(app, connection, call, toCharge(order)) }
    },
    ask(app, connection, order) {
      if (!connection.operations.chargeStatus) return undefined
      return { call: 'chargeStatus', make: () => callDriver(app, connection, 'chargeStatus', toCharge(order)) }
    },
    readWanted: readWantedCharges,
  },
  payout: {
    learn,
    traits: (connection) => traitsOf(connection, 'payout'),
    send: (app, connection, order) => sendCovered(app, order, callPayout(app, connection, 'payout', order)),
    ask: (app, connection, order) => callPayout(app, connection, 'payoutStatus', order),
    readWanted: readWantedPayouts,
  },
  refund: {
    learn,
    traits: (connection) => traitsOf(connection, 'refund'),
    send: (app, connection, order) => sendCovered(app, order, callRefund(app, connection, 'refund', order)),
    ask: (app, connection, order) => callRefund(app, connection, 'refundStatus', order),
    readWanted: readWantedPayouts,
  },
}

/** Call that sends money. A refund fails without one when its network has taken the payment back since the order was stored. */
function sendCovered(app: App, order: NetworkOrder, call: DriverCall | undefined): DriverCall | undefined {
  if (!call) return undefined
  const make = async (): Promise<OrderAnswer> =>
    (await exceedsCollection(app.db, order))
      ? { outcome: 'failed', reason: 'not_allowed', message: getMessage('refunds.not_sent') }
      : call.make()
  return { ...call, make }
}

function callPayout(app: App, connection: Connection, call: 'payout' | 'payoutStatus', order: NetworkOrder) {
  if (!connection.operations[call]) return undefined
  return { call, make: () => callDriver(app, connection, call, toPayout(order)) }
}

/** Call for a refund, with the charge that it pays back. */
function callRefund(app: App, connection: Connection, call: 'refund' | 'refundStatus', order: NetworkOrder) {
  if (!connection.operations[call]) return undefined
  const make = async (): Promise<OrderAnswer> => {
    const charge = await readChargeOfRefund(app.db, order)
    if (!charge) return { outcome: 'unknown', message: getMessage('refunds.no_charge', { id: order.reference }) }
    const { kind: _, ...payout } = toPayout(order)
    return callDriver(app, connection, call, { ...payout, charge })
  }
  return { call, make }
}

/** Names the connection and the traits of what was learnt about an order. */
export function learntFrom(
  app: App,
  connection: Connection,
  order: NetworkOrder,
  learnt: Pick<LearntOrder, 'source' | 'answer' | 'asked_at'>,
): LearntOrder {
  return {
    ...learnt,
    order,
    network: toNetwork(connection),
    rules: orderRules(app, connection, order.kind as MoneyKind),
  }
}

/** Logs the cases that a person has to look at after answers were settled. */
export function logSettlement(app: App, { updates, late_payouts, late_sales }: Settlement): void {
  for (const { after } of updates.filter(needsPersonNow)) {
    const { collection_request, reference: order, connection, attention } = after
    logEvent(app.log, 'order_needs_person', { collection_request, order, connection, reason: attention! })
  }
  for (const { id: recipient, payment, booked } of late_payouts)
    logEvent(app.log, 'payout_succeeded_late', { payment, recipient, booked })
  for (const purchase of late_sales) logEvent(app.log, 'vend_succeeded_late', { purchase })
}

/** A connection as core names it, with the template of its instructions. */
function toNetwork({ slug, code, name, version, driver }: Connection) {
  return { slug, code, name, version, instructions: driver.instructions }
}

/** The order as a driver gets it. */
export function toCharge({
  reference,
  receiver,
  phonenumber,
  amount,
  currency,
  reason,
  remote_id,
  collection_request,
}: NetworkOrder): Order {
  return { reference, receiver, phonenumber, amount, currency, reason, remote_id, collection_request }
}

/** The payout as a driver gets it. */
function toPayout({ receiver: sender, airtime, ...order }: NetworkOrder): Payout {
  const { reference, phonenumber, amount, currency, reason, remote_id } = order
  return { reference, kind: airtime ? 'airtime' : 'money', sender, phonenumber, amount, currency, reason, remote_id }
}

/** Maximum overhead per call in seconds, excluding the token fetch. */
const MARGIN_S = 5

/** Maximum time for fetching an access token, in seconds. */
const MAX_TOKEN_S = 15

/**
 * Computes the seconds that this process may be busy with a call for an order, and with the fetching of a token before
 * it.
 */
function callSeconds(connection: Connection, kind: MoneyKind): number {
  const { call_s } = traitsOf(connection, kind)
  return call_s + Math.min(call_s, MAX_TOKEN_S) + MARGIN_S
}

/** Returns the traits of the network by which core decides about an order. */
export function orderRules(app: App, connection: Connection, kind: MoneyKind): OrderRules {
  const { repeat, unseen, in_flight_s, status_waits_s } = traitsOf(connection, kind)
  const rules = { repeat, unseen, status_waits_s, in_flight_s: in_flight_s + callSeconds(connection, kind) }
  return kind === 'charge' ? { ...rules, least_wait_s: leastWaitSeconds(app, connection) } : rules
}
