import type { App } from '../../app.ts'
import {
  findOrderByRemoteId,
  type MoneyOrder,
  type NetworkOrder,
  ordersByReference,
} from '../../core/connections/network-orders.ts'
import type { OrderName } from '../../networks/callbacks.ts'
import type { ReadCallback } from './stored-callbacks.ts'

/** Orders by reference. */
export type NamedOrders = ReadonlyMap<string, NetworkOrder>

/** The orders whose references stand in callbacks, found with one statement. */
export function findNamedOrders(app: App, callbacks: readonly ReadCallback[]): Promise<NamedOrders> {
  const references = callbacks.flatMap(({ callback }) =>
    callback?.subject === 'order' && 'reference' in callback.order ? [callback.order.reference] : [],
  )
  return ordersByReference(app.db, references)
}

/**
 * Finds the order that a callback names, by our reference or by the network's id. A network can only name its own
 * orders.
 * @param named result of `findNamedOrders`
 */
export async function findOrder(
  app: App,
  connection: string,
  name: OrderName,
  named: NamedOrders,
): Promise<MoneyOrder | undefined> {
  const id = 'reference' in name ? name.reference : name.remote_id
  const order = ('reference' in name ? named.get(id) : undefined) ?? (await findOrderByRemoteId(app.db, connection, id))
  return order?.connection === connection && order.kind !== 'vend' ? { ...order, kind: order.kind } : undefined
}
