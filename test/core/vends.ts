import type { LearntVend } from '../../src/core/bills/vends/outcomes.ts'
import { listOrdersOf, type NetworkOrder, type VendNews } from '../../src/core/connections/network-orders.ts'
import type { AnyReader, Database } from '../../src/db/client.ts'

/** The order of the current attempt of a purchase. */
export async function currentVend(db: AnyReader, purchase: number): Promise<NetworkOrder> {
  return (await listOrdersOf(db, { bill_purchase: purchase })).at(-1)!
}

/** News about a purchase from a status query. */
export async function learntVend(db: AnyReader, purchase: number, answer: VendNews): Promise<LearntVend> {
  return { order: await currentVend(db, purchase), source: 'status', answer }
}

/** Let all open vends wait for years. */
export async function postponeVends(db: Database): Promise<void> {
  await db`update network_orders set due_at = '2040-01-01' where kind = 'vend' and due_at is not null`
}
