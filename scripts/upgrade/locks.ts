import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { listReleases, readRelease } from '../../test/releases/fixtures.ts'
import { filledTables, fillTables } from './fill.ts'
import { type LockReport, LockWatch, type Longest } from './lock-watch.ts'
import { untilConnected } from './until-connected.ts'

/*
 * Measurement of migration locks on large tables. It fills the tables of the last release and migrates them. Meanwhile
 * it watches the locks, and small reads and writes of all large tables.
 *
 *   npm run upgrade:locks -- [--rows 10000000] [--tables transfers,collection_requests] [--folder /a/large/disk] [--all]
 *
 * Ten million rows of all tables need about 100 GB; with --tables only those are large. The exit code is 1 when a lock
 * that keeps writers waiting was held for longer than a second.
 */

/** Maximum time of a lock that keeps writers waiting. */
const MAX_LOCK_MS = 1_000
/** A machine with a load of thirty opens a connection in some seconds. */
const CONNECT_TIMEOUT_S = 60

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    tables: { type: 'string', default: filledTables.join(',') },
    folder: { type: 'string', default: tmpdir() },
    all: { type: 'boolean', default: false },
  },
})
const tables = values.tables.split(',')
const unknown = tables.find((table) => !filledTables.includes(table))
if (unknown !== undefined)
  throw new Error(`There is no table ${unknown} to fill; there are ${filledTables.join(', ')}.`)
// Each request has at most one SMS of a kind, so that many SMS need as many requests.
if (tables.includes('sms_messages') && !tables.includes('collection_requests'))
  throw new Error('sms_messages can only be large together with collection_requests.')
await main(Number(values.rows))

async function main(rows: number): Promise<void> {
  const data_dir = await mkdtemp(join(values.folder, 'kusanya-locks-'))
  await chmod(data_dir, 0o755)
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_wal_size: '2GB',
    wal_level: 'minimal',
  }
  const server = await startEmbedded({ data_dir, settings: { ...settings, max_wal_senders: '0' } })
  const limits = { statement: 0, lock: 0, idle_transaction: 0 }
  const db = connect(server.url, {
    connections: 4 + 2 * filledTables.length,
    application: 'locks',
    limits,
    connect_timeout_s: CONNECT_TIMEOUT_S,
  })
  try {
    await untilConnected(() => db`select 1`)
    await db.unsafe(readRelease(listReleases().at(-1)!).dump)
    await fillTables(db, { rows, tables }, ({ table, rows: count, seconds }) =>
      print(`${table.padEnd(26)} ${count.toLocaleString('en').padStart(12)} rows in ${Math.round(seconds)} s`),
    )
    const reports = await watchMigrations(db)
    printReports(reports)
    if (reports.some(({ writers }) => writers.ms > MAX_LOCK_MS)) process.exitCode = 1
  } finally {
    await db.end({ timeout: 1 })
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
    await rm(server.location, { recursive: true, force: true })
  }
}

async function watchMigrations(db: Database): Promise<LockReport[]> {
  const tables = await db<{ oid: number }[]>`
    select oid from pg_class where relname = any(${filledTables}::text[]) and relnamespace = 'public'::regnamespace`
  const watch = new LockWatch(
    db,
    tables.map(({ oid }) => Number(oid)),
  )
  watch.start()
  try {
    // Migrations can be repeated.
    await untilConnected(() =>
      migrate(db, {
        begun: (name) => watch.begin(name),
        waiting: ({ migration, sessions }) =>
          print(`${migration} waits for ${sessions.join('; ') || 'a short transaction'}`),
      }),
    )
  } finally {
    await watch.stop()
  }
  return watch.reports
}

function printReports(reports: readonly LockReport[]): void {
  print('\n| Migration | Takes | Writers wait, at most | Readers wait, at most | Longest wait of a probe |')
  print('| --- | ---: | --- | --- | --- |')
  const shown = reports.filter(({ duration_ms, writers }) => values.all || duration_ms > 100 || writers.ms > 100)
  for (const { migration, duration_ms, writers, readers, probe } of shown)
    print(
      `| ${migration} | ${inSeconds(duration_ms)} | ${describe(writers)} | ${describe(readers)} | ${describe(probe)} |`,
    )
  const rest = reports.length - shown.length
  if (rest > 0) print(`\nThe other ${rest} take less than 0.1 s.`)
}

function describe({ ms, what }: Longest): string {
  return what === '' ? '–' : `${inSeconds(ms)} (${what})`
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
