import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { sql } from '../../../db/sql.ts'
import { WriteConflict } from '../../../lib/batches/write-conflict.ts'
import { readKnownPhone } from '../../../lib/phone.ts'
import type { IncomingPaymentReport } from '../../connections/destinations.ts'
import { lockOrders, writeOrders } from '../../connections/network-orders.ts'
import { decideOrder, type Learnt } from '../../connections/order-outcomes.ts'
import { refuseDepartedOrders } from '../../moves.ts'
import { remoteTransactionKey, remoteTransactions } from '../reversals.ts'
import { learnFromMoney } from './outcomes.ts'

/*
 * Money has one identity per order: an order is paid once, whether the callback, the status query or the statement
 * reports it first, and whatever ids they use. The network's id is filled in when it becomes known.
 */

/** The order that a reported payment names, and the money that has answered it already. */
export interface PaidOrder {
  id: number
  reference: string
  remote_id: string | null
  request: number
  account: number
  currency: string
  phonenumber: string
  is_closed: boolean
  /** True if people have attested its end; the network's answer is then compared with that. */
  is_attested: boolean
  collection: number | null
  /** The remote transaction id of that collection. */
  recorded_as: string | null
  /** The request that it has fulfilled. */
  fulfilled: number | null
}

/** A collection with the same remote transaction id as a report. */
export interface RecordedMoney {
  id: number
  network_order: number | null
  /** The request that it has fulfilled. */
  request: number | null
}

/** A report of money, with the knowledge of the books about the order that it names. */
export interface PaidReport {
  /** It has the account of its order, and the id under which its money is recorded. */
  report: IncomingPaymentReport
  order?: PaidOrder | undefined
}

/** Finds the orders that reports name. A connection can only name orders of its own. */
export async function readPaidOrders(tx: Tx, incoming: readonly IncomingPaymentReport[]): Promise<PaidReport[]> {
  const reports = await nameHiddenOrders(tx, incoming)
  const naming = reports.filter(({ order_reference }) => order_reference !== null)
  if (naming.length === 0) return reports.map((report) => ({ report }))
  const n = rows(naming, { connection: ['text', ({ network }) => network.slug], order_reference: 'text' })
  const named = await tx<(PaidOrder & { connection: string })[]>`
    select o.connection, o.id, o.reference, o.remote_id, o.closed is not null as is_closed,
      o.attested is not null as is_attested, r.id as request, r.account, r.currency, o.phonenumber,
      c.id as collection, c.remote_transaction_id as recorded_as, c.collection_request as fulfilled
    from ${n.as('n')}
    join network_orders o on o.reference = n.order_reference and o.connection = n.connection and o.kind = 'charge'
    join collection_requests r on r.id = o.collection_request
    left join collections c on c.network_order = o.id`
  const orders = new Map(named.map(({ connection, ...order }) => [`${connection}:${order.reference}`, order]))
  const paid = reports.map((report) => ({
    report,
    order: orders.get(`${report.network.slug}:${report.order_reference}`),
  }))
  const unknown = paid.flatMap(({ report, order }) => (order ? [] : (report.order_reference ?? [])))
  if (unknown.length > 0) await refuseDepartedOrders(tx, unknown)
  const earlier = await findEarlierMoney(tx, paid)
  return paid.map(({ report, order }) => ({ report: order ? identify(report, order, earlier) : report, order }))
}

/**
 * Maximum time that money may be dated before and after the sending of its prompt: the prompt is on the phone for
 * minutes, and clocks differ.
 */
const MAX_EARLY = sql`interval '2 minutes'`
const MAX_LATE = sql`interval '5 minutes'`

/**
 * Finds the ids of money that was recorded before its network confirmed the order and without naming it, by the id of
 * the order. It has the phone and the amount of the order, and was paid while the prompt was on the phone.
 */
