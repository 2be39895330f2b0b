import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type NewRow, table } from '../../db/table.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { amount, id, timestamp } from '../fields.ts'
import { buildCondition, type ConditionBuilders } from '../filters.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { MAX_COUNTED } from '../queues.ts'

/*
 * Payments that a network has reported for a receiver or currency without an account. They are in no books until they are
 * assigned to an account; then they become collections (assignPayment in core/collections/actions.ts).
 */

/** `unassigned`: it waits for an account. `assigned`: it is a collection. `reversed`: the network has reversed it. */
export const unassignedStates = ['unassigned', 'assigned', 'reversed'] as const
type UnassignedState = (typeof unassignedStates)[number]

/** Payments that a network has reported for a receiver or currency without an account. */
const unassignedTable = table('unassigned_payments', {
  id: column.id(),
  network: column.text(),
  /** The slug of the connection. */
  connection: column.text(),
  remote_transaction_id: column.text(),
  receiver: column.text(),
  currency: column.text(),
  amount: column.numeric(),
  /** E.164. */
  phonenumber: column.text(),
  order_reference: column.text().nullable(),
  /** Reference that the customer typed, if any. */
  reference: column.text().nullable(),
  payment_date: column.timestamptz(),
  state: column.text<(typeof unassignedStates)[number]>(),
  account: column.bigint().later(),
  collection: column.bigint().later(),
  assigned_by: column.text().later(),
  received: column.timestamptz(),
  modified: column.timestamptz(),
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().later(),
})

/** A payment as its network has reported it. */
export interface NewUnassignedPayment
  extends Omit<NewRow<typeof unassignedTable>, 'received' | 'modified' | 'due_at' | 'state'> {
  state: 'unassigned' | 'reversed'
}

/** A payment that is or was unassigned. */
export const UnassignedPayment = z.object({
  id,
  network: z.string(),
  /** The slug of the connection. */
  connection: z.string(),
  remote_transaction_id: z.string(),
  receiver: z.string(),
  currency: z.string(),
  amount,
  phonenumber: z.string(),
  order_reference: z.string().nullable(),
  reference: z.string().nullable(),
  payment_date: timestamp,
  state: z.enum(unassignedStates),
  /** The account and the collection that it was assigned to. */
  account: id.nullable(),
  collection: id.nullable(),
  /** The person who chose the account; null if its receiver was assigned to the account. */
  assigned_by: z.string().nullable(),
  received: timestamp,
  modified: timestamp,
})
export type UnassignedPayment = z.output<typeof UnassignedPayment>

/** A payment at its network. */
interface PaymentKey {
  connection: string
  remote_transaction_id: string
}

/**
 * Delay after which the service looks for a payment's account a second time. A receiver may be assigned while the
 * payment is stored, and neither transaction sees the other. Longer than any transaction takes.
 */
const RECHECK_MS = 60_000

/** Stores payments. @throws WriteConflict when another transaction has stored one of them */
export async function insertUnassigned(tx: Tx, now: Date, payments: readonly NewUnassignedPayment[]): Promise<void> {
  if (payments.length === 0) return
  const inserted = await tx`
    ${insert(unassignedTable, payments, { received: now, modified: now, due_at: new Date(now.getTime() + RECHECK_MS) })}
    order by connection, remote_transaction_id
    on conflict (connection, remote_transaction_id) do nothing returning id`
  if (inserted.length < payments.length) throw new WriteConflict()
}

/** Finds and locks the payments among these that are stored here. */
export async function lockUnassigned(tx: Tx, keys: readonly PaymentKey[]): Promise<UnassignedPayment[]> {
  const found = await tx<{ id: number }[]>`
    select u.id from ${rows(keys, { connection: 'text', remote_transaction_id: 'text' }).as('k')}
    join unassigned_payments u on u.connection = k.connection and u.remote_transaction_id = k.remote_transaction_id`
  if (found.length === 0) return []
  return tx<UnassignedPayment[]>`
    select ${COLUMNS} from unassigned_payments where id = any(${found.map(({ id }) => id)}::bigint[]) order by id for update`
}

/** Locks one payment; undefined when there is none with this id. */
export async function lockUnassignedById(tx: Tx, id: number): Promise<UnassignedPayment | undefined> {
  const [row] = await tx<UnassignedPayment[]>`select ${COLUMNS} from unassigned_payments where id = ${id} for update`
  return row
}

/** Records that the network has reversed these payments. They are never credited. The rows must be locked. */
export async function reverseUnassigned(tx: Tx, now: Date, ids: readonly number[]): Promise<void> {
  await tx`
    update unassigned_payments set state = 'reversed', modified = ${now}
    where id = any(${ids}::bigint[]) and state = 'unassigned'`
}

/** Part of a payment that the network has reversed, by its own id. */
interface UnassignedPart extends PaymentKey {
  remote_id: string
  amount: Amount
}

/** Stores reversed parts of payments that wait for an account, each once. The payments must be locked. */
export async function insertParts(tx: Tx, parts: readonly UnassignedPart[]): Promise<void> {
  if (parts.length === 0) return
  const r = rows(parts, { connection: 'text', remote_transaction_id: 'text', remote_id: 'text', amount: 'numeric' })
  await tx`
    insert into unassigned_payment_reversals (unassigned_payment, remote_id, amount)
    select u.id, r.remote_id, r.amount from ${r.as('r')}
    join unassigned_payments u on u.connection = r.connection and u.remote_transaction_id = r.remote_transaction_id
    where u.state = 'unassigned'
    on conflict do nothing`
}

