import type { App } from '../../app.ts'
import type { BillConnection, Connection } from '../../connections/connection.ts'
import { laneOf } from '../../connections/tools/index.ts'
import { type MoneyKind, type OrderKind, withdrawClaimed } from '../../core/connections/network-orders.ts'
import { claimNetworkOrders, nextDueNetworkOrder, type OrderWant } from '../../core/connections/order-claims.ts'
import { beginFrequent, type Tx } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'
import { LEASE_MS } from '../shared/lease-times.ts'
import { slotsOf, withSlots } from './engine.ts'
import { createOrderCalls, type OrderCalls, orderKindRules } from './order-calls.ts'
import { networkKindRules } from './order-kinds.ts'
import type { AnyConnection, LaneOfConnection, OrderCall } from './rules.ts'
import { claimWithOthers, nextAtOthers, watchBillers, withPurchases } from './vends.ts'

/**
 * Sends orders to their networks and bill providers and makes status queries until they have ended, for all connections. A
 * slow one delays no other: an order is claimed only when its connection has a slot for a call. Each answer is settled when
 * it comes, together with those that come within the same milliseconds.
 * @param isHeld returns true while sending is held: then only status queries about earlier orders are made
 */
export function networkOrders(
  app: App,
  isHeld: () => Promise<boolean> = async () => false,
  calls = createOrderCalls(app),
): Job<OrderCall> {
  const listBillers = watchBillers(app)
  return {
    name: 'network-orders',
    limit: 100,
    // Calls are limited by the slots of each connection. A further limit would let one network use up all of it.
    concurrency: Number.POSITIVE_INFINITY,
    claim: async (limit) => claimCalls(app, calls, await listBillers(), { limit, held: await isHeld() }),
    async nextDue() {
      const held = await isHeld()
      const billers = await listBillers()
      const free = lanesOf(app, billers).filter(({ connection, lane }) => slotsOf(connection).nextFree(lane) === 0)
      const [due, due_at_others] = await Promise.all([
        nextDueNetworkOrder(app.db.polling, app.clock.real(), toWants(app, free, 1, held)),
        held ? null : nextAtOthers(app.db.polling, billers),
      ])
      if (due === null || due > app.clock.now()) for (const lane of free) calls.noteWaiting(lane, false)
      return due && due_at_others ? new Date(Math.min(due.getTime(), due_at_others.getTime())) : (due ?? due_at_others)
    },
    next_due_is_complete: true,
    run: (orders, wake) => calls.run(orders, () => calls.areWaiting() && wake?.()),
  }
}

const networkKinds = Object.keys(networkKindRules) as MoneyKind[]

function lanesOf(app: App, billers: readonly BillConnection[]): LaneOfConnection[] {
  const lanesOfKinds = (connection: AnyConnection, kinds: readonly OrderKind[]): LaneOfConnection[] => {
    const lanes = Map.groupBy(kinds, (kind) => laneOf(orderKindRules[kind].traits(connection).call_s))
    return [...lanes].map(([lane, kinds]) => ({ connection, lane, kinds }))
  }
  return [
    ...app.connections.list().flatMap((connection) => lanesOfKinds(connection, networkKinds)),
    ...billers.flatMap((biller) => lanesOfKinds(biller, ['vend'])),
  ]
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
      // A bill provider may have the name of a network.
      lane: kind === 'vend' ? `bills:${lane.lane}` : lane.lane,
      slots: typeof slots === 'number' ? slots : slots(lane),
      sends: lane.connection.state === 'active' && !held,
      prepares: kind === 'charge' && (lane.connection as Connection).operations.prepare !== undefined,
      lease_end: new Date(real + LEASE_MS),
    })),
  )
}

/** Claims as many orders as there are slots. */
function claimCalls(
  app: App,
  calls: OrderCalls,
  billers: readonly BillConnection[],
  { limit, held }: { limit: number; held: boolean },
): Promise<OrderCall[]> {
  return withSlots(lanesOf(app, billers), limit, async (taken) => {
    const lanes = [...taken].flatMap(([lane, slots]) => (slots.length > 0 ? lane : []))
    for (const [lane, slots] of taken) if (slots.length === 0) calls.noteWaiting(lane, true)
    const wants = toWants(app, lanes, (lane) => taken.get(lane)!.length, held)
    const orders = await beginFrequent(app.db, (tx) => {
      const claim = () => claimWanted(tx, app, wants)
      return held ? claim() : claimWithOthers(tx, app, { billers, limit }, claim)
    })
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
async function claimWanted(tx: Tx, app: App, wants: readonly OrderWant[]): Promise<OrderCall['order'][]> {
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
  return withPurchases(
    tx,
    claimed.filter(({ id }) => !unwanted.has(id)),
  )
}
