import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addApi, addConsoleResources } from '../../api/index.ts'
import { type App, buildApp, checkDatabase } from '../../app.ts'
import { type Config, readConfig } from '../../config.ts'
import { describeSmsWay, findSmsWay } from '../../connections/sms.ts'
import { addConsole } from '../../console/index.ts'
import { WEB_DIST } from '../../console/pages.ts'
import { announceKeys } from '../../core/access/running-keys.ts'
import { secretKeyIds } from '../../core/access/secret-key.ts'
import { watchMaintenance } from '../../core/flags.ts'
import { Invalid, Unavailable } from '../../core/refusals.ts'
import { isSendingHeld } from '../../core/sending.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { announceRoles, type Role } from '../../db/roles/running-roles.ts'
import { compressAnswers } from '../../http/compression/answers.ts'
import { addDiskGuard } from '../../http/disk-guard.ts'
import { addOpenApi } from '../../http/docs/docs.ts'
import { SITE_DIST } from '../../http/docs/site.ts'
import { addHealth, addMetrics, createRequestMetrics, type RequestMetrics } from '../../http/health.ts'
import { createServer, type Server } from '../../http/server.ts'
import { startJobs } from '../../jobs/index.ts'
import { createJobMetrics, type JobMetrics } from '../../jobs/shared/job-metrics.ts'
import type { DiskSpace } from '../../lib/disk-space.ts'
import { isLoopbackHost, localUrl } from '../../lib/http/ip-addresses.ts'
import { loadUndici } from '../../lib/http/undici.ts'
import { logEvent } from '../../lib/log-events.ts'
import { addPaymentPages } from '../../pay/index.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { buildPages } from './build-pages.ts'
import { openChecklist } from './checklist.ts'
import { prepareDemo } from './demo.ts'
import { createLog } from './log.ts'
import { databaseSeries } from './metrics/database-series.ts'
import { createProcessMetrics } from './metrics/process-metrics.ts'
import { announceReady, isFirstProcess } from './processes.ts'
import { requireSecretKey } from './secret-key.ts'
import { connectSettings } from './settings-connections.ts'
import { listenForStop } from './signals.ts'
import { printWelcome } from './welcome.ts'

export interface Service {
  url: string
  server: Server
  stop(): Promise<void>
}

/**
 * The command `serve`: runs the service until SIGINT or SIGTERM, then stops it gracefully. A second signal ends the
 * process at once. That loses nothing: interrupted work continues when its lease ends.
 */
export async function serve(terminal: Terminal, options: { api: boolean; jobs: boolean }): Promise<void> {
  if (!options.api && !options.jobs)
    throw new Invalid({ options: ['--no-api and --no-jobs together leave nothing to run.'] })
  const stop = listenForStop()
  const started = await startApp(terminal, options).catch((error: unknown) => {
    // Ctrl-C also ends our child processes, so a start that was stopped may fail; that is not an error.
    if (stop.isRequested()) return null
    throw error
  })
  if (!started) return
  const signal = await stop.requested
  logEvent(started.log, 'service_stopping', { signal })
  started.building?.stop()
  try {
    await started.service.stop()
    logEvent(started.log, 'service_stopped', {})
  } finally {
    // End the process even if a call is still open or the stop has failed.
    setTimeout(() => process.exit(), EXIT_DELAY_MS).unref()
  }
}

