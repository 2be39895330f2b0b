import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { connect, type Database } from '../../../src/db/client.ts'
import { cloneDatabase, createApiClient, eventually } from '../../test-app.ts'
import {
  childrenOf,
  findFreePort,
  type LaunchedProgram,
  openProgramRunner,
  type ProgramRunner,
  SERVE_COMMAND,
} from '../program-runner.ts'

/*
 * Two processes get more work than they can do, while they and their connections to PostgreSQL are killed again and again.
 * Then everything that was answered is settled within a minute. How fast the machine is does not decide that, but for how long
 * rows are claimed, leased and postponed; so the rows are asked until when each of them waits.
 */

const API_KEY = 'the-key-of-many-callers'
const CALLERS = 24
const KILLS = 5
/** Answers between two kills. */
const ANSWERS_PER_KILL = 20
const MAX_WAIT_S = 60
const TIMEOUT_MS = 180_000

/** Of the last phones no callback comes, so their orders must be asked about. */
const PHONES = ['+80000000003', '+80001000003', '+80000000106', '+80000000104', '+80002000104']

let runner: ProgramRunner
let database: Awaited<ReturnType<typeof cloneDatabase>>
let db: Database

beforeAll(async () => {
  runner = await openProgramRunner()
  database = await cloneDatabase()
  db = connect(database.url, { connections: 2, application: 'tests' })
})
afterAll(async () => {
  await runner.close()
  await db.end({ timeout: 5 })
  await database.drop()
})

describe('after processes and connections were killed under too much work,', () => {
  it('no claim, lease, postponement or back-off lasts longer than a minute, and all that was answered is settled', async () => {
    const port = await findFreePort()
    const service = await start(port)
    const load = createLoad(`http://127.0.0.1:${port}`)
    const callers = Array.from({ length: CALLERS }, load.call)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = load.answered()
      const isBusy = async () => load.answered() >= before + ANSWERS_PER_KILL || undefined
      await eventually('answers', isBusy, TIMEOUT_MS)
      await disturb(service, kill)
    }
    load.stop()
    let unanswered = CALLERS
    for (const caller of callers) caller.then(() => (unanswered -= 1))
    expect(service.child.exitCode).toBeNull()
    // A connection that nobody answers would end only when its caller gives up, after five minutes.
    await eventually('an answer to every caller', async () => unanswered === 0 || undefined, TIMEOUT_MS)
    const end = Date.now() + 2 * TIMEOUT_MS
    let open = await readOpen()
    for (; open.length > 0 && Date.now() < end; open = await readOpen()) {
      expect(open.filter(({ seconds }) => (seconds ?? 0) > MAX_WAIT_S)).toEqual([])
      const { exitCode: code, signalCode: signal } = service.child
      expect({ code, signal }, 'the end of the service').toEqual({ code: null, signal: null })
      // Looking all the time would take from the processes what they need.
      await sleep(500)
    }
    expect(open, 'what is not settled').toEqual([])
    expect(await readUnsettled(load.made)).toEqual([])
    for (const answered of Object.values(load.made)) expect(answered.size).toBeGreaterThan(0)
    expect(await checkLedger(db)).toEqual([])
  }, 900_000)
})

async function start(port: number): Promise<LaunchedProgram> {
  const unlimited = '1000000'
  const service = runner.launch([...SERVE_COMMAND, '--processes', '2'], {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '5',
    PORT: String(port),
    SANDBOX_API_KEY: API_KEY,
    READS_PER_MINUTE: unlimited,
    WRITES_PER_MINUTE: unlimited,
    LOG_LEVEL: 'fatal',
    ORGANIZATION_READS_PER_MINUTE: unlimited,
    ORGANIZATION_WRITES_PER_MINUTE: unlimited,
  })
  const isReady = async () => {
    if (service.child.exitCode !== null) throw new Error(`It ended: ${service.errors()}`)
    return service.output().includes('is ready') || undefined
  }
  await eventually('the service', isReady, TIMEOUT_MS)
  return service
}

