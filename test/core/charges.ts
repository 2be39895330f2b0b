import {
  type ChargeConnection,
  type ChargeConnections,
  dispatchDueRequests,
} from '../../src/core/collections/charges/attempts.ts'
import { lockRequests } from '../../src/core/collections/orders.ts'
import {
  createReference,
  insertNetworkOrders,
  type LearntOrder,
  type NetworkOrder,
  type OrderAnswer,
  type OrderRules,
} from '../../src/core/connections/network-orders.ts'
import { type ClaimedOrder, claimNetworkOrders, type OrderWant } from '../../src/core/connections/order-claims.ts'
import { type Settlement, settle } from '../../src/core/settlements/settle.ts'
import { begin } from '../../src/db/client.ts'
import { NETWORK, type Shop } from './shop.ts'

/** The requests of a shop and their orders, worked without a job and without a network. */

/** The rules of an ordinary network, with 20 seconds until `not_found` is certain. */
export const RULES: OrderRules = { repeat: 'same-answer', unseen: 'certain', in_flight_s: 20 }

const CONNECTION: ChargeConnection = {
  ...NETWORK,
  can_prompt: true,
  can_register_expected_payment: true,
  can_ask: true,
  reference: 'uuid-v4',
}

/** Return connections with only the sandbox's, with these changes. */
export function chargeConnections(changes: Partial<ChargeConnection> = {}): ChargeConnections {
  const connection = { ...CONNECTION, ...changes }
  return { find: (slug) => (slug === connection.slug ? connection : undefined), choose: () => connection }
}

/** Do the due work of one request: starts it, begins another attempt, expires it. */
export async function dispatch(shop: Shop, request: number, connections = chargeConnections()): Promise<void> {
  await dispatchAll(shop, [request], connections)
}

/** Do the due work of these requests, and of no others. */
export function dispatchAll(
  shop: Shop,
  requests: readonly number[],
  connections = chargeConnections(),
): Promise<unknown> {
  return begin(shop.db, async (tx) => {
    const locked = await lockRequests(tx, requests)
    const open = await tx<{ id: number; due_at: Date }[]>`
      select collection_request as id, due_at from open_collection_requests where due_at <= ${shop.now()}`
    const due_dates = new Map(open.map(({ id, due_at }) => [id, due_at]))
    const due = locked.flatMap((request) => {
      const due_at = due_dates.get(request.id)
      return due_at ? [{ ...request, due_at }] : []
    })
    return dispatchDueRequests(tx, shop.now(), due, connections)
  })
}

/** Claim the due orders, as a job that has slots for all of them. */
export function claimOrders(shop: Shop, changes: Partial<OrderWant> = {}, real = new Date()): Promise<ClaimedOrder[]> {
  const want: OrderWant = {
    connection: NETWORK.slug,
    kind: 'charge',
    lane: 'short',
    slots: 100,
    sends: true,
    prepares: false,
    lease_end: new Date(real.getTime() + 15_000),
    ...changes,
  }
  return begin(shop.db, (tx) => claimNetworkOrders(tx, shop.now(), real, [want]))
}

/** Start a request and claim its order, so that it counts as sent. */
export async function sendOrder(shop: Shop, request: number): Promise<NetworkOrder> {
  await dispatch(shop, request)
  const order = (await claimOrders(shop)).find((one) => one.collection_request === request)
  if (!order) throw new Error(`Request ${request} has no order to send.`)
  return order
}

/** Apply the answer to a call that was made now. */
export function answer(
  shop: Shop,
  order: NetworkOrder,
  outcome: OrderAnswer,
  changes: Partial<LearntOrder> = {},
): Promise<Settlement['updates']> {
  const learnt = toChargeAnswer(shop, order, outcome, changes)
  return begin(shop.db, async (tx) => (await settle(tx, shop.now(), [learnt])).updates)
}

export function toChargeAnswer(
  shop: Shop,
  order: NetworkOrder,
  outcome: OrderAnswer,
  changes: Partial<LearntOrder> = {},
): LearntOrder {
  return { order, network: NETWORK, source: 'status', answer: outcome, rules: RULES, asked_at: shop.now(), ...changes }
}

/** Store an order of an unchanged request, and return its reference; a stored order's reference is returned again. */
export async function placeOrder(shop: Shop, request: number, attempt = 1): Promise<string> {
  const known = (await shop.orders(request)).find((order) => order.attempt === attempt)
  if (known) return known.reference
  const { organization, connection, phonenumber, amount, currency, reason } = await shop.request(request)
  const reference = createReference('uuid-v4')
  await begin(shop.db, (tx) =>
    insertNetworkOrders(tx, shop.now(), [
      {
        reference,
        kind: 'charge',
        connection,
        organization,
        collection_request: request,
        attempt,
        receiver: shop.receiver(currency),
        phonenumber,
        amount,
        currency,
        reason,
      },
    ]),
  )
  return reference
}
