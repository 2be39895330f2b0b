import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFeedPosition } from '../../../src/core/events/events.ts'
import { claimDuplicateKeys } from '../../../src/core/idempotency.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { Gate } from '../../../src/db/reads/gate.ts'
import { createReadMetrics } from '../../../src/db/reads/metrics.ts'
import { createPositionSource, judge, type Position, parsePosition } from '../../../src/db/reads/position.ts'
import { openReads } from '../../../src/db/reads/reads.ts'
import { createReplica } from '../../../src/db/reads/replica.ts'
import { TIME_LIMITS } from '../../../src/lib/time-limits.ts'
import { replicaFaults } from '../../replica-reads.ts'
import { openDatabase } from '../../test-app.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.close())

describe('a replica may be read', () => {
  const wanted: Position = { wal: parsePosition('1/0000000A'), mark: 'ours' }
  it.each([
    ['when it has exactly what the primary has', { position: '1/A', mark: 'ours' }, 'current'],
    ['when it has more', { position: '2/0', mark: 'ours' }, 'current'],
    ['never one byte behind', { position: '1/9', mark: 'ours' }, 'behind'],
    ['never four gigabytes behind', { position: '0/FFFFFFFF', mark: 'ours' }, 'behind'],
    ['not with the mark of another primary', { position: '2/0', mark: 'theirs' }, 'other_data'],
    ['not without a mark', { position: '2/0', mark: null }, 'other_data'],
    ['not when it has become a primary', { in_recovery: false, position: null, mark: 'ours' }, 'not_a_replica'],
    ['not when it has not begun to follow a primary', { position: null, mark: 'ours' }, 'not_a_replica'],
  ])('%s', (_, state, verdict) => {
    expect(judge(wanted, { in_recovery: true, ...state })).toBe(verdict)
  })
})

describe('the gate', () => {
  it('lets one read try after a pause that doubles, and all of them after a success', () => {
    let now_ms = 0
    const gate = new Gate(() => now_ms)
    expect([gate.enter(), gate.enter()]).toEqual([true, true])
    gate.failed()
    // The second of two that fail together does not lengthen the pause.
    gate.failed()
    now_ms = 99
    expect(gate.enter()).toBe(false)
    now_ms = 100
    expect([gate.enter(), gate.enter()]).toEqual([true, false])
    gate.failed()
    now_ms = 299
    expect(gate.enter()).toBe(false)
    now_ms = 300
    expect(gate.enter()).toBe(true)
    gate.succeeded()
    expect([gate.enter(), gate.enter()]).toEqual([true, true])
  })

  it('pauses for five seconds at most', () => {
    let now_ms = 0
    const gate = new Gate(() => now_ms)
    for (let round = 0; round < 20; round += 1) {
      gate.failed()
      now_ms += 5_000
      expect(gate.enter()).toBe(true)
    }
  })
})

describe('the position of the primary', () => {
  it('covers what was committed before the question, once the primary has its mark', async () => {
    const ask = createPositionSource(db)
    const first = await waitForPosition(ask)
    await begin(db, (tx) => tx`insert into flags (name, value) values ('a test', 'on')`)
    const [after] = await db<{ position: string }[]>`select pg_current_wal_flush_lsn()::text as position`
    const second = (await ask())!
    expect(second.wal).toBeGreaterThan(first.wal)
    expect(second.wal).toBeGreaterThanOrEqual(parsePosition(after!.position))
    expect(second.mark).toBe(first.mark)
  })

  it('has another mark after a failover, and after a minute', async () => {
    const ask = createPositionSource(db)
    const { mark } = await waitForPosition(ask)
    await db`update primary_marks set timeline = '000000FF'`
    expect(await ask()).toBeUndefined()
    const renewed = await waitForPosition(ask)
    expect(renewed.mark).not.toBe(mark)
    await db`update primary_marks set written = now() - interval '2 minutes'`
    await ask()
    await expect.poll(async () => (await ask())?.mark).not.toBe(renewed.mark)
  })

  it('is asked once for all reads of a moment', async () => {
    let questions = 0
    const counting = new Proxy(db, {
      apply(target, self, args) {
        questions += 1
        return Reflect.apply(target, self, args)
      },
    })
    const ask = createPositionSource(counting)
    await Promise.all(Array.from({ length: 100 }, ask))
    expect(questions).toBeLessThanOrEqual(2)
  })
})

