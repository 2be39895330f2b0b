import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addApi, addResources } from '../../api/index.ts'
import { type App, buildApp } from '../../app.ts'
import { type Config, readConfig } from '../../config.ts'
import { addConsole } from '../../console/index.ts'
import { watchMaintenance } from '../../core/flags.ts'
import { Invalid, Unavailable } from '../../core/refusals.ts'
import { migrate, pendingMigrations } from '../../db/migrate.ts'
import { announceRoles, type Role } from '../../db/running-roles.ts'
import { addOpenApi } from '../../http/docs.ts'
import { addHealth, addMetrics, createRequestMetrics } from '../../http/health.ts'
import { createServer, type Server } from '../../http/server.ts'
import { startJobs } from '../../jobs/index.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { buildWeb } from './build-web.ts'
import { prepareDemo } from './demo.ts'
import { disablePretenuring } from './garbage-collection.ts'
import { createLog } from './log.ts'
import { announceReady, isFirstProcess } from './processes.ts'
import { listenForStop } from './signals.ts'
import { printWelcome } from './welcome.ts'

export interface Service {
  url: string
  server: Server
  stop(): Promise<void>
}

/**
 * The command `serve`: starts the service and runs it until SIGINT or SIGTERM, then stops it in good order. A second
 * signal ends the process at once; nothing is lost by that, it only takes some seconds more to go on.
 */
export async function serve(terminal: Terminal, options: { api: boolean; jobs: boolean }): Promise<void> {
  if (!options.api && !options.jobs) throw new Invalid({ options: ['--no-api and --no-jobs leave nothing to do.'] })
  disablePretenuring()
  const stop = listenForStop()
  const started = await startApp(terminal, options).catch((error: unknown) => {
    // Ctrl-C reaches what we have started, too: whoever stops a start does not want to read what it broke.
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
    // Neither a call that outlived the patience nor a stop that failed must keep the process.
    setTimeout(() => process.exit(), EXIT_DELAY_MS).unref()
  }
}

async function startApp(terminal: Terminal, options: { api: boolean; jobs: boolean }) {
  const config = readConfig(terminal.environment)
  const log = await createLog(config, 'service')
  process.on('uncaughtException', (error) => {
    // Nobody knows what state this process is in, and whatever it had in hand goes on in the next.
    logEvent(log, 'process_crashed', { error })
    process.exit(1)
  })
  const app = await buildApp(config, log)
  try {
    await migrate(app.db)
    const demo = config.MODE === 'sandbox' ? await prepareDemo(app) : null
    const service = await startService(app, options)
    if (isFirstProcess()) printWelcome(terminal, app, { ...options, demo })
    announceReady()
    const building = options.api && config.CONSOLE && isFirstProcess() ? buildWeb(log) : null
    return { service, log, building }
  } catch (error) {
    await app.close()
    throw error
  }
}

const EXIT_DELAY_MS = 500

/** Puts the doors together on one server, without listening. `inMaintenance` says whether they are closed for now. */
export async function buildServer(app: App, inMaintenance: () => boolean = () => false): Promise<Server> {
  const health = createRequestMetrics()
  const { TRUST_PROXY: trust_proxy, SERVICE_NAME: service_name } = app.config
  const server = createServer({ log: app.log, trust_proxy, inMaintenance, onAnswer: health.observe })
  await addOpenApi(server, { version: VERSION, service_name, console: app.config.CONSOLE })
  addHealth(server, async () => {
    const pending = await pendingMigrations(app.db)
    if (pending.length > 0) throw new Unavailable(`The database waits for ${pending.length} migrations.`)
  })
  if (app.config.METRICS_ADDRESS) await listenForMetrics(app, server, health)
  else addMetrics(server, health)
  addApi(server, app)
  if (app.config.CONSOLE) addConsole(server, app, addResources)
  return server
}

/** Requests and jobs that are under way get this long to finish. What is cut off goes on when its lease has ended. */
const STOP_TIMEOUT_MS = 5_000

/** Starts the doors that this process is for, and the outside world of the sandbox. Stops in the opposite order. */
export async function startService(app: App, options: { api: boolean; jobs: boolean }): Promise<Service> {
  const maintenance = await watchMaintenance(app.db)
  const server = await buildServer(app, maintenance.isOn)
  let url = app.address.url
  if (options.api) {
    url = await listen(server, app.config)
    app.address.local = url
    if (!app.config.PUBLIC_URL) app.address.url = url
  }
  await app.startSimulator()
  const jobs = options.jobs ? startJobs(app) : null
  // Whoever moves the sandbox's clock wants to know whether anybody does what then falls due.
  const roles: Role[] = [...(options.api ? ['api' as const] : []), ...(options.jobs ? ['jobs' as const] : [])]
  const presence = app.simulator ? await announceRoles(app.db, roles) : null
  return {
    url,
    server,
    async stop() {
      // The jobs run on while requests finish, because a bill purchase waits for a job to settle it.
      await withStopTimeout(server.close(), () => server.server.closeAllConnections())
      await withStopTimeout(jobs?.stop())
      await presence?.withdraw()
      await maintenance.close()
      await app.close()
    },
  }
}

/** Opens the door and returns the address at which this machine reaches it. */
async function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  await retryWhilePortBusy(() => server.listen({ host: HOST, port: PORT }))
  const { port } = server.server.address() as AddressInfo
  // "All addresses" is nowhere to go to.
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Our predecessor may be just about to stop. */
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

async function withStopTimeout(work: Promise<unknown> | undefined, giveUp = () => {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      giveUp()
      resolve()
    }, STOP_TIMEOUT_MS)
  })
  await Promise.race([work, patience]).finally(() => clearTimeout(timer))
}

/** METRICS_ADDRESS keeps the figures off the public address. */
async function listenForMetrics(
  app: App,
  server: Server,
  health: ReturnType<typeof createRequestMetrics>,
): Promise<void> {
  const [, host, port] = /^(.+):(\d+)$/.exec(app.config.METRICS_ADDRESS!)!
  const apart = createServer({ log: app.log, trust_proxy: 'off' })
  addMetrics(apart, health)
  await apart.listen({ host, port: Number(port) })
  server.addHook('onClose', () => apart.close())
}
