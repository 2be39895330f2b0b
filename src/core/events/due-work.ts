import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { isNotBlocked } from './attempts.ts'

/** What falls due next in one table, or is due and has not been done. */
export interface DueWork {
  table: string
  due_at: Date
}

/**
 * What falls due next in every table in which rows are jobs. What a process works on counts until it is done.
 * @param floors by table, the moment up to which nothing counts any more.
 */
export async function readDueWork(db: Reader, floors: ReadonlyMap<string, Date> = new Map()): Promise<DueWork[]> {
  const looks = (await jobTables(db)).map((table) => {
    const floor = floors.get(table)
    return sql`
      select ${table} as table, min(due_at) as due_at from ${sql.identifier(table)}
      where due_at is not null and ${floor ? sql`due_at > ${floor}` : sql.always} and ${processableRows(table)}`
  })
  const rows = await db<(Omit<DueWork, 'due_at'> & { due_at: Date | null })[]>`
    ${sql.join(looks, ' union all ')}`
  return rows.flatMap(({ table, due_at }) => (due_at ? [{ table, due_at }] : []))
}

/** How many rows were due by a moment and have not been done, over all tables. */
export async function countOverdue(db: Reader, moment: Date): Promise<number> {
  const counts = (await jobTables(db)).map(
    (table) =>
      sql`(select count(*) from ${sql.identifier(table)} where due_at <= ${moment} and ${processableRows(table)})`,
  )
  const [row] = await db<{ count: number }[]>`select ${sql.join(counts, ' + ')} as count`
  return row!.count
}

/** Which of a table's rows will be worked on when they are due: all, but for notifications to a webhook that is dead. */
export function processableRows(table: string) {
  return table === 'webhook_deliveries' ? isNotBlocked() : sql.always
}

/** Wherever a row is a job it has a `due_at`, so the catalogue knows all tables that there are and will be. */
export async function jobTables(db: Reader): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'due_at' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
    order by c.relname`
  return rows.map((row) => row.name)
}
