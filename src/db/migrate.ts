import { setTimeout as sleep } from 'node:timers/promises'
import { alignSequences, readCell, requireCellOf } from './cell.ts'
import { beginLong, type Database, type Reader, type Tx } from './client.ts'
import { isLockConflict, UnsuitableDatabase } from './failures.ts'
import { isConcurrent, listMigrations, readKind, readMigration, runsOutside, statementsOf } from './migration-files.ts'
import { describeHolders } from './migration-holders.ts'
import { countOwnedTables, currentRole, grantServiceRights } from './roles/service-role.ts'
import { column, insert, type Row, table } from './table.ts'

/** Any number that no other program uses; it names the lock under which migrations run. */
const MIGRATION_LOCK = 7_305_118_820

/** Callbacks for the progress of migrations. */
interface MigrationProgress {
  /** A migration begins, or begins again. */
  begun?(migration: string): void
  /** A migration has waited for a lock, has let others go first, and tries again. */
  waiting?(wait: MigrationWait): void
}

/** Reason and duration of a migration's wait. */
export interface MigrationWait {
  migration: string
  waited_s: number
  /** The sessions with long transactions that hold locks on tables, in words. */
  sessions: string[]
}

/** Rules for the locks of a migration. */
interface LockPatience {
  /** While a migration waits for a lock on a table, all others who want to use the table wait behind it: at most this long. */
  lock_timeout_ms: number
  /**
   * Increase of the wait with each try, up to four times as long: on a busy machine short transactions take longer,
   * too.
   */
  more_ms: number
  /** The others go first for this long. */
  pause_ms: number
  /** After this time the migration fails. */
  give_up_ms: number
}

const PATIENCE: LockPatience = { lock_timeout_ms: 500, more_ms: 50, pause_ms: 1_000, give_up_ms: 600_000 }

/**
 * Brings the database to the newest schema and returns the names of the applied files. Safe when several processes
 * start at once: each file is applied under a lock, which then finds the remaining files. A file is one transaction,
 * unless its first line says that it runs outside of one.
 * @throws UnsuitableDatabase when a later version has migrated it so that this one cannot use it, or when a migration
 *   gets no lock
 */
export async function migrate(
  db: Database,
  progress: MigrationProgress = {},
  patience: LockPatience = PATIENCE,
): Promise<string[]> {
  const files = await listMigrations()
  const applied: string[] = []
  const parts: Parts = { db, progress, patience }
  for (;;) {
    const next = await beginNext(parts, files)
    if (next === 'none') return applied
    if (next === 'busy') await sleep(LOCK_POLL_MS)
    else if (next !== 'again' && (next.done || (await applyOutside(parts, next.name)))) applied.push(next.name)
  }
}

interface Parts {
  db: Database
  progress: MigrationProgress
  patience: LockPatience
}

/** A process that waits for the lock in PostgreSQL would hold a snapshot, which the building of an index waits for. */
const LOCK_POLL_MS = 200

/**
 * Brings the database to the newest schema as `owner`, and gives the role of `service` the rights that it needs. Both
 * may be the same role, which then owns the tables.
 * @param cell cell of a new database; the database's own unless given
 * @returns the names of the applied files
 * @throws UnsuitableDatabase when there are migrations that this role may not apply, and as `migrate`
 */
export async function prepareDatabase(
  owner: Database,
  service: Database,
  progress: MigrationProgress = {},
  cell?: number,
): Promise<string[]> {
  await refuseTooNew(owner)
  if (cell !== undefined) await requireCellOf(owner, cell)
  const pending = await pendingMigrations(owner)
  const applied = pending.length === 0 ? [] : await migrate(owner, progress).catch(refuseWithoutRights)
  await alignSequences(owner, cell ?? (await readCell(owner)) ?? 0).catch(refuseWithoutRights)
  const [owner_role, service_role] = await Promise.all([currentRole(owner), currentRole(service)])
  // A role that owns the tables needs no rights, and a role that is not the owner can give none.
  if (owner_role === service_role || (await countOwnedTables(service)) > 0) return applied
  await beginLong(owner, 'migration', async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await grantServiceRights(tx, service_role)
  })
  return applied
}

function refuseWithoutRights(error: unknown): never {
  if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
  throw new UnsuitableDatabase(
    'The database needs migrations, and the role of DATABASE_URL may not apply them. Run `npx kusanya migrate` with MIGRATION_DATABASE_URL, the address for the owner of the tables.',
  )
}

const INSUFFICIENT_PRIVILEGE = '42501'

type Next = 'none' | 'busy' | 'again' | { name: string; done: boolean }

/** Applies the next migration, and tries again while other transactions hold the locks that it needs. */
async function beginNext({ db, progress, patience }: Parts, files: string[]): Promise<Next> {
  let name = ''
  const begun = (migration: string) => {
    name = migration
    progress.begun?.(migration)
  }
  return untilUnlocked(
    (lock_timeout_ms) => beginLong(db, 'migration', (tx) => applyNext(tx, files, { lock_timeout_ms, begun })),
    { db, progress, patience, name: () => name },
  )
}

