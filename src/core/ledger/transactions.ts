import { z } from 'zod'
import type { AnyReader, Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { parseFilterDate } from '../../lib/time.ts'
import { amount, documented, fieldMessages, id, integer, timestamp } from '../fields.ts'
import { buildCondition, type Condition, type ConditionBuilders, exactText, timestampFilter } from '../filters.ts'
import type { TransferKind } from './transfers.ts'

/** The transaction types that existing clients know and that Kusanya uses, and `bill_payment`, which Kusanya adds. */
export const transactionTypes = [
  'mobile_collection',
  'mobile_payment',
  'airtime_topup',
  'bill_payment',
  'service_charge',
  'admin_funds_update',
] as const
export type TransactionType = (typeof transactionTypes)[number]

/**
 * The transaction type that organizations see for each kind of transfer. Returned money has the type of the original transfer
 * with the opposite sign, so the sum over a type is its net amount. A kind that is missing here does not compile.
 */
const typeByTransferKind: Readonly<Record<TransferKind, TransactionType>> = {
  mobile_collection: 'mobile_collection',
  mobile_collection_reversal: 'mobile_collection',
  mobile_collection_suspense: 'mobile_collection',
  admin_funds_update: 'admin_funds_update',
  test_funds_refill: 'admin_funds_update',
  mobile_payment: 'mobile_payment',
  mobile_payment_hold: 'mobile_payment',
  mobile_payment_release: 'mobile_payment',
  mobile_payment_reversal: 'mobile_payment',
  airtime_topup: 'airtime_topup',
  airtime_topup_hold: 'airtime_topup',
  airtime_topup_release: 'airtime_topup',
  airtime_topup_reversal: 'airtime_topup',
  bill_payment: 'bill_payment',
  bill_payment_hold: 'bill_payment',
  bill_payment_release: 'bill_payment',
  bill_payment_reversal: 'bill_payment',
  service_charge: 'service_charge',
  service_charge_hold: 'service_charge',
  service_charge_release: 'service_charge',
  service_charge_reversal: 'service_charge',
  // These move no money of wallets, so no organization sees them.
  network_fee: 'service_charge',
  float_adjustment: 'admin_funds_update',
  float_settlement: 'admin_funds_update',
}

/** Change of a wallet's balance, as its organization sees it. */
export const Transaction = z
  .object({
    id,
    account: documented(id, 'The wallet.'),
    amount: documented(amount, 'Negative if money left the wallet.', '1500.0000', '-20.0000'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    description: documented(z.string(), 'The reason for the transaction.', 'Collection 12'),
    created: timestamp,
    type: documented(z.enum(transactionTypes), 'Why the balance changed.', 'mobile_collection'),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.output<typeof Transaction>

/** The filters of the list (the wider interface). */
export const transactionFilters = {
  account: integer()
    .optional()
    .meta({ description: 'Id of the wallet.', examples: [1] }),
  type: exactText('Type; an unknown type finds nothing.', 'mobile_collection'),
  created_after: timestampFilter('After this time.'),
  created_before: timestampFilter('Before this time.'),
  start_date: timestampFilter('On this day or later, or at this time or later.'),
  end_date: z
    .string()
    .transform(endOfRange)
    .optional()
    .meta({ description: 'On this day or earlier, or at this time or earlier.', examples: ['2030-01-31'] }),
}
export type TransactionFilters = z.output<z.ZodObject<typeof transactionFilters>>

export interface TransactionPageOptions {
  field: 'id' | 'amount'
  descending: boolean
  limit: number
  offset: number
}

const timeFilters = ['created_after', 'created_before', 'start_date', 'end_date'] as const

/** Lists one page of an organization's transactions that match the filters, with the exact count of all of them. */
export async function listTransactions(
  db: AnyReader,
  organization: number,
  filters: TransactionFilters,
  page: TransactionPageOptions,
): Promise<{ rows: Transaction[]; count: number }> {
  const wallets = await findWalletIds(db, organization, filters.account)
  if (wallets.length === 0) return { rows: [], count: 0 }
  const [rows, [total]] = await Promise.all([
    db<TransferView[]>`${transactionPageQuery(wallets, filters, page)}`,
    db<{ count: number }[]>`select count(*) from (${walletEntries(wallets, filters)}) e`,
  ])
  return { rows: rows.map(toTransaction), count: total!.count }
}

/** The SQL query for one page. Every filter has an index (migrations/0005_ledger.sql). */
export function transactionPageQuery(
  wallets: readonly number[],
  filters: TransactionFilters,
  page: TransactionPageOptions,
) {
  const direction = page.descending ? sql`desc` : sql`asc`
  // Ids and times increase together, but PostgreSQL does not know this: it would scan from the newest id to a distant day.
  // So a query with a time range reads the rows of the range first, and sorts them then.
  const has_time_range = timeFilters.some((name) => filters[name] !== undefined)
  const branch_end = has_time_range
    ? sql.empty
    : sql`order by ${sql.identifier(page.field)} ${direction}, id ${direction} limit ${page.offset + page.limit}`
  return sql`
    with found as materialized (
      select id, account, amount from (${walletEntries(wallets, filters, branch_end)}) e
      order by ${sql.identifier(page.field)} ${direction}, id ${direction}, account
      limit ${page.limit} offset ${page.offset})
    select t.id, f.account, f.amount, t.currency, t.description, t.created, t.kind
    from found f join transfers t on t.id = f.id
    order by ${sql.identifier(`f.${page.field}`)} ${direction}, f.id ${direction}, f.account`
}

/**
 * Yields the transactions of an organization that match the filters, oldest first, in chunks. Each chunk is a separate
 * statement that starts after the previous chunk, so an export of millions needs little memory and no long transaction.
 */
export async function* streamTransactions(
  db: AnyReader,
  organization: number,
  filters: TransactionFilters,
  max_chunk_rows: number,
): AsyncGenerator<Transaction[]> {
  const wallets = await findWalletIds(db, organization, filters.account)
  // Transactions draw ids before they commit. A row that is committed late with a smaller id is not in this export.
  for (let after = { id: 0, account: 0 }; wallets.length > 0; ) {
    // One row more, because a branch can contain the last entry of the previous chunk.
    const next = sql`and id >= ${after.id} order by id limit ${max_chunk_rows + 1}`
    const found = await db<TransferView[]>`
      select t.id, f.account, f.amount, t.currency, t.description, t.created, t.kind from (
        select id, account, amount from (${walletEntries(wallets, filters, next)}) e
        where (id, account) > (${after.id}, ${after.account}) order by id, account limit ${max_chunk_rows}) f
      join transfers t on t.id = f.id order by f.id, f.account`
    if (found.length > 0) yield found.map(toTransaction)
    if (found.length < max_chunk_rows) return
    after = found.at(-1)!
  }
}

/** Counts the transactions that match, to show progress. */
export async function countTransactions(db: Reader, organization: number, filters: TransactionFilters) {
  return (await listTransactions(db, organization, filters, { field: 'id', descending: false, limit: 0, offset: 0 }))
    .count
}

/** The transaction with this id, of any organization. The caller distinguishes 403 from 404 by `organization`. */
export async function findTransaction(
  db: AnyReader,
  transaction: number,
): Promise<(Transaction & { organization: number }) | undefined> {
  const [row] = await db<(TransferView & { organization: number })[]>`
    select t.id, a.id as account, case when a.id = t.to_account then t.amount else -t.amount end as amount, t.currency,
      t.description, t.created, t.kind, a.organization
    from transfers t join accounts a on a.id in (t.from_account, t.to_account) and a.kind in ('local', 'cross_border')
    where t.id = ${transaction} order by a.id = t.to_account limit 1`
  return row && { ...toTransaction(row), organization: row.organization }
}

/** The transactions of wallets that these transfers caused, by reference. Transfers without a wallet are left out. */
export async function findTransactionsByReference(
  db: AnyReader,
  references: readonly string[],
): Promise<Map<string, Transaction>> {
  if (references.length === 0) return new Map()
  const rows = await db<(TransferView & { reference: string })[]>`
    select t.reference, t.id, a.id as account, case when a.id = t.to_account then t.amount else -t.amount end as amount,
      t.currency, t.description, t.created, t.kind
    from transfers t join accounts a on a.id in (t.from_account, t.to_account) and a.kind in ('local', 'cross_border')
    where t.reference = any(${references}::text[])`
  return new Map(rows.map(({ reference, ...row }) => [reference, toTransaction(row)]))
}

type TransferView = Omit<Transaction, 'type'> & { kind: TransferKind }

function toTransaction({ kind, ...transfer }: TransferView): Transaction {
  return { ...transfer, type: typeByTransferKind[kind] }
}

async function findWalletIds(db: AnyReader, organization: number, account: number | undefined): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from accounts where organization = ${organization} and kind in ('local', 'cross_border')
      and ${account === undefined ? sql.always : sql`id = ${account}`} order by id`
  return rows.map((row) => row.id)
}

/**
 * The incoming and outgoing transfers of wallets. Each wallet and direction is a separate branch, because only then an index
 * returns the transfers in order. A transfer between two wallets is an entry of both.
 * @param branch_end the end of each branch: its order and limit
 */
function walletEntries(wallets: readonly number[], filters: TransactionFilters, branch_end: Condition = sql.empty) {
  const matches = conditions(filters)
  const branches = wallets.flatMap((wallet) => [
    sql`(select id, to_account as account, amount from transfers where to_account = ${wallet} and ${matches} ${branch_end})`,
    // Amounts are sorted with the sign that the organization sees.
    sql`(select * from (select id, from_account as account, -amount as amount from transfers
      where from_account = ${wallet} and kind <> 'mobile_collection' and ${matches}) outgoing where true ${branch_end})`,
  ])
  return sql.join(branches, ' union all ')
}

function conditions(filters: TransactionFilters): Condition {
  const builders: ConditionBuilders<Omit<TransactionFilters, 'account'>> = {
    type: (type) => sql`kind = any(${transferKindsOfType(type)}::text[])`,
    created_after: (time) => sql`created > ${time}`,
    created_before: (time) => sql`created < ${time}`,
    start_date: (time) => sql`created >= ${time}`,
    end_date: (time) => sql`created < ${time}`,
  }
  return buildCondition(builders, filters)
}

function transferKindsOfType(type: string): string[] {
  return Object.entries(typeByTransferKind).flatMap(([kind, kind_type]) => (kind_type === type ? [kind] : []))
}

/** PostgreSQL gets no year with five digits. */
const MAX_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59)
const SECOND_MS = 1_000
const DAY_MS = 24 * 60 * 60 * SECOND_MS

/** The end of a range includes the given day or second: the range ends where the next day or second starts. */
function endOfRange(text: string, context: { addIssue(issue: { code: 'custom'; message: string }): void }): Date {
  const date = parseFilterDate(text)
  if (!date) context.addIssue({ code: 'custom', message: fieldMessages.timestamp })
  const whole_day = !text.includes(':')
  return new Date(Math.min((date?.getTime() ?? 0) + (whole_day ? DAY_MS : SECOND_MS), MAX_DATE_MS))
}
