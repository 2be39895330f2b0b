import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { isFree } from '../leases.ts'
import { type NetworkOrder, networkOrderTable, type OrderKind, type OrderState } from './network-order.ts'

/** Capacity of one process for the orders of one kind on one connection. */
export interface OrderWant {
  /** The slug of the connection. */
  connection: string
  kind: OrderKind
  /** Kinds of one connection that share their slots have the same lane. */
  lane: string
  /** Number of orders of this lane that may be claimed. The same for all kinds of the lane. */
  slots: number
  /** True if new orders are sent. Otherwise the connection only gets status queries. */
  sends: boolean
  /** True if the network creates its id of an order in a separate call, before the order is sent. */
  prepares: boolean
  /** The end of the lease, on the real clock. */
  lease_end: Date
}

/** A claimed order. It is marked as sent before anything is sent. */
export interface ClaimedOrder extends NetworkOrder {
  leased_until: Date
  /** The state before this claim. A `new` order is to be sent now, or to be prepared. */
  was: OrderState
}

/**
 * Claims due orders under a lease: in turn by connection, and within a connection in turn by organization and kind. So
 * a million orders of one organization do not delay the order of another. New orders that are sent now are marked as
 * sent: a process that is killed after the call leaves no order that looks unsent. Each index probe finds the next
 * organization with due dates, so that the number of orders does not matter.
 */
export async function claimNetworkOrders(
  tx: Tx,
  now: Date,
  real: Date,
  wants: readonly OrderWant[],
): Promise<ClaimedOrder[]> {
  if (wants.length === 0) return []
  return tx<ClaimedOrder[]>`
    with recursive ${queues(wants)},
    found as (
      select w.connection, w.lane, w.slots, o.id, o.due_at,
        row_number() over (partition by q.connection, q.kind, q.organization order by o.due_at, o.id) as turn
      from queues q join wants w on w.connection = q.connection and w.kind = q.kind
      cross join lateral (
        select o.id, o.due_at from network_orders o
        where o.connection = q.connection and o.kind = q.kind and o.organization = q.organization
          and o.due_at <= ${now} and ${isFree(real)} and (w.sends or o.state <> 'new')
        order by o.due_at limit w.slots) o),
    chosen as (
      select id, slots, row_number() over (partition by connection, lane order by turn, due_at, id) as place from found),
    claimed as (
      update network_orders t set leased_until = w.lease_end,
        state = case when ${IS_SENT} then 'sent' else t.state end, sent = case when ${IS_SENT} then ${now} else t.sent end,
        sent_real = case when t.kind = 'vend' and t.state = 'new' then ${real} else t.sent_real end
      from wants w
      where w.connection = t.connection and w.kind = t.kind and t.id = any(array(
        select id from network_orders
        where id = any(array(select id from chosen where place <= slots)) and due_at <= ${now} and ${isFree(real)}
        for update skip locked))
      returning ${networkOrderTable.columnsOf('t')}, old.state as was)
    select * from claimed order by id`
}

const IS_SENT = sql`t.state = 'new' and (not w.prepares or t.remote_id is not null)`

/** Finds the time when the next wanted, unclaimed order is due, or null. */
export async function nextDueNetworkOrder(db: Reader, real: Date, wants: readonly OrderWant[]): Promise<Date | null> {
  if (wants.length === 0) return null
  const [row] = await db<{ due_at: Date | null }[]>`
    with recursive ${queues(wants)}
    select min(o.due_at) as due_at
    from queues q join wants w on w.connection = q.connection and w.kind = q.kind
    cross join lateral (
      select o.due_at from network_orders o
      where o.connection = q.connection and o.kind = q.kind and o.organization = q.organization
        and o.due_at is not null and ${isFree(real)} and (w.sends or o.state <> 'new')
      order by o.due_at limit 1) o`
  return row?.due_at ?? null
}

/** The wants as a table, and the organizations with due dates among their orders, found by one probe of the index each. */
function queues(wants: readonly OrderWant[]) {
  const wanted = rows(wants, {
    connection: 'text',
    kind: 'text',
    lane: 'text',
    slots: 'integer',
    sends: 'boolean',
    prepares: 'boolean',
    lease_end: 'timestamptz',
  })
  return sql`
    wants as materialized (select * from ${wanted.as('w')}),
    queues as (
      select w.connection, w.kind, f.organization from wants w cross join lateral (
        select o.organization from network_orders o
        where o.connection = w.connection and o.kind = w.kind and o.due_at is not null
        order by o.organization limit 1) f
      union all
      select q.connection, q.kind, f.organization from queues q cross join lateral (
        select o.organization from network_orders o
        where o.connection = q.connection and o.kind = q.kind and o.organization > q.organization and o.due_at is not null
        order by o.organization limit 1) f)`
}
