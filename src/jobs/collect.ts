import type { App } from '../app.ts'
import { chargeConnections } from '../connections/charge-connections.ts'
import { dispatchDueRequests } from '../core/collections/charges/attempts.ts'
import { lockDueRequests, nextDueRequest, postponeRequests } from '../core/collections/orders.ts'
import { beginFrequent, isUnavailable } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import type { DirectSlot, OrderCalls } from './orders/order-calls.ts'
import type { OrderCall } from './orders/rules.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** A request whose due work is done, with the call for its new order if this process has a slot for it. */
export interface DispatchedRequest {
  request: number
  call?: OrderCall
}

/**
 * Starts collection requests, begins further attempts, and expires requests whose time is over, in one transaction for many. Where
 * no order waits for a slot, this process sends the new orders as soon as that transaction has ended; all others are sent by the job of
 * the orders (network-orders).
 * @param calls the calls of this process; without them that job sends all orders
 */
export function collect(app: App, calls?: OrderCalls): Job<DispatchedRequest> {
  // Number of requests that have a transaction each, because a group of them has failed: then only the failing one
  // waits.
  let alone = 0
  async function leaveForLater(ids: readonly number[]): Promise<void> {
    alone = ids.length > 1 ? ids.length : Math.max(0, alone - 1)
    if (ids.length > 1) return
    // Others have their turn before this one is tried again.
    await beginFrequent(app.db, (tx) => postponeRequests(tx, ids, leaseTimes(app)))
  }
  return {
    name: 'collect',
    limit: 100,
    // Calls are limited by the slots of each connection.
    concurrency: Number.POSITIVE_INFINITY,
    async claim(limit) {
      const dispatched = await dispatchDue(app, calls, alone > 0 ? 1 : limit, leaveForLater)
      alone = dispatched.length > 0 ? Math.max(0, alone - 1) : 0
      return dispatched
    },
    nextDue: () => nextDueRequest(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(dispatched, wake) {
      // Each of the next requests has a claim of its own.
      if (alone > 0) wake?.()
      // Orders are to be sent, and the changes cause SMS and webhook deliveries.
      app.wake('request_dispatched')
      const direct = dispatched.flatMap(({ call }) => call ?? [])
      if (direct.length > 0) await calls!.run(direct)
    },
  }
}

/** @param leaveForLater decides about requests whose work has failed, and not for want of a database */
async function dispatchDue(
  app: App,
  calls: OrderCalls | undefined,
  limit: number,
  leaveForLater: (ids: readonly number[]) => Promise<void>,
): Promise<DispatchedRequest[]> {
  const times = leaseTimes(app)
  const connections = chargeConnections(app.connections)
  const slots = new Map<string, DirectSlot[]>()
  const releaseSlots = () => {
    for (const slot of [...slots.values()].flat()) slot.release(false)
    slots.clear()
  }
  const lease = (connection: string) => {
    const slot = calls?.takeDirectSlot(connection)
    if (slot) slots.set(connection, [...(slots.get(connection) ?? []), slot])
    return slot
  }
  let ids: number[] = []
  try {
    const orders = await beginFrequent(app.db, async (tx) => {
      // Slots of an earlier run, which a deadlock has undone.
      releaseSlots()
      const requests = await lockDueRequests(tx, times, limit)
      ids = requests.map(({ id }) => id)
      return dispatchDueRequests(tx, times.now, requests, connections, lease)
    })
    const of_request = new Map(
      orders.map((order) => {
        const { connection, release } = slots.get(order.connection)!.pop()!
        return [order.collection_request!, { order, connection, release }]
      }),
    )
    return ids.map((request) => ({ request, ...(of_request.has(request) && { call: of_request.get(request)! }) }))
  } catch (error) {
    releaseSlots()
    if (ids.length > 0 && !isUnavailable(error))
      await leaveForLater(ids).catch((second: unknown) => {
        throw new AggregateError(
          [error, second],
          'The work on a due request failed, and it could not be left for later.',
        )
      })
    throw error
  }
}
