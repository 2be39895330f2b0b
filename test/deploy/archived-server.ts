import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../src/db/client.ts'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { findDatabaseFolder } from '../../src/db/embedded/folder.ts'
import { execute, type ServerUser, spawnOptions } from '../../src/db/embedded/user.ts'
import { findFreePort } from '../cli/program-runner.ts'
import { eventually } from '../test-app.ts'

export interface ArchivedServerOptions {
  /** The path of pgBackRest. */
  program: string
  /** The two configurations of docs/operating/backup.md. */
  pgbackrest_conf: string
  postgresql_conf: string
}

/** A PostgreSQL whose log goes to pgBackRest, with two roles for Kusanya, in a folder for temporary files. */
export async function openArchivedServer({ program, pgbackrest_conf, postgresql_conf }: ArchivedServerOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-pgbackrest-'))
  chmodSync(folder, 0o755)
  const { user, cluster, ...home } = findDatabaseFolder(folder)
  const binaries = await findBinaries({ user, cluster, ...home })
  const port = await findFreePort()
  const [repo, work] = [join(folder, 'repo'), join(folder, 'work')]
  for (const path of [repo, work, cluster]) makeFolder(path, user)
  const config = join(folder, 'pgbackrest.conf')
  writeFileSync(config, placeConfiguration(pgbackrest_conf, { repo, work, cluster, port }))
  await execute(user, binaries.initdb, ['-D', cluster, '-U', 'postgres', '--auth=trust', '--data-checksums'])
  const listen = `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = '${work}'\n`
  writeFileSync(join(cluster, 'postgresql.conf'), postgresql_conf + listen)

  const { env, ...options } = spawnOptions(user)
  const PATH = [dirname(program), process.env.PATH].join(delimiter)
  const run_options = { ...options, env: { ...env, PATH, PGBACKREST_CONFIG: config } }
  const url = (role: string, database = 'kusanya') => `postgres://${role}@127.0.0.1:${port}/${database}`
  const query = <Row extends object>(text: string, database?: string) => ask<Row>(url('postgres', database), text)
  const stop = () => execute(user, binaries.pg_ctl, ['stop', '-D', cluster, '-m', 'immediate'])
  const start = () => startServer(binaries.postgres, cluster, run_options, url('postgres', 'postgres'))
  await start()
  for (const role of ['kusanya_owner', 'kusanya_service']) await query(`create role ${role} login`, 'postgres')
  await query('create database kusanya owner kusanya_owner', 'postgres')
  return {
    url,
    query,
    /** Start it after a restore, and wait until it accepts writes. */
    start,
    /** Run a command of pgBackRest as the user of PostgreSQL. */
    async pgbackrest(args: string[]): Promise<void> {
      await promisify(execFile)(program, args, run_options).catch((error: Error & { stdout?: string }) => {
        throw new Error(`pgbackrest ${args.join(' ')}: ${error.stdout}`)
      })
    },
    /** Wait until a second has passed since the last commit. @returns a time at which nothing happened */
    async waitForNextSecond(): Promise<string> {
      await query('select pg_sleep(1.2)')
      const [row] = await query<{ text: string }>(
        "select to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') || '+00' as text",
      )
      await query('select pg_sleep(1.2)')
      return row!.text
    },
    /** End PostgreSQL without a checkpoint, and lose the disk with its data. */
    async lose(): Promise<void> {
      await stop()
      rmSync(cluster, { recursive: true })
      makeFolder(cluster, user)
    },
    async close(): Promise<void> {
      await stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeFolder(path: string, user: ServerUser | null): void {
  mkdirSync(path, { mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
}

/** Write the configuration with this test's paths in place of Debian's. */
function placeConfiguration(
  text: string,
  { repo, work, cluster, port }: { repo: string; work: string; cluster: string; port: number },
): string {
  const own = ['[global]', 'log-level-file=off', `lock-path=${work}`, `spool-path=${work}`]
  const placed = text
    .replace('/mnt/backups/pgbackrest', repo)
    .replace('/var/lib/postgresql/18/main', cluster)
    .replace('[global]', own.join('\n'))
  return `${placed}pg1-port=${port}\npg1-socket-path=${work}\n`
}

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const db = connect(url, { connections: 1, application: 'tests' })
  return db.unsafe<Row[]>(text).finally(() => db.end())
}

async function startServer(postgres: string, cluster: string, options: object, url: string): Promise<void> {
  const child = spawn(postgres, ['-D', cluster], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  await eventually(
    'PostgreSQL to accept writes',
    async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`)
      const rows = await ask<{ recovering: boolean }>(url, 'select pg_is_in_recovery() as recovering').catch(() => [])
      return rows[0]?.recovering === false || undefined
    },
    120_000,
  )
}