async function startApp(terminal: Terminal, options: { api: boolean; jobs: boolean }) {
  const config = readConfig(terminal.environment)
  const log = await createLog(config, 'service')
  process.on('uncaughtException', (error) => {
    // The state of this process is unknown. Its unfinished work continues in the next process.
    logEvent(log, 'process_crashed', { error })
    process.exit(1)
  })
  const app = await buildApp(config, log)
  try {
    await checkDatabase(app)
    await app.migrate()
    await requireSecretKey(app)
    const demo = config.MODE === 'sandbox' ? await prepareDemo(app) : null
    const service = await startService(app, options)
    if (options.api && !config.METRICS_ADDRESS && !isLoopbackHost(config.HOST))
      app.notices.push(`METRICS_ADDRESS is not set: /metrics is not served, because others can reach ${config.HOST}.`)
    app.notices.push(...noticesOf(app), describeSmsWay(findSmsWay(app)))
    if (await isSendingHeld(app.db))
      app.notices.push('Sending is held: nothing goes to networks and billers until `npx kusanya sending release`.')
    const checklist = config.MODE === 'live' && isFirstProcess() ? await openChecklist(app) : []
    if (isFirstProcess()) printWelcome(terminal, app, { ...options, demo, checklist })
    announceReady()
    const building = options.api && isFirstProcess() ? buildPages(config, log) : null
    return { service, log, building }
  } catch (error) {
    await app.close()
    throw error
  }
}

const EXIT_DELAY_MS = 500

/** Return notices for the operator about settings and live mode. */
function noticesOf({ config, connections }: App): string[] {
  const is_live = config.MODE === 'live'
  const notices = [
    is_live &&
      connections.list().length === 0 &&
      'There is no connection to a network yet, so no money can be collected or sent.',
    is_live &&
      !config.DATABASE_URL &&
      'The data is in the embedded PostgreSQL, on this machine alone: make backups with `npx kusanya backup` (docs/operating/backup.md).',
    config.SECRET_KEY_PREVIOUS &&
      'SECRET_KEY_PREVIOUS is set: `npx kusanya secrets rotate` encrypts everything with SECRET_KEY, and says when it can go.',
  ]
  return notices.filter((notice) => typeof notice === 'string')
}

/** Create all metrics of this process. */
export function createServiceMetrics(app: App, job_metrics = createJobMetrics()): RequestMetrics {
  return createRequestMetrics(databaseSeries(app), () => app.disk?.state() ?? null, [
    ...app.connection_tools.metrics.all,
    ...app.reads.metrics,
    ...job_metrics.all,
    ...createProcessMetrics(app),
  ])
}

/**
 * Build the server with API, console and health checks. It does not listen.
 * @param options.inMaintenance whether to answer 503
 * @param options.job_metrics metrics of the jobs of this process
 */
export async function buildServer(
  app: App,
  options: { inMaintenance?: () => boolean; job_metrics?: JobMetrics } = {},
): Promise<Server> {
  const { inMaintenance = () => false, job_metrics = createJobMetrics() } = options
  const health = createServiceMetrics(app, job_metrics)
  const { TRUST_PROXY: trust_proxy, PUBLIC_URL: public_url, SERVICE_NAME: service_name } = app.config
  const server = createServer({
    log: app.log,
    trust_proxy,
    public_url,
    inMaintenance,
    onAnswer: health.observe,
    tracing: app.traces?.tracing ?? null,
    reportUnavailable: app.reportUnavailable,
  })
  addDiskGuard(server, app.disk)
  await compressAnswers(server)
  await addOpenApi(server, {
    version: VERSION,
    service_name,
    console: app.config.CONSOLE,
    sandbox: app.config.MODE === 'sandbox',
    dist: WEB_DIST,
    site: SITE_DIST,
  })
  addHealth(server, async () => {
    const pending = await pendingMigrations(app.db)
    if (pending.length > 0) throw new Unavailable(`The database needs ${pending.length} migrations.`)
  })
  if (app.config.METRICS_ADDRESS) await listenForMetrics(app, server, health)
  // The metrics name every route and its failures, which must not be public.
  else if (isLoopbackHost(app.config.HOST)) addMetrics(server, health)
  addApi(server, app)
  addPaymentPages(server, app)
  if (app.config.CONSOLE) addConsole(server, app, addConsoleResources)
  return server
}

/** Running requests and jobs have this long to finish. Interrupted work continues when its lease ends. */
const STOP_TIMEOUT_MS = 5_000

/**
 * Start the API and the jobs as `options` say, and the simulator of the sandbox.
 * @param options.listen_on where to listen, if not at the address of the settings
 */
