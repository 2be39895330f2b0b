import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type CertificateHost, checkHost } from '../../../../src/cli/commands/doctor/certificates.ts'
import { type Finding, makeCheck } from '../../../../src/cli/commands/doctor/check.ts'
import { checkClock } from '../../../../src/cli/commands/doctor/clock.ts'
import { checkConnections } from '../../../../src/cli/commands/doctor/connections.ts'
import { checkDatabaseSettings, checkMigrations } from '../../../../src/cli/commands/doctor/database.ts'
import { checkBackups, checkDisks, judgeArchiver } from '../../../../src/cli/commands/doctor/disk.ts'
import { checkReplication, judgeReplication } from '../../../../src/cli/commands/doctor/replication.ts'
import { checkRetention } from '../../../../src/cli/commands/doctor/retention.ts'
import { checkSettings } from '../../../../src/cli/commands/doctor/settings.ts'
import { checkJobs, checkSending, checkWebhooks } from '../../../../src/cli/commands/doctor/work.ts'
import { recordArchiveRun } from '../../../../src/core/archive/last-run.ts'
import { storeAlarms, storeHealth } from '../../../../src/core/connections/connection-health.ts'
import { insertConnection } from '../../../../src/core/connections/connections.ts'
import { recordBackup } from '../../../../src/core/last-backup.ts'
import { holdSending, releaseSending } from '../../../../src/core/sending.ts'
import { begin, connect } from '../../../../src/db/client.ts'
import { readReplication } from '../../../../src/db/replication.ts'
import { noLatencies } from '../../../../src/lib/latencies.ts'
import { databaseUrl } from '../../../postgres.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

/** Format findings as `level: text`. */
const levelsOf = (findings: readonly Finding[]) => findings.map(({ level, finding }) => `${level}: ${finding}`)
const live = () => ({ ...testApp.app.config, MODE: 'live' as const })
const minutesAgo = (date: Date, minutes: number) => new Date(date.getTime() - minutes * 60_000)

describe('a check', () => {
  const check = { name: 'clock', title: 'the clock', limit_s: 0.05 }

  it('that takes too long was not made, and neither was one that fails', async () => {
    const slow = await makeCheck({ ...check, run: () => new Promise(() => {}) }, testApp.app)
    expect(slow).toEqual({ not_made: 'It takes longer than 0.05 seconds.' })
    const failing = await makeCheck({ ...check, run: () => Promise.reject(new Error('no such table')) }, testApp.app)
    expect(failing).toEqual({ not_made: 'no such table' })
  })

  it('of the settings find allowed but wrong values', () => {
    const { config } = testApp.app
    expect(checkSettings(config)).toEqual([])
    const wrong = { ...live(), PUBLIC_URL: 'http://pay.example.com', HOST: '0.0.0.0', DATABASE_LOCK_SECONDS: 0 }
    expect(levelsOf(checkSettings(wrong)).map((text) => text.slice(0, 35))).toEqual([
      'error: PUBLIC_URL is http://pay.exa',
      'warning: SMTP_URL is not set: users',
      'warning: LOG_LEVEL=silent hides wha',
      'warning: METRICS_ADDRESS is not set',
      'warning: DATABASE_LOCK_SECONDS=0: o',
    ])
    expect(levelsOf(checkSettings({ ...live(), PUBLIC_URL: undefined }))[0]).toMatch(/^error: PUBLIC_URL is not set/)
    const behind = { ...config, PUBLIC_URL: 'https://pay.example.com' }
    expect(levelsOf(checkSettings(behind))).toEqual([expect.stringMatching(/^warning: TRUST_PROXY is off/)])
  })
})

