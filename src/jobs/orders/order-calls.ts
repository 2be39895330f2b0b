import type { App } from '../../app.ts'
import { type Connection, traitsOf } from '../../connections/connection.ts'
import { noteAnsweredQuery } from '../../connections/late-callbacks.ts'
import { laneOf, type Release } from '../../connections/tools/index.ts'
import type { OrderLease } from '../../core/collections/charges/attempts.ts'
import type { OrderKind } from '../../core/connections/network-orders.ts'
import type { LearntAny } from '../../core/settlements/settle.ts'
import { leaseTimes } from '../shared/lease-times.ts'
import { findTrace, traced } from '../shared/traced.ts'
import { createEngine, slotsOf } from './engine.ts'
import { networkKindRules, orderRules } from './order-kinds.ts'
import type { LaneOfConnection, OrderCall, OrderKindRules } from './rules.ts'
import { vendRules } from './vends.ts'

/** Rules of each kind of orders. A connection gets the orders of its own kinds alone. */
export const orderKindRules = { ...networkKindRules, vend: vendRules } as Record<OrderKind, OrderKindRules>

/** A slot for an order that is sent as soon as it is stored. The lease ends on the real clock. */
export interface DirectSlot extends OrderLease {
  connection: Connection
  release: Release
}

/** The calls of this process for network orders. */
export interface OrderCalls {
  /**
   * Makes calls, and settles each answer when it comes, together with those that come within the same milliseconds.
   * @param wake called whenever a slot is free again
   * @throws AggregateError when answers could not be applied, which the log names
   */
  run(calls: readonly OrderCall[], wake?: () => void): Promise<void>
  /** True if stored orders may wait for a slot of any lane. */
  areWaiting(): boolean
  /** Notes if stored orders may wait for a slot of a lane. While they do, no newer order is sent before them. */
  noteWaiting(lane: Pick<LaneOfConnection, 'connection' | 'lane'>, waiting: boolean): void
  /** Takes a slot for a charge that is not stored yet; undefined where it has to wait as others do. */
  takeDirectSlot(connection: string): DirectSlot | undefined
}

/** Creates the calls of a process. The jobs that send orders share them. */
export function createOrderCalls(app: App): OrderCalls {
  /** Says for each lane if orders waited when this process looked last. */
  const waiting_in = new Map<string, boolean>()
  const keyOf = ({ connection: { kind = 'network', slug }, lane }: Pick<LaneOfConnection, 'connection' | 'lane'>) =>
    `${kind}:${slug}:${lane}`
  return {
    run: createEngine(app, makeCall),
    areWaiting: () => [...waiting_in.values()].includes(true),
    noteWaiting(lane, waiting) {
      waiting_in.set(keyOf(lane), waiting)
    },
    takeDirectSlot(slug) {
      const connection = app.connections.find(slug)
      // Where the network makes its id in a call of its own, an order takes two calls; the job of the orders makes them.
      if (connection?.state !== 'active' || connection.operations.prepare) return undefined
      const lane = { connection, lane: laneOf(traitsOf(connection, 'charge').call_s) }
      const release = waiting_in.get(keyOf(lane)) === false ? slotsOf(connection).tryAcquire(lane.lane) : undefined
      if (!release) {
        waiting_in.set(keyOf(lane), true)
        return undefined
      }
      return { connection, release, lease_end: leaseTimes(app).lease_end, rules: orderRules(app, connection, 'charge') }
    },
  }
}

/**
 * Makes the call that an order needs now. If its lease has ended another process may have claimed it, so nothing is sent and
 * nothing is returned.
 */
async function makeCall(app: App, { order, connection, release }: OrderCall): Promise<LearntAny | undefined> {
  const { kind, reference, was, collection_request } = order
  // Looked up before the lease is checked, because nothing may delay the call after that.
  const parent = await findTrace(app, collection_request)
  const of_kind = orderKindRules[kind]
  const asked_at = app.clock.now()
  const source = was === 'new' ? ('reply' as const) : ('status' as const)
  const needs_id =
    source === 'status' && of_kind.traits(connection).asked_by === 'remote_id' && order.remote_id === null
  const call =
    was === 'new' ? of_kind.send(app, connection, order) : needs_id ? undefined : of_kind.ask(app, connection, order)
  if (!call) {
    release(false)
    return of_kind.learn(app, connection, order, { source, asked_at, answer: { outcome: 'not_asked' } })
  }
  if (order.leased_until <= app.clock.real()) {
    release(false)
    return undefined
  }
  const attributes = { 'kusanya.order': reference, 'kusanya.connection': connection.slug, 'kusanya.call': call.call }
  const answer = await traced(app, { name: 'order_call', collection_request, parent, attributes }, async (span) => {
    const given = await call.make()
    span?.set({ 'kusanya.outcome': given.outcome })
    return given
  })
  const has_ended = answer.outcome === 'successful' || answer.outcome === 'failed'
  if (source === 'status' && kind === 'charge' && has_ended) noteAnsweredQuery(app, connection as Connection, reference)
  return of_kind.learn(app, connection, order, { source, asked_at, answer })
}
