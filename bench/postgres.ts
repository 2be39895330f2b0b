import { hkdfSync } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database, NO_LIMITS } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { endChild, type RunningServer, startService } from './processes.ts'
import { openShops, type Shop } from './shops.ts'

/** A service on its own database. */
export interface BenchService extends RunningServer {
  db: Database
  database_url: string
  /** The organizations that use the service. */
  shops: Shop[]
  close(): Promise<void>
}

/** The PostgreSQL of a run, in a temporary folder. */
export interface BenchPostgres {
  /** PostgreSQL's version and durability settings, for the report. */
  database: { version: string; fsync: string; synchronous_commit: string; full_page_writes: string }
  /**
   * Create an empty database, start the service on it, and open the given number of shops. `settings` are further
   * settings of the service, `processes` another number of its processes.
   */
  startService(
    args: string[],
    shops: number,
    settings?: Record<string, string>,
    processes?: number,
  ): Promise<BenchService>
  close(): Promise<void>
}

const API_KEY = 'the-key-that-only-the-bench-has'
const SECRET_KEY = 'a secret that protects nothing of value'

/** The key with which the simulated network signs callbacks, derived in the same way as in src/app.ts. */
export const network_secret = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'sandbox network', 32)).toString('hex')

/**
 * Start the embedded PostgreSQL, which writes every commit to disk before it answers. @param processes the number of
 * processes of each service on it @param postgres_settings further settings of PostgreSQL
 */
export async function startPostgres(
  processes: number,
  postgres_settings: Record<string, string> = {},
): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-bench-'))
  // PostgreSQL does not run as root. The user that runs it needs access to the folder.
  await chmod(folder, 0o755)
  const server = await startEmbedded({ data_dir: folder, settings: postgres_settings })
  const admin = connect(server.url, { connections: 1, application: 'bench' })
  const [database] = await admin<BenchPostgres['database'][]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit, current_setting('full_page_writes') as full_page_writes`
  let database_count = 0
  const running: BenchPostgres = {
    database: database!,
    async startService(args, shops, settings = {}, count = processes) {
      database_count += 1
      await admin.unsafe(`create database bench_${database_count}`)
      const database_url = server.url.replace(/\/\w+$/, `/bench_${database_count}`)
      const running = await startService([...args, '--processes', String(count)], {
        ...settingsOf(database_url),
        DATA_DIR: join(folder, 'data'),
        ...settings,
      })
      // Filling a table with ten million rows takes minutes.
      const db = connect(database_url, { connections: 2, application: 'bench', limits: NO_LIMITS })
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
      if (!servers.delete(running)) return
      await admin.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  servers.add(running)
  return running
}

const servers = new Set<BenchPostgres>()

/** Stop all servers that still run. */
export async function closeAllPostgres(): Promise<void> {
  for (const server of servers) await server.close()
}

/** The settings of the service. Only the throttle differs from the defaults, because one key sends all requests. */
export function settingsOf(database_url: string): Record<string, string> {
  return {
    DATABASE_URL: database_url,
    SECRET_KEY,
    SANDBOX_API_KEY: API_KEY,
    READS_PER_MINUTE: '1000000000',
    WRITES_PER_MINUTE: '1000000000',
  }
}
