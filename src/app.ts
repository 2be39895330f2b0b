import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Billers, createBillers } from './billers/index.ts'
import type { Config } from './config.ts'
import { settingsConnection } from './connections/built-in.ts'
import { callbackAddress } from './connections/changes.ts'
import type { BillConnection, Connection, SmsConnection } from './connections/connection.ts'
import { type OpenConnectionsOptions, openConnections } from './connections/open.ts'
import type { Providers } from './connections/providers.ts'
import type { Connections, ConnectionsOf } from './connections/registry.ts'
import { openSharedTools, type SharedTools } from './connections/tools/index.ts'
import { readClockOffset } from './core/clock.ts'
import { CONNECTIONS_CHANNEL } from './core/connections/changes-lock.ts'
import { sandboxBillProviders } from './core/connections/sandbox-networks.ts'
import { createFactReporter } from './core/fact-reports.ts'
import { FLAGS_CHANNEL } from './core/flags.ts'
import { openRequestTraces, type RequestTraces } from './core/request-traces.ts'
import { createWaker } from './core/waker.ts'
import type { WakeCause, WakeListener } from './core/wakes.ts'
import { connect, type Database } from './db/client.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { isUnavailable, readUnlessNew } from './db/failures.ts'
import { type MigrationWait, migrationsOfLaterVersion, prepareDatabase } from './db/migrate.ts'
import { createOutageLog, type ReportUnavailable } from './db/outages.ts'
import { openReads, type Reads } from './db/reads/reads.ts'
import { requireSuitableDatabase } from './db/requirements.ts'
import type { Throttle } from './http/throttle.ts'
import { openThrottle } from './http/throttle-shared.ts'
import { type DiskWatch, watchDisk } from './lib/disk-space.ts'
import { localUrl } from './lib/http/ip-addresses.ts'
import { logEvent } from './lib/log-events.ts'
import { decrypt, encrypt, type SealingKeys } from './lib/secrets.ts'
import { cellMark } from './lib/text/cells.ts'
import type { TimeLimits } from './lib/time-limits.ts'
import { openTracing } from './lib/tracing/open.ts'
import { createSmsSender } from './senders/index.ts'
import { createMailer, type Mailer } from './senders/mail.ts'
import type { SmsSender } from './senders/sms-sender.ts'
import { certificate } from './simulator/doors/daraja/keys.ts'
import { createSimulator, type Simulator } from './simulator/index.ts'

/** The two clocks: the service's own clock, which the sandbox can move, and the real clock, which leases use. */
export interface Clock {
  now(): Date
  real(): Date
}

/** Everything that the doors need. It is built once per process. */
export interface App {
  config: Config
  db: Database
  /** The traces of collection requests; null while traces are off. */
  traces: RequestTraces | null
  /** Reads for pages, lists and exports, which may run on a replica. */
  reads: Reads
  clock: Clock
  /** Counter of the requests of all doors, for the whole service. */
  throttle: Throttle
  /** The connections to networks, to SMS providers and to bill providers. */
  connections: Connections
  sms_connections: ConnectionsOf<SmsConnection>
  bill_connections: ConnectionsOf<BillConnection>
  /** Connections and drivers of every kind. */
  providers: Providers
  /** Tools that all connections share: metrics, and health and tokens over all processes. */
  connection_tools: SharedTools
  billers: Billers
  /** Take SMS to customers while no connection carries them. */
  sms_sender: SmsSender
  /** Send e-mail to the users of organizations; null when no mail server is configured. */
  mailer: Mailer | null
  log: Logger
  /** Log that the database cannot serve a request now. */
  reportUnavailable: ReportUnavailable
  /** The disk of the embedded PostgreSQL; null with a PostgreSQL of one's own, whose disk this machine cannot see. */
  disk: DiskWatch | null
  /** A new call is refused as busy when another has waited longer than this to be worked on, in milliseconds. */
  queue_wait_ms: number
  /** The simulated network, customers and biller of the sandbox; null in live mode. */
  simulator: Simulator | null
  /** Derive the key for one purpose from SECRET_KEY. It changes with SECRET_KEY: use `sealingKeys` for stored data. */
  deriveSecret(purpose: string): string
  /** Return the keys of one purpose's stored secrets. SECRET_KEY encrypts; SECRET_KEY_PREVIOUS can also decrypt. */
  sealingKeys(purpose: string): SealingKeys
  /** The public address and the address on this machine. The port is known once the service listens. */
  address: { url: string; local: string }
  /** Start the simulated network and customers of the sandbox; does nothing in live mode. */
  startSimulator(): Promise<void>
  /**
   * Wake the loops because something is due: at once in this process, within milliseconds in the others. With a cause,
   * only the loops that it concerns.
   */
  wake(cause?: WakeCause): void
  /** Register a listener for wakes. It gets their causes; undefined when everything may be due. */
  onWake(listener: WakeListener): void
  /**
   * Migrate the database to this version, and update the rights of the service's role. Returns the names of the applied
   * migrations.
   */
  migrate(): Promise<string[]>
  /** Run work that only the owner of the tables may do, on connections of the owner's own. */
  asOwner<T>(work: (owner: Database) => Promise<T>): Promise<T>
  /**
   * Read the sandbox's clock now. Processes with an `onWake` listener do this by themselves when the clock was moved.
   */
  refreshClock(): Promise<void>
  /** Lines for people to read at the start, such as where the data is. */
  notices: string[]
  close(): Promise<void>
}

