import type { Database } from '../../../src/db/client.ts'

/** Insert an order for each tenth request, with an id at its network. */
export async function fillOrders(db: Database): Promise<void> {
  await db`
    insert into network_orders (reference, kind, collection_request, connection, organization, attempt, receiver, phonenumber, amount,
      currency, reason, state, remote_id, created, closed)
    select 'R' || id, 'charge', id, connection, organization, 1, '424242', phonenumber, amount, currency, reason, 'failed',
      'SBO' || id, created, created
    from collection_requests where id % 10 = 0`
  await db`
    insert into network_order_remote_ids (remote_id, network_order) select remote_id, id from network_orders`
  await db`analyze network_orders, network_order_remote_ids`
}
