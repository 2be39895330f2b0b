import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Billers, createBillers } from './billers/index.ts'
import type { Config } from './config.ts'
import { readClockOffset } from './core/clock.ts'
import { FLAGS_CHANNEL } from './core/flags.ts'
import { connect, type Database } from './db/client.ts'
import { startEmbedded } from './db/embedded.ts'
import { requireSuitableDatabase } from './db/requirements.ts'
import type { TimeLimits } from './lib/time-limits.ts'
import type { Networks } from './networks/index.ts'
import { createSandboxNetwork } from './networks/sandbox.ts'
import { createSmsSender } from './senders/index.ts'
import { createMailer, type Mailer } from './senders/mail.ts'
import type { SmsSender } from './senders/sms-sender.ts'
import { createSimulator, type Simulator } from './simulator/index.ts'

/** The two clocks: the service's own, which the sandbox can move, and the real one on which leases run. */
export interface Clock {
  now(): Date
  real(): Date
}

/** Everything that the doors need, built once. */
export interface App {
  config: Config
  db: Database
  clock: Clock
  networks: Networks
  billers: Billers
  /** Who sends SMS to customers. */
  sms_sender: SmsSender
  /** Who sends e-mail to the people of organizations; null when no mail server is configured. */
  mailer: Mailer | null
  log: Logger
  /** The outside world of the sandbox; null in live mode. */
  simulator: Simulator | null
  /** A key for one purpose, derived from SECRET_KEY. */
  deriveSecret(purpose: string): string
  /** Where the world reaches this service, and where this machine does; the port is known once it listens. */
  address: { url: string; local: string }
  /** Lets the simulated networks and customers of the sandbox go about their business; does nothing in live mode. */
  startSimulator(): Promise<void>
  /** Something has become due: the loops look now, in this process at once, in the others within a moment. */
  wake(): void
  /** Registers a loop to be woken. */
  onWake(listener: () => void): void
  /** Notices at once that the sandbox's clock was moved; who registers with `onWake` is told by itself. */
  refreshClock(): Promise<void>
  /** What people should know at start, such as where the data lives. */
  notices: string[]
  close(): Promise<void>
}

/** What a test may put in the place of the real thing. */
export interface Overrides {
  clock?: Clock
  networks?: Networks
  billers?: Billers
  sms_sender?: SmsSender
  mailer?: Mailer
}

/** In live mode nothing is simulated, so a real network must be there. */
export class NoNetworkConfigured extends Error {}

/** The channel that wakes the loops of other processes. */
const WAKE_CHANNEL = 'wake'

/**
 * What happens within this time after a wake shares the next one. Each makes every loop look, which costs more than many
 * a write, and each notification takes a lock that all commits share.
 */
const MIN_WAKE_INTERVAL_MS = 20

/**
 * Opens the database and builds the app. The caller migrates, starts what it needs, and closes it.
 * @throws NoNetwork, WrongSetting
 */
export async function buildApp(config: Config, log: Logger, overrides: Overrides = {}): Promise<App> {
  const networks: Networks = overrides.networks ?? []
  if (config.MODE === 'live' && networks.length === 0)
    throw new NoNetworkConfigured(
      'MODE=live needs a mobile-money network, and none is configured. Use MODE=sandbox to try things out.',
    )
  const sender = overrides.sms_sender ?? createSmsSender(config)
  const mailer = overrides.mailer ?? createMailer(config)

  const notices: string[] = []
  if (sender.code === 'none') notices.push('SMS_URL is not set: no SMS reaches a customer.')
  const master = config.SECRET_KEY ?? (await loadSandboxSecret(config))
  const secret = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', purpose, 32)).toString('hex')
  let simulated_url = ''
  const simulated = { url: () => simulated_url, secret: secret('sandbox network') }
  const billers = overrides.billers ?? createBillers(config, simulated)
  const { db, closeDatabase } = await openDatabase(config, log, notices)
  const { clock, readClock } = overrides.clock
    ? { clock: overrides.clock, readClock: async () => {} }
    : await openClock(db, config).catch(async (error) => {
        await closeDatabase()
        throw error
      })
  const local = `http://${config.HOST}:${config.PORT}`
  const address = { url: config.PUBLIC_URL ?? local, local }
  const waker = createWaker(db, readClock)

  const simulator =
    config.MODE === 'sandbox'
      ? createSimulator({
          db,
          now: clock.now,
          real: clock.real,
          secret: simulated.secret,
          callback_url: () => `${address.local}/api/callbacks/sandbox`,
          onError: (job, error) => log.error({ job, err: error }, 'fault'),
        })
      : null

  return {
    config,
    db,
    clock,
    networks: overrides.networks ?? [createSandboxNetwork(simulated)],
    billers,
    sms_sender: sender,
    mailer,
    log,
    simulator,
    deriveSecret: secret,
    address,
    wake: waker.wake,
    onWake: waker.onWake,
    refreshClock: readClock,
    notices,
    async startSimulator() {
      if (!simulator) return
      simulated_url = await simulator.listen()
      simulator.start()
      waker.onWake(() => simulator.wake())
    },
    async close() {
      await simulator?.stop()
      await waker.close()
      await closeDatabase()
    },
  }
}