/** The caller loses less time when it tries again than when it waits longer. */
const QUEUE_WAIT_MS = 1_000

/** The parts that a test may replace. */
export interface Overrides {
  clock?: Clock
  /** Connections instead of those that are stored. */
  connections?: readonly Connection[]
  sms_connections?: readonly SmsConnection[]
  bill_connections?: readonly BillConnection[]
  billers?: Billers
  sms_sender?: SmsSender
  mailer?: Mailer
  disk?: DiskWatch
  queue_wait_ms?: number
}

/**
 * Open the database and build the app. The caller migrates, starts jobs and servers, and closes it.
 * @throws WrongSetting
 */
export async function buildApp(config: Config, log: Logger, overrides: Overrides = {}): Promise<App> {
  const sms_sender = overrides.sms_sender ?? createSmsSender(config)
  const mailer = overrides.mailer ?? createMailer(config)

  const notices: string[] = []
  const secret_keys = await openSecretKey(config)
  const from_settings = settingsConnection(config, secret_keys.deriveSecret('connections of the settings'))
  let sandbox_network_url = ''
  const sandbox_network = { url: () => sandbox_network_url, secret: secret_keys.deriveSecret('sandbox network') }
  const billers = overrides.billers ?? createBillers(config, sandbox_network)
  const { db, traces, asOwner, data_folder, closeDatabase } = await openDatabase(config, log, notices)
  const reads = openReads(db, replicaOf(config, log))
  const disk = overrides.disk ?? (data_folder ? watchDisk(data_folder) : null)
  const reportUnavailable = createOutageLog(log, disk)
  const local = localUrl(config.HOST, config.PORT)
  const address = { url: config.PUBLIC_URL ?? local, local }
  let simulator: Simulator | null = null
  const hostsOf = (door: string) => simulator?.hostsOf(door) ?? {}
  const sandbox = { ...sandbox_network, hostsOf, certificate, callback_base: () => address.local }
  const { clock, readClock, providers, connection_tools } = await readStored(db, config, overrides, {
    log,
    reportUnavailable,
    ...secret_keys,
    base_url: () => address.url,
    cell: config.CELL,
    from_settings,
    sandbox: config.MODE === 'sandbox' ? sandbox : null,
  }).catch(async (error) => {
    await closeDatabase()
    throw error
  })
  const throttle = openThrottle({ redis_url: config.REDIS_URL, log })
  const waker = createWaker(db, { [FLAGS_CHANNEL]: readClock, [CONNECTIONS_CHANNEL]: providers.refresh })

  if (config.MODE === 'sandbox')
    simulator = openSimulator({ db, clock, address, config, secret: sandbox_network.secret, log, reportUnavailable })

  return {
    config,
    db,
    traces,
    reads,
    clock,
    providers,
    connection_tools,
    throttle,
    connections: providers.networks,
    sms_connections: providers.sms,
    bill_connections: providers.bills,
    billers,
    sms_sender,
    mailer,
    log,
    reportUnavailable,
    disk,
    simulator,
    ...secret_keys,
    queue_wait_ms: overrides.queue_wait_ms ?? QUEUE_WAIT_MS,
    address,
    wake: waker.wake,
    onWake: waker.onWake,
    asOwner,
    async migrate() {
      const applied = await asOwner((owner) => migrateAs(owner, db, log, config.CELL))
      // Until now the role of the service may not have been allowed to read these.
      await readClock()
      await providers.refresh()
      return applied
    },
    refreshClock: readClock,
    notices,
    async startSimulator() {
      if (!simulator) return
      sandbox_network_url = await simulator.listen()
      await registerCallbacks(simulator, providers, { base_url: address.local, cell: config.CELL })
      simulator.start()
      waker.onWake(onRareCauses(() => simulator.wake()))
    },
    async close() {
      disk?.stop()
      throttle.close?.()
      await simulator?.stop()
      await waker.close()
      await connection_tools.close()
      await reads.close()
      await closeDatabase()
    },
  }
}

