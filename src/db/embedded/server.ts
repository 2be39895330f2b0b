import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
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
  // What was committed survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Bounded WAL: after a crash about this much is replayed at most, which takes seconds.
  max_wal_size: '512MB',
  checkpoint_timeout: '2min',
  wal_compression: 'pglz',
  listen_addresses: '127.0.0.1',
  // The path of a socket may have about a hundred bytes only, and we need no socket.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  // Many short statements on few cores: one report must not take them all.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A failed statement is told to its caller; in the log it would show customers' data and pile up.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** What time cures: backends that outlived a killed server, a port that was taken in between. */
const TEMPORARY_FAILURE = /postmaster\.pid|shared memory block|Address already in use/

const RETRY_TIMEOUT_MS = 15_000
const START_TIMEOUT_MS = 300_000
const POLL_MS = 20

/** One server: where it lives and as whom, its programs, and our password to it. */
export interface EmbeddedServer extends DatabaseFolder {
  binaries: Binaries
  password: string
}

/** Reads the password kept beside the data, or makes one for data that is yet to come. */
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

/** The connection string of a server that listens on `port`. */
export function connectionUrl(server: EmbeddedServer, port: number): string {
  return `postgres://kusanya:${server.password}@127.0.0.1:${port}/kusanya`
}

/** Makes the data folder, with an empty database `kusanya`, unless it exists. It gets its name when it is whole. */
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
      // The number may be that of another process by now, which PostgreSQL would take for a rival. What really guards
      // the data is its check for processes attached to its shared memory, and that needs no such file.
      rmSync(join(server.cluster, 'postmaster.pid'), { force: true })
      return null
    }
    if (postmaster.ready && (await acceptsConnections(server, postmaster.port))) return postmaster.port
    await sleep(POLL_MS)
  }
  throw new Error(`PostgreSQL runs in ${server.cluster} but does not answer.\n${lastLogLines(server)}`)
}

/** Names this run of the server's main process, as `identify` does, or null when it does not run. */
export function identifyServerProcess(server: EmbeddedServer): string | null {
  const postmaster = readPostmaster(server)
  return postmaster && isOurServer(server, postmaster.pid) ? identifyProcess(postmaster.pid) : null
}

/**
 * Starts the server and returns its port once it answers: the one given, or any that is free. Throws an Error with the
 * last lines of its log.
 */
export async function startServer(
  server: EmbeddedServer,
  settings: Record<string, string>,
  at?: number,
): Promise<number> {
  rotateLog(server)
  const deadline = Date.now() + RETRY_TIMEOUT_MS
  for (;;) {
    const port = at ?? (await findFreePort())
    const child = spawnServer(server, { ...POSTGRES_SETTINGS, ...settings, port: String(port) })
    if (await waitUntilReady(server, child)) return port
    const log = lastLogLines(server)
    if (!TEMPORARY_FAILURE.test(log) || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start. The end of its log, ${logPath(server)}:\n${log}`)
    }
    await sleep(200)
  }
}

/** Stops the server if it runs and waits until it is gone: politely first, after 10 s at once. */
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
    // In a process group of its own, Ctrl-C in the terminal does not reach it: it stops after us, not before.
    detached: true,
  })
  child.once('error', (error) => writeFileSync(logPath(server), `${error.message}\n`, { flag: 'a' }))
  child.unref()
  closeSync(log)
  return child
}

/** Waits for the server to answer; false when it ended instead or took far too long. */
async function waitUntilReady(server: EmbeddedServer, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const postmaster = readPostmaster(server)
    if (postmaster?.ready && postmaster.pid === child.pid && (await acceptsConnections(server, postmaster.port)))
      return true
    await sleep(POLL_MS)
  }
  child.kill('SIGQUIT')
  return false
}

/** What PostgreSQL notes about its main process: the first line is the pid, the fourth the port, the eighth the state. */
function readPostmaster({ cluster }: EmbeddedServer): { pid: number; port: number; ready: boolean } | null {
  const path = join(cluster, 'postmaster.pid')
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null
}

function isOurServer({ cluster }: EmbeddedServer, pid: number): boolean {
  if (identifyProcess(pid) === null) return false
  // Windows does not tell, but there PostgreSQL is not confused by numbers that come back.
  return process.platform === 'win32' || commandLine(pid).includes(` -D ${cluster} `)
}

/** Whether our password opens it, and it is the server of this folder and not of one that this was copied from. */
async function acceptsConnections(server: EmbeddedServer, port: number): Promise<boolean> {
  const db = connect(connectionUrl(server, port), { connections: 1, application: 'kusanya' })
  try {
    const [row] = await db<{ data_directory: string }[]>`show data_directory`
    return resolve(row!.data_directory) === server.cluster
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Wrong password (28P01) or no such database (3D000) stay wrong; all else is a server that starts or stops.
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

/** Keeps the log of this run and of the one before. */
function rotateLog(server: EmbeddedServer): void {
  if (existsSync(logPath(server))) renameSync(logPath(server), `${logPath(server)}.1`)
}

function lastLogLines(server: EmbeddedServer): string {
  return existsSync(logPath(server))
    ? readFileSync(logPath(server), 'utf8').trimEnd().split('\n').slice(-12).join('\n')
    : ''
}

/** Of a start that was killed; its initdb may still be writing there, then the rest is removed next time. */
function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

/** Makes a rename in this folder survive a power cut. Windows cannot, and need not. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
