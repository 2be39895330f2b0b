import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { buildApp, type Clock } from '../../src/app.ts'
import { ensureDemo } from '../../src/cli/service/demo-organization.ts'
import { readConfig } from '../../src/config.ts'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { startJobs } from '../../src/jobs/index.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { type FakeNetwork, fakeConnection } from '../../test/connections/fake-connection.ts'

/*
 * Recurring requests whose dates all lie within one day. Several processes with a fast clock run through that day in
 * seconds. Afterwards every date must be started, none twice and none early.
 *
 *   npm run bench:plans -- [--plans 100000] [--processes 2] [--seconds 10]
 */

/** The input of each process: the simulated day starts at the real time `real_start_ms` and takes `seconds`. */
interface Day {
  url: string
  day_start_ms: number
  real_start_ms: number
  seconds: number
}

const DAY_S = 24 * 3_600
const DAY_START_MS = Date.parse('2030-01-15T00:00:00Z')
const BATCH = 250

if (process.send) process.once('message', (day: Day) => runProcess(day))
else await main()

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      plans: { type: 'string', default: '100000' },
      processes: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '10' },
    },
  })
  const [plans, processes, seconds] = [values.plans, values.processes, values.seconds].map(Number) as [
    number,
    number,
    number,
  ]
  const data_dir = await mkdtemp(join(tmpdir(), 'kusanya-plans-'))
  await chmod(data_dir, 0o755)
  const server = await startEmbedded({ data_dir })
  const db = connect(server.url, { connections: 8, application: 'bench' })
  try {
    await migrate(db)
    await writePlans(db, plans)
    const bare = await measureBare(db, processes)
    const { created_s, started_s, sent } = await runDay(db, { plans, processes, seconds, url: server.url })
    print(`${plans.toLocaleString('en')} plans within one day, ${processes} processes, the day in ${seconds} s`)
    print(
      `  requests created  ${rate(plans / created_s)}, ${percent(plans / created_s / bare)} of bare inserts (${rate(bare)})`,
    )
    print(`  prompts sent      ${rate(plans / started_s)}`)
    const errors = await check(db, plans, sent)
    for (const error of errors) print(`  WRONG: ${error}`)
    if (errors.length === 0) print('  every date was started once, none twice, none early')
    process.exitCode = errors.length === 0 ? 0 : 1
  } finally {
    await db.end({ timeout: 1 })
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
    await rm(server.location, { recursive: true, force: true })
  }
}

/** Insert plans that started a year ago: the first request has ended, and the next date lies within the day. */
async function writePlans(db: Database, plans: number): Promise<void> {
  const year_ago = new Date(DAY_START_MS - 365 * DAY_S * 1_000)
  const demo = await begin(db, (tx) =>
    ensureDemo(tx, year_ago, { connection: 'sandbox', api_key: 'the-key-of-the-bench' }),
  )
  const organization = demo.organization.id
  const [account] = await db<
    { id: number }[]
  >`select id from accounts where currency = 'BXC' and kind = 'local' limit 1`
  await begin(db, async (tx) => {
    await tx`
      insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
        phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
        created, modified, author)
      select ${organization}, 'Anonymous', 'Contact', '+800' || (10000000 + n), 'employee', 'active', 'yes', 'unknown', '',
        'unchecked', 0, 'Sandbox Network', ${year_ago}, ${year_ago}, 1 from generate_series(1, 10000) as n`
    await tx`
      insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection,
        reason, metadata, success_message, send_instructions, instructions, status, expiry_date, max_attempts,
        subscription_settings, created, author, modified)
      select ${organization}, 1500, 'BXC', ${account!.id}, c.phone_number, c.id, 'sandbox', 'sandbox', 'Rent', '{"order": 7}', '',
        true, 'skip', 'expired', ${year_ago}, 3, '{}', ${year_ago}, 1, ${year_ago}
      from generate_series(1, ${plans}) as n join contacts c on c.id = 1 + n % 10000 order by n`
    await tx`
      insert into plans (organization, collection_request, start_date, end_date, weekdays, months, frequencies,
        expires_after_s, due_at)
      select organization, id, ${year_ago}, ${new Date(DAY_START_MS + 365 * DAY_S * 1_000)}, '{}', '{}', '{monthly}', ${2 * DAY_S},
        ${new Date(DAY_START_MS)}::timestamptz + ((row_number() over (order by id) - 1) * ${DAY_S}::float8 / ${plans}) * interval '1 second'
      from collection_requests`
    await tx`insert into occurrences select id, ${year_ago}, collection_request from plans`
  })
  await db`vacuum analyze`
}

