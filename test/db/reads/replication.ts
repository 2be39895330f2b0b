import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../../../src/db/client.ts'
import { type EmbeddedPostgres, startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { findDatabaseFolder } from '../../../src/db/embedded/folder.ts'
import { changeOwner, execute } from '../../../src/db/embedded/user.ts'
import { prepareDatabase } from '../../../src/db/migrate.ts'

/** A migrated PostgreSQL with a replica that follows it over the network, by streaming. */
export interface Replication {
  /** The database as tests open it; it is not dropped before `close`. */
  database: { url: string; service_url: string; drop(): Promise<void> }
  /** The address of the replica for the role of the service. */
  read_url: string
  /** Both servers as their administrator. */
  primary: Database
  replica: Database
  /** Stop the replica from applying what it gets, until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Return the number of services' connections to the replica. */
  connectionsOfReads(): Promise<number>
  /** Wait until the replica has everything that the primary has now. */
  catchUp(): Promise<void>
  /** Kill the replica at once; it is started again a moment later. */
  killReplica(): void
  /** Stop the replica for good. */
  stopReplica(): Promise<void>
  close(): Promise<void>
}

const SETTINGS = { fsync: 'off', full_page_writes: 'on', shared_buffers: '32MB' }

export async function openReplication(): Promise<Replication> {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-replication-'))
  await chmod(folder, 0o755)
  const [primary_dir, replica_dir] = [join(folder, 'primary'), join(folder, 'replica')]
  const created = await startEmbedded({ data_dir: primary_dir, settings: SETTINGS })
  await migrate(created)
  // A copy of a server that was stopped is complete.
  await created.stop()
  const primary_server = await startEmbedded({ data_dir: primary_dir, settings: SETTINGS })
  const replica_server = await startReplica(created.location, replica_dir, new URL(primary_server.url))
  const primary = connect(primary_server.url, { connections: 2, application: 'tests' })
  const replica = connect(replica_server.url, { connections: 2, application: 'tests' })
  return {
    database: { url: primary_server.url, service_url: primary_server.service_url, async drop() {} },
    read_url: replica_server.service_url,
    primary,
    replica,
    async pause() {
      await replica.unsafe('select pg_wal_replay_pause()')
      await until(
        async () =>
          (
            await replica`select from (values (pg_get_wal_replay_pause_state())) as s (state)
        where state = 'paused'`
          ).length > 0,
      )
    },
    async resume() {
      await replica.unsafe('select pg_wal_replay_resume()')
    },
    async connectionsOfReads() {
      const [row] = await replica<{ count: number }[]>`
        select count(*) from pg_stat_activity where application_name = 'kusanya reads' and backend_type = 'client backend'`
      return row!.count
    },
    async catchUp() {
      const [wanted] = await primary<{ position: string }[]>`select pg_current_wal_flush_lsn()::text as position`
      await until(
        async () => (await replica`select where pg_last_wal_replay_lsn() >= ${wanted!.position}::pg_lsn`).length > 0,
      )
    },
    killReplica: () => killServer(replica_server),
    stopReplica: () => replica_server.stop(),
    async close() {
      await Promise.all([primary.end({ timeout: 1 }), replica.end({ timeout: 1 })])
      await replica_server.stop()
      await primary_server.stop()
      for (const { location } of [replica_server, primary_server]) rmSync(location, { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function migrate({ url, service_url }: EmbeddedPostgres): Promise<void> {
  const owner = connect(url, { connections: 2, application: 'tests' })
  const service = connect(service_url, { connections: 2, application: 'tests' })
  await prepareDatabase(owner, service)
  await Promise.all([owner.end(), service.end()])
}

/** Copy the data of a server that is stopped, and start the copy as a replica of it. */
async function startReplica(location: string, data_dir: string, primary: URL): Promise<EmbeddedPostgres> {
  await mkdir(data_dir)
  const home = findDatabaseFolder(data_dir)
  await execute(null, 'cp', ['-a', join(location, 'cluster'), home.cluster])
  cpSync(join(location, 'password'), join(home.location, 'password'))
  changeOwner(home.user, join(home.location, 'password'))
  const files = ['standby.signal', 'postmaster.pid'].map((name) => join(home.cluster, name))
  writeFileSync(files[0]!, '')
  changeOwner(home.user, files[0]!)
  if (existsSync(files[1]!)) rmSync(files[1]!)
  const { hostname: host, port, username: user, password } = primary
  const conninfo = `host=${host} port=${port} user=${user} password=${password}`
  return startEmbedded({
    data_dir,
    settings: { ...SETTINGS, primary_conninfo: conninfo, wal_retrieve_retry_interval: '100ms' },
  })
}

/** The first line of this file is the process of the server. */
function killServer({ location }: EmbeddedPostgres): void {
  const [pid] = readFileSync(join(location, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('The replica does not do what it should.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
