import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../client.ts'
import type { Binaries } from './binaries.ts'
import type { DatabaseFolder } from './folder.ts'
import { commandLine, identifyProcess, isRunning } from './processes.ts'
import { changeOwner, execute, spawnOptions } from './user.ts'

const POSTGRES_SETTINGS = {
  // Committed data survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Limits the WAL: after a crash PostgreSQL replays at most about this much, which takes seconds.
  max_wal_size: '512MB',
  checkpoint_timeout: '2min',
  wal_compression: 'pglz',
  listen_addresses: '127.0.0.1',
  // Kusanya needs no socket, and the path of a socket is limited to about a hundred bytes.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  // Kusanya runs many short statements on few cores: one report must not use all cores.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The caller gets the error of a failed statement. In the log it would show customers' data and fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Failures that pass: backends of a killed server that still run, or a port that is in use for a short time. */
const TEMPORARY_FAILURE = /postmaster\.pid|shared memory block|Address already in use/

const RETRY_TIMEOUT_MS = 15_000
const START_TIMEOUT_MS = 300_000
const POLL_MS = 20

/** Server of a data folder: its folder, its user, its programs and the password of Kusanya. */
export interface EmbeddedServer extends DatabaseFolder {
  binaries: Binaries
  password: string
}

/** Reads the password beside the data, or creates one for a new database. */
export function readPassword({ location, cluster, user }: DatabaseFolder): string {
  const path = join(location, 'password')
  if (existsSync(cluster)) {
    if (!existsSync(path)) throw new Error(`The password of the database is missing: ${path}`)
    return readFileSync(path, 'utf8').trim()
  }
  const password = randomBytes(24).toString('hex')
  writeFileSync(path, `${password}\n`, { mode: 0o600, flush: true })
  changeOwner(user, path)
  return password
}

/** The connection string for the owner of the tables, on a server that listens on `port`. */
export function connectionUrl(server: EmbeddedServer, port: number): string {
  return `postgres://kusanya:${server.password}@127.0.0.1:${port}/kusanya`
}

const SERVICE_ROLE = 'kusanya_service'

/** The connection string for the role of the service, which owns nothing. */
export function serviceUrl(server: EmbeddedServer, port: number): string {
  return `postgres://${SERVICE_ROLE}:${servicePassword(server)}@127.0.0.1:${port}/kusanya`
}

/** Derives the password from the owner's, so a data folder needs no second secret. */
function servicePassword({ password }: EmbeddedServer): string {
  return createHmac('sha256', password).update(SERVICE_ROLE).digest('hex')
}

/** Creates the role of the service unless it exists. */
export async function ensureServiceRole(server: EmbeddedServer, port: number): Promise<void> {
  const db = connect(connectionUrl(server, port), { connections: 1, application: 'kusanya server' })
  try {
    const [role] = await db`select 1 from pg_roles where rolname = ${SERVICE_ROLE}`
    // The password has only letters and digits. A definition cannot have parameters.
    if (!role) await db.unsafe(`create role ${SERVICE_ROLE} login password '${servicePassword(server)}'`)
  } finally {
    await db.end({ timeout: 1 })
  }
}

/** Creates the data folder with an empty database `kusanya`, unless it exists. It gets its final name when it is complete. */
export async function ensureCluster({ binaries, location, cluster, user }: EmbeddedServer): Promise<void> {
  for (const file of readdirSync(location)) if (file.startsWith('unfinished-')) removeLeftover(join(location, file))
  if (existsSync(cluster)) return
  const unfinished = join(location, `unfinished-${randomBytes(4).toString('hex')}`)
  mkdirSync(unfinished, { mode: 0o700 })
  changeOwner(user, unfinished)
  const access = ['--username=kusanya', `--pwfile=${join(location, 'password')}`, '--auth=scram-sha-256']
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await execute(user, binaries.initdb, [`--pgdata=${unfinished}`, ...access, ...locale, '--data-checksums'])
  const single_user = ['--single', '-D', unfinished, '-c', 'exit_on_error=on', 'postgres']
  await execute(user, binaries.postgres, single_user, 'create database kusanya\n')
  renameSync(unfinished, cluster)
  syncFolder(location)
}

/** The port of the server if it runs already, else null. Waits while the server is starting or stopping. */
export async function findRunningServer(server: EmbeddedServer): Promise<number | null> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(server)
    if (postmaster === null) return null
    if (!isOurServer(server, postmaster.pid)) {
      // Another process may have this pid now, and PostgreSQL would mistake it for a second server. PostgreSQL protects the
      // data by its check for processes attached to its shared memory, which does not need this file.
      rmSync(join(server.cluster, 'postmaster.pid'), { force: true })
      return null
    }
    if (postmaster.ready && (await acceptsConnections(server, postmaster.port))) return postmaster.port
    await sleep(POLL_MS)
  }
  throw new Error(`PostgreSQL runs in ${server.cluster} but does not answer.\n${lastLogLines(server)}`)
}

