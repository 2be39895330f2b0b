import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openSecretKey } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../src/core/events/webhooks.ts'
import { begin, connect, type Database, NO_LIMITS } from '../../../src/db/client.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { sql } from '../../../src/db/sql.ts'
import { insertCollections } from '../../insert-collections.ts'
import { settingsOf } from '../../postgres.ts'
import { endChild, type RunningServer, residentMemory, startService } from '../../processes.ts'
import { openShops } from '../../shops.ts'
import { checkBooks } from '../settle.ts'

/** The settings of an installation that has the PostgreSQL that comes along. */
export function settingsIn(data_dir: string): Record<string, string> {
  const { DATABASE_URL: _, ...settings } = settingsOf('')
  return { ...settings, DATA_DIR: data_dir }
}

/** A server that is only filled may lose its data in a crash, and needs memory for its indexes. */
const FILLING = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', shared_buffers: '1GB' }

/** Fill a new installation with collections of one organization. */
export async function fillInstallation(data_dir: string, count: number): Promise<void> {
  const settings = settingsIn(data_dir)
  await withDatabase(data_dir, FILLING, async (db) => {
    const { child } = await startService(['--no-jobs'], settings)
    await endChild(child)
    const [shop] = await openShops(db, 1, settings.SANDBOX_API_KEY!)
    const { sealingKeys } = await openSecretKey(readConfig(settings))
    const input = {
      organization: shop!.organization,
      user: shop!.author,
      event: 'collection.received',
      target: 'https://a.example',
    }
    const { id: webhook } = await begin(db, (tx) =>
      createWebhook(tx, new Date(), input, sealingKeys(WEBHOOK_KEY_PURPOSE)),
    )
    await insertCollections(db, shop!, { webhook, count })
    await db.unsafe('vacuum analyze')
  })
  // Write the rows to the disk before measuring.
  await promisify(execFile)('sync')
}

/** A service that is ready, and what its start has taken. */
export interface StartedInstallation extends RunningServer {
  seconds: number
  mb: number
}

/** Run the service of an installation, without jobs, while `work` runs. */
export async function withInstallation<T>(
  data_dir: string,
  work: (service: StartedInstallation) => Promise<T>,
): Promise<T> {
  const began_ms = performance.now()
  const service = await startService(['--no-jobs'], settingsIn(data_dir))
  try {
    const seconds = (performance.now() - began_ms) / 1_000
    return await work({ ...service, seconds, mb: residentMemory(service.child) })
  } finally {
    await endChild(service.child)
  }
}

/** The filled tables, each with the order of its rows. */
const FILLED_TABLES = {
  contacts: 'id',
  collection_requests: 'id',
  network_orders: 'id',
  collections: 'id',
  transfers: 'id',
  events: 'id',
  sms_messages: 'id',
  webhook_attempts: 'recorded',
  accounts: 'id',
  organizations: 'id',
}
/** Rows at the end of each table that are compared one by one. */
const NEWEST_ROWS = 1_000

/** Contents that are compared before and after a restore. */
export interface Contents {
  /** Numbers of rows by table. */
  counts: Record<string, number>
  /** Digests of the newest rows by table. */
  newest: Record<string, string>
  books_balance: boolean
  database_bytes: number
}

/** Read the contents of an installation whose service is stopped. */
export async function readContents(data_dir: string): Promise<Contents> {
  return withDatabase(data_dir, {}, async (db) => {
    const contents: Contents = { counts: {}, newest: {}, books_balance: false, database_bytes: 0 }
    for (const [name, order] of Object.entries(FILLED_TABLES)) {
      const [found] = await db<{ rows: number; digest: string | null }[]>`
        select (select count(*) from ${sql.identifier(name)}) as rows,
          (select md5(string_agg(line, ' ' order by line)) from (
            select row(t)::text as line from ${sql.identifier(name)} t order by ${sql.identifier(order)} desc limit ${NEWEST_ROWS}::integer) n) as digest`
      contents.counts[name] = found!.rows
      contents.newest[name] = found!.digest ?? ''
    }
    const [size] = await db<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
    return { ...contents, books_balance: (await checkBooks(db)).holds, database_bytes: size!.bytes }
  })
}

/** Open the database of an installation, whether its service runs or not. */
async function withDatabase<T>(
  data_dir: string,
  settings: Record<string, string>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const server = await startEmbedded({ data_dir: data_dir, settings })
  const db = connect(server.url, { connections: 2, application: 'bench', limits: NO_LIMITS })
  try {
    return await work(db)
  } finally {
    await db.end()
    await server.stop()
  }
}
