import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { connect, type Database } from '../../../src/db/client.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { eventually } from '../../test-app.ts'
import {
  findFreePort,
  killProgram,
  openProgramRunner,
  type ProgramRunner,
  type StartedService,
} from '../program-runner.ts'

/*
 * The service, its PostgreSQL, or both are killed again and again while callers create requests and customers pay them.
 * Callers follow the documentation: without an answer they send the request again with the same Duplicate-Check-Key.
 */

const API_KEY = 'the-key-of-persistent-callers'
const CALLERS = 6
/** A start takes seconds, and much longer on a busy machine. */
const TIMEOUT_MS = 90_000
const CRASHES = ['service', 'database', 'both', 'database', 'both', 'service'] as const

let runner: ProgramRunner
let settings: Record<string, string>

beforeAll(async () => {
  runner = await openProgramRunner()
  const unlimited = '1000000'
  settings = {
    PORT: String(await findFreePort()),
    SANDBOX_API_KEY: API_KEY,
    READS_PER_MINUTE: unlimited,
    WRITES_PER_MINUTE: unlimited,
    LOG_LEVEL: 'error',
  }
})
afterAll(() => runner.close())

describe('a service that is killed repeatedly during its work', () => {
  let service: StartedService
  const answered = new Map<number, number>()
  const statuses = new Map<number, number>()
  const reads: [asked: number, status: number, id: number][] = []
  let asked = 0
  let stopped = false

  /** Create requests one after the other until `stopped`, and repeat each until it is answered. */
  async function call(): Promise<void> {
    while (!stopped) {
      asked += 1
      const n = asked
      for (;;) {
        const id = await create(n)
        if (id !== undefined) {
          answered.set(n, id)
          await read(id)
          break
        }
        await sleep(30)
      }
      await sleep(10)
    }
  }

  /** The id of the request, or undefined when there was no answer or the service asked to come back later. */
  async function create(n: number): Promise<number | undefined> {
    const answer = await fetch(`http://127.0.0.1:${settings.PORT}/api/collectionrequests`, {
      method: 'POST',
      headers: {
        authorization: `Token ${API_KEY}`,
        'content-type': 'application/json',
        'duplicate-check-key': `order ${n}`,
      },
      body: JSON.stringify({
        phonenumber: `+8000${String(1_500_000 + n)}`,
        amount: '25',
        currency: 'BXC',
        metadata: { n },
        send_instructions: true,
      }),
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: number } }))
      .catch(() => undefined)
    if (!answer) return undefined
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer.status === 201 || answer.status === 409 ? answer.body.id : undefined
  }

  /** Read a created request: it exists, or the service answers 503. */
  async function read(id: number): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${settings.PORT}/api/collectionrequests/${id}`, {
      headers: { authorization: `Token ${API_KEY}` },
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: number } }))
      .catch(() => undefined)
    if (answer && answer.status !== 503) reads.push([id, answer.status, answer.body.id])
  }

  async function kill(crash: (typeof CRASHES)[number]): Promise<number> {
    if (crash !== 'service') await runner.killDatabase()
    if (crash !== 'database') await killProgram(service, 'SIGKILL')
    const started_at = performance.now()
    if (crash !== 'database') service = await runner.start({ settings })
    await eventually('the service to be ready', async () => (await isReady()) || undefined, TIMEOUT_MS)
    return (performance.now() - started_at) / 1_000
  }

  /** Advance the clock, so that work that waits for a retry becomes due. */
  async function advanceClock(): Promise<void> {
    const command = runner.launch([process.execPath, 'src/cli/index.ts', 'clock', 'advance', '20 minutes'], settings)
    await command.ended
    // If the service is too busy to answer in time, the command does the work itself.
    const errors = command.errors().split('\n')
    expect(errors.filter((line) => line !== '' && !line.startsWith('No service is running'))).toEqual([])
    expect(command.child.exitCode).toBe(0)
  }

  async function isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${settings.PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  it('recovers by itself and loses no answered request', async () => {
    service = await runner.start({ settings })
    const callers = Array.from({ length: CALLERS }, call)
    const waits: string[] = []
    for (const crash of CRASHES) {
      // The crash comes while requests are created, even on a slow machine.
      const before = statuses.get(201) ?? 0
      const isBusy = async () => (statuses.get(201) ?? 0) > before + CALLERS || undefined
      await eventually('requests to be created', isBusy, TIMEOUT_MS)
      await sleep(500 + Math.random() * 1_000)
      waits.push(`${crash} ${(await kill(crash)).toFixed(1)} s`)
    }
    await sleep(500)
    stopped = true
    await Promise.all(callers)
    process.stdout.write(`${answered.size} requests answered; ready again after: ${waits.join(', ')}\n`)

    const embedded = await startEmbedded({ data_dir: runner.data_dir })
    const db = connect(embedded.url, { connections: 2, application: 'tests' })
    try {
      await expectNoLeases(db)
      await advanceClock()
      await expectNothingLost(db, answered)
      await expectEverythingDone(db)
    } finally {
      await db.end()
      await embedded.stop()
    }
    // Every request was served or refused with 503; none failed.
    expect([...statuses.keys()].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
    expect(reads.filter(([id, status, found]) => status !== 200 || found !== id)).toEqual([])
    expect(statuses.get(201)).toBeGreaterThan(CALLERS * CRASHES.length)
    expect(answered.size).toBe(asked)
  }, 600_000)
})

/** Wait until the leases of the killed simulator have ended, because `clock advance` waits less long. */
async function expectNoLeases(db: Database): Promise<void> {
  const isFree = async () => (await db`select 1 from simulator_callbacks where leased_until > now()`).length === 0
  await eventually('the leases of killed processes to end', async () => (await isFree()) || undefined, TIMEOUT_MS)
}

/** Every answered request exists with the answered id, and none exists twice. */
async function expectNothingLost(db: Database, answered: ReadonlyMap<number, number>): Promise<void> {
  const rows = await db<{ id: number; n: number }[]>`
    select id, (metadata ->> 'n')::int as n from collection_requests order by id`
  expect(new Set(rows.map(({ n }) => n)).size).toBe(rows.length)
  const stored = new Map(rows.map(({ id, n }) => [n, id]))
  expect([...answered].filter(([n, id]) => stored.get(n) !== id)).toEqual([])
}

/** Every request is paid, and ledger, history, events and counts agree. */
async function expectEverythingDone(db: Database): Promise<void> {
  const open = () => db`
    select r.id, r.status, r.error_message, q.due_at, q.leased_until, o.state as order_state, o.message, s.state, c.attempts, c.due_at as told_at
    from collection_requests r left join open_collection_requests q on q.collection_request = r.id
    left join network_orders o on o.collection_request = r.id and o.attempt = r.attempt
    left join simulator_orders s on s.reference = o.reference
    left join simulator_callbacks c on c.body like '%"' || o.reference || '"%'
    where r.status <> 'successful'`
  const paid = async () => {
    await sleep(500)
    return (await open()).length === 0 || undefined
  }
  await eventually('every customer to have paid', paid, 2 * TIMEOUT_MS).catch(async (error) => {
    throw new Error(`These are open: ${JSON.stringify(await open(), null, 1)}`, { cause: error })
  })
  expect(await checkLedger(db)).toEqual([])
  const [sums] = await db`
    select (select count(*) from collection_requests) as requests,
      (select count(*) from collections where collection_request is not null) as fulfilled,
      (select count(*) from collections where collection_request is null) as unmatched,
      (select count(*) from collection_request_transitions) as moves,
      (select count(*) from events where type = 'collectionrequest.status.changed') as changes,
      (select sum(count_collection_requests(id, null)) from organizations)::bigint as counted`
  const { requests, moves } = sums!
  expect(sums).toMatchObject({ fulfilled: requests, unmatched: 0, changes: moves, counted: requests })
}
