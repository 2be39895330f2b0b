import { alwaysTrue, type Reader, type Tx } from '../db/client.ts'
import { isNotBlocked } from './events/attempts.ts'
import { FLAGS_CHANNEL } from './flags.ts'

/** How far the sandbox's clock is ahead of the real one, in milliseconds. */
export async function readClockOffset(db: Reader): Promise<number> {
  const [row] = await db<{ value: string }[]>`select value from switches where name = ${CLOCK_OFFSET_FLAG}`
  return Number(row?.value ?? 0)
}

/**
 * Moves the sandbox's clock forward, so that it shows `to` when the real clock shows `real`. Every process notices when
 * the transaction commits. The clock never goes back: one that is further already stays as it is.
 */
export async function advanceClock(tx: Tx, real: Date, to: Date): Promise<void> {
  const offset_ms = to.getTime() - real.getTime()
  if (offset_ms <= 0) return
  await tx`
    insert into switches (name, value) values (${CLOCK_OFFSET_FLAG}, ${String(offset_ms)})
    on conflict (name) do update set value = greatest(switches.value::bigint, excluded.value::bigint)::text`
  await tx`select pg_notify(${FLAGS_CHANNEL}, '')`
}

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
    return db`
      select ${table} as table, min(due_at) as due_at from ${db(table)}
      where due_at is not null and ${floor ? db`due_at > ${floor}` : db`true`} and ${processableRows(db, table)}`
  })
  const rows = await db<(Omit<DueWork, 'due_at'> & { due_at: Date | null })[]>`
    ${looks.reduce((one, other) => db`${one} union all ${other}`)}`
  return rows.flatMap(({ table, due_at }) => (due_at ? [{ table, due_at }] : []))
}

/** How many rows were due by a moment and have not been done, over all tables. */
export async function countOverdue(db: Reader, moment: Date): Promise<number> {
  const counts = (await jobTables(db)).map(
    (table) => db`(select count(*) from ${db(table)} where due_at <= ${moment} and ${processableRows(db, table)})`,
  )
  const [row] = await db<{ count: number }[]>`select ${counts.reduce((one, other) => db`${one} + ${other}`)} as count`
  return row!.count
}

/** Which of a table's rows will be worked on when they are due: all, but for notifications to a webhook that is dead. */
function processableRows(db: Reader, table: string) {
  return table === 'webhook_deliveries' ? isNotBlocked(db) : alwaysTrue(db)
}

/** Wherever a row is a job it has a `due_at`, so the catalogue knows all tables that there are and will be. */
async function jobTables(db: Reader): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'due_at' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace
    order by c.relname`
  return rows.map((row) => row.name)
}

const CLOCK_OFFSET_FLAG = 'clock_offset_ms'
