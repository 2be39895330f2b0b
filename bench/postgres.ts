import { hkdfSync } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { endChild, type RunningServer, startService } from './processes.ts'
import { openShops, type Shop } from './shops.ts'

/** A database of its own with the service on it. */
export interface BenchService extends RunningServer {
  db: Database
  database_url: string
  /** Who uses the service. */
  shops: Shop[]
  close(): Promise<void>
}

/** The PostgreSQL of a run, in a folder that goes with it. */
export interface BenchPostgres {
  /** PostgreSQL's own version and what it says about durability, for the report. */
  database: { version: string; fsync: string; synchronous_commit: string; full_page_writes: string }
  /** Makes an empty database, starts the service on it, and opens so many shops. */
  startService(args: string[], shops: number): Promise<BenchService>
  close(): Promise<void>
}

const API_KEY = 'the-key-that-only-the-bench-has'
const SECRET_KEY = 'a secret that is worth nothing to anybody'

/** What the simulated network signs its callbacks with: derived as the service derives it (`secret` in src/app.ts). */
export const network_secret = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'sandbox network', 32)).toString('hex')

/**
 * Starts PostgreSQL as the service brings it along: every commit is on the disk before it is answered. Every service on it
 * runs in so many processes.
 */
export async function startPostgres(processes: number): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-bench-'))
  // PostgreSQL never runs as root; the user that it runs as instead must be able to get in.
  await chmod(folder, 0o755)
  const server = await startEmbedded({ data_dir: folder })
  const admin = connect(server.url, { connections: 1, application: 'bench' })
  const [database] = await admin<BenchPostgres['database'][]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit, current_setting('full_page_writes') as full_page_writes`
  let houses = 0
  return {
    database: database!,
    async startService(args, shops) {
      houses += 1
      await admin.unsafe(`create database bench_${houses}`)
      const database_url = server.url.replace(/\/\w+$/, `/bench_${houses}`)
      const running = await startService([...args, '--processes', String(processes)], {
        ...settingsOf(database_url),
        DATA_DIR: join(folder, 'data'),
      })
      const db = connect(database_url, { connections: 2, application: 'bench' })
      return {
        ...running,
        db,
        database_url,
        shops: await openShops(db, shops, API_KEY),
        async close() {
          await db.end()
          await endChild(running.child)
        },
      }
    },
    async close() {
      await admin.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Only the throttle is out of the ordinary: one key is to do the work of many. */
export function settingsOf(database_url: string): Record<string, string> {
  return {
    DATABASE_URL: database_url,
    SECRET_KEY,
    SANDBOX_API_KEY: API_KEY,
    READS_PER_MINUTE: '1000000000',
    WRITES_PER_MINUTE: '1000000000',
  }
}