/** Leave out wakes with frequent causes, which concern jobs of the service alone. */
function onRareCauses(wake: () => void): WakeListener {
  return (causes) => {
    if (causes === undefined) wake()
  }
}

/** The simulated outside world. It calls the service at its address on this machine. */
function openSimulator(
  parts: Pick<App, 'config' | 'db' | 'clock' | 'address' | 'log' | 'reportUnavailable'> & { secret: string },
): Simulator {
  return createSimulator({
    db: parts.db,
    now: parts.clock.now,
    real: parts.clock.real,
    secret: parts.secret,
    callback_url: () => `${parts.address.local}/api/callbacks/${cellMark(parts.config.CELL)}sandbox`,
    onError: (job, error) =>
      isUnavailable(error)
        ? parts.reportUnavailable({ job, error })
        : logEvent(parts.log, 'simulator_failed', { job, error }),
  })
}

/** Tell simulated providers our address: the real ones have it from their portals, and no call says it. */
async function registerCallbacks(
  simulator: Simulator,
  providers: Providers,
  { base_url, cell }: { base_url: string; cell: number },
): Promise<void> {
  for (const slug of ['sandbox-airtel', ...sandboxBillProviders.map((provider) => provider.slug)]) {
    const found = providers.find(slug)
    if (found) await simulator.setSwitches(found.code, { callback_url: callbackAddress({ base_url, cell }, found) })
  }
}

/** Check that the service can work with its database. @throws UnsuitableDatabase */
export function checkDatabase({ db, config }: Pick<App, 'db' | 'config'>): Promise<void> {
  return requireSuitableDatabase(db, {
    pooler: config.DATABASE_POOLER,
    limits: databaseLimits(config),
    cell: config.CELL,
  })
}

/** Return the time limits of statements and transactions. */
function databaseLimits(config: Config): TimeLimits {
  return {
    statement: config.DATABASE_STATEMENT_SECONDS,
    lock: config.DATABASE_LOCK_SECONDS,
    idle_transaction: config.DATABASE_IDLE_SECONDS,
  }
}

/** The replica of DATABASE_READ_URL, if there is one. */
function replicaOf(config: Config, log: Logger) {
  const { DATABASE_READ_URL: url, DATABASE_READ_WAIT_MS: wait_ms, DATABASE_CONNECTIONS: connections } = config
  return url === undefined ? null : { url, wait_ms, connections, limits: databaseLimits(config), log }
}

/** Connect to the database of DATABASE_URL, or start the embedded PostgreSQL. The owner connects only for its work. */
async function openDatabase(config: Config, log: Logger, notices: string[]) {
  const onRestart = (error?: unknown) =>
    error ? logEvent(log, 'database_restart_failed', { error }) : logEvent(log, 'database_restarted', {})
  const embedded = config.DATABASE_URL ? null : await startEmbedded({ data_dir: resolve(config.DATA_DIR), onRestart })
  if (embedded?.notice) notices.push(embedded.notice)
  if (embedded && config.MODE === 'live')
    notices.push('DATABASE_URL is not set: the data is in the embedded PostgreSQL. Back it up to another disk.')
  const tracing = await openTracing(config, log)
  const facts = createFactReporter(log, () => traces)
  const db = connect(config.DATABASE_URL ?? embedded!.service_url, {
    listener: facts,
    connections: config.DATABASE_CONNECTIONS,
    application: 'kusanya service',
    limits: databaseLimits(config),
    pooler: config.DATABASE_POOLER,
    direct_url: config.DATABASE_LISTEN_URL,
    cell: config.CELL,
  })
  const traces = tracing && openRequestTraces(db, tracing)
  const owner_url = config.MIGRATION_DATABASE_URL ?? embedded?.url
  const asOwner = async <T>(work: (owner: Database) => Promise<T>): Promise<T> => {
    // Without a separate address, the owner is the role of the service.
    if (owner_url === undefined) return work(db)
    const options = {
      connections: 2,
      application: 'kusanya service',
      limits: databaseLimits(config),
      cell: config.CELL,
    }
    const owner = connect(owner_url, options)
    return work(owner).finally(() => owner.end())
  }
  const closeDatabase = async () => {
    await facts.settled()
    await tracing?.close()
    await db.end({ timeout: 5 })
    await embedded?.stop()
  }
  return { db, traces, asOwner, data_folder: embedded?.location, closeDatabase }
}