/** Kill one process, or the connections of all to PostgreSQL, or both at once. */
async function disturb({ child }: LaunchedProgram, kill: number): Promise<void> {
  const workers = childrenOf(child.pid!)
  if (kill % 3 !== 1 && workers.length > 0) process.kill(workers[kill % workers.length]!, 'SIGKILL')
  if (kill % 3 === 0) return
  await db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name not like 'tests%'`
}

/** Callers who ask for money, send it and buy airtime, one after the other, until they are stopped. */
function createLoad(url: string) {
  const api = createApiClient(url, API_KEY)
  const made = { requests: new Set<number>(), payments: new Set<number>(), purchases: new Set<string>() }
  let stopped = false
  let asked = 0
  // A service that was killed answers nothing, and its work is repeated by nobody here.
  const post = (path: string, body: object) =>
    api.post(path, body).catch(() => ({ status: 0, body: undefined as { id: number } | undefined }))

  async function once(n: number): Promise<void> {
    const order = { phonenumber: PHONES[n % PHONES.length], amount: '20', currency: 'BXC', description: 'Order' }
    const reference = randomUUID()
    if (n % 4 === 1) {
      const { status, body } = await post('/api/payments', order)
      if (status === 201) made.payments.add(body!.id)
    } else if (n % 4 === 3) {
      const airtime = { service_type: 'mtn', plan: 'prepaid', amount: '100', agentId: '207', phone: '08031234567' }
      const path = '/api/gateway/services/airtime/request'
      const { status } = await post(path, { ...airtime, agentReference: reference })
      if (status === 200) made.purchases.add(reference)
    } else {
      const { status, body } = await post('/api/collectionrequests', { ...order, send_instructions: true })
      if (status === 201) made.requests.add(body!.id)
    }
  }
  return {
    made,
    answered: () => made.requests.size + made.payments.size + made.purchases.size,
    stop() {
      stopped = true
    },
    async call() {
      while (!stopped) {
        asked += 1
        await once(asked)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

/** Open work in each table: `until` is the latest time of its next check. */
const OPEN = `
  select 'collection_requests' as "table", id, greatest(due_at, leased_until) as until
  from collection_requests join open_collection_requests on collection_request = id where status = 'pending'
  union all
  select 'collection_requests leased', id, leased_until
  from collection_requests join open_collection_requests on collection_request = id
  where status in ('processing_started', 'instructions_sent')
  union all
  select 'network_orders', id, greatest(due_at, leased_until) from network_orders where state in ('new', 'sent', 'accepted')
  union all
  select 'callbacks', id, greatest(due_at, leased_until) from callbacks where state = 'waiting'
  union all
  select 'payment_recipients', id, greatest(due_at, leased_until) from payment_recipients
  where state not in ('complete', 'error', 'aborted')`

/** Open work, each row with the seconds until its next check. */
async function readOpen(): Promise<{ table: string; id: number; seconds: number | null }[]> {
  return db.unsafe(`
    select "table", id, ceil(extract(epoch from until - clock_timestamp()))::int as seconds from (${OPEN}) open`)
}

/** Return answered work that has not come to its end. */
async function readUnsettled(made: ReturnType<typeof createLoad>['made']): Promise<string[]> {
  const rows = await db<{ fault: string }[]>`
    select 'request ' || n as fault from unnest(${[...made.requests]}::bigint[]) n
    where not exists (select from collection_requests where id = n and status = 'successful')
    union all
    select 'payment ' || n from unnest(${[...made.payments]}::bigint[]) n
    where not exists (select from payments where id = n and state = 'processed')
    union all
    select 'purchase ' || n from unnest(${[...made.purchases]}::text[]) n
    where not exists (select from bill_purchases where agent_reference = n and status = 'success')`
  return rows.map(({ fault }) => fault)
}