/** Applies the next migration. One that runs outside of a transaction is only named: `done` is false. */
async function applyNext(
  tx: Tx,
  files: string[],
  { lock_timeout_ms, begun }: { lock_timeout_ms: number; begun(name: string): void },
): Promise<Next> {
  const [lock] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`
  if (!lock!.locked) return 'busy'
  if (await makeTable(tx)) return 'again'
  const known = await readApplied(tx)
  const applied = new Set(known.map((row) => row.name))
  refuseStrangers(known, files)
  const name = files.find((file) => !applied.has(file))
  if (name === undefined) return 'none'
  const text = await readMigration(name)
  const kind = readKind(text)
  if (runsOutside(text)) return { name, done: false }
  begun(name)
  await tx.unsafe(`set local lock_timeout = ${lock_timeout_ms}`)
  await tx.unsafe(text)
  await tx`${insert(migrationTable, [kind], { name })}`
  return { name, done: true }
}

/** Makes the table of migrations. In a transaction of its own, because `/readyz` of all processes reads the table. */
async function makeTable(tx: Tx): Promise<boolean> {
  if (await hasTable(tx)) return false
  await tx`
    create table migrations (name text primary key, applied timestamptz not null default now(),
      kind text not null check (kind in ('widen', 'narrow')), needs text)`
  return true
}

async function hasTable(db: Reader): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`select to_regclass('migrations') is not null as found`
  return row!.found
}

/**
 * Runs the statements of a migration one by one. They can be repeated, because a process that was killed may have run some.
 * @returns false if another process has applied it
 */
async function applyOutside({ db, progress, patience }: Parts, name: string): Promise<boolean> {
  const session = await db.reserve('migration')
  try {
    const [lock] = await session<{ locked: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`
    if (!lock!.locked) return false
    const found = await session`select from migrations where name = ${name}`
    if (found.length > 0) return false
    progress.begun?.(name)
    const text = await readMigration(name)
    for (const statement of statementsOf(text)) {
      const run = async (lock_timeout_ms: number) => {
        await session.unsafe(`set lock_timeout = ${isConcurrent(statement) ? 0 : lock_timeout_ms}`)
        await session.unsafe(statement)
      }
      await untilUnlocked(run, { db: session, progress, patience, name: () => name })
    }
    await session`${insert(migrationTable, [readKind(text)], { name })}`
    return true
  } finally {
    session.release()
  }
}

/** Runs a part of a migration, and again after a pause when another transaction holds a lock that it needs. */
async function untilUnlocked<T>(
  work: (lock_timeout_ms: number) => Promise<T>,
  { db, progress, patience, name }: { db: Reader; name(): string } & Omit<Parts, 'db'>,
): Promise<T> {
  const { lock_timeout_ms, more_ms, pause_ms, give_up_ms } = patience
  const begun = performance.now()
  for (let tries = 0; ; tries += 1) {
    try {
      return await work(Math.min(lock_timeout_ms + tries * more_ms, 4 * lock_timeout_ms))
    } catch (error) {
      if (!isLockConflict(error)) throw error
      const waited_ms = performance.now() - begun
      const wait = { migration: name(), waited_s: Math.round(waited_ms / 1_000), sessions: await describeHolders(db) }
      if (waited_ms > give_up_ms) throw new UnsuitableDatabase(describeEnd(wait), { cause: error })
      progress.waiting?.(wait)
      await sleep(pause_ms)
    }
  }
}

function describeEnd({ migration, waited_s, sessions }: MigrationWait): string {
  const held = sessions.length === 0 ? '' : ` These sessions hold locks: ${sessions.join('; ')}.`
  return `The migration ${migration} got no lock on a table for ${waited_s} seconds, and has changed nothing that running processes need.${held} Let them end or end them with pg_terminate_backend, then migrate again.`
}

/** The migrations that the database does not have, for `/readyz` and for processes that must not migrate. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const files = await listMigrations()
  if (!(await hasTable(db))) return files
  const applied = await db<{ name: string }[]>`select name from migrations`.catch(forgiveMissingRights)
  const names = new Set(applied.map((row) => row.name))
  return files.filter((name) => !names.has(name))
}

/** The role of the service gets its rights when the database is migrated for the first time with it. */
function forgiveMissingRights(error: { code?: string }): [] {
  if (error.code === INSUFFICIENT_PRIVILEGE) return []
  throw error
}

const migrationTable = table('migrations', {
  name: column.text().key(),
  applied: column.timestamptz().generated(),
  kind: column.text(),
  needs: column.text().nullable(),
})
type Applied = Row<typeof migrationTable>

function readApplied(db: Reader): Promise<Applied[]> {
  return db<Applied[]>`select ${migrationTable.columns} from migrations order by name`
}

/**
 * Lists the migrations of a later version that this version can use: they only add something, or this version does not
 * use the removed parts.
 */
export async function migrationsOfLaterVersion(db: Database): Promise<string[]> {
  if (!(await hasTable(db))) return []
  const files = await listMigrations()
  return (await readApplied(db)).filter(({ name }) => !files.includes(name)).map(({ name }) => name)
}

/** @throws UnsuitableDatabase when a later version has migrated the database so that this one cannot use it */
export async function refuseTooNew(db: Database): Promise<void> {
  if (!(await hasTable(db))) return
  refuseStrangers(await readApplied(db).catch(forgiveMissingRights), await listMigrations())
}

function refuseStrangers(applied: readonly Applied[], files: readonly string[]): void {
  const strangers = applied.filter(({ name, kind, needs }) => {
    const is_usable = kind === 'widen' || (kind === 'narrow' && files.includes(needs!))
    return !files.includes(name) && !is_usable
  })
  if (strangers.length === 0) return
  throw new UnsuitableDatabase(
    `The database is newer than this program: it has the migrations ${strangers.map(({ name }) => name).join(', ')}, with which this version cannot work. Start the version that migrated it, or a later one.`,
  )
}
