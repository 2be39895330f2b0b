import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Binaries, execute } from './embedded-binaries.ts'
import { giveTo, type Home, runAs } from './embedded-home.ts'
import { commandLine, identify, isRunning } from './embedded-processes.ts'

const SETTINGS = {
  // What was committed survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Bounded WAL: after a crash no more than this is replayed, which takes seconds.
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

/** What only time cures: backends that outlived a killed postmaster, a server still stopping, a port just taken. */
const PASSING_TROUBLE = /postmaster\.pid|shared memory block|Address already in use/

const RETRY_PATIENCE_MS = 15_000
const START_PATIENCE_MS = 300_000
const POLL_MS = 20

/** One database server on disk: its home, its programs, PostgreSQL's data folder and our password to it. */
export interface Server extends Home {
  binaries: Binaries
  cluster: string
  password: string
}

/** Reads the password kept beside the data, or makes one for data that is yet to come. */
export function readPassword({ location, user }: Home): string {
  const path = join(location, 'password')
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  if (existsSync(join(location, 'cluster'))) throw new Error(`The password of the database is missing: ${path}.`)
  const password = randomBytes(24).toString('hex')
  writeFileSync(path, `${password}\n`, { mode: 0o600, flush: true })
  giveTo(user, path)
  return password
}

/** The connection string of a server that listens on `port`. */
export function urlOf(server: Server, port: number): string {
  return `postgres://kusanya:${server.password}@127.0.0.1:${port}/kusanya`
}

/** Makes the data folder with an empty database `kusanya`. It gets its name when it is whole, or never. */
export async function createCluster({ binaries, cluster, location, user }: Server): Promise<void> {
  const unfinished = `${cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  await execute(
    binaries.initdb,
    [
      ['-D', unfinished, '-U', 'kusanya', '--pwfile', join(location, 'password'), '-A', 'scram-sha-256'],
      ['-E', 'UTF8', '--no-locale', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--data-checksums'],
    ].flat(),
    runAs(user),
  )
  const arguments_ = ['--single', '-D', unfinished, '-c', 'exit_on_error=on', 'postgres']
  const single = execute(binaries.postgres, arguments_, runAs(user))
  single.child.stdin?.end('create database kusanya\n')
  await single
  renameSync(unfinished, cluster)
  syncFolder(location)
}

/** The port of the server if it runs already; null if it does not. Waits while it is starting or stopping. */
export async function findRunning(server: Server): Promise<number | null> {
  const deadline = Date.now() + START_PATIENCE_MS
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(server)
    if (!postmaster) return null
    if (!isOurs(server, postmaster.pid)) {
      // The number now belongs to another process, which PostgreSQL would take for a rival. Its own check for
      // processes that still use the shared memory of this data folder stays in force without this file.
      rmSync(join(server.cluster, 'postmaster.pid'), { force: true })
      return null
    }
    if (postmaster.ready && (await answers(server, postmaster.port))) return postmaster.port
    await sleep(POLL_MS)
  }
  throw new Error(`PostgreSQL runs on ${server.cluster} but does not answer. ${lastLines(server)}`)
}

/** Starts the server and returns its port once it answers. */
export async function launch(server: Server, settings: Record<string, string>): Promise<number> {
  rotateLog(server)
  const deadline = Date.now() + RETRY_PATIENCE_MS
  for (;;) {
    const port = await freePort()
    const failure = await tryLaunch(server, { ...SETTINGS, ...settings, port: String(port) })
    if (failure === null) return port
    if (!PASSING_TROUBLE.test(failure) || Date.now() > deadline) throw new Error(failure)
    await sleep(200)
  }
}

/** Stops the server, if it runs, and waits until it is gone. */
export async function halt(server: Server): Promise<void> {
  const postmaster = readPostmaster(server)
  const identity = postmaster && identify(postmaster.pid)
  if (!identity || !isOurs(server, postmaster.pid)) return
  const stop = (mode: string) =>
    execute(server.binaries.pg_ctl, ['stop', '-D', server.cluster, '-m', mode, '-t', '10'], runAs(server.user))
  await stop('fast').catch(() => stop('immediate'))
  while (isRunning(identity)) await sleep(POLL_MS)
}

async function tryLaunch(server: Server, settings: Record<string, string>): Promise<string | null> {
  const log = openSync(join(server.location, 'server.log'), 'a', 0o600)
  const switches = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // In a group of its own Ctrl-C in the terminal does not reach it, so that we can finish our work before we stop it.
  const options = { ...runAs(server.user), detached: true, stdio: ['ignore', log, log] as const }
  const child = spawn(server.binaries.postgres, ['-D', server.cluster, ...switches], {
    ...options,
    stdio: [...options.stdio],
  })
  closeSync(log)
  child.unref()
  let failure: string | null = null
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', () => {
    failure = `PostgreSQL did not start. The last lines of its log:\n${lastLines(server)}`
  })
  const deadline = Date.now() + START_PATIENCE_MS
  while (failure === null) {
    const postmaster = readPostmaster(server)
    if (postmaster?.ready && postmaster.pid === child.pid && (await answers(server, postmaster.port))) return null
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      return `PostgreSQL does not answer. The last lines of its log:\n${lastLines(server)}`
    }
    await sleep(POLL_MS)
  }
  return failure
}

/** What PostgreSQL itself writes down about its main process: pid first, port fourth, state eighth. */
function readPostmaster({ cluster }: Server): { pid: number; port: number; ready: boolean } | null {
  const path = join(cluster, 'postmaster.pid')
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null
}

function isOurs({ cluster }: Server, pid: number): boolean {
  if (identify(pid) === null) return false
  // Windows cannot tell; there PostgreSQL is not confused by numbers that come back.
  return process.platform === 'win32' || commandLine(pid).includes(`-D ${cluster} `)
}

/** Our password fits, and it is the server of this very folder, not that of the folder this one was copied from. */
async function answers(server: Server, port: number): Promise<boolean> {
  const sql = postgres(urlOf(server, port), { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [row] = await sql`show data_directory`
    return row?.data_directory === server.cluster
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Starting up or shutting down.
    if (code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET') return false
    throw new Error(`PostgreSQL in ${server.cluster} does not let us in: ${message}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function freePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((done, fail) => listener.once('error', fail).listen(0, '127.0.0.1', done))
  const address = listener.address()
  await new Promise((done) => listener.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

/** Keeps the log of this run and of the one before. */
function rotateLog({ location }: Server): void {
  const log = join(location, 'server.log')
  if (existsSync(log)) renameSync(log, `${log}.1`)
}

function lastLines({ location }: Server): string {
  const log = join(location, 'server.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : ''
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