/** Reads the reversed parts of these payments, in the order in which they were stored. */
export async function readParts(tx: Tx, ids: readonly number[]): Promise<UnassignedPart[]> {
  if (ids.length === 0) return []
  return tx<UnassignedPart[]>`
    select u.connection, u.remote_transaction_id, p.remote_id, p.amount
    from unassigned_payment_reversals p join unassigned_payments u on u.id = p.unassigned_payment
    where p.unassigned_payment = any(${ids}::bigint[]) order by p.id`
}

/** Links payments to the collections that they have become. The rows must be locked. */
export async function linkAssigned(tx: Tx, now: Date, ids: readonly number[]): Promise<void> {
  await tx`
    update unassigned_payments u set state = 'assigned', account = c.account, collection = c.id, modified = ${now},
      due_at = null, leased_until = null
    from collections c
    where u.id = any(${ids}::bigint[]) and u.state <> 'assigned'
      and c.connection = u.connection and c.remote_transaction_id = u.remote_transaction_id`
}

/** Records who has chosen the account of a payment. */
export async function setAssignedBy(tx: Tx, id: number, name: string): Promise<void> {
  await tx`update unassigned_payments set assigned_by = ${name} where id = ${id}`
}

/** Makes the payments to a receiver due, because it belongs to an account now. */
export async function scheduleUnassigned(tx: Tx, receiver: { connection: string; number: string }): Promise<void> {
  const waiting = await tx<{ id: number }[]>`
    select id from unassigned_payments
    where connection = ${receiver.connection} and receiver = ${receiver.number} and state = 'unassigned'`
  if (waiting.length === 0) return
  const ids = waiting.map(({ id }) => id)
  await tx`select id from unassigned_payments where id = any(${ids}::bigint[]) order by id for update`
  await tx`update unassigned_payments set due_at = received where id = any(${ids}::bigint[]) and state = 'unassigned'`
}

/** Claims payments to look for their accounts, under a lease. Payments of connections that are not in service wait. */
export function claimUnassigned(tx: Tx, times: ClaimTimes, limit: number): Promise<UnassignedPayment[]> {
  return claimDue<UnassignedPayment>(tx, { table: TABLE, times, limit, where: IN_SERVICE, returning: COLUMNS })
}

/** Finds the time when the next unclaimed payment is due, or null. */
export function nextDueUnassigned(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, TABLE, real, IN_SERVICE)
}

const IN_SERVICE = sql`connection not in (select slug from connections where state <> 'active')`

/** Ends the leases of payments that need not be looked at again until their receiver is assigned. */
export async function releaseUnassigned(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`update unassigned_payments set due_at = null, leased_until = null where id = any(${ids}::bigint[])`
}

const TABLE = 'unassigned_payments'
const { columns: COLUMNS } = unassignedTable.omit('due_at', 'leased_until')

interface UnassignedFilters {
  state?: UnassignedState
  network?: string
  currency?: string
  receiver?: string
}

const filterConditions: ConditionBuilders<UnassignedFilters> = {
  state: (state) => sql`state = ${state}`,
  network: (network) => sql`network = ${network}`,
  currency: (currency) => sql`currency = ${currency}`,
  receiver: (receiver) => sql`receiver = ${receiver}`,
}

/** The newest payments first, and how many match in all. */
export async function listUnassigned(
  db: Reader,
  filters: UnassignedFilters,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: UnassignedPayment[]; count: number }> {
  const where = buildCondition(filterConditions, filters)
  const [found, [total]] = await Promise.all([
    db<UnassignedPayment[]>`
      select ${COLUMNS} from unassigned_payments where ${where}
      order by id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from unassigned_payments where ${where}`,
  ])
  return { rows: [...found], count: total!.count }
}

/** The money that waits for an account, by receiver and currency. */
export const UnassignedTotal = z.object({
  network: z.string(),
  receiver: z.string(),
  currency: z.string(),
  count: z.int(),
  amount,
})
export type UnassignedTotal = z.output<typeof UnassignedTotal>

/** Adds up the remaining payments that wait for an account, largest group first, at most 200 groups. */
export async function readUnassignedTotals(db: AnyReader): Promise<UnassignedTotal[]> {
  return db`
    select connection as network, receiver, currency, count(*) as count, sum(greatest(amount - taken_back, 0)) as amount
    from unassigned_payments u cross join lateral (
      select coalesce(sum(p.amount), 0) as taken_back from unassigned_payment_reversals p where p.unassigned_payment = u.id) p
    where state = 'unassigned' group by connection, receiver, currency
    order by count(*) desc, connection, receiver, currency limit ${MAX_GROUPS}`
}

/** Counts the payments that wait for an account. */
export async function countUnassigned(db: Reader, max = MAX_COUNTED): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (select from unassigned_payments where state = 'unassigned' limit ${max}) unassigned`
  return row!.count
}

/** The money that belongs to no account, by currency: of `max` payments at most. */
export async function sumUnassigned(db: Reader, max = MAX_COUNTED): Promise<{ currency: string; amount: Amount }[]> {
  return db<{ currency: string; amount: Amount }[]>`
    select currency, sum(amount)::numeric(38,4) as amount from (
      select currency, amount from unassigned_payments where state = 'unassigned' limit ${max}) unassigned
    group by currency`
}

/** Returns a sentence for each receiver whose money waits for an account. */
export async function checkUnassigned(db: Reader): Promise<string[]> {
  return (await readUnassignedTotals(db)).map(
    ({ network, receiver, currency, count, amount }) =>
      `${currency} ${displayAmount(amount)} in ${count === 1 ? 'one payment' : `${count} payments`} to ${JSON.stringify(receiver)} on ${network} ${count === 1 ? 'belongs' : 'belong'} to no account. \`npx kusanya collections unassigned\` shows them.`,
  )
}

const MAX_GROUPS = 200
