import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginLong, type Database, type Tx } from './client.ts'
import { UnsuitableDatabase } from './failures.ts'
import { countOwnedTables, currentRole, grantServiceRights } from './service-role.ts'

const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url)

/** Any number that no other program uses; it names the lock under which migrations run. */
const MIGRATION_LOCK = 7_305_118_820

/**
 * Brings the database to the newest schema and returns the names of what it applied. Safe when several processes start at
 * once: each file is applied under a lock, which then finds out what is left to do. A file is one transaction, unless its
 * first line says that it runs outside of one.
 */
export async function migrate(db: Database): Promise<string[]> {
  const files = await listMigrations()
  const applied: string[] = []
  for (;;) {
    const next = await beginLong(db, 'migration', (tx) => applyNext(tx, files))
    if (next === 'none') return applied
    if (next === 'busy') await sleep(LOCK_POLL_MS)
    else if (next.done || (await applyOutside(db, next.name))) applied.push(next.name)
  }
}

/** A process that waits for the lock in PostgreSQL would hold a snapshot, which the building of an index waits for. */
const LOCK_POLL_MS = 200

/**
 * Brings the database to the newest schema as `owner`, and gives the role of `service` the rights that it needs. Both may be
 * the same role, which then owns the tables.
 * @returns the names of what it applied
 * @throws UnsuitableDatabase when there are migrations that this role may not apply
 */
export async function prepareDatabase(owner: Database, service: Database): Promise<string[]> {
  const pending = await pendingMigrations(owner)
  const applied = pending.length === 0 ? [] : await migrate(owner).catch(refuseWithoutRights)
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

/** The first line of a migration whose statements run one by one, because they build indexes while others write. */
const OUTSIDE_OF_TRANSACTION = '-- Outside of a transaction'

/** Applies the next migration. One that runs outside of a transaction is only named: `done` is false. */
async function applyNext(tx: Tx, files: string[]): Promise<'none' | 'busy' | { name: string; done: boolean }> {
  const [lock] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`
  if (!lock!.locked) return 'busy'
  await tx`create table if not exists migrations (name text primary key, applied timestamptz not null default now())`
  const known = await tx<{ name: string }[]>`select name from migrations`
  const applied = new Set(known.map((row) => row.name))
  refuseUnknownMigrations(applied, files)
  const name = files.find((file) => !applied.has(file))
  if (name === undefined) return 'none'
  const text = await readMigration(name)
  if (runsOutside(text)) return { name, done: false }
  await tx.unsafe(text)
  await tx`insert into migrations (name) values (${name})`
  return { name, done: true }
}

/**
 * Runs the statements of a migration one by one. They can be repeated, because a process that was killed may have run some.
 * @returns false if another process has applied it
 */
async function applyOutside(db: Database, name: string): Promise<boolean> {
  const session = await db.reserve('migration')
  try {
    const [lock] = await session<{ locked: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`
    if (!lock!.locked) return false
    const known = await session`select from migrations where name = ${name}`
    if (known.length > 0) return false
    for (const statement of statementsOf(await readMigration(name))) await session.unsafe(statement)
    await session`insert into migrations (name) values (${name})`
    return true
  } finally {
    session.release()
  }
}

/** Whether the statements of a migration run one by one. */
export function runsOutside(text: string): boolean {
  return text.startsWith(OUTSIDE_OF_TRANSACTION)
}

/** The statements of such a migration. Each ends with a semicolon at the end of a line. */
export function statementsOf(text: string): string[] {
  const statements = text.replaceAll(/^--.*$/gm, '').split(/;\s*\n/)
  return statements.filter((one) => one.trim() !== '')
}

function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8')
}

/** Whether the schema is at its newest, for `/readyz` and for processes that must not migrate. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const files = await listMigrations()
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  if (!table?.exists) return files
  const applied = await db<{ name: string }[]>`select name from migrations`.catch((error: { code?: string }) => {
    // The role of the service gets its rights when the database is migrated for the first time with it.
    if (error.code === INSUFFICIENT_PRIVILEGE) return []
    throw error
  })
  const names = new Set(applied.map((row) => row.name))
  return files.filter((name) => !names.has(name))
}

/** The files in the order in which they apply. @throws Error for a name that would be passed over in silence, or a number given twice */
async function listMigrations(): Promise<string[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const misnamed = files.find((name) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(name))
  if (misnamed) throw new Error(`The migration ${misnamed} must be named like 0001_core.sql.`)
  const twin = files.find((name, index) => name.slice(0, 4) === files[index - 1]?.slice(0, 4))
  if (twin) throw new Error(`The migration ${twin} has the number of another.`)
  return files
}

function refuseUnknownMigrations(applied: Set<string>, files: string[]): void {
  const strangers = [...applied].filter((name) => !files.includes(name))
  if (strangers.length === 0) return
  throw new Error(`The database is newer than this program: it has the migrations ${strangers.join(', ')}.`)
}
