import type { App } from '../../app.ts'
import { type Connection, traitsOf } from '../../connections/connection.ts'
import { noteAnsweredQuery } from '../../connections/late-callbacks.ts'
import { type Lane, laneOf, type Release, unlimited } from '../../connections/tools/index.ts'
import { type LearntOrder, type OrderKind, orderKinds } from '../../core/connections/network-orders.ts'
import type { ClaimedOrder } from '../../core/connections/order-claims.ts'
import { settle } from '../../core/settlements/settle.ts'
import { WriteConflict } from '../../core/write-conflict.ts'
import { beginFrequent, isUnavailable } from '../../db/client.ts'
import { createBatcher } from '../../lib/batches/batch.ts'
import { logEvent } from '../../lib/log-events.ts'
import { openLeaseRenewals } from './lease-renewals.ts'
import { leaseTimes } from './lease-times.ts'
import { learntFrom, logSettlement, orderKindRules } from './order-kinds.ts'
import { findTrace, traced } from './traced.ts'

/** A claimed order with the slot for its call. */
export interface OrderCall {
  order: ClaimedOrder
  connection: Connection
  release: Release
}

/** The kinds of orders of one connection that share their slots. */
export interface LaneOfConnection {
  connection: Connection
  lane: Lane
  kinds: OrderKind[]
}

/** A slot for an order that is sent as soon as it is stored, and the end of its lease on the real clock. */
export interface DirectSlot {
  connection: Connection
  release: Release
  lease_end: Date
}

/** The calls of this process for network orders. */
export interface OrderCalls {
  /**
   * Makes calls, and settles each answer when it comes, together with those that come within the same milliseconds.
   * @param wake called whenever a slot is free again
   * @throws AggregateError when answers could not be applied, which the log names
   */
  run(calls: readonly OrderCall[], wake?: () => void): Promise<void>
  /** Notes if stored orders may wait for a slot of a lane. While they do, no newer order is sent before them. */
  noteWaiting(lane: Pick<LaneOfConnection, 'connection' | 'lane'>, waiting: boolean): void
  /** Takes a slot for a charge that is not stored yet; undefined where it has to wait as others do. */
  takeDirectSlot(connection: string): DirectSlot | undefined
}

/** Slots of a connection; a connection without limits has as many as are wanted. */
export function slotsOf({ slots = unlimited }: Connection) {
  return slots
}

/** Creates the calls of a process. The jobs that send orders share them. */
export function createOrderCalls(app: App): OrderCalls {
  const settleSoon = createSettler(app)
  /** The lanes in which nothing waited when this process looked last. */
  const idle_lanes = new Set<string>()
  const renewals = openLeaseRenewals(app, 'network_orders')
  const keyOf = ({ connection, lane }: Pick<LaneOfConnection, 'connection' | 'lane'>) => `${connection.slug}:${lane}`
  return {
    async run(calls, wake) {
      const results = await Promise.allSettled(
        calls.map((call) =>
          renewals.during([call.order.id], async () => {
            const learnt = await makeCall(app, call).finally(() => {
              call.release()
              wake?.()
            })
            if (learnt) await settleSoon[call.order.kind](learnt)
          }),
        ),
      )
      const errors = results.flatMap((result, index) =>
        result.status === 'rejected' ? [reportUnsettled(app, calls[index]!, result.reason)] : [],
      )
      const outage = errors.find(isUnavailable)
      if (outage) throw outage
      if (errors.length > 0)
        throw new AggregateError(errors, `${errors.length} of ${calls.length} answers could not be applied.`)
    },
    noteWaiting(lane, waiting) {
      if (waiting) idle_lanes.delete(keyOf(lane))
      else idle_lanes.add(keyOf(lane))
    },
    takeDirectSlot(slug) {
      const connection = app.connections.find(slug)
      // Where the network makes its id in a call of its own, an order takes two calls; the job of the orders makes them.
      if (connection?.state !== 'active' || connection.operations.prepare) return undefined
      const lane = { connection, lane: laneOf(traitsOf(connection, 'charge').call_s) }
      const release = idle_lanes.has(keyOf(lane)) ? slotsOf(connection).tryAcquire(lane.lane) : undefined
      if (!release) {
        idle_lanes.delete(keyOf(lane))
        return undefined
      }
      return { connection, release, lease_end: leaseTimes(app).lease_end }
    },
  }
}

/** Logs that an answer could not be stored, unless the database is out of reach: that is logged once for all. */
function reportUnsettled(
  app: App,
  { order: { collection_request, reference: order, connection } }: OrderCall,
  error: unknown,
) {
  if (!isUnavailable(error)) logEvent(app.log, 'order_not_settled', { collection_request, order, connection, error })
  return error
}

/**
 * Makes the call that an order needs now. If its lease has ended another process may have claimed it, so nothing is sent and
 * nothing is returned.
 */
async function makeCall(app: App, { order, connection, release }: OrderCall): Promise<LearntOrder | undefined> {
  const { kind, reference, was, collection_request } = order
  // Looked up before the lease is checked, because nothing may delay the call after that.
  const parent = await findTrace(app, collection_request)
  const of_kind = orderKindRules[kind]
  const asked_at = app.clock.now()
  const source = was === 'new' ? ('reply' as const) : ('status' as const)
  const needs_id =
    source === 'status' && traitsOf(connection, kind).asked_by === 'remote_id' && order.remote_id === null
  const call =
    was === 'new' ? of_kind.send(app, connection, order) : needs_id ? undefined : of_kind.ask(app, connection, order)
  if (!call) {
    release(false)
    return learntFrom(app, connection, order, { source, asked_at, answer: { outcome: 'not_asked' } })
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
  if (source === 'status' && kind === 'charge' && has_ended) noteAnsweredQuery(app, connection, reference)
  return learntFrom(app, connection, order, { source, asked_at, answer })
}

/** Settles the answers of each kind: those that come while a transaction runs share the next one. */
function createSettler(app: App) {
  const kinds = orderKinds.map((kind) => {
    const settler = createBatcher<LearntOrder, void>({
      async flush(answers) {
        logSettlement(app, await beginFrequent(app.db, (tx) => settle(tx, app.clock.now(), answers)))
        // The changes cause SMS and webhook deliveries.
        app.wake(kind === 'charge' ? 'charge_answered' : undefined)
        return answers.map(() => ({ ok: true, value: undefined }))
      },
      max_items: app.config.BATCH_MOST,
      mayRetry: (error) => !isUnavailable(error),
      isWriteConflict: (error) => error instanceof WriteConflict,
      onRepeat(error, size) {
        // Several processes may record the same money. This needs no attention in the log.
        if (size > 1 && !(error instanceof WriteConflict)) logEvent(app.log, 'batch_failed', { size, error })
      },
    })
    return [kind, settler] as const
  })
  return Object.fromEntries(kinds) as Record<OrderKind, (learnt: LearntOrder) => Promise<void>>
}