describe('the check of the database', () => {
  it('finds unsafe settings, too few connections and indexes that are not complete', async () => {
    const { app, db } = testApp
    const config = { ...live(), DATABASE_CONNECTIONS: 900 }
    const found = levelsOf(await checkDatabaseSettings({ db: app.db, config }))
    expect(found[0]).toMatch(/^error: fsync of PostgreSQL is off/)
    expect(found.at(-1)).toMatch(/^error: A process may open 902 connections/)
    expect(await checkMigrations(app)).toEqual([])
    await db`update pg_index set indisvalid = false where indexrelid = 'webhooks_failing'::regclass`
    await db`delete from migrations where name like '0014%'`
    const migrations = await checkMigrations(app)
    expect(levelsOf(migrations)).toEqual([
      expect.stringMatching(/^error: .* needs the migration 0014_/),
      'error: The index webhooks_failing is not complete: what built it was stopped.',
    ])
    expect(migrations[0]!.what_to_do).toContain('npx kusanya migrate')
    await db`update pg_index set indisvalid = true where indexrelid = 'webhooks_failing'::regclass`
    await db`insert into migrations (name, kind) values ('0014_reconciliation.sql', 'widen')`
  })

  it('finds a locale in whose order no index finds beginnings', async () => {
    const { url } = inject('postgres')
    const owner = connect(url, { connections: 1, application: 'tests' })
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await owner.unsafe(
      `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-UG' locale 'C'`,
    )
    const db = connect(databaseUrl(url, name), { connections: 1, application: 'tests' })
    const found = levelsOf(await checkDatabaseSettings({ db, config: testApp.app.config }))
    expect(found).toContainEqual(expect.stringMatching(/^warning: The database sorts texts as en-UG does/))
    await db.end()
    await owner.unsafe(`drop database ${name}`)
    await owner.end()
  })

  it('finds a clock that differs, in both directions', async () => {
    const { db, clock } = testApp.app
    expect(await checkClock({ db, clock })).toEqual([])
    const shifted = (seconds: number) => ({ ...clock, real: () => new Date(Date.now() + seconds * 1_000) })
    expect(levelsOf(await checkClock({ db, clock: shifted(-60) }))[0]).toMatch(/^error: .* (59|60|61) seconds ahead/)
    const [behind] = await checkClock({ db, clock: shifted(60) })
    expect(behind!.finding).toMatch(/seconds behind/)
    expect(behind!.what_to_do).toContain('timedatectl')
  })

  it('see a replica that follows but does not replay, and the limits of a role without rights', async () => {
    const { app, db } = testApp
    expect(await checkReplication(app)).toEqual([])
    const replica = new pg.Client({
      connectionString: app.config.MIGRATION_DATABASE_URL!,
      application_name: 'slow_replica',
      // The type of the package does not know it.
      ...({ replication: 'true' } as object),
    })
    replica.on('error', () => {})
    await replica.connect()
    const { rows } = await replica.query('IDENTIFY_SYSTEM')
    // It ends with the connection.
    replica.query(`START_REPLICATION PHYSICAL ${rows[0].xlogpos}`).catch(() => {})
    await expect
      .poll(async () => (await readReplication(db)).replicas.map(({ name }) => name))
      .toEqual(['slow_replica'])
    // The role of the service sees that there is one, and not how far it is.
    expect(await readReplication(app.db)).toMatchObject({
      sees_lag: false,
      replicas: [{ name: 'slow_replica', lag_bytes: null }],
    })
    const [hidden] = await checkReplication(app)
    expect(hidden).toMatchObject({ level: 'warning', what_to_do: expect.stringContaining('grant pg_monitor') })
    await replica.end().catch(() => {})
  })

  it('judges replicas: late ones, one that is missing, and a database that is a replica', () => {
    const replica = { name: 'two', state: 'streaming', sync_state: 'sync', lag_bytes: 0, lag_s: 0 }
    const state = { is_replica: false, wants_synchronous: true, sees_lag: true, replicas: [replica] }
    expect(judgeReplication(state)).toEqual([])
    const late = { ...replica, state: 'catchup', sync_state: 'async', lag_bytes: 400 * 1_048_576, lag_s: 90 }
    expect(levelsOf(judgeReplication({ ...state, replicas: [late] }))).toEqual([
      expect.stringMatching(/^error: Commits are to wait for a replica/),
      expect.stringMatching(/^error: The replica two is 400 MB and 90 seconds behind \(catchup\)/),
    ])
    expect(levelsOf(judgeReplication({ ...state, is_replica: true }))[0]).toMatch(/^error: The database is a replica/)
  })
})

