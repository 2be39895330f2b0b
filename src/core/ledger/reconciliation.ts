import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import type { StatementLine, UnreadableLine } from '../../lib/statements/statement-line.ts'
import { bookNetworkFees } from './network-fees.ts'

/** The differences that can exist between a network's statement and the ledger. */
export const findingKinds = [
  'missing_in_books',
  'missing_at_network',
  'amount_differs',
  'currency_differs',
  'status_differs',
  'repeated_in_statement',
  'fee_differs',
  'unreadable',
] as const
export type FindingKind = (typeof findingKinds)[number]

/** Collection, payment, or reversed part of one, with the fields that a statement can also contain. */
export interface BookEntry {
  /** Id of the reversed collection or recipient. */
  id: number
  what: 'collection' | 'payment' | 'reversal'
  remote_id: string
  status: string
  amount: Amount
  currency: string
  paid_at: Date | null
  /** Charge of the network for it, as it is booked; null if nothing is. */
  network_fee: Amount | null
}

/** Difference, with the statement line and the ledger entry if they exist. */
export interface Finding {
  kind: FindingKind
  remote_id: string
  statement: StatementLine | null
  books: BookEntry | null
  /** The line, where it cannot be read; it was compared with nothing. */
  unreadable?: UnreadableLine
}

/** Line of a statement, with the entry that it was compared with. A repeated line has been compared before. */
interface ComparedLine {
  line: StatementLine
  books: BookEntry | null
  is_repeated: boolean
}

/**
 * Transactions to compare: of a network from `from` to `to`, both included, of one account or of all accounts. `sent`
 * says if the statement should also list payments.
 */
export interface ReconciliationScope {
  /** The slug of the connection. */
  connection: string
  from: Date
  to: Date
  account: number | null
  sent: boolean
}

/**
 * Creates an empty temporary table for the ids of a statement on this database connection. So a large statement needs
 * no more memory than a small one.
 */
export async function createStatementTable(db: Reader): Promise<void> {
  await db`create temp table if not exists statement_ids (remote_id text primary key)`
  await db`truncate statement_ids`
}

/**
 * Compares lines of a statement with the ledger, and stores their ids for `findMissingAtNetwork`.
 * @returns the lines with their entries, how many agree with the ledger, how many list payments, and the differences
 */
export async function compareLines(
  db: Reader,
  connection: string,
  lines: readonly StatementLine[],
): Promise<{ compared: ComparedLine[]; agreeing: number; sent: number; findings: Finding[] }> {
  const ids = lines.map((line) => line.remote_id)
  const inserted = await db<{ remote_id: string }[]>`
    insert into statement_ids select distinct unnest(${ids}::text[]) on conflict do nothing returning remote_id`
  const new_ids = new Set(inserted.map((row) => row.remote_id))
  const entries = await readEntries(db, connection, ids)
  const findings: Finding[] = []
  const compared: ComparedLine[] = []
  let agreeing = 0
  let sent = 0
  for (const line of lines) {
    const received = line.sent ? undefined : entries.get(`collection:${line.remote_id}`)
    const books =
      received ?? entries.get(`payment:${line.remote_id}`) ?? entries.get(`reversal:${line.remote_id}`) ?? null
    // A reversed part of received money does not show that the statement lists payments.
    const is_part = books?.what === 'reversal' || line.reversal_of !== null
    if (!is_part && (line.sent || books?.what === 'payment')) sent += 1
    // Only the first line of an id is compared. A repeated id may mean that the network counts money twice.
    const is_repeated = !new_ids.delete(line.remote_id)
    const kinds = is_repeated ? ['repeated_in_statement' as const] : findDifferences(line, books)
    compared.push({ line, books, is_repeated })
    if (kinds.length === 0) agreeing += 1
    findings.push(...kinds.map((kind) => ({ kind, remote_id: line.remote_id, statement: line, books })))
  }
  return { compared, agreeing, sent, findings }
}

/** Stores the ids of lines that cannot be read, so that they do not count as missing at the network, too. */
export async function noteUnreadableIds(db: Reader, lines: readonly UnreadableLine[]): Promise<void> {
  const ids = lines.flatMap(({ remote_id }) => remote_id || [])
  if (ids.length > 0) await db`insert into statement_ids select distinct unnest(${ids}::text[]) on conflict do nothing`
}

/** Finds ledger entries that the statement does not list, in chunks. */
export async function* findMissingAtNetwork(db: Reader, scope: ReconciliationScope): AsyncGenerator<Finding[]> {
  yield* readMissingInChunks((after) => findMissingCollections(db, scope, after))
  if (scope.sent) yield* readMissingInChunks((after) => findMissingPayments(db, scope, after))
}

async function* readMissingInChunks(read: (after: number) => Promise<BookEntry[]>): AsyncGenerator<Finding[]> {
  for (let after = 0; ; ) {
    const rows = await read(after)
    if (rows.length > 0)
      yield rows.map((books) => ({ kind: 'missing_at_network', remote_id: books.remote_id, statement: null, books }))
    if (rows.length < MAX_CHUNK_ROWS) return
    after = rows.at(-1)!.id
  }
}