async function findEarlierMoney(tx: Tx, paid: readonly PaidReport[]): Promise<Map<number, string>> {
  const without_id = paid.flatMap(({ report, order }) =>
    order && isStandIn(report, order) && order.collection === null ? [order.id] : [],
  )
  if (without_id.length === 0) return new Map()
  const found = await tx<{ id: number; remote_id: string }[]>`
    select distinct on (o.id) o.id, c.remote_transaction_id as remote_id
    from network_orders o
    join collections c on c.organization = o.organization and c.phonenumber = o.phonenumber
      and c.connection = o.connection and c.amount = o.amount and c.currency = o.currency and c.network_order is null
      and (c.collection_request is null or c.collection_request = o.collection_request)
      and c.payment_date between o.sent - ${MAX_EARLY} and o.sent + ${MAX_LATE}
    where o.id = any(${without_id}::bigint[])
    order by o.id, c.collection_request nulls last, c.id`
  return new Map(found.map(({ id, remote_id }) => [id, remote_id]))
}

/** True if a report has an id of ours instead of the network's. */
function isStandIn({ remote_id }: IncomingPaymentReport, order: PaidOrder): boolean {
  return [order.reference, order.remote_id].includes(remote_id)
}

/**
 * Names the hidden order of reports. The money of such an order was recorded without the network's id, with the same
 * phone and amount. Its prompt was on the phone at the time of payment.
 */
async function nameHiddenOrders(
  tx: Tx,
  reports: readonly IncomingPaymentReport[],
): Promise<readonly IncomingPaymentReport[]> {
  const hidden = await findHiddenOrders(tx, reports)
  if (hidden.size === 0) return reports
  return reports.map((report, index) => ({ ...report, order_reference: hidden.get(index) ?? report.order_reference }))
}

async function findHiddenOrders(tx: Tx, reports: readonly IncomingPaymentReport[]): Promise<Map<number, string>> {
  const hiding = reports.flatMap((report, index) =>
    report.hides_order && report.order_reference === null ? [{ ...report, index }] : [],
  )
  if (hiding.length === 0) return new Map()
  const r = rows(hiding, {
    index: 'integer',
    connection: ['text', ({ network }) => network.slug],
    receiver: 'text',
    phonenumber: 'text',
    amount: 'numeric',
    currency: 'text',
    paid_at: 'timestamptz',
    remote_id: 'text',
    account: 'bigint',
  })
  const found = await tx<{ index: number; reference: string }[]>`
    select distinct on (r.index) r.index, o.reference
    from ${r.as('r')}
    left join connection_places p on p.connection = r.connection and p.number = r.receiver and p.currency = r.currency
    join accounts a on a.id = coalesce(r.account, p.account)
    join collections c on c.organization = a.organization and c.phonenumber = r.phonenumber
      and c.connection = r.connection and c.amount = r.amount and c.currency = r.currency
    join network_orders o on o.id = c.network_order and c.remote_transaction_id in (o.reference, o.remote_id)
    where r.paid_at between o.sent - ${MAX_EARLY} and o.sent + ${MAX_LATE}
      and not exists (select from collections k where k.connection = r.connection and k.remote_transaction_id = r.remote_id)
    order by r.index, o.id`
  return new Map(found.map(({ index, reference }) => [index, reference]))
}

/**
 * Refuses hidden orders.
 * @throws WriteConflict when the order of money that hides it was recorded while this transaction waited for its rows
 */
export async function refuseHiddenOrders(tx: Tx, reports: readonly IncomingPaymentReport[]): Promise<void> {
  if ((await findHiddenOrders(tx, reports)).size > 0) throw new WriteConflict()
}

/**
 * Returns the report with the account of its order, and the id under which its money is recorded unless this one is
 * better. The phone is the order's if the network hides a part of it.
 * @param earlier ids of money that was recorded before, by order
 */
function identify(
  report: IncomingPaymentReport,
  order: PaidOrder,
  earlier: ReadonlyMap<number, string>,
): IncomingPaymentReport {
  const account = report.account ?? (report.currency === order.currency ? order.account : undefined)
  const found = (isStandIn(report, order) && earlier.get(order.id)) || report.remote_id
  const remote_id =
    order.recorded_as === null || isFilledIn({ ...report, remote_id: found }, order) ? found : order.recorded_as
  const phonenumber = readKnownPhone(report.phonenumber) ? report.phonenumber : order.phonenumber
  return { ...report, account, remote_id, phonenumber }
}

