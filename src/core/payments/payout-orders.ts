import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Refund } from '../../lib/adapter-types.ts'
import { listOrderAnswers, listOrdersOf, type NetworkOrder, type StoredAnswer } from '../connections/network-orders.ts'
import { listRecipients, openStates } from './payments.ts'

/** The ids of these orders whose recipients still wait for the money. */
export async function readWantedPayouts(db: Reader, orders: readonly NetworkOrder[]): Promise<Set<number>> {
  const open = await db<{ id: number }[]>`
    select id from payment_recipients
    where id = any(${orders.map((order) => order.payment_recipient!)}::bigint[]) and state = any(${openStates}::text[])`
  const ids = new Set(open.map(({ id }) => id))
  return new Set(orders.filter((order) => ids.has(order.payment_recipient!)).map(({ id }) => id))
}

/** More would leave than came in: the network has taken money back, or a refund was sent after it had failed. */
export const refundsExceed = sql`
  (refunded + case status when 'reversed' then amount else reversed_in_parts end > amount)`

/** True if an order returns money of a collection of which that much is not left. */
export async function exceedsCollection(db: Reader, { payment_recipient }: NetworkOrder): Promise<boolean> {
  const [found] = await db<{ exceeds: boolean }[]>`
    select ${refundsExceed} as exceeds from collections
    where id = (select p.collection from payment_recipients r join payments p on p.id = r.payment where r.id = ${payment_recipient})`
  return found?.exceeds === true
}

/** Order of a recipient, with its network's answers. */
export interface PayoutOrderHistory
  extends Pick<
    NetworkOrder,
    'reference' | 'kind' | 'connection' | 'attempt' | 'state' | 'remote_id' | 'sent' | 'closed' | 'attention'
  > {
  answers: Omit<StoredAnswer, 'network_order'>[]
}

/** The orders of each recipient of a payment, in the order of the recipients; of one recipient the first attempt first. */
export async function readOrdersOfPayment(db: AnyReader, payment: number): Promise<PayoutOrderHistory[][]> {
  const recipients = await listRecipients(db, [payment])
  const orders = await db<NetworkOrder[]>`
    select * from network_orders where payment_recipient = any(${recipients.map(({ id }) => id)}::bigint[]) order by attempt`
  const said = await listOrderAnswers(
    db,
    orders.map(({ id }) => id),
  )
  const answers = Map.groupBy(said, ({ network_order }) => network_order)
  const by_recipient = Map.groupBy(orders, (order) => order.payment_recipient!)
  return recipients.map(({ id }) =>
    (by_recipient.get(id) ?? []).map((order) => toHistory(order, answers.get(order.id) ?? [])),
  )
}

function toHistory(order: NetworkOrder, answers: readonly StoredAnswer[]): PayoutOrderHistory {
  const { reference, kind, connection, attempt, state, remote_id, sent, closed, attention } = order
  return {
    reference,
    kind,
    connection,
    attempt,
    state,
    remote_id,
    sent,
    closed,
    attention,
    answers: answers.map(({ network_order: _, ...answer }) => answer),
  }
}

/** Charge that a refund pays back. */
export async function readChargeOfRefund(db: Reader, { id }: NetworkOrder): Promise<Refund['charge'] | undefined> {
  const [charge] = await db<Refund['charge'][]>`
    select o.reference, o.remote_id, c.remote_transaction_id as transaction, c.amount
    from network_orders r join collections c on c.id = r.collection join network_orders o on o.id = c.network_order
    where r.id = ${id}`
  return charge
}

/** Reads the charges of collections without partial reversals, by the id of their collection, with their connection. */
export async function readCharges(
  db: Reader,
  collections: readonly number[],
): Promise<Map<number, Refund['charge'] & { connection: string }>> {
  if (collections.length === 0) return new Map()
  const found = await db<(Refund['charge'] & { connection: string; collection: number })[]>`
    select c.id as collection, c.connection, o.reference, o.remote_id, c.remote_transaction_id as transaction, c.amount
    from collections c join network_orders o on o.id = c.network_order
    where c.id = any(${[...collections]}::bigint[]) and c.reversed_in_parts = 0 and o.connection = c.connection`
  return new Map(found.map(({ collection, ...charge }) => [collection, charge]))
}

/**
 * Finds the charge of a successful collection without refunds and reversals, with the connection that made it. Undefined if
 * there is none.
 */
export async function findPaidCharge(
  db: Reader,
  collection: number,
): Promise<(Refund['charge'] & { connection: string; phonenumber: string; sent: Date }) | undefined> {
  const [found] = await db<(Refund['charge'] & { connection: string; phonenumber: string; sent: Date })[]>`
    select c.connection, o.reference, o.remote_id, c.remote_transaction_id as transaction, c.amount, o.phonenumber, o.sent
    from collections c join network_orders o on o.id = c.network_order
    where c.id = ${collection} and c.status = 'successful' and c.refunded = 0 and c.reversed_in_parts = 0
      and o.connection = c.connection and o.sent is not null`
  return found
}

/** The newest order of this recipient; undefined if none was made. */
export async function findOrderOfRecipient(tx: Tx, recipient: number): Promise<NetworkOrder | undefined> {
  const orders = await listOrdersOf(tx, { payment_recipient: recipient })
  return orders.at(-1)
}

/** The newest order of the payout that the network sent under this id. Undefined if there is none. */
export async function findOrderOfPayout(
  tx: Tx,
  connection: string,
  remote_id: string,
): Promise<NetworkOrder | undefined> {
  const [found] = await tx<{ id: number }[]>`
    select id from payment_recipients where connection = ${connection} and remote_transaction_id = ${remote_id}`
  return found && findOrderOfRecipient(tx, found.id)
}
