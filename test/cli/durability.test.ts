import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../src/core/ledger/transfers.ts'
import { connect, type Database } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { createApiClient, eventually } from '../test-app.ts'
import {
  findFreePort,
  killProgram,
  openProgramRunner,
  type ProgramRunner,
  type StartedService,
} from './program-runner.ts'

/*
 * The service, its PostgreSQL, or both are killed again and again while callers create requests and customers pay them.
 * Callers do what the documentation tells them: who gets no answer asks again with the same Duplicate-Check-Key.
 */

const API_KEY = 'the-key-of-those-who-do-not-give-up'
const CALLERS = 6
/** A start takes seconds, and several times as many on a busy machine. */
const PATIENCE_MS = 90_000
const DISASTERS = ['service', 'database', 'both', 'database', 'both', 'service'] as const

let premises: ProgramRunner
let settings: Record<string, string>

beforeAll(async () => {
  premises = await openProgramRunner()
  const plenty = '1000000'
  settings = {
    PORT: String(await findFreePort()),
    SANDBOX_API_KEY: API_KEY,
    READS_PER_MINUTE: plenty,
    WRITES_PER_MINUTE: plenty,
    LOG_LEVEL: 'error',
  }
})
afterAll(() => premises.close())

describe('killed in the middle of its work, again and again,', () => {
  let service: StartedService
  const answered = new Map<number, number>()
  const statuses = new Map<number, number>()
  const seen: [asked: number, status: number, id: number][] = []
  let asked = 0
  let stopped = false

  /** Creates requests one after the other until it is told to stop, and gives up on none. */
  async function call(): Promise<void> {
    while (!stopped) {
      asked += 1
      const n = asked
      for (;;) {
        const id = await create(n)
        if (id !== undefined) {
          answered.set(n, id)
          await look(id)
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

  /** Looks at what was answered: it is there, or the service says that it cannot look now. */
  async function look(id: number): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${settings.PORT}/api/collectionrequests/${id}`, {
      headers: { authorization: `Token ${API_KEY}` },
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: number } }))
      .catch(() => undefined)
    if (answer && answer.status !== 503) seen.push([id, answer.status, answer.body.id])
  }

  async function strike(disaster: (typeof DISASTERS)[number]): Promise<number> {
    if (disaster !== 'service') await premises.killDatabase()
    if (disaster !== 'database') await killProgram(service, 'SIGKILL')
    const begun = performance.now()
    if (disaster !== 'database') service = await premises.start({ settings })
    await eventually('the service to be ready', async () => (await isReady()) || undefined, PATIENCE_MS)
    return (performance.now() - begun) / 1_000
  }

  /** Whoever was told to come back later has waited long enough: what is left to do is done soon. */
  async function advanceClock(): Promise<void> {
    const command = premises.launch([process.execPath, 'src/cli/index.ts', 'clock', 'advance', '20 minutes'], settings)
    await command.ended
    // A service that is too busy to answer in time is as good as absent, and the command then does the work, too.
    const errors = command.errors().split('\n')
    expect(errors.filter((line) => line !== '' && !line.startsWith('No service runs'))).toEqual([])
    expect(command.child.exitCode).toBe(0)
  }

  async function isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${settings.PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  it('it comes back by itself and loses nothing that was answered', async () => {
    service = await premises.start({ settings })
    const callers = Array.from({ length: CALLERS }, call)
    const waits: string[] = []
    for (const disaster of DISASTERS) {
      // Disasters strike while the work is in full swing, however slow the machine is.
      const made = statuses.get(201) ?? 0
      const isInFullSwing = async () => (statuses.get(201) ?? 0) > made + CALLERS || undefined
      await eventually('the work to be in full swing', isInFullSwing, PATIENCE_MS)
      await sleep(500 + Math.random() * 1_000)
      waits.push(`${disaster} ${(await strike(disaster)).toFixed(1)} s`)
    }
    await sleep(500)
    stopped = true
    await Promise.all(callers)
    process.stdout.write(`${answered.size} requests answered; ready again after: ${waits.join(', ')}\n`)

    const embedded = await startEmbedded({ data_dir: premises.data_dir })
    const db = connect(embedded.url, { connections: 2, application: 'tests' })
    try {
      await expectNothingHeld(db)
      await advanceClock()
      await expectNothingLost(db, answered)
      await expectEverythingDone(db)
    } finally {
      await db.end()
      await embedded.stop()
    }
    // Whoever was let in was served or told to come back; nobody was told of a fault.
    expect([...statuses.keys()].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
    expect(seen.filter(([id, status, shown]) => status !== 200 || shown !== id)).toEqual([])
    expect(statuses.get(201)).toBeGreaterThan(CALLERS * DISASTERS.length)
    expect(answered.size).toBe(asked)
  }, 600_000)
})

describe('with the disk full', () => {
  const disk = mountSmallDisk()
  afterAll(() => disk?.remove())

  it.skipIf(!disk)(
    'it refuses writes with 503, still shows what it has, and goes on once there is room',
    async () => {
      const home = await openProgramRunner(join(disk!.folder, 'data'))
      const filler = join(disk!.folder, 'filler')
      try {
        const service = await home.start({ settings: { ...settings, PORT: '0' } })
        const api = createApiClient(service.url, API_KEY)
        const create = () =>
          api.post('/api/collectionrequests', {
            phonenumber: '+80000000003',
            amount: '25',
            currency: 'BXC',
            metadata: { note: 'x'.repeat(500) },
          })
        const first = (await create()).body.id
        fillUp(filler)
        const statuses = new Set<number>()
        for (let tries = 0; tries < 2_000 && !statuses.has(503); tries += 1) statuses.add((await create()).status)
        expect([...statuses].sort()).toEqual([201, 503])
        expect((await api.get(`/api/collectionrequests/${first}`)).body.id).toBe(first)
        rmSync(filler)
        await eventually('room for requests', async () => ((await create()).status === 201 ? true : undefined), 60_000)
      } finally {
        await home.close()
      }
    },
    300_000,
  )
})

/** A disk of a size that is soon full, where this machine lets us have one. */
function mountSmallDisk(): { folder: string; remove(): void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', folder]).status === 0
  const remove = () => {
    if (mounted) spawnSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (mounted) mkdirSync(join(folder, 'data'), { mode: 0o755 })
  else remove()
  return mounted ? { folder, remove } : null
}

/** Writes until no byte more fits. */
function fillUp(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 1_048_576; size >= 1_024; size /= 4) for (;;) if (!tryWrite(file, size)) break
  } finally {
    closeSync(file)
  }
}

function tryWrite(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}

/** What the killed simulator was about to report is free again: the clock waits for less than for that lease. */
async function expectNothingHeld(db: Database): Promise<void> {
  const isFree = async () => (await db`select 1 from simulator_callbacks where leased_until > now()`).length === 0
  await eventually('the reports of the dead to be free', async () => (await isFree()) || undefined, PATIENCE_MS)
}

/** Every answered request is there, as it was answered, and none of them twice. */
async function expectNothingLost(db: Database, answered: ReadonlyMap<number, number>): Promise<void> {
  const rows = await db<{ id: number; n: number }[]>`
    select id, (metadata ->> 'n')::int as n from collection_requests order by id`
  expect(new Set(rows.map(({ n }) => n)).size).toBe(rows.length)
  const stored = new Map(rows.map(({ id, n }) => [n, id]))
  expect([...answered].filter(([n, id]) => stored.get(n) !== id)).toEqual([])
}

/** Every request comes to its end, and the books, the history, the events and the counts agree about it. */
async function expectEverythingDone(db: Database): Promise<void> {
  const open = () => db`
    select r.id, r.status, r.error_message, r.due_at, r.leased_until, o.outcome, o.message, s.state, c.attempts, c.due_at as told_at
    from collection_requests r
    left join collection_orders o on o.collection_request = r.id and o.attempt = r.attempt
    left join simulator_orders s on s.reference = o.reference
    left join simulator_callbacks c on c.body like '%"' || o.reference || '"%'
    where r.status <> 'successful'`
  const paid = async () => {
    await sleep(500)
    return (await open()).length === 0 || undefined
  }
  await eventually('every customer to have paid', paid, 2 * PATIENCE_MS).catch(async (error) => {
    throw new Error(`These are open: ${JSON.stringify(await open(), null, 1)}`, { cause: error })
  })
  expect(await checkLedger(db)).toEqual([])
  const [sums] = await db`
    select (select count(*) from collection_requests) as requests,
      (select count(*) from collections where collection_request is not null) as fulfilled,
      (select count(*) from collections where collection_request is null) as unmatched,
      (select count(*) from collection_request_transitions) as moves,
      (select count(*) from events where type = 'collectionrequest.status.changed') as changes,
      (select sum(count) from (select count from collection_request_counts
        union all select change from collection_request_count_changes) counted)::bigint as counted`
  const { requests, moves } = sums!
  expect(sums).toMatchObject({ fulfilled: requests, unmatched: 0, changes: moves, counted: requests })
}