/** True if a report has the network's id of money that was recorded without one. */
function isFilledIn(report: IncomingPaymentReport, order: PaidOrder): boolean {
  return [order.reference, order.remote_id].includes(order.recorded_as) && !isStandIn(report, order)
}

/** The transactions of these reports that are recorded already, by their keys. */
export async function readRecorded(
  tx: Tx,
  reports: readonly IncomingPaymentReport[],
): Promise<Map<string, RecordedMoney>> {
  const recorded = await tx<(RecordedMoney & { connection: string; remote_id: string })[]>`
    select c.connection, c.remote_transaction_id as remote_id, c.id, c.network_order, c.collection_request as request
    from ${remoteTransactions(reports).as('r')}
    join collections c on c.connection = r.connection and c.remote_transaction_id = r.remote_id`
  return new Map(
    recorded.map(({ connection, remote_id, ...money }) => [
      remoteTransactionKey({ network: { slug: connection }, remote_id }),
      money,
    ]),
  )
}

/** Adds the money of paid orders to the recorded money, under the keys of the reports. */
export function addPaidOrders(recorded: Map<string, RecordedMoney>, paid: readonly PaidReport[]): void {
  for (const { report, order } of paid) {
    const key = remoteTransactionKey(report)
    if (!order || order.collection === null || recorded.has(key)) continue
    recorded.set(key, { id: order.collection, network_order: order.id, request: order.fulfilled })
  }
}

/** @throws WriteConflict when two payments name one order: the second one must see the first */
export function refuseTwoPaymentsOfOneOrder(payments: readonly { order?: PaidOrder | undefined }[]): void {
  const orders = payments.flatMap(({ order }) => order?.id ?? [])
  if (new Set(orders).size < orders.length) throw new WriteConflict()
}

/** Reads what reports say about the orders that they name, by the id of the order. Of several the last one counts. */
export function learnFromReports(paid: readonly PaidReport[]): Map<number, Learnt> {
  return new Map(
    paid.flatMap(({ report, order }) => {
      const learnt = order && learnFromMoney(report, order)
      return learnt ? [[order.id, learnt]] : []
    }),
  )
}

/** Ends the orders that are paid, or whose money went back. Their requests must be locked. */
export async function settlePaidOrders(tx: Tx, now: Date, learnt: ReadonlyMap<number, Learnt>): Promise<void> {
  if (learnt.size === 0) return
  const locked = await lockOrders(tx, [...learnt.keys()])
  writeOrders(
    tx,
    now,
    [...learnt].map(([id, one]) => decideOrder(locked.get(id)!, one, now)),
  )
}

/**
 * Fills in the network's ids of money recorded without them. Links money to its order if it was recorded before the
 * link was known.
 */
export async function linkPaidOrders(
  tx: Tx,
  paid: readonly PaidReport[],
  recorded: ReadonlyMap<string, RecordedMoney>,
): Promise<void> {
  const filled_in = paid.flatMap(({ report, order }) => {
    if (!order) return []
    const money = recorded.get(remoteTransactionKey(report))
    const without_order = money?.network_order === null ? money.id : null
    const id = order.collection === null ? without_order : isFilledIn(report, order) ? order.collection : null
    return id === null ? [] : [{ id, connection: report.network.slug, remote_id: report.remote_id, order: order.id }]
  })
  if (filled_in.length === 0) return
  await tx`
    select id from collections where id = any(${filled_in.map(({ id }) => id)}::bigint[]) order by id for update`
  const r = rows(filled_in, { id: 'bigint', connection: 'text', remote_id: 'text', order: 'bigint' })
  await tx`
    update collections c set remote_transaction_id = r.remote_id, network_order = r.order
    from ${r.as('r')}
    where c.id = r.id
      and not exists (select from collections o where o.network_order = r.order and o.id <> c.id)
      and not exists (select from collections o
        where o.connection = r.connection and o.remote_transaction_id = r.remote_id and o.id <> c.id)`
}
