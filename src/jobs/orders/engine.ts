import type { App } from '../../app.ts'
import { sellersOf } from '../../connections/bill-sellers.ts'
import { type Lane, type Release, type Slots, unlimited } from '../../connections/tools/index.ts'
import { groupOf, type LearntAny, type SettlementGroup, settle } from '../../core/settlements/settle.ts'
import type { WakeCause } from '../../core/wakes.ts'
import { beginFrequent, isUnavailable } from '../../db/client.ts'
import { createBatcher } from '../../lib/batches/batch.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { logEvent } from '../../lib/log-events.ts'
import { openLeaseRenewals } from '../shared/lease-renewals.ts'
import { runEach } from '../shared/run-each.ts'
import { logSettlement } from './order-kinds.ts'

/*
 * The engine of orders, for those at networks and those at bill providers:
 *
 *     take slots ─► claim, under leases ─► call, while the lease is renewed ─► settle
 *
 * An order is claimed only when its connection has a slot for a call, so that a slow network delays no other. It is
 * called outside of any transaction. Each answer is settled when it comes, together with those that come within the same
 * milliseconds.
 */

/** A part of a connection whose calls share slots. */
export interface SlotLane {
  connection: { slots?: Slots | undefined }
  lane: Lane
}

/** Slots of a connection; a connection without limits has as many as are wanted. */
export function slotsOf({ slots = unlimited }: SlotLane['connection']): Slots {
  return slots
}

/**
 * Takes up to `limit` slots of each lane for work that claims orders, and gives back those that the work leaves.
 * @param work takes a slot out of the lists for each order that it has claimed
 */
export async function withSlots<Of extends SlotLane, Result>(
  lanes: readonly Of[],
  limit: number,
  work: (taken: ReadonlyMap<Of, Release[]>) => Promise<Result>,
): Promise<Result> {
  const taken = new Map(lanes.map((lane) => [lane, takeSlots(lane, limit)]))
  try {
    return await work(taken)
  } finally {
    for (const slots of taken.values()) for (const release of slots) release(false)
  }
}

function takeSlots({ connection, lane }: SlotLane, limit: number): Release[] {
  const slots: Release[] = []
  while (slots.length < limit) {
    const release = slotsOf(connection).tryAcquire(lane)
    if (!release) break
    slots.push(release)
  }
  return slots
}

/** Work of the engine with the claimed orders of one table. */
export interface EngineKind<Call extends { release: Release }> {
  /** The table of the claimed rows, whose leases are renewed. */
  table: string
  idOf(call: Call): number
  /** Makes the call that an order needs now. Undefined if it was not made, because another process may have the order. */
  call(call: Call): Promise<LearntAny | undefined>
  /** Logs that an answer could not be stored. The order is asked about when its lease has ended. */
  onFailure(call: Call, error: unknown): void
}

/**
 * Creates the calls of this process for one table.
 * @returns makes calls and settles their answers. `wake` is called whenever a slot is free again.
 * @throws AggregateError when answers could not be applied, which the log names
 */
export function createEngine<Call extends { release: Release }>(app: App, kind: EngineKind<Call>) {
  const settleSoon = createSettler(app)
  const renewals = openLeaseRenewals(app, kind.table)
  return async (calls: readonly Call[], wake?: () => void): Promise<void> => {
    const failed = await runEach(calls, (call) =>
      renewals.during([kind.idOf(call)], async () => {
        const learnt = await kind.call(call).finally(() => {
          call.release()
          wake?.()
        })
        if (learnt) await settleSoon(learnt)
      }),
    )
    // An outage is logged once for all.
    for (const { row, error } of failed) if (!isUnavailable(error)) kind.onFailure(row, error)
    const errors = failed.map(({ error }) => error)
    const outage = errors.find(isUnavailable)
    if (outage) throw outage
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} of ${calls.length} answers could not be applied.`)
  }
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