describe('the checks of disks and backups', () => {
  const blocks = (free: number) => async () => ({ bavail: free, blocks: 1_000, bsize: 1_048_576 })

  it('find a nearly full disk of the data or of the backups', async () => {
    const { app } = testApp
    const space = { folder: '/data', free_bytes: 90 * 1_048_576, total_bytes: 1_000 * 1_048_576, level: 'low' as const }
    const disk = { state: () => space, look: async () => space, start() {}, stop() {} }
    const [low] = await checkDisks({ db: app.db, disk }, blocks(900))
    expect(low).toMatchObject({ level: 'warning', finding: 'The disk of /data has 90 MB (9.0 %) left.' })
    await begin(app.db, (tx) => recordBackup(tx, { at: new Date(), folder: tmpdir() }))
    const found = await checkDisks({ db: app.db, disk: null }, blocks(10))
    expect(levelsOf(found)).toEqual([expect.stringMatching(/^note: /), expect.stringMatching(/^error: .*10 MB/)])
  })

  it('find a backup that is missing, old or gone', async () => {
    const { app, db } = testApp
    const embedded = { ...live(), DATABASE_URL: undefined }
    const parts = { db: app.db, clock: app.clock, config: embedded }
    await db`delete from flags where name = 'last_backup'`
    expect(levelsOf(await checkBackups(parts))).toEqual([expect.stringMatching(/^error: There is no backup/)])
    expect(await checkBackups({ ...parts, config: { ...embedded, MODE: 'sandbox' } })).toEqual([])
    const folder = await mkdtemp(join(tmpdir(), 'kusanya-backup-'))
    await begin(app.db, (tx) => recordBackup(tx, { at: app.clock.real(), folder }))
    expect(await checkBackups(parts)).toEqual([])
    await rm(folder, { recursive: true })
    expect(levelsOf(await checkBackups(parts))[0]).toMatch(/^warning: The last backup, .* is no longer at/)
    await begin(app.db, (tx) => recordBackup(tx, { at: minutesAgo(app.clock.real(), 30 * 60), folder }))
    expect(levelsOf(await checkBackups(parts))[0]).toMatch(/^error: The last backup is 30 hours old/)
    await db`delete from flags where name = 'last_backup'`
  })

  it('find a PostgreSQL that cannot archive its log, or does not', () => {
    const failed = new Date('2030-01-31T12:00:00Z')
    const archiver = { mode: 'on', archived: minutesAgo(failed, 5), failed, file: '0000A' }
    expect(levelsOf(judgeArchiver(archiver, true))[0]).toMatch(/^error: PostgreSQL cannot archive its log since 2030/)
    expect(judgeArchiver({ ...archiver, archived: minutesAgo(failed, -5) }, true)).toEqual([])
    expect(levelsOf(judgeArchiver({ ...archiver, mode: 'off' }, true))[0]).toMatch(
      /^warning: PostgreSQL does not archive/,
    )
    expect(judgeArchiver({ ...archiver, mode: 'off' }, false)).toEqual([])
  })
})

