import type { App } from '../../app.ts'
import { sellersOf } from '../../connections/bill-sellers.ts'
import { type Release, type Slots, unlimited } from '../../connections/tools/index.ts'
import { groupOf, type LearntAny, type SettlementGroup, settle } from '../../core/settlements/settle.ts'
import type { WakeCause } from '../../core/wakes.ts'
import { beginFrequent, isUnavailable } from '../../db/client.ts'
import { createBatcher } from '../../lib/batches/batch.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { logEvent } from '../../lib/log-events.ts'
import { openLeaseRenewals } from '../shared/lease-renewals.ts'
import { runEach } from '../shared/run-each.ts'
import { logSettlement } from './order-kinds.ts'
import type { LaneOfConnection, OrderCall } from './rules.ts'

/*
 * The engine of orders, for those at networks and those at bill providers:
 *
 *     take slots ─► claim, under leases ─► call, while the lease is renewed ─► settle
 *
 * An order is claimed only when its connection has a slot for a call, so that a slow network delays no other. It is
 * called outside of any transaction. Each answer is settled when it comes, together with those that come within the same
 * milliseconds.
 */

/** Slots of a connection; a connection without limits has as many as are wanted. */
export function slotsOf({ slots = unlimited }: LaneOfConnection['connection']): Slots {
  return slots
}

/**
 * Takes up to `limit` slots of each lane for work that claims orders, and gives back those that the work leaves.
 * @param work takes a slot out of the lists for each order that it has claimed
 */
export async function withSlots<Result>(
  lanes: readonly LaneOfConnection[],
  limit: number,
  work: (taken: ReadonlyMap<LaneOfConnection, Release[]>) => Promise<Result>,
): Promise<Result> {
  const taken = new Map(lanes.map((lane) => [lane, takeSlots(lane, limit)]))
  try {
    return await work(taken)
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

/**
 * Creates the calls of this process.
 * @param make makes the call that an order needs now. Undefined if it was not made, because another process may have the order
 * @returns makes calls and settles their answers. `wake` is called whenever a slot is free again.
 * @throws AggregateError when answers could not be applied, which the log names. These orders are asked about when their
 *   leases have ended
 */
export function createEngine(app: App, make: (app: App, call: OrderCall) => Promise<LearntAny | undefined>) {
  const settleSoon = createSettler(app)
  const renewals = openLeaseRenewals(app, 'network_orders')
  return async (calls: readonly OrderCall[], wake?: () => void): Promise<void> => {
    const failed = await runEach(calls, (call) =>
      renewals.during([call.order.id], async () => {
        const learnt = await make(app, call).finally(() => {
          call.release()
          wake?.()
        })
        if (learnt) await settleSoon(learnt)
      }),
    )
    // An outage is logged once for all.
    for (const { row, error } of failed) if (!isUnavailable(error)) logFailure(app, row, error)
    const errors = failed.map(({ error }) => error)
    const outage = errors.find(isUnavailable)
    if (outage) throw outage
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} of ${calls.length} answers could not be applied.`)
  }
}

function logFailure({ log }: App, { order: { bill_purchase: purchase, ...order } }: OrderCall, error: unknown): void {
  const { collection_request, reference, connection } = order
  if (purchase !== null) logEvent(log, 'vend_result_failed', { purchase, error })
  else logEvent(log, 'order_not_settled', { collection_request, order: reference, connection, error })
}

/** Causes of the wakes when orders of a group are settled; undefined wakes everything. */
const CAUSES: Record<SettlementGroup, WakeCause | undefined> = {
  charge: 'charge_answered',
  payout: undefined,
  purchase: 'purchase_answered',
}

/** Settles news of each group: those that come while a transaction runs share the next one. */
function createSettler(app: App) {
  const settlers = new Map<SettlementGroup, (learnt: LearntAny) => Promise<void>>()
  const open = (group: SettlementGroup) =>
    createBatcher<LearntAny, void>({
      async flush(learnt) {
        const settled = beginFrequent(app.db, (tx) => settle(tx, app.clock.now(), learnt, sellersOf(app)))
        logSettlement(app, await settled)
        // The changes cause webhook deliveries, SMS and further calls.
        app.wake(CAUSES[group])
        return learnt.map(() => ({ ok: true, value: undefined }))
      },
      max_items: app.config.BATCH_MOST,
      mayRetry: (error) => !isUnavailable(error),
      onRepeat(error, size) {
        // Several processes may record the same money. This needs no attention in the log.
        if (size > 1 && !(error instanceof WriteConflict)) logEvent(app.log, 'batch_failed', { size, error })
      },
    })
  return (learnt: LearntAny): Promise<void> => {
    const group = groupOf(learnt)
    const settleOne = settlers.get(group) ?? open(group)
    settlers.set(group, settleOne)
    return settleOne(learnt)
  }
}