/** The upper limit for creating requests: plain inserts of the same rows in the same batches. */
async function measureBare(db: Database, processes: number): Promise<number> {
  await db`create table bare (like collection_requests including all excluding generated)`
  const end = performance.now() + 3_000
  let rows = 0
  const insert = async () => {
    while (performance.now() < end) {
      await begin(db, async (tx) => {
        await tx`
          insert into bare overriding user value
          select * from collection_requests where id between ${1 + (rows % 5_000)} and ${BATCH + (rows % 5_000)}`
      })
      rows += BATCH
    }
  }
  await Promise.all(Array.from({ length: processes * 2 }, insert))
  await db`drop table bare`
  return rows / 3
}

async function runDay(db: Database, day: { plans: number; processes: number; seconds: number; url: string }) {
  const workers = Array.from({ length: day.processes }, () => fork(import.meta.filename))
  const from = Date.now() + 3_000
  for (const worker of workers)
    worker.send({ url: day.url, day_start_ms: DAY_START_MS, real_start_ms: from, seconds: day.seconds } satisfies Day)
  const started_at = performance.now() + 3_000
  const since = () => (performance.now() - started_at) / 1_000
  const count = async (table: 'occurrences' | 'network_orders') =>
    (await db<{ count: number }[]>`select count(*) from ${sql.identifier(table)}`)[0]!.count
  let created_s = 0
  for (;;) {
    await sleep(250)
    if (created_s === 0 && (await count('occurrences')) >= 2 * day.plans) created_s = since()
    if (created_s > 0 && (await count('network_orders')) >= day.plans) break
  }
  const started_s = since()
  // Wait, so that a process that starts a date twice has the time to do so.
  await sleep(2_000)
  const sent = await Promise.all(workers.map(stopWorker))
  return { created_s, started_s, sent: sent.reduce((sum, count) => sum + count, 0) }
}

/** End a process and return how many prompts it has sent. */
function stopWorker(worker: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('message', (sent) => {
      resolve(sent as number)
      worker.disconnect()
    })
    worker.once('exit', (code) => reject(new Error(`A process ended with ${code}.`)))
    worker.send('stop')
  })
}

async function runProcess(day: Day): Promise<void> {
  const speed = DAY_S / day.seconds
  const real = () => new Date()
  // The clock stays just before the day until it starts, and at its end afterwards.
  const elapsed_ms = () => Math.min(Math.max(-1, (Date.now() - day.real_start_ms) * speed), DAY_S * 1_000)
  const now = () => new Date(day.day_start_ms + elapsed_ms())
  const clock: Clock = { now, real }
  let sent = 0
  const network: FakeNetwork = {
    code: 'sandbox',
    name: 'Sandbox Network',
    limits: { decimals: 4, min: 1n, max: parseAmount('1000000000')! },
    async charge({ reference }) {
      sent += 1
      return { outcome: 'accepted', remote_id: reference }
    },
  }
  const config = readConfig({
    DATABASE_URL: day.url,
    DATA_DIR: tmpdir(),
    SECRET_KEY: 'x'.repeat(32),
    LOG_LEVEL: 'error',
  })
  const app = await buildApp(config, pino({ level: 'error' }), {
    clock,
    connections: [fakeConnection(network)],
  })
  const jobs = startJobs(app)
  process.once('message', async () => {
    await jobs.stop()
    await app.close()
    process.send!(sent)
  })
}

async function check(db: Database, plans: number, sent: number): Promise<string[]> {
  const [seen] = await db<{ made: number; distinct: number; early: number; unfinished: number; orders: number }[]>`
    select count(*) as made, count(distinct (o.plan, o.date)) as distinct,
      count(*) filter (where r.created < date_trunc('second', o.date)) as early,
      (select count(*) from plans where occurrence_count <> 2) as unfinished,
      (select count(*) from network_orders) as orders
    from occurrences o join collection_requests r on r.id = o.collection_request where o.date >= ${new Date(DAY_START_MS)}`
  const { made, distinct, early, unfinished, orders } = seen!
  return [
    made === plans ? '' : `${made} dates were made instead of ${plans}.`,
    distinct === made ? '' : `${made - distinct} dates were made twice.`,
    early === 0 ? '' : `${early} were made early.`,
    unfinished === 0 ? '' : `${unfinished} plans count wrongly.`,
    orders === plans && sent === plans ? '' : `${sent} prompts were sent for ${orders} orders.`,
  ].filter(Boolean)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function rate(per_second: number): string {
  return `${Math.round(per_second).toLocaleString('en')}/s`
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`
}
