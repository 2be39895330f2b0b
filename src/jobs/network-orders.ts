import type { App } from '../app.ts'
import { type Connection, traitsOf } from '../connections/connection.ts'
import { type Lane, laneOf, type Release, unlimited } from '../connections/tools/index.ts'
import { type OrderAnswer, type OrderKind, withdrawClaimed } from '../core/connections/network-orders.ts'
import {
  type ClaimedOrder,
  claimNetworkOrders,
  nextDueNetworkOrder,
  type OrderWant,
} from '../core/connections/order-claims.ts'
import { WriteConflict } from '../core/write-conflict.ts'
import { beginFrequent, isUnavailable, type Tx } from '../db/client.ts'
import { createBatcher } from '../lib/batch.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { callNetwork } from './shared/call-network.ts'
import { leaseSeconds, logSettlement, orderKindRules, orderRules, type SettledOrder } from './shared/order-kinds.ts'
import { findTrace, traced } from './shared/traced.ts'

/**
 * Sends orders to their networks and asks about them until they have ended, for all connections. A slow network delays no
 * other: an order is claimed only when its connection has a slot for a call, and each answer is settled when it comes,
 * together with those that come within the same milliseconds.
 * @param isHeld whether sending is held: then networks are only asked about the orders that they have
 */
export function networkOrders(app: App, isHeld: () => Promise<boolean> = async () => false): Job<OrderCall> {
  const settle = createSettler(app)
  return {
    name: 'network-orders',
    limit: 100,
    // Calls are limited by the slots of each connection. A further limit would let one network use up all of it.
    concurrency: Number.POSITIVE_INFINITY,
    claim: async (limit) => claimCalls(app, limit, await isHeld()),
    async nextDue() {
      const free = lanesOf(app).filter(({ connection, lane }) => slotsOf(connection).nextFree(lane) === 0)
      return nextDueNetworkOrder(app.db.looks, app.clock.real(), toWants(app, free, 1, await isHeld()))
    },
    next_due_is_complete: true,
    async run(calls, wake) {
      const results = await Promise.allSettled(
        calls.map(async (call) => {
          const answer = await makeCall(app, call).finally(() => {
            call.release()
            wake?.()
          })
          if (answer) await settle[call.order.kind]!(answer)
        }),
      )
      const errors = results.flatMap((result, index) =>
        result.status === 'rejected' ? [reportUnsettled(app, calls[index]!, result.reason)] : [],
      )
      const outage = errors.find(isUnavailable)
      if (outage) throw outage
      if (errors.length > 0)
        throw new AggregateError(errors, `${errors.length} of ${calls.length} answers could not be applied.`)
    },
  }
}

/** Logs that an answer could not be stored, unless the database is out of reach: that is said once for all. */
function reportUnsettled(
  app: App,
  { order: { collection_request, reference: order, connection } }: OrderCall,
  error: unknown,
) {
  if (!isUnavailable(error)) logEvent(app.log, 'order_not_settled', { collection_request, order, connection, error })
  return error
}

/** A claimed order with the slot for its call. */
export interface OrderCall {
  order: ClaimedOrder
  connection: Connection
  release: Release
}

/** The kinds of orders of one connection that share their slots. */
interface LaneOfConnection {
  connection: Connection
  lane: Lane
  kinds: OrderKind[]
}

function slotsOf({ slots = unlimited }: Connection) {
  return slots
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
  return lanes.flatMap((of): OrderWant[] =>
    of.kinds.map((kind) => ({
      ...{ connection: of.connection.slug, kind, lane: of.lane },
      slots: typeof slots === 'number' ? slots : slots(of),
      sends: of.connection.state === 'active' && !held,
      prepares: kind === 'charge' && of.connection.operations.prepare !== undefined,
      lease_end: new Date(real + leaseSeconds(of.connection, kind) * 1_000),
    })),
  )
}

/** Takes slots, claims as many orders, and gives back the slots for which there was none. */
async function claimCalls(app: App, limit: number, held: boolean): Promise<OrderCall[]> {
  const taken = new Map<LaneOfConnection, Release[]>()
  for (const of of lanesOf(app)) {
    const slots = takeSlots(of, limit)
    if (slots.length > 0) taken.set(of, slots)
  }
  try {
    const wants = toWants(app, [...taken.keys()], (of) => taken.get(of)!.length, held)
    const orders = await beginFrequent(app.db, (tx) => claimWanted(tx, app, wants))
    return orders.map((order) => {
      const of = [...taken.keys()].find(
        ({ connection, kinds }) => connection.slug === order.connection && kinds.includes(order.kind),
      )!
      return { order, connection: of.connection, release: taken.get(of)!.pop()! }
    })
  } finally {
    for (const slots of taken.values()) for (const release of slots) release(false)
  }
}