/** Checks that the service can work with its database. @throws UnsuitableDatabase */
export function checkDatabase({ db, config }: App): Promise<void> {
  return requireSuitableDatabase(db, { pooler: config.DATABASE_POOLER, limits: databaseLimits(config) })
}

/** How long statements and transactions may take. */
function databaseLimits(config: Config): TimeLimits {
  return {
    statement: config.DATABASE_STATEMENT_SECONDS,
    lock: config.DATABASE_LOCK_SECONDS,
    idle_transaction: config.DATABASE_IDLE_SECONDS,
  }
}

/** The database of DATABASE_URL, or the one that comes along. */
async function openDatabase(config: Config, log: Logger, notices: string[]) {
  const onRestart = (error?: unknown) =>
    error
      ? log.error({ err: error }, 'PostgreSQL died and did not start again; trying on')
      : log.warn('PostgreSQL died and was started again')
  const embedded = config.DATABASE_URL ? null : await startEmbedded({ data_dir: resolve(config.DATA_DIR), onRestart })
  if (embedded?.notice) notices.push(embedded.notice)
  const db = connect(config.DATABASE_URL ?? embedded!.url, {
    connections: config.DATABASE_CONNECTIONS,
    application: 'kusanya',
    limits: databaseLimits(config),
    pooler: config.DATABASE_POOLER,
    direct_url: config.DATABASE_LISTEN_URL,
  })
  const closeDatabase = async () => {
    await db.end({ timeout: 5 })
    await embedded?.stop()
  }
  return { db, closeDatabase }
}

/** The real clock in live mode; in the sandbox it runs ahead by an offset that lies in the database. */
async function openClock(db: Database, config: Config) {
  let offset_ms = 0
  const clock: Clock = { now: () => new Date(Date.now() + offset_ms), real: () => new Date() }
  const readClock = async () => {
    if (config.MODE === 'sandbox') offset_ms = await readClockOffset(db)
  }
  await readClock().catch((error: { code?: string }) => {
    // A database without tables has not been migrated yet, so nobody has moved its clock.
    if (error.code !== UNDEFINED_TABLE) throw error
  })
  return { clock, readClock }
}

const UNDEFINED_TABLE = '42P01'

function createWaker(db: Database, readClock: () => Promise<void>) {
  /** Goes with every notification, so that nobody looks once more because of his own. */
  const own = randomBytes(8).toString('hex')
  const listeners: (() => void)[] = []
  const rouse = () => {
    for (const listener of listeners) listener()
  }
  const hear = (origin: string) => {
    if (origin !== own) rouse()
  }
  /** When the clock cannot be read the database is away, and the connection that comes after brings us here again. */
  const look = () => {
    readClock().then(rouse, () => {})
  }
  let subscriptions: Promise<{ unlisten(): Promise<void> }[]> | undefined
  let pause: NodeJS.Timeout | undefined
  let again = false
  const wake = () => {
    again = pause !== undefined
    if (pause) return
    rouse()
    pause = setTimeout(() => {
      pause = undefined
      // A lost notification costs a second, because every loop also looks by itself.
      db.notify(WAKE_CHANNEL, own).catch(() => {})
      if (again) wake()
    }, MIN_WAKE_INTERVAL_MS)
  }
  return {
    wake,
    onWake(listener: () => void) {
      listeners.push(listener)
      subscriptions ??= Promise.all([db.listen(WAKE_CHANNEL, hear), db.listen(FLAGS_CHANNEL, look, look)])
    },
    async close() {
      clearTimeout(pause)
      // A command that wrote something ends within the pause; the service must hear of it all the same.
      if (pause) await db.notify(WAKE_CHANNEL, own).catch(() => {})
      for (const subscription of (await subscriptions) ?? []) await subscription.unlisten()
    },
  }
}

/** The sandbox makes a secret of its own beside its data, so that nobody has to set one to try things out. */
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