describe('a read', () => {
  /** The reads of a "replica" that is the primary itself, unless another address is given. */
  function openReplicaAt(url: string, askPosition: () => Promise<Position | undefined>) {
    const events: unknown[] = []
    const log = pino({ level: 'info' }, { write: (line) => void events.push(JSON.parse(line)) })
    const metrics = createReadMetrics()
    const options = { primary: db, url, connections: 2, limits: TIME_LIMITS, wait_ms: 20, log, metrics, askPosition }
    return { ...createReplica(options), events, reads: async () => (await metrics.all[0]!.get()).values }
  }
  const position = async () => ({ wal: 0n, mark: 'a mark' })

  it('runs on the primary, once, when the address leads to a primary', async () => {
    const replica = openReplicaAt(database.url, position)
    const ran: string[] = []
    const read = async () =>
      replica.run(
        async () => ran.push('replica'),
        async () => ran.push('primary'),
        'brief',
      )
    await read()
    await read()
    expect(ran).toEqual(['primary', 'primary'])
    expect(await replica.reads()).toMatchObject([
      { labels: { server: 'primary', reason: 'not_a_replica' }, value: 1 },
      { labels: { server: 'primary', reason: 'paused' }, value: 1 },
    ])
    expect(replica.events).toMatchObject([{ event: 'replica_unavailable', reason: 'not_a_replica' }])
    await replica.close()
  })

  it('runs on the primary when nothing answers at the address, and when the primary has no position', async () => {
    const unreachable = openReplicaAt('postgres://reader:secret@127.0.0.1:1/none', position)
    expect(
      await unreachable.run(
        () => Promise.reject(new Error('No.')),
        async () => 'primary',
        'long',
      ),
    ).toBe('primary')
    expect(await unreachable.reads()).toMatchObject([{ labels: { reason: 'away' } }])
    expect(unreachable.events).toMatchObject([{ event: 'replica_unavailable', reason: 'away' }])
    const without = openReplicaAt(database.url, async () => undefined)
    expect(
      await without.run(
        () => Promise.reject(new Error('No.')),
        async () => 'primary',
        'brief',
      ),
    ).toBe('primary')
    expect(await without.reads()).toMatchObject([{ labels: { reason: 'unknown' } }])
    await Promise.all([unreachable.close(), without.close()])
  })

  it('uses the pool without a replica, in a snapshot that cannot write where one is asked for', async () => {
    const reads = openReads(db, null)
    const count = await reads.read(async (reader) => (await reader`select 1 as one`).length)
    expect(count).toBe(1)
    await expect(reads.snapshot((reader) => reader`delete from flags`)).rejects.toThrow('read-only transaction')
    await reads.close()
  })

  it('cannot be given to what decides: it does not compile', () => {
    const wrong = () => {
      const reads = openReads(db, null)
      // @ts-expect-error A claim of a Duplicate-Check-Key needs a transaction of the primary.
      void reads.read((reader) => claimDuplicateKeys(reader, new Date(), 'contact', []))
      // @ts-expect-error The feed reads locks, which a replica does not have.
      void reads.snapshot((reader) => readFeedPosition(reader))
      // @ts-expect-error Nothing begins a transaction on it.
      void reads.read((reader) => begin(reader, async () => {}))
    }
    expect(wrong).toBeTypeOf('function')
  })
})

it('the rule for reads from replicas refuses jobs, sign-in and what decides', () => {
  const faultOf = (path: string, text: string) => replicaFaults(path, text)[0]
  expect(faultOf('src/jobs/collect.ts', 'app.reads.read((db) => f(db))')).toContain('read from app.db')
  expect(faultOf('src/console/access/sign-in.ts', 'app.reads.snapshot((db) => f(db))')).toContain('read from app.db')
  expect(faultOf('src/core/idempotency.ts', 'function f(db: AnyReader)')).toContain('take a Reader')
  expect(faultOf('src/core/access/api-keys.ts', 'function f(db: AnyReader)')).toContain('take a Reader')
  expect(faultOf('src/api/payments.ts', 'app.reads.read((db) => f(db))')).toBeUndefined()
  expect(faultOf('src/core/payments/payments.ts', 'function f(db: AnyReader)')).toBeUndefined()
})

function waitForPosition(ask: () => Promise<Position | undefined>): Promise<Position> {
  return expect.poll(ask).toBeDefined().then(ask) as Promise<Position>
}