/** Identifies this run of the server's main process, as `identify` does; null if it does not run. */
export function identifyServerProcess(server: EmbeddedServer): string | null {
  const postmaster = readPostmaster(server)
  return postmaster && isOurServer(server, postmaster.pid) ? identifyProcess(postmaster.pid) : null
}

/**
 * Starts the server on the given port, or on any free port, and returns the port when the server responds. Throws an Error
 * with the last lines of the log if it does not start.
 * @param options.at the port
 * @param options.patient true to wait as long as the process lives: what it replays may be hours of changes
 */
export async function startServer(
  server: EmbeddedServer,
  settings: Record<string, string>,
  { at, patient = false }: { at?: number; patient?: boolean } = {},
): Promise<number> {
  rotateLog(server)
  const deadline = Date.now() + RETRY_TIMEOUT_MS
  for (;;) {
    const port = at ?? (await findFreePort())
    const child = spawnServer(server, { ...POSTGRES_SETTINGS, ...settings, port: String(port) })
    if (await waitUntilReady(server, child, patient ? Infinity : START_TIMEOUT_MS)) return port
    const log = lastLogLines(server)
    if (!TEMPORARY_FAILURE.test(log) || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start. The end of its log, ${logPath(server)}:\n${log}`)
    }
    await sleep(200)
  }
}

/** Stops the server if it runs, and waits until it has ended. After 10 s of a normal stop it forces the stop. */
export async function stopServer(server: EmbeddedServer): Promise<void> {
  const postmaster = readPostmaster(server)
  const identity = postmaster && identifyProcess(postmaster.pid)
  if (!identity || !isOurServer(server, postmaster.pid)) return
  const stop = (mode: string) =>
    execute(server.user, server.binaries.pg_ctl, ['stop', '-D', server.cluster, '-m', mode, '-t', '10'])
  await stop('fast').catch(() => stop('immediate'))
  while (isRunning(identity)) await sleep(POLL_MS)
}

function spawnServer(server: EmbeddedServer, settings: Record<string, string>): ChildProcess {
  const switches = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(logPath(server), 'a', 0o600)
  const child = spawn(server.binaries.postgres, ['-D', server.cluster, ...switches], {
    ...spawnOptions(server.user),
    stdio: ['ignore', log, log],
    // In a separate process group it does not get Ctrl-C from the terminal, so it stops after Kusanya, not before.
    detached: true,
  })
  child.once('error', (error) => writeFileSync(logPath(server), `${error.message}\n`, { flag: 'a' }))
  child.unref()
  closeSync(log)
  return child
}

/** Waits until the server responds. False if it ended, or took far too long. */
async function waitUntilReady(server: EmbeddedServer, child: ChildProcess, timeout_ms: number): Promise<boolean> {
  const deadline = Date.now() + timeout_ms
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const postmaster = readPostmaster(server)
    if (postmaster?.ready && postmaster.pid === child.pid && (await acceptsConnections(server, postmaster.port)))
      return true
    await sleep(POLL_MS)
  }
  child.kill('SIGQUIT')
  return false
}

/** The file in which PostgreSQL describes its main process. Line 1 is the pid, line 4 the port, line 8 the state. */
function readPostmaster({ cluster }: EmbeddedServer): { pid: number; port: number; ready: boolean } | null {
  const path = join(cluster, 'postmaster.pid')
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null
}

function isOurServer({ cluster }: EmbeddedServer, pid: number): boolean {
  if (identifyProcess(pid) === null) return false
  // Windows does not show this, but there PostgreSQL handles reused pids.
  return process.platform === 'win32' || commandLine(pid).includes(` -D ${cluster} `)
}

/** True if the server accepts the password and uses this folder, not the folder that this one was copied from. */
async function acceptsConnections(server: EmbeddedServer, port: number): Promise<boolean> {
  const db = connect(connectionUrl(server, port), { connections: 1, application: 'kusanya server' })
  try {
    const [row] = await db<{ data_directory: string }[]>`show data_directory`
    return resolve(row!.data_directory) === server.cluster
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A wrong password (28P01) or database (3D000) is permanent. Other errors mean that the server starts or stops.
    if (/^(28|3D)/.test(code ?? '')) throw new Error(`PostgreSQL in ${server.cluster} does not let us in: ${message}`)
    return false
  } finally {
    await db.end({ timeout: 1 })
  }
}

async function findFreePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((done, fail) => listener.once('error', fail).listen(0, '127.0.0.1', done))
  const address = listener.address()
  await new Promise((done) => listener.close(done))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

function logPath({ location }: EmbeddedServer): string {
  return join(location, 'server.log')
}

/** Keeps the log of this run and of the previous run. */
function rotateLog(server: EmbeddedServer): void {
  if (existsSync(logPath(server))) renameSync(logPath(server), `${logPath(server)}.1`)
}

function lastLogLines(server: EmbeddedServer): string {
  return existsSync(logPath(server))
    ? readFileSync(logPath(server), 'utf8').trimEnd().split('\n').slice(-12).join('\n')
    : ''
}

/** Removes the folders of killed starts. If an initdb still writes to one, the next start removes the rest. */
function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

/** Makes sure that a rename in this folder survives a power cut. Windows cannot do this and does not need it. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
