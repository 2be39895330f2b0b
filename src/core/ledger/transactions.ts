import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { parseFilterDate } from '../../lib/time.ts'
import { amount, documented, fieldMessages, id, integer, timestamp } from '../fields.ts'
import { buildCondition, type Condition, type ConditionBuilders, exactText, timestampFilter } from '../filters.ts'
import type { TransferKind } from './transfers.ts'

/** The types of transactions that clients know, as far as they happen here, and `bill_payment`, a word of our own. */
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
 * What organizations read each kind of transfer as. What is given back carries the type of what was taken, with the other
 * sign, so that the sum over a type is what it has cost or brought. A kind that is missing here does not compile.
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
}

/** One change of a wallet's balance, as its organization sees it. */
export const Transaction = z
  .object({
    id,
    account: documented(id, 'The wallet.'),
    amount: documented(amount, 'Negative when it left the wallet.', '1500.0000', '-20.0000'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    description: documented(z.string(), 'What it was for.', 'Collection 12'),
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
  type: exactText('Type; one that does not exist finds nothing.', 'mobile_collection'),
  created_after: timestampFilter('Later than this moment.'),
  created_before: timestampFilter('Earlier than this moment.'),
  start_date: timestampFilter('On this day or later, or from this moment on.'),
  end_date: z
    .string()
    .transform(endOfRange)
    .optional()
    .meta({ description: 'On this day or earlier, or up to this moment.', examples: ['2030-01-31'] }),
}
export type TransactionFilters = z.output<z.ZodObject<typeof transactionFilters>>

export interface TransactionPageOptions {
  field: 'id' | 'amount'
  descending: boolean
  limit: number
  offset: number
}

const timeFilters = ['created_after', 'created_before', 'start_date', 'end_date'] as const

/** One page of an organization's transactions that match the filters, and the exact count of all of them. */
export async function listTransactions(
  db: Reader,
  organization: number,
  filters: TransactionFilters,
  slice: TransactionPageOptions,
): Promise<{ rows: Transaction[]; count: number }> {
  const wallets = await findWalletIds(db, organization, filters.account)
  if (wallets.length === 0) return { rows: [], count: 0 }
  const [rows, [total]] = await Promise.all([
    db<TransferView[]>`${transactionPageQuery(wallets, filters, slice)}`,
    db<{ count: number }[]>`select count(*) from (${walletEntries(wallets, filters)}) e`,
  ])
  return { rows: rows.map(toTransaction), count: total!.count }
}

/** The statement that finds one page. Every filter has an index (migrations/0012_contacts-and-statements.sql). */
export function transactionPageQuery(
  wallets: readonly number[],
  filters: TransactionFilters,
  slice: TransactionPageOptions,
) {
  const direction = slice.descending ? sql`desc` : sql`asc`
  // Ids and times rise together, which PostgreSQL does not know: it would walk from the newest id to a distant day. So
  // what lies between two moments is gathered first, and then put in order.
  const gathers = timeFilters.some((time) => filters[time] !== undefined)
  const first = gathers
    ? sql.empty
    : sql`order by ${sql.identifier(slice.field)} ${direction}, id ${direction} limit ${slice.offset + slice.limit}`
  return sql`
    with found as materialized (
      select id, account, amount from (${walletEntries(wallets, filters, first)}) e
      order by ${sql.identifier(slice.field)} ${direction}, id ${direction}, account
      limit ${slice.limit} offset ${slice.offset})
    select t.id, f.account, f.amount, t.currency, t.description, t.created, t.kind
    from found f join transfers t on t.id = f.id
    order by ${sql.identifier(`f.${slice.field}`)} ${direction}, f.id ${direction}, f.account`
}

/**
 * The transactions of an organization that match the filters, oldest first, in pieces. Each is a statement of its own
 * that begins where the last one ended, so that a walk over millions keeps neither memory nor a transaction.
 */
export async function* streamTransactions(
  db: Reader,
  organization: number,
  filters: TransactionFilters,
  piece: number,
): AsyncGenerator<Transaction[]> {
  const wallets = await findWalletIds(db, organization, filters.account)
  // Ids are handed out before they are committed: what comes late below the last id of a piece belongs to a later walk.
  for (let after = { id: 0, account: 0 }; wallets.length > 0; ) {
    // One more than the piece, because a branch may hold the entry that the last piece ended with.
    const next = sql`and id >= ${after.id} order by id limit ${piece + 1}`
    const found = await db<TransferView[]>`
      select t.id, f.account, f.amount, t.currency, t.description, t.created, t.kind from (
        select id, account, amount from (${walletEntries(wallets, filters, next)}) e
        where (id, account) > (${after.id}, ${after.account}) order by id, account limit ${piece}) f
      join transfers t on t.id = f.id order by f.id, f.account`
    if (found.length > 0) yield found.map(toTransaction)
    if (found.length < piece) return
    after = found.at(-1)!
  }
}

/** How many transactions match, for those who show progress. */
export async function countTransactions(db: Reader, organization: number, filters: TransactionFilters) {
  return (await listTransactions(db, organization, filters, { field: 'id', descending: false, limit: 0, offset: 0 }))
    .count
}

/** The transaction with this id whoever owns it, so that the caller can tell 403 from 404. */
export async function findTransaction(
  db: Reader,
  transaction: number,
): Promise<(Transaction & { organization: number }) | undefined> {
  const [row] = await db<(TransferView & { organization: number })[]>`
    select t.id, a.id as account, case when a.id = t.to_account then t.amount else -t.amount end as amount, t.currency,
      t.description, t.created, t.kind, a.organization
    from transfers t join accounts a on a.id in (t.from_account, t.to_account) and a.kind in ('local', 'cross_border')
    where t.id = ${transaction} order by a.id = t.to_account limit 1`
  return row && { ...toTransaction(row), organization: row.organization }
}

/** What these entries of the books did to a wallet, by their references; entries between other accounts are left out. */
export async function findTransactionsByReference(
  db: Reader,
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

async function findWalletIds(db: Reader, organization: number, account: number | undefined): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select id from accounts where organization = ${organization} and kind in ('local', 'cross_border')
      and ${account === undefined ? sql.always : sql`id = ${account}`} order by id`
  return rows.map((row) => row.id)
}

/**
 * Both sides of the wallets' transfers. Each wallet and side is a branch of its own, because only then does an index give
 * its transfers in their order. A transfer between two wallets is an entry of each.
 * @param rest what ends each branch: its order, and how much of it is wanted.
 */
function walletEntries(wallets: readonly number[], filters: TransactionFilters, rest: Condition = sql.empty) {
  const matches = conditions(filters)
  const branches = wallets.flatMap((wallet) => [
    sql`(select id, to_account as account, amount from transfers where to_account = ${wallet} and ${matches} ${rest})`,
    // The amount is ordered as it is shown, that is with its sign.
    sql`(select * from (select id, from_account as account, -amount as amount from transfers
      where from_account = ${wallet} and kind <> 'mobile_collection' and ${matches}) taken where true ${rest})`,
  ])
  return sql.join(branches, ' union all ')
}

function conditions(filters: TransactionFilters): Condition {
  const written: ConditionBuilders<Omit<TransactionFilters, 'account'>> = {
    type: (type) => sql`kind = any(${transferKindsOfType(type)}::text[])`,
    created_after: (moment) => sql`created > ${moment}`,
    created_before: (moment) => sql`created < ${moment}`,
    start_date: (moment) => sql`created >= ${moment}`,
    end_date: (moment) => sql`created < ${moment}`,
  }
  return buildCondition(written, filters)
}

function transferKindsOfType(type: string): string[] {
  return Object.entries(typeByTransferKind).flatMap(([kind, one]) => (one === type ? [kind] : []))
}

/** SQL is told no year of five digits. */
const MAX_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59)
const SECOND_MS = 1_000
const DAY_MS = 24 * 60 * 60 * SECOND_MS

/** A range ends with the day or the second that is named: where the next one begins. */
function endOfRange(text: string, context: { addIssue(issue: { code: 'custom'; message: string }): void }): Date {
  const date = parseFilterDate(text)
  if (!date) context.addIssue({ code: 'custom', message: fieldMessages.moment })
  const whole_day = !text.includes(':')
  return new Date(Math.min((date?.getTime() ?? 0) + (whole_day ? DAY_MS : SECOND_MS), MAX_DATE_MS))
}
