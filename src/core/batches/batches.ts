import { createHash } from 'node:crypto'
import type { AnyReader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type NewRow, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { formatAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { claimDuplicateKeys, type DuplicateKeyClaim, linkKeysToObjects } from '../idempotency.ts'
import { Forbidden, NotFound } from '../refusals.ts'
import type { Batches, BatchKind, batchSources, DuplicateChoice } from './batch.ts'

/** Items of one transaction: few enough that it is short, because it holds up the feed of events (docs/decisions/0004). */
export const GROUP_SIZE = 250

const batchTable = table('batches', {
  id: column.id(),
  kind: column.text<BatchKind>(),
  organization: column.bigint(),
  author: column.bigint(),
  source: column.text<(typeof batchSources)[number]>(),
  /** The name of the file, or the tag. */
  name: column.text(),
  /** SHA-256 of the file; null for a tag. */
  digest: column.text().nullable(),
  /** SHA-256 of all that was asked for (`digestOf`). */
  asked: column.text(),
  duplicates: column.text<DuplicateChoice>(),
  /** True if invoices are issued; null for requests. */
  issue: column.boolean().nullable(),
  /** Rows of the file, or customers. */
  rows: column.integer(),
  refused: column.integer(),
  skipped: column.integer().default(0),
  created_count: column.integer().default(0),
  last_row: column.bigint().default(0),
  created: column.timestamptz(),
  finished: column.timestamptz().later(),
})

/** A batch to begin. */
export type NewBatch = Omit<NewRow<typeof batchTable>, 'created'>

/**
 * Begins a batch. The caller then makes its items with `makeNextInvoices` or `makeNextRequests`. A call with a key that
 * has begun a batch of the same goes on with that one.
 * @returns the id of the batch; `is_new`: true if this call has begun it
 * @throws Duplicate for a key of something else
 */
export async function beginBatch(
  tx: Tx,
  now: Date,
  given: NewBatch,
  claim: DuplicateKeyClaim | undefined,
): Promise<{ id: number; is_new: boolean }> {
  const { kind, organization, asked } = given
  const type = kind === 'invoices' ? 'invoicebatch' : 'requestbatch'
  const [duplicate] = await claimDuplicateKeys(tx, now, type, [claim])
  if (duplicate) {
    const same = await tx`
      select 1 from batches
      where organization = ${organization} and id = ${duplicate.id} and kind = ${kind} and asked = ${asked}`
    if (duplicate.type === type && same.length > 0) return { id: duplicate.id, is_new: false }
    throw duplicate
  }
  const [made] = await tx<{ id: number }[]>`
    ${insert(batchTable, [given], { created: truncateToSecond(now) })} returning id`
  linkKeysToObjects(tx, [{ claim, object: made!.id }])
  return { id: made!.id, is_new: true }
}

/** A batch of a kind of an organization. */
type BatchRef = Pick<Row<typeof batchTable>, 'kind' | 'organization' | 'id'>

/** A batch under a lock, whose next items are made. */
export type LockedBatch = Row<typeof batchTable>

/**
 * Makes the next items of a batch. One transaction, under a lock of the batch, writes the items and the position. So
 * each is made once, however often and by however many callers this is called.
 * @param planned all items of the batch, in the order of their rows
 * @param make makes a group, and returns their number; `earlier` items came before it
 * @returns `more`: some are left; `finished`: this call has finished the batch
 * @throws NotFound
 */
export async function makeNext<Planned extends { row: number }>(
  tx: Tx,
  ref: BatchRef,
  planned: readonly Planned[],
  now: Date,
  make: (batch: LockedBatch, group: readonly Planned[], earlier: number) => Promise<number>,
): Promise<{ more: boolean; finished: boolean }> {
  const batch = await lockBatch(tx, ref)
  if (batch.finished) return { more: false, finished: false }
  const open = planned.filter(({ row }) => row > batch.last_row)
  const group = open.slice(0, GROUP_SIZE)
  const made = await make(batch, group, planned.length - open.length)
  const more = open.length > group.length
  // A request that could no longer be made when an interrupted batch went on counts as refused.
  const refused =
    more || ref.kind === 'invoices'
      ? sql`refused`
      : sql`greatest(rows - created_count - skipped - ${group.length}::integer, 0)`
  await tx`
    update batches set created_count = created_count + ${made}, skipped = skipped + ${group.length - made},
      last_row = ${group.at(-1)?.row ?? batch.last_row}, finished = ${more ? null : truncateToSecond(now)}, refused = ${refused}
    where id = ${batch.id}`
  return { more, finished: !more }
}

async function lockBatch(tx: Tx, { kind, organization, id }: BatchRef): Promise<LockedBatch> {
  const [locked] = await tx<LockedBatch[]>`
    select ${batchTable.columns} from batches where id = ${id} for update`
  if (locked?.organization !== organization || locked.kind !== kind)
    throw new NotFound(getMessage('requests.no_batch', { kind, id }))
  return locked
}

/** A batch of the organization. @throws NotFound, Forbidden for one of another organization */
export async function readBatch<Kind extends BatchKind>(
  db: AnyReader,
  { kind, organization, id }: BatchRef & { kind: Kind },
): Promise<Batches[Kind]> {
  const [found] = await db<(Batches[Kind] & { organization: number })[]>`
    select ${columnsOf(kind)}, b.organization from ${tables} where b.id = ${id} and b.kind = ${kind}`
  if (!found) throw new NotFound()
  const { organization: owner, ...batch } = found
  if (owner !== organization) throw new Forbidden()
  return batch as unknown as Batches[Kind]
}

/** Earlier batches of the same file, the newest first, whatever was chosen for it. @param digest SHA-256 of the file */
export function findBatchesOf<Kind extends BatchKind>(
  db: AnyReader,
  { kind, organization, digest }: { kind: Kind; organization: number; digest: string },
): Promise<Batches[Kind][]> {
  return db<Batches[Kind][]>`
    select ${columnsOf(kind)} from ${tables}
    where b.organization = ${organization} and b.kind = ${kind} and b.digest = ${digest}
    order by b.id desc limit 5`
}

/** Lists one page of the batches of a kind of an organization, with the count of all. */
export async function listBatches<Kind extends BatchKind>(
  db: AnyReader,
  { kind, organization }: { kind: Kind; organization: number },
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: Batches[Kind][]; count: number }> {
  const found = await db<Batches[Kind][]>`
    select ${columnsOf(kind)} from ${tables} where b.organization = ${organization} and b.kind = ${kind}
    order by b.id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`
  const [total] = await db<{ count: number }[]>`
    select count(*) from batches where organization = ${organization} and kind = ${kind}`
  return { rows: [...found], count: total!.count }
}

function columnsOf(kind: BatchKind): Fragment {
  const issue = kind === 'invoices' ? sql`b.issue, ` : sql``
  return sql`b.id, b.source, b.name, b.duplicates, ${issue}b.rows, b.refused, b.skipped, b.created_count as made,
    b.created, b.author, u.name as author_name, b.finished`
}
const tables = sql`batches b join users u on u.id = b.author`

/** Returns the SHA-256 of the input: a call that is repeated goes on with its batch. */
export function digestOf(asked: object): string {
  const text = JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? formatAmount(value) : value))
  return createHash('sha256').update(text).digest('hex')
}