function findMissingCollections(db: Reader, { connection, from, to, account }: ReconciliationScope, after: number) {
  return db<BookEntry[]>`
    select c.id, 'collection' as what, remote_transaction_id as remote_id, status, amount, currency,
      payment_date as paid_at, ${bookedFee(sql`'collection:' || c.id`)} as network_fee
    from collections c
    where id > ${after} and connection = ${connection} and payment_date between ${from} and ${to}
      and ${account === null ? sql.always : sql`account = ${account}`}
      and not exists (select 1 from statement_ids s where s.remote_id = c.remote_transaction_id)
    order by id limit ${MAX_CHUNK_ROWS}`
}

/**
 * Networks do not report when they sent money. It was sent between the start of the payment and the time when the result
 * came. The statement must list a payment only if both times lie within the compared period.
 */
function findMissingPayments(db: Reader, { connection, from, to, account }: ReconciliationScope, after: number) {
  return db<BookEntry[]>`
    select ${paymentEntryColumns()}
    from payment_recipients r join payments p on p.id = r.payment
    where r.id > ${after} and r.connection = ${connection} and r.remote_transaction_id is not null and r.modified <= ${to}
      and ${from} <= (select max(at) from payment_transitions m
        where m.payment = p.id and m.to_state in ('validated', 'approved'))
      and ${account === null ? sql.always : sql`p.account = ${account}`}
      and not exists (select 1 from statement_ids s where s.remote_id = r.remote_transaction_id)
    order by r.id limit ${MAX_CHUNK_ROWS}`
}

const MAX_CHUNK_ROWS = 1_000

/** Reads collections, payments and their partial reversals by the network's ids, because a statement can list all of them. */
async function readEntries(db: Reader, connection: string, ids: readonly string[]) {
  const rows = await db<BookEntry[]>`
    select c.id, 'collection' as what, remote_transaction_id as remote_id, status, amount, currency, payment_date as paid_at,
      ${bookedFee(sql`'collection:' || c.id`)} as network_fee
    from collections c where connection = ${connection} and remote_transaction_id = any(${ids}::text[])
    union all
    select ${paymentEntryColumns()}
    from payment_recipients r join payments p on p.id = r.payment
    where r.connection = ${connection} and r.remote_transaction_id = any(${ids}::text[])
    union all
    select c.id, 'reversal', v.remote_id, 'successful', v.amount, c.currency, v.created, null
    from collection_reversals v join collections c on c.id = v.collection
    where c.connection = ${connection} and v.remote_id = any(${ids}::text[])
    union all
    select r.id, 'reversal', v.remote_id, 'successful', v.amount, p.currency, v.created, null
    from payout_reversals v join payment_recipients r on r.id = v.recipient join payments p on p.id = r.payment
    where r.connection = ${connection} and v.remote_id = any(${ids}::text[])`
  return new Map(rows.map((row) => [`${row.what}:${row.remote_id}`, row]))
}

/** A recipient with a network's id was paid. If its state is `error` all the same, the payment was reversed. */
function paymentEntryColumns() {
  return sql`r.id, 'payment' as what, r.remote_transaction_id as remote_id,
    case r.state when 'complete' then 'successful' when 'error' then 'reversed' else r.state end as status,
    r.amount, p.currency, r.modified as paid_at, ${bookedFee(sql`'recipient:' || r.id`)} as network_fee`
}

/** The fee of a network that is booked for a collection or a recipient. */
function bookedFee(subject: Fragment): Fragment {
  return sql`(select t.amount from transfers t where t.reference = 'network_fee:' || ${subject})`
}

/**
 * Books the fees that a statement lists for money that is in the books already.
 * @returns those that were not booked, because another fee is booked for the same money
 */
export async function bookStatementFees(
  tx: Tx,
  now: Date,
  connection: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const fees = findings.flatMap(({ books, statement }) =>
    books && books.network_fee === null && statement?.fee ? [{ ...books, fee: statement.fee }] : [],
  )
  const idsOf = (kind: BookEntry['what']) => fees.flatMap(({ id, what }) => (what === kind ? [id] : []))
  const authors = await tx<{ what: string; id: number; author: number }[]>`
    select 'collection' as what, id, author from collections where id = any(${idsOf('collection')}::bigint[])
    union all
    select 'payment', r.id, p.author from payment_recipients r join payments p on p.id = r.payment
    where r.id = any(${idsOf('payment')}::bigint[])`
  const authorOf = new Map(authors.map(({ what, id, author }) => [`${what}:${id}`, author]))
  await bookNetworkFees(
    tx,
    now,
    fees.map(({ id, what, currency, fee }) => ({
      subject: what === 'payment' ? `recipient:${id}` : `collection:${id}`,
      connection,
      currency,
      amount: fee,
      author: authorOf.get(`${what}:${id}`)!,
    })),
  )
  return findings.filter(({ books }) => books?.network_fee !== null)
}

function findDifferences(line: StatementLine, books: BookEntry | null): FindingKind[] {
  const has_money = line.status === 'successful' || line.status === 'reversed'
  if (!books) return has_money ? ['missing_in_books'] : []
  // Money that an organization has not accepted is in the ledger too, on the suspense account.
  const agrees = has_money && (line.status === 'reversed') === (books.status === 'reversed')
  const kinds: [boolean, FindingKind][] = [
    [line.amount !== books.amount, 'amount_differs'],
    [line.currency !== null && line.currency !== books.currency, 'currency_differs'],
    [!agrees, 'status_differs'],
    // A fee that the statement does not list may have been reported with the money.
    [books.what !== 'reversal' && has_money && Boolean(line.fee) && line.fee !== books.network_fee, 'fee_differs'],
  ]
  return kinds.flatMap(([differs, kind]) => (differs ? [kind] : []))
}