export async function startService(
  app: App,
  options: { api: boolean; jobs: boolean; listen_on?: Pick<Config, 'HOST' | 'PORT'> },
): Promise<Service> {
  // Loaded before the first call, which would stop the loop for it.
  loadUndici()
  await connectSettings(app)
  const maintenance = await watchMaintenance(app.db)
  const job_metrics = createJobMetrics()
  const server = await buildServer(app, { inMaintenance: maintenance.isOn, job_metrics })
  let url = app.address.url
  if (options.api) {
    url = await listen(server, options.listen_on ?? app.config)
    app.address.local = url
    if (!app.config.PUBLIC_URL) app.address.url = url
  }
  app.disk?.start((space) => reportDiskSpace(app, space))
  await app.startSimulator()
  app.connection_tools.start()
  const jobs = options.jobs ? startJobs(app, job_metrics) : null
  // `clock advance` checks which roles run, because a service must do the work that becomes due.
  const roles: Role[] = [...(options.api ? ['api' as const] : []), ...(options.jobs ? ['jobs' as const] : [])]
  const presence = app.simulator ? await announceRoles(app.db, roles) : null
  // `secrets rotate` finds the processes that could not read its new values.
  const announced_keys = await announceKeys(app.db, secretKeyIds(app.sealingKeys))
  return {
    url,
    server,
    async stop() {
      // The jobs stop after the requests, because a bill purchase waits for a job to settle it.
      await withStopTimeout(server.close(), () => server.server.closeAllConnections())
      await withStopTimeout(jobs?.stop())
      await presence?.withdraw()
      await announced_keys.withdraw()
      await maintenance.close()
      await app.close()
    },
  }
}

const DISK_EVENTS = { enough: 'disk_space_restored', low: 'disk_space_low', critical: 'disk_space_critical' } as const

function reportDiskSpace(app: App, { folder, free_bytes, total_bytes, level }: DiskSpace): void {
  if (level === 'full') app.reportUnavailable({ job: 'watch-disk', error: undefined })
  else logEvent(app.log, DISK_EVENTS[level], { folder, free_bytes, total_bytes })
}

/** Listen and return the URL at which this machine reaches the server. */
async function listen(server: Server, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<string> {
  const address = { host: HOST, port: PORT }
  if (cluster.isWorker) {
    // Node lets a process of several ask for an address only once. So the first one waits with a socket of its own.
    if (isFirstProcess()) await retryWhilePortBusy(() => tryAddress(address))
    await server.listen(address)
  } else await retryWhilePortBusy(() => server.listen(address))
  const { port } = server.server.address() as AddressInfo
  return localUrl(HOST, port)
}

/** Listen at an address for a moment. @throws EADDRINUSE and the like */
async function tryAddress(address: { host: string; port: number }): Promise<void> {
  const socket = new SocketServer().listen({ ...address, exclusive: true })
  await once(socket, 'listening')
  socket.close()
  await once(socket, 'close')
}

/** A previous process may still be stopping on the same port. */
const MAX_PORT_TRIES = 6
const PORT_RETRY_DELAY_MS = 500

async function retryWhilePortBusy(open: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await open()
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MAX_PORT_TRIES) throw error
      await sleep(PORT_RETRY_DELAY_MS)
    }
  }
}

async function withStopTimeout(work: Promise<unknown> | undefined, onTimeout = () => {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeout()
      resolve()
    }, STOP_TIMEOUT_MS)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** METRICS_ADDRESS serves the metrics at an address of their own, apart from the public one. */
async function listenForMetrics(app: App, server: Server, health: RequestMetrics): Promise<void> {
  const [, host, port] = /^(.+):(\d+)$/.exec(app.config.METRICS_ADDRESS!)!
  const metricsServer = createServer({ log: app.log, trust_proxy: 'off' })
  addMetrics(metricsServer, health)
  await metricsServer.listen({ host, port: Number(port) })
  server.addHook('onClose', () => metricsServer.close())
}