function takeSlots({ connection, lane }: LaneOfConnection, limit: number): Release[] {
  const slots: Release[] = []
  while (slots.length < limit) {
    const release = slotsOf(connection).tryAcquire(lane)
    if (!release) break
    slots.push(release)
  }
  return slots
}

/** Claims orders. Those that are not sent yet and not wanted any more are closed at once. */
async function claimWanted(tx: Tx, app: App, wants: readonly OrderWant[]): Promise<ClaimedOrder[]> {
  const now = app.clock.now()
  const claimed = await claimNetworkOrders(tx, now, app.clock.real(), wants)
  const unwanted = new Set<number>()
  for (const [kind, fresh] of Map.groupBy(
    claimed.filter(({ was }) => was === 'new'),
    (order) => order.kind,
  )) {
    const wanted = await orderKindRules[kind].readWanted(tx, fresh)
    for (const { id } of fresh) if (!wanted.has(id)) unwanted.add(id)
  }
  await withdrawClaimed(tx, now, [...unwanted])
  return claimed.filter(({ id }) => !unwanted.has(id))
}

/**
 * Makes the call that an order needs now. If its lease has ended another process may have claimed it, so nothing is sent and
 * nothing is returned.
 */
async function makeCall(app: App, { order, connection, release }: OrderCall): Promise<SettledOrder | undefined> {
  const { kind, reference, was, collection_request } = order
  // Looked up before the lease is checked, because nothing may delay the call after that.
  const parent = await findTrace(app, collection_request)
  const of_kind = orderKindRules[kind]
  const asked_at = app.clock.now()
  const rules = orderRules(connection, kind)
  const source = was === 'new' ? ('reply' as const) : ('status' as const)
  const needs_id =
    source === 'status' && traitsOf(connection, kind).asked_by === 'remote_id' && order.remote_id === null
  const call =
    was === 'new'
      ? of_kind.send(connection, order, app.db)
      : needs_id
        ? undefined
        : of_kind.ask(connection, order, app.db)
  if (!call) {
    release(false)
    return { order, connection, source, rules, asked_at, answer: { outcome: 'not_asked' } }
  }
  if (order.leased_until <= app.clock.real()) {
    release(false)
    return undefined
  }
  const about = { call: call.call, reference, collection_request }
  const attributes = { 'kusanya.order': reference, 'kusanya.connection': connection.slug, 'kusanya.call': call.call }
  const answer = await traced(app, { name: 'order_call', collection_request, parent, attributes }, async (span) => {
    const given = await callNetwork<OrderAnswer>(app, connection, about, call.make)
    span?.set({ 'kusanya.outcome': given.outcome })
    return given
  })
  return { order, connection, source, rules, asked_at, answer }
}

/** Settles the answers of each kind: those that come while a transaction runs share the next one. */
function createSettler(app: App) {
  const kinds = Object.entries(orderKindRules).map(([kind, of_kind]) => {
    const settle = createBatcher<SettledOrder, void>({
      async flush(answers) {
        logSettlement(app, await beginFrequent(app.db, (tx) => of_kind.settle(tx, app.clock.now(), answers)))
        // The changes cause SMS and webhook deliveries.
        app.wake(kind === 'charge' ? 'charge_answered' : undefined)
        return answers.map(() => ({ ok: true, value: undefined }))
      },
      max_items: app.config.BATCH_MOST,
      mayRetry: (error) => !isUnavailable(error),
      isWriteConflict: (error) => error instanceof WriteConflict,
      onRepeat(error, size) {
        // Several processes may record the same money. That is no reason to look into the log.
        if (size > 1 && !(error instanceof WriteConflict)) logEvent(app.log, 'batch_failed', { size, error })
      },
    })
    return [kind, settle] as const
  })
  return Object.fromEntries(kinds) as Partial<Record<OrderKind, (answer: SettledOrder) => Promise<void>>>
}