describe('the check of certificates', () => {
  let server: Server
  let asked: CertificateHost
  const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url))

  beforeAll(async () => {
    server = createServer({ key: fixture('localhost-key.pem'), cert: fixture('localhost-cert.pem') })
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    asked = { host: '127.0.0.1', port, what: 'PUBLIC_URL', is_own: true }
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('finds those that end soon, have ended, or are not trusted', async () => {
    // The certificate of the fixture ends on 31 December 2123.
    const at = async (date: string, other: Partial<CertificateHost> = {}) =>
      levelsOf(await checkHost({ ...asked, ...other }, new Date(date)))[0]
    expect(await at('2123-12-21T00:00:00Z')).toMatch(/^error: The certificate of PUBLIC_URL \(.*\) expires in 10 days/)
    expect(await at('2124-01-02T00:00:00Z')).toMatch(/^error: .* has expired on 2123-12-31/)
    expect(await at('2030-01-01T00:00:00Z')).toMatch(/^error: .* is not trusted: /)
    const webhook = { what: 'Webhook 7', is_own: false }
    expect(await at('2123-12-21T00:00:00Z', webhook)).toMatch(/^warning: The certificate of Webhook 7 .* expires/)
    expect(await at('2030-01-01T00:00:00Z', { ...webhook, allowsAddress: () => false })).toMatch(
      /is not allowed for webhooks/,
    )
  })

  it('says of a host that ends the connection that it shows none', async () => {
    const silent = createTcpServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const [found] = await checkHost({ ...asked, port }, new Date())
    expect(found).toMatchObject({ level: 'warning', finding: expect.stringContaining('shows no certificate') })
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('the checks of the work', () => {
  it('find webhooks that fail, in live mode as an error after an hour', async () => {
    const { app, db, clock, organization } = testApp
    expect(await checkWebhooks(app)).toEqual([])
    const since = minutesAgo(clock.now(), 90)
    await db`
      insert into webhooks (organization, "user", event, target, token, secret, position, created, updated, failing_since)
      select ${organization}, id, 'collection.received', 'https://shop.example.com/hook?key=1', 't', 's', 0, now(), now(), ${since}
      from users limit 1`
    expect(levelsOf(await checkWebhooks(app))[0]).toMatch(
      /^warning: Webhook \d+ of organization \d+ \(shop\.example\.com\)/,
    )
    const [found] = await checkWebhooks({ ...app, config: live() })
    expect(found).toMatchObject({ level: 'error', what_to_do: expect.stringContaining('webhooks replay') })
  })

  it('find rows that are due for long, and leases that no process renews', async () => {
    const { app, db, clock, organization } = testApp
    expect(await checkJobs(app)).toEqual([])
    await db`
      insert into mails (organization, recipient, subject, body, created, due_at, leased_until)
      values (${organization}, 'a@example.com', 's', 'b', now(), ${minutesAgo(clock.now(), 30)}, ${minutesAgo(new Date(), 10)})`
    const found = await checkJobs(app)
    expect(levelsOf(found)).toEqual([
      expect.stringMatching(/^error: One row of the job send-mails is due, the oldest since 2030/),
      expect.stringMatching(/^error: One row of the job send-mails has a lease that ended more than five minutes ago/),
    ])
    await db`delete from mails`
  })

  it('say that sending is held, since when, by whom and why', async () => {
    const { app, clock } = testApp
    expect(await checkSending(app)).toEqual([])
    await begin(app.db, (tx) => holdSending(tx, clock.now(), { by: 'Grace', reason: 'a key has leaked' }))
    expect(levelsOf(await checkSending(app))[0]).toMatch(
      /^warning: Nothing goes to networks .* since 2030-.* by Grace, because: a key has leaked\.$/,
    )
    await begin(app.db, (tx) => releaseSending(tx))
  })

  it('find connections that do not answer, have alarms, or cannot be opened', async () => {
    const { app, clock } = testApp
    expect(await checkConnections(app)).toEqual([])
    const real = clock.real()
    const health = {
      connection: 'sandbox',
      calls: 20,
      unanswered: 15,
      durations: noLatencies(),
      last_call: real,
      last_answer: null,
      degraded_since: minutesAgo(real, 3),
    }
    await begin(app.db, async (tx) => {
      await storeHealth(tx, real, 'another', [health])
      const alarm = { connection: 'sandbox', message: 'The credential was refused.', first: real, last: real, count: 1 }
      await storeAlarms(tx, real, [alarm])
      const row = await insertConnection(tx, real, {
        slug: 'north',
        kind: 'network',
        driver: 'gone',
        environment: 'live',
        organization: null,
        hosts: {},
        settings: {},
        sealed_secrets: null,
        callback_secret: 'c'.repeat(32),
      })
      await tx`update connections set state = 'active' where id = ${row.id}`
      await insertConnection(tx, real, {
        slug: 'south',
        kind: 'network',
        driver: 'gone',
        environment: 'live',
        organization: null,
        hosts: {},
        settings: {},
        sealed_secrets: 'v1.nonsense',
        callback_secret: 'd'.repeat(32),
      })
      await tx`update connections set state = 'active' where slug = 'south'`
    })
    const found = await checkConnections(app)
    expect(levelsOf(found)).toEqual([
      expect.stringMatching(/^error: north cannot be opened/),
      expect.stringMatching(/^error: south has no readable secrets/),
      expect.stringMatching(/^error: The network of sandbox has not answered most calls since/),
      expect.stringMatching(/^error: sandbox: The credential was refused\. \(last at/),
    ])
    expect(found[1]!.what_to_do).toContain('connections rotate south')
  })
})

describe('the check of the retention', () => {
  it('finds rows that should have been in the archive for some time', async () => {
    const { app, db, clock } = testApp
    expect(await checkRetention(app)).toEqual([])
    const late = (days: number) => minutesAgo(clock.now(), (app.config.SMS_RETENTION_DAYS + days) * 24 * 60)
    await db`
      insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at)
      select id, 'success', '+80000000003', 'Paid', 'sent', ${late(44)}, ${late(44)} from organizations limit 1`
    expect(await checkRetention(app)).toEqual([])
    await db`delete from sms_messages`
    const old = late(46)
    await db`
      insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at)
      select id, 'success', '+80000000003', 'Paid', 'sent', ${old}, ${old} from organizations limit 1`
    const [found] = await checkRetention(app)
    expect(found).toMatchObject({
      level: 'warning',
      what_to_do: 'Run `npx kusanya archive` now, and then every month by a timer (docs/operating/retention.md).',
    })
    expect(found!.finding).toMatch(
      /^The oldest of the SMS is of \d{4}-\d\d-\d\d, and SMS_RETENTION_DAYS is 731\. No complete run has ever ended\.$/,
    )
    await begin(db, (tx) => recordArchiveRun(tx, new Date('2030-01-15T12:00:00Z')))
    const [later] = await checkRetention(app)
    expect(later!.finding).toMatch(/SMS_RETENTION_DAYS is 731\. A complete run last ended on 2030-01-15\.$/)
  })
})
