import type { App } from '../../app.ts'
import { traitsOf } from '../../connections/connection.ts'
import { laneOf } from '../../connections/tools/index.ts'
import { type OrderKind, withdrawClaimed } from '../../core/connections/network-orders.ts'
import {
  type ClaimedOrder,
  claimNetworkOrders,
  nextDueNetworkOrder,
  type OrderWant,
} from '../../core/connections/order-claims.ts'
import { beginFrequent, type Tx } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'
import { LEASE_MS } from '../shared/lease-times.ts'
import { slotsOf, withSlots } from './engine.ts'
import { createOrderCalls, type LaneOfConnection, type OrderCall, type OrderCalls } from './order-calls.ts'
import { orderKindRules } from './order-kinds.ts'

/**
 * Sends orders to their networks and makes status queries until they have ended, for all connections. A slow network
 * delays no other: an order is claimed only when its connection has a slot for a call. Each answer is settled when it
 * comes, together with those that come within the same milliseconds.
 * @param isHeld returns true while sending is held: then networks only get status queries about earlier orders
 */
export function networkOrders(
  app: App,
  isHeld: () => Promise<boolean> = async () => false,
  calls = createOrderCalls(app),
): Job<OrderCall> {
  return {
    name: 'network-orders',
    limit: 100,
    // Calls are limited by the slots of each connection. A further limit would let one network use up all of it.
    concurrency: Number.POSITIVE_INFINITY,
    claim: async (limit) => claimCalls(app, calls, limit, await isHeld()),
    async nextDue() {
      const free = lanesOf(app).filter(({ connection, lane }) => slotsOf(connection).nextFree(lane) === 0)
      const due = await nextDueNetworkOrder(app.db.polling, app.clock.real(), toWants(app, free, 1, await isHeld()))
      if (due === null || due > app.clock.now()) for (const lane of free) calls.noteWaiting(lane, false)
      return due
    },
    next_due_is_complete: true,
    run: calls.run,
  }
}

function lanesOf(app: App): LaneOfConnection[] {
  const kinds = Object.keys(orderKindRules) as OrderKind[]
  return app.connections.list().flatMap((connection) => {
    const lanes = Map.groupBy(kinds, (kind) => laneOf(traitsOf(connection, kind).call_s))
    return [...lanes].map(([lane, kinds]) => ({ connection, lane, kinds }))
  })
}

function toWants(
  app: App,
  lanes: readonly LaneOfConnection[],
  slots: number | ((lane: LaneOfConnection) => number),
  held: boolean,
) {
  const real = app.clock.real().getTime()
  return lanes.flatMap((lane): OrderWant[] =>
    lane.kinds.map((kind) => ({
      connection: lane.connection.slug,
      kind,
      lane: lane.lane,
      slots: typeof slots === 'number' ? slots : slots(lane),
      sends: lane.connection.state === 'active' && !held,
      prepares: kind === 'charge' && lane.connection.operations.prepare !== undefined,
      lease_end: new Date(real + LEASE_MS),
    })),
  )
}

/** Claims as many orders as there are slots. */
function claimCalls(app: App, calls: OrderCalls, limit: number, held: boolean): Promise<OrderCall[]> {
  return withSlots(lanesOf(app), limit, async (taken) => {
    const lanes = [...taken].flatMap(([lane, slots]) => (slots.length > 0 ? lane : []))
    for (const [lane, slots] of taken) if (slots.length === 0) calls.noteWaiting(lane, true)
    const wants = toWants(app, lanes, (lane) => taken.get(lane)!.length, held)
    const orders = await beginFrequent(app.db, (tx) => claimWanted(tx, app, wants))
    const claimed = orders.map((order) => {
      const lane = lanes.find(
        ({ connection, kinds }) => connection.slug === order.connection && kinds.includes(order.kind),
      )!
      return { order, connection: lane.connection, release: taken.get(lane)!.pop()! }
    })
    for (const lane of lanes) calls.noteWaiting(lane, taken.get(lane)!.length === 0)
    return claimed
  })
}

/** Claims orders. Those that are not sent yet and not wanted any more are closed at once. */
async function claimWanted(tx: Tx, app: App, wants: readonly OrderWant[]): Promise<ClaimedOrder[]> {
  const now = app.clock.now()
  const claimed = await claimNetworkOrders(tx, now, app.clock.real(), wants)
  const unwanted = new Set<number>()
  const fresh_by_kind = Map.groupBy(
    claimed.filter(({ was }) => was === 'new'),
    (order) => order.kind,
  )
  await Promise.all(
    [...fresh_by_kind].map(async ([kind, fresh]) => {
      const wanted = await orderKindRules[kind].readWanted(tx, fresh)
      for (const { id } of fresh) if (!wanted.has(id)) unwanted.add(id)
    }),
  )
  withdrawClaimed(tx, now, [...unwanted])
  return claimed.filter(({ id }) => !unwanted.has(id))
}