/** Migrate as the owner of the tables, and log notices for the operator. Returns the applied migrations. */
async function migrateAs(owner: Database, db: Database, log: Logger, cell: number): Promise<string[]> {
  const waiting = (wait: MigrationWait) => logEvent(log, 'migration_waiting', wait)
  const applied = await prepareDatabase(owner, db, { waiting }, cell)
  const migrations = await migrationsOfLaterVersion(owner)
  if (migrations.length > 0) logEvent(log, 'database_newer', { migrations })
  return applied
}

/** Read the stored state of the clock and the connections. */
async function readStored(
  db: Database,
  config: Config,
  { clock: given_clock, connections: networks, sms_connections: sms, bill_connections: bills }: Overrides,
  options: Omit<OpenConnectionsOptions, 'db' | 'shared' | 'given'> & Pick<App, 'reportUnavailable'>,
) {
  const { clock, readClock } = await openClock(db, config, given_clock)
  const { log, reportUnavailable, sealingKeys } = options
  const connection_tools = openConnectionTools({ db, clock, log, reportUnavailable, sealingKeys })
  const given = networks && { networks, ...(sms && { sms }), ...(bills && { bills }) }
  const providers = await openConnections({ ...options, db, shared: connection_tools, given })
  return { clock, readClock, providers, connection_tools }
}

/** Open the tools that all connections share. Tokens are stored encrypted. */
function openConnectionTools({
  clock,
  sealingKeys,
  ...parts
}: Pick<App, 'db' | 'log' | 'clock' | 'reportUnavailable' | 'sealingKeys'>): SharedTools {
  const keys = sealingKeys('network tokens')
  return openSharedTools({
    ...parts,
    real: clock.real,
    seal: (text) => encrypt(keys, text),
    unseal: (sealed) => decrypt(keys, sealed),
  })
}

/** Open the service's clock. In live mode it is the real one; in the sandbox it is ahead by a stored offset. */
async function openClock(db: Database, config: Config, given: Clock | undefined) {
  if (given) return { clock: given, readClock: async () => {} }
  let offset_ms = 0
  const clock: Clock = { now: () => new Date(Date.now() + offset_ms), real: () => new Date() }
  const readClock = async () => {
    if (config.MODE === 'sandbox') offset_ms = await readClockOffset(db)
  }
  await readUnlessNew(readClock)
  return { clock, readClock }
}

/** The keys of SECRET_KEY and SECRET_KEY_PREVIOUS, or of the file of a sandbox, which is created unless it exists. */
export async function openSecretKey(config: Config): Promise<Pick<App, 'deriveSecret' | 'sealingKeys'>> {
  const master = config.SECRET_KEY ?? (await loadSandboxSecret(config))
  const previous = config.SECRET_KEY_PREVIOUS
  const deriveSecret = (purpose: string) => deriveKey(master, purpose)
  return {
    deriveSecret,
    sealingKeys: (purpose) =>
      previous === undefined ? deriveSecret(purpose) : [deriveSecret(purpose), deriveKey(previous, purpose)],
  }
}

function deriveKey(master: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', master, '', purpose, 32)).toString('hex')
}

/** The sandbox generates its own secret key in DATA_DIR, so a first try needs no setting. */
async function loadSandboxSecret(config: Config): Promise<string> {
  const folder = resolve(config.DATA_DIR)
  const file = join(folder, 'secret-key')
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
