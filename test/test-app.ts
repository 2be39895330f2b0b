import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { inject } from 'vitest'
import { type App, buildApp, type Clock, type Overrides } from '../src/app.ts'
import { type Service, startService } from '../src/cli/service/serve.ts'
import { readConfig } from '../src/config.ts'
import { checkPaidRequests } from '../src/core/collections/paid-requests.ts'
import { checkLedger } from '../src/core/ledger/transfers.ts'
import { connect, type Database } from '../src/db/client.ts'
import { keepOutput } from './failures.ts'
import { PASSWORD, PASSWORD_HASH } from './password.ts'
import { databaseUrl } from './postgres.ts'
import { API_KEY, findDemo, START } from './sandbox.ts'

/** A clock that stands still until a test moves it. Leases stay on the real one, unless that is to stand still as well. */
export interface TestClock extends Clock {
  advance(seconds: number): void
}

export function testClock(start = START, real = () => new Date()): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    real,
    advance(seconds) {
      now += seconds * 1_000
    },
  }
}

/**
 * A test clock under which no lease ends: on a busy machine a second claim would repeat calls that are still open. Its real clock
 * stands an hour ahead of PostgreSQL's, by which a lease that has ended is no work (`readDueWork`).
 */
export function endlessLeases(): TestClock {
  const real = new Date(Date.now() + 3_600_000)
  return testClock(START, () => real)
}

/** An App for a test: with its own database, the demo organization, and a clock to advance. */
export interface TestApp {
  app: App
  /** The database with the rights of its owner, for tests that look into it or prepare it. The app works with fewer rights. */
  db: Database
  clock: TestClock
  api_key: string
  organization: number
  /** Start the doors on a free port; `jobs: false` when the test runs the jobs itself. */
  startService(options?: { jobs?: boolean }): Promise<Service>
  close(): Promise<void>
}

export interface TestAppOptions {
  /** Settings on top of a sandbox's without throttling. */
  settings?: Record<string, string>
  overrides?: Overrides
  /** Target of the log; unless given, it is shown when a test fails. */
  log?: Logger
  /** The clock to move, where it is not the usual one. */
  clock?: TestClock
  /** A migrated database, where it is not to be a new one. */
  database?: Awaited<ReturnType<typeof cloneDatabase>>
}

export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  // The other one holds what has happened on the day of the usual clock.
  const database = options.database ?? (await cloneDatabase(options.clock ? 'migrated' : 'sandbox'))
  const data_dir = await mkdtemp(join(tmpdir(), 'kusanya-test-'))
  const clock = options.clock ?? testClock()
  const config = readConfig({
    DATABASE_URL: database.service_url,
    MIGRATION_DATABASE_URL: database.url,
    DATA_DIR: data_dir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // Tests look at what has just changed.
    METRICS_INTERVAL_SECONDS: '0',
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    SANDBOX_API_KEY: API_KEY,
    // Each connection costs the machine as much as some hundred statements.
    DATABASE_CONNECTIONS: '4',
    ...options.settings,
  })
  const app = await buildApp(config, options.log ?? createKeptLog(), {
    clock,
    // A call waits as long as a busy machine needs.
    queue_wait_ms: 60_000,
    ...options.overrides,
  })
  const db = connect(database.url, { connections: 16, application: 'tests', cell: config.CELL })
  const demo = await findDemo(app.db, clock.now())
  if (config.SANDBOX_PASSWORD === PASSWORD)
    await db`update users set password_hash = ${PASSWORD_HASH} where id = ${demo.owner.id}`
  await app.providers.refresh()
  let service: Service | undefined
  return {
    app,
    db,
    clock,
    api_key: API_KEY,
    organization: demo.organization.id,
    async startService({ jobs = true } = {}) {
      service = await startService(app, { api: true, jobs })
      return service
    },
    async close() {
      const faults = [...(await checkLedger(db)), ...(await checkPaidRequests(db))]
      if (service) await service.stop()
      else await app.close()
      await db.end({ timeout: 1 })
      await database.drop()
      await rm(data_dir, { recursive: true, force: true })
      if (faults.length > 0) throw new Error(`The data is wrong after this test: ${faults.join(' ')}`)
    },
  }
}

/** Warnings and errors, which are shown when a test fails. */
function createKeptLog(): Logger {
  return pino({ level: 'warn' }, { write: keepOutput })
}

/** A database of this test's own, cloned from one of the templates, by the addresses for its owner and for the service. */
export async function cloneDatabase(
  template: 'migrated' | 'sandbox' = 'migrated',
): Promise<{ url: string; service_url: string; drop(): Promise<void> }> {
  const { url, service_url, ...templates } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = connect(url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${name} template ${templates[template]} strategy file_copy`)
  return {
    url: databaseUrl(url, name),
    service_url: databaseUrl(service_url, name),
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

/** A pool on a database of this test's own. */
export async function openDatabase(): Promise<{ url: string; db: Database; close(): Promise<void> }> {
  const { url, drop } = await cloneDatabase()
  const db = connect(url, { connections: 2, application: 'tests' })
  return {
    url,
    db,
    async close() {
      await db.end({ timeout: 1 })
      await drop()
    },
  }
}

/** Call the service as a client would. */
export function createApiClient(base: string, key: string) {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Token ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send('POST', path, body, headers),
    send,
  }
}

/** Wait until `look` gives something other than undefined. Fails with what it was waiting for. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>, wait_ms = 120_000): Promise<T> {
  const deadline = Date.now() + wait_ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`Waited ${wait_ms} ms in vain for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
