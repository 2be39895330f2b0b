import type { App } from '../../../app.ts'
import { CONNECTIONS_BESIDE_POOL } from '../../../config.ts'
import type { Reader } from '../../../db/client.ts'
import { UnsuitableDatabase } from '../../../db/failures.ts'
import { pendingMigrations } from '../../../db/migrate.ts'
import { error, type Finding, warning } from './check.ts'

/** Settings of PostgreSQL without which answered data can be lost, or the tables grow without end. */
const NEEDED = [
  ['fsync', 'off', 'What was answered is lost when the machine fails'],
  ['full_page_writes', 'off', 'The data can be damaged when the machine fails'],
  ['synchronous_commit', 'off', 'What was answered in the last moment is lost when PostgreSQL ends'],
  ['autovacuum', 'off', 'Tables grow without end, and PostgreSQL stops when its transaction ids are used up'],
] as const

/** PostgreSQL stops writes when 2,100 million transactions have not been cleaned up. */
const OLD_TRANSACTIONS = 1_500_000_000

type Parts = Pick<App, 'db' | 'config'>

/** The version of the database, and the settings that it needs. */
export async function checkDatabaseSettings({ db, config }: Parts): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    // The app loads Fastify, which `--help` does not need.
    const { checkDatabase } = await import('../../../app.ts')
    await checkDatabase({ db, config })
  } catch (unsuitable) {
    if (!(unsuitable instanceof UnsuitableDatabase)) throw unsuitable
    found.push(error(unsuitable.message))
  }
  const rows = await db<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${NEEDED.map(([name]) => name)}::text[])`
  // A sandbox has nothing to lose, and tests switch these off to be quick.
  const level = config.MODE === 'live' ? error : warning
  for (const [name, wrong, why] of NEEDED)
    if (rows.some((row) => row.name === name && row.setting === wrong))
      found.push(
        level(
          `${name} of PostgreSQL is ${wrong}. ${why}.`,
          `Set ${name} = on in postgresql.conf, and restart PostgreSQL.`,
        ),
      )
  return [
    ...found,
    ...(await checkOrder(db)),
    ...(await checkRoom({ db, config })),
    ...(await checkOpenTransactions(db)),
  ]
}

/** Indexes of texts find beginnings only where texts are in the order of their characters. */
async function checkOrder(db: Reader): Promise<Finding[]> {
  const [database] = await db<{ locale: string; by_characters: boolean }[]>`
    select coalesce(datlocale, datcollate) as locale,
      datlocprovider = 'b' or (datlocprovider = 'c' and datcollate in ('C', 'POSIX')) as by_characters
    from pg_database where datname = current_database()`
  const { locale, by_characters } = database!
  if (by_characters) return []
  return [
    warning(
      `The database sorts texts as ${locale} does, so a search for the beginning of a phone number reads all numbers.`,
      'Move the data to a database with the locale that docs/operating/database.md names, with pg_dump and pg_restore.',
    ),
  ]
}

async function checkRoom({ db, config }: Parts): Promise<Finding[]> {
  const [server] = await db<{ places: number; age: number }[]>`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as places,
      (select age(datfrozenxid) from pg_database where datname = current_database()) as age`
  const { places, age } = server!
  const found: Finding[] = []
  const needed = config.DATABASE_CONNECTIONS + CONNECTIONS_BESIDE_POOL
  if (!config.DATABASE_POOLER && needed > places)
    found.push(
      error(
        `A process may open ${needed} connections, and PostgreSQL has ${places} for everyone.`,
        'Lower DATABASE_CONNECTIONS, or raise max_connections of PostgreSQL.',
      ),
    )
  if (age > OLD_TRANSACTIONS)
    found.push(
      error(
        `PostgreSQL has not cleaned up the last ${age} transactions. It stops writes at 2,100 million.`,
        'Look why autovacuum does not end (a transaction that stays open, a replication slot without a replica), and run VACUUM.',
      ),
    )
  return found
}

async function checkOpenTransactions(db: Reader): Promise<Finding[]> {
  const open = await db<{ pid: number; application: string; since: Date }[]>`
    select pid, coalesce(nullif(application_name, ''), 'a program without a name') as application, xact_start as since
    from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and xact_start < clock_timestamp() - interval '1 hour'
    order by xact_start limit 20`
  return open.map(({ pid, application, since }) =>
    warning(
      `${application} (process ${pid} of PostgreSQL) has left a transaction open since ${since.toISOString()}. Meanwhile PostgreSQL cleans up nothing.`,
      `End the program, or run \`select pg_terminate_backend(${pid})\` as the owner of the database.`,
    ),
  )
}

/** Migrations that are missing, and indexes that a migration has begun and not finished. */
export async function checkMigrations({ db }: Pick<App, 'db'>): Promise<Finding[]> {
  const pending = await pendingMigrations(db)
  const broken = await db<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where not i.indisvalid and n.nspname = current_schema()
      and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)
    order by 1`
  return [
    ...(pending.length === 0
      ? []
      : [
          error(
            `The database is not up to date: it needs ${pending.length === 1 ? 'the migration' : 'the migrations'} ${pending.join(', ')}.`,
            'Run `npx kusanya migrate`.',
          ),
        ]),
    ...broken.map(({ name }) =>
      error(
        `The index ${name} is not complete: what built it was stopped.`,
        `Run \`npx kusanya migrate\` again. If the index is still named here, run \`reindex index concurrently ${name}\` as the owner of the database.`,
      ),
    ),
  ]
}
