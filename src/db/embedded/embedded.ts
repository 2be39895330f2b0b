import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBinaries } from './binaries.ts'
import { findDatabaseFolder } from './folder.ts'
import { onInterruption } from './interruption.ts'
import { identifyProcess, isRunning, withLock, writeWorldReadable } from './processes.ts'
import {
  connectionUrl,
  type EmbeddedServer,
  ensureCluster,
  ensureServiceRole,
  findRunningServer,
  identifyServerProcess,
  readPassword,
  serviceUrl,
  startServer,
  stopServer,
} from './server.ts'

/**
 * A running server: `url` opens its database as the owner of all tables, `service_url` as the role of the service, which owns
 * none. `location` is the folder of its data, `notice` is a line for people.
 */
export interface EmbeddedPostgres {
  url: string
  service_url: string
  location: string
  notice: string | null
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that belongs to `data_dir`, or joins it if it runs already: because another process uses it,
 * or because one was killed and left it behind. A server that dies while it is in use is started again at the same
 * address. `stop` stops the server, unless another process still uses it; then the last of them stops it. `settings` are
 * further PostgreSQL settings for a server that must be started, for tests; `onRestart` is called after each restart, with
 * the error if the restart failed and will be tried again.
 * Throws an Error with the end of the server's log if it does not start. Reasons: docs/decisions/0001.
 */
export async function startEmbedded(options: {
  data_dir: string
  settings?: Record<string, string>
  onRestart?: (error?: unknown) => void
}): Promise<EmbeddedPostgres> {
  const home = findDatabaseFolder(resolve(options.data_dir))
  const binaries = await findBinaries(home)
  const lock = join(home.location, 'lock')
  // A process that ends now would leave a server behind that has just begun to start.
  const started = onInterruption(async () => {})
  return withLock(lock, async () => {
    const server = { ...home, binaries, password: readPassword(home) }
    await ensureCluster(server)
    const settings = options.settings ?? {}
    const port = (await findRunningServer(server)) ?? (await startServer(server, settings))
    await ensureServiceRole(server, port)
    const membership = join(home.location, `used-by-${identifyProcess(process.pid)}-${randomBytes(4).toString('hex')}`)
    writeWorldReadable(membership, home.location)
    const guard = superviseServer(
      server,
      () => withLock(lock, () => restartServer(server, settings, port)),
      options.onRestart,
    )
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= guard.stop().then(() => withLock(lock, () => leaveServer(server, membership)))
      return stopped.finally(forget)
    }
    const forget = onInterruption(stop)
    const urls = { url: connectionUrl(server, port), service_url: serviceUrl(server, port) }
    return { ...urls, location: home.location, notice: home.notice, stop }
  }).finally(started)
}

/** Interval of the checks that the server runs. A check reads one small system file. */
const CHECK_INTERVAL_MS = 200
/** Pauses after a failed restart, such as on a full disk: before the next try, and before the next report of it. */
const RETRY_DELAY_MS = 1_000
const NOTIFY_INTERVAL_MS = 60_000

/** Restarts the server whenever it ends, until it should stop. */
function superviseServer(
  server: EmbeddedServer,
  restart: () => Promise<void>,
  notify: (error?: unknown) => void = () => {},
) {
  let under_way: Promise<void> | undefined
  let run = identifyServerProcess(server)
  let failed_at_ms = Number.NEGATIVE_INFINITY
  let notified_at_ms = Number.NEGATIVE_INFINITY
  const notifyOfFailure = (error: unknown) => {
    failed_at_ms = performance.now()
    if (failed_at_ms - notified_at_ms < NOTIFY_INTERVAL_MS) return
    notified_at_ms = failed_at_ms
    notify(error)
  }
  const check = () => {
    if (under_way || (run && isRunning(run)) || performance.now() - failed_at_ms < RETRY_DELAY_MS) return
    under_way = restart()
      .then(() => {
        run = identifyServerProcess(server)
        notified_at_ms = Number.NEGATIVE_INFINITY
        notify()
      })
      .catch(notifyOfFailure)
      .finally(() => {
        under_way = undefined
      })
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await under_way
    },
  }
}

/** Starts the server at the same address, unless another process was faster. */
async function restartServer(server: EmbeddedServer, settings: Record<string, string>, port: number): Promise<void> {
  if ((await findRunningServer(server)) === null) await startServer(server, settings, { at: port })
}

async function leaveServer(server: EmbeddedServer, membership: string): Promise<void> {
  rmSync(membership, { force: true })
  if (!hasUsers(server)) await stopServer(server)
}

/**
 * Each process that uses the server has a file in this folder, named after the process. Files of killed processes are
 * removed. A file with another location comes from a copy of the folder.
 */
function hasUsers({ location }: EmbeddedServer): boolean {
  let living = 0
  for (const file of readdirSync(location)) {
    const identity = /^used-by-(\d+-\d+)-/.exec(file)?.[1]
    if (identity === undefined) continue
    const path = join(location, file)
    if (isRunning(identity) && readFileSync(path, 'utf8') === location) living += 1
    else rmSync(path, { force: true })
  }
  return living > 0
}
