import type { Database } from '../../src/db/client.ts'
import { untilConnected } from './until-connected.ts'

/** The large tables, and how many rows each has for every row of the largest ones. */
const SHARES: Record<string, number> = {
  transfers: 1,
  collection_requests: 1,
  sms_messages: 1,
  collections: 0.5,
  network_orders: 1,
  contacts: 0.2,
  payments: 0.5,
  payment_recipients: 0.5,
  payment_transitions: 0.2,
  bill_purchases: 0.5,
  callbacks: 0.5,
  events: 0.2,
  audit_log: 0.1,
}

/** Columns with the id of a row of a table above. A copy of a row refers to a copy of that row. */
const REFERENCES: Record<string, string> = {
  collection_request: 'collection_requests',
  collection: 'collections',
  network_order: 'network_orders',
  payment_recipient: 'payment_recipients',
  contact: 'contacts',
  payment: 'payments',
  recipient: 'payment_recipients',
}

/** Columns that need new values in each copy, because they are unique. */
const UNIQUE_TEXTS = ['remote_transaction_id', 'phone_number', 'agent_reference', 'reference']

/** More than any id of the fixture, so that the ids of two copies never meet. */
const ID_STEP = 1_000

export interface Filled {
  table: string
  rows: number
  seconds: number
}

export const filledTables = Object.keys(SHARES)

/** Tables that are not to be large get this share of the rows. */
const SMALL_SHARE = 0.01

/**
 * Copy the rows of a restored fixture until the largest of `tables` have `rows` rows. The others stay small, because
 * large ones at once need a large disk. Only completed rows are copied, because most rows of an old installation are
 * completed. Triggers and foreign keys are off meanwhile.
 */
export async function fillTables(
  db: Database,
  { rows, tables }: { rows: number; tables: readonly string[] },
  onFilled: (filled: Filled) => void,
): Promise<void> {
  const session = await untilConnected(() => db.reserve('maintenance'))
  try {
    await session.unsafe("set session_replication_role = replica; set maintenance_work_mem = '512MB'")
    const copies = new Map<string, number>()
    for (const [table, all] of Object.entries(SHARES)) {
      const share = tables.includes(table) ? all : all * SMALL_SHARE
      const begun = performance.now()
      const columns = await readColumns(db, table)
      copies.set(table, Math.ceil((rows * share) / (await countOriginals(db, table, columns))))
      await session.unsafe(await fillStatements(db, table, columns, copies))
      const [count] = await session.unsafe<{ rows: number }[]>(`select count(*) as rows from ${table}`)
      onFilled({ table, rows: count!.rows, seconds: (performance.now() - begun) / 1_000 })
    }
    await session.unsafe('vacuum analyze')
  } finally {
    session.release()
  }
}

interface Column {
  name: string
  type: string
}

function readColumns(db: Database, table: string): Promise<Column[]> {
  return db<Column[]>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
}

async function countOriginals(db: Database, table: string, columns: readonly Column[]): Promise<number> {
  const [row] = await db.unsafe<{ rows: number }[]>(
    `select count(*) as rows from ${table} t where ${conditionOf(columns)}`,
  )
  if (row!.rows === 0) throw new Error(`The fixture has no rows of ${table} to copy.`)
  return row!.rows
}

/** Return the condition for rows to copy: the completed ones. */
function conditionOf(columns: readonly Column[]): string {
  const has = (column: string) => columns.some(({ name }) => name === column)
  if (has('expiry_date') && has('collection')) return "t.status in ('successful', 'failed', 'expired', 'reversed')"
  // The attempts of a purchase are few and have numbers of their own.
  if (has('bill_purchase') && has('attempt')) return "t.due_at is null and t.kind <> 'vend'"
  return has('due_at') ? 't.due_at is null' : 'true'
}

/** Remove the indexes, copy the rows and build the indexes again, which is faster than to keep them. */
async function fillStatements(
  db: Database,
  table: string,
  columns: readonly Column[],
  copies: ReadonlyMap<string, number>,
): Promise<string> {
  const indexes = await db<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass and c.relkind = 'i'
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const values = columns.map((column) => copiedValue(column, table, copies)).join(', ')
  return [
    ...indexes.map(({ name }) => `drop index ${name}`),
    `insert into ${table} (${names}) overriding system value
      select ${values} from generate_series(1, ${copies.get(table)}) as copy cross join ${table} t
      where ${conditionOf(columns)}`,
    ...indexes.map(({ definition }) => definition),
  ].join(';\n')
}

function copiedValue({ name, type }: Column, table: string, copies: ReadonlyMap<string, number>): string {
  if (name === 'id') return `t.id + copy * ${ID_STEP}`
  const referred = copies.get(REFERENCES[name] ?? '')
  if (referred !== undefined) return `t."${name}" + (1 + (copy - 1) % ${referred}) * ${ID_STEP}`
  const is_own = UNIQUE_TEXTS.includes(name) && type === 'text' && table !== 'texts'
  return is_own ? `t."${name}" || '-' || copy` : `t."${name}"`
}
