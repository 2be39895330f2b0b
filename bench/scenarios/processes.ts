import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'
import { sampleWaits, type Waits } from '../contention/waits.ts'
import { can_pin, pinProcess } from '../cores.ts'
import { findPostmaster, PASS_ON_MS, processorTimeOfPostgres } from '../cost/counters.ts'
import type { Outcome } from '../load.ts'
import {
  type Check,
  FIRST_WARMUP_S,
  median,
  type Options,
  printProgress,
  type Result,
  rateOf,
  type Table,
  type UnservedContext,
  WARMUP_S,
} from '../measurements.ts'
import { checkArrived } from '../outside/arrived.ts'
import { type ServiceWithOutside, startServiceWithOutside } from '../outside/outside.ts'
import { type BenchPostgres, type BenchService, startPostgres } from '../postgres.ts'
import { processorTime } from '../processes.ts'
import { checkStored, countRequests, createLoad } from './create.ts'
import { measureCollections, warmUp } from './everything.ts'
import { checkBooks, checkSettled, settleLoad } from './settle.ts'

/** The numbers of processes that are compared. */
const COUNTS = [1, 2] as const
/** Cores of the load and other helpers, and cores of service and PostgreSQL. */
const LOAD_CORE = '0'
const SERVICE_CORE = '1'
const EVERYTHING_S = 8
const EVERYTHING_ROUNDS = 2
const SAMPLE_INTERVAL_MS = 50
const SERVICE = 'kusanya service'
const MAX_WAITS = 8

/** Cost of one operation in one round. Times are in ms. */
interface Round {
  per_second: number
  operations: number
  service_ms: number
  postgres_ms: number
}

/** Rounds of one side, with the waits of its connections. */
interface Measured {
  rounds: Round[]
  waits: Waits
  commits: number
}

interface Side {
  count: number
  service: BenchService
  /** Run one round. Returns the operations and their rate. */
  run(round: number): Promise<{ per_second: number; operations: number }>
}

/**
 * Compare one process of the service with two. The load has its own core, and service and PostgreSQL share another one.
 * So a second process gains nothing from a free core, and the extra cost of an operation is the processes' cost to each
 * other.
 */
export async function measureProcesses({ options }: UnservedContext): Promise<Result> {
  if (!can_pin)
    return {
      figures: [],
      checks: [],
      notes: ['processes was not measured: it needs two cores, and the program taskset of util-linux.'],
    }
  const all_cores = `0-${availableParallelism() - 1}`
  pinProcess(process.pid, LOAD_CORE)
  const postgres = await startPostgres(1)
  try {
    const plain = await measurePlain(postgres, options)
    const everything = await measureEverythingOn(postgres, options)
    return {
      figures: [],
      tables: [...plain.tables, ...everything.tables],
      checks: [...plain.checks, ...everything.checks],
    }
  } finally {
    await postgres.close()
    pinProcess(process.pid, all_cores)
  }
}

type Part = Required<Pick<Result, 'tables' | 'checks'>>

/** Creates and settlements, without jobs. */
async function measurePlain(postgres: BenchPostgres, options: Options): Promise<Part> {
  const services = new Map<number, BenchService>()
  for (const count of COUNTS)
    services.set(count, await postgres.startService(['--no-jobs'], options.organizations, {}, count))
  await pinServices(services.values())
  const checks: Check[] = []
  const sidesOf = (kind: 'create' | 'settle', outcomes: Map<number, Outcome[]>): Side[] =>
    [...services].map(([count, service]) => ({
      count,
      service,
      async run(round) {
        const outcome = await runOne(kind, service, options, round)
        outcomes.set(count, [...(outcomes.get(count) ?? []), outcome])
        return { per_second: rateOf(outcome), operations: outcome.statuses[kind === 'create' ? 201 : 200] ?? 0 }
      },
    }))
  const created = new Map<number, Outcome[]>()
  const before = new Map<number, number>()
  for (const [count, service] of services) before.set(count, await countRequests(service.db))
  const tables = [await compare('create', options.rounds, sidesOf('create', created))]
  for (const [count, service] of services)
    checks.push(await checkStored(service.db, before.get(count)!, created.get(count)!))
  const settled = new Map<number, Outcome[]>()
  tables.push(await compare('settle', options.rounds, sidesOf('settle', settled)))
  for (const [count, service] of services) checks.push(...(await checkSettled(service.db, settled.get(count)!)))
  for (const service of services.values()) await service.close()
  return { tables, checks }
}

function runOne(kind: 'create' | 'settle', service: BenchService, options: Options, round: number): Promise<Outcome> {
  const side = kind === 'create' ? createLoad({ service, options }) : settleLoad(service, options)
  return side(round === 1 ? FIRST_WARMUP_S : WARMUP_S)
}

async function measureEverythingOn(postgres: BenchPostgres, options: Options): Promise<Part> {
  const all = new Map<number, ServiceWithOutside>()
  for (const processes of COUNTS)
    all.set(processes, await startServiceWithOutside(postgres, options.organizations, { processes }))
  await pinServices([...all.values()].map(({ service }) => service))
  const created = new Map<number, number>()
  const sides: Side[] = []
  for (const [count, outside] of all) {
    printProgress(`everything on with ${describeCount(count)}, warm-up`)
    created.set(count, await warmUp(outside, options))
    sides.push({
      count,
      service: outside.service,
      async run() {
        const measured = await measureCollections(outside, options, EVERYTHING_S, created.get(count)!)
        created.set(count, created.get(count)! + measured.created)
        return { per_second: measured.per_second, operations: measured.created }
      },
    })
  }
  const tables = [await compare('everything on', EVERYTHING_ROUNDS, sides)]
  const checks: Check[] = []
  for (const [count, { service, countCalls }] of all) {
    const requests = created.get(count)!
    checks.push(...(await checkArrived(service.db, { requests, calls: await countCalls() })))
    checks.push(await checkBooks(service.db))
  }
  for (const outside of all.values()) await outside.close()
  return { tables, checks }
}

async function pinServices(services: Iterable<BenchService>): Promise<void> {
  for (const { child, db } of services) {
    pinProcess(child.pid!, SERVICE_CORE)
    pinProcess(await findPostmaster(db), SERVICE_CORE)
  }
}

/** Run the sides in turn, and count the cost of an operation on each. */
async function compare(name: string, rounds: number, sides: readonly Side[]): Promise<Table> {
  const measured = new Map<Side, Measured>()
  const commits_before = new Map<Side, number>()
  await sleep(PASS_ON_MS)
  for (const side of sides) commits_before.set(side, await readCommits(side.service.db))
  for (let round = 1; round <= rounds; round += 1)
    for (const side of sides) {
      printProgress(`${name} with ${describeCount(side.count)}, round ${round} of ${rounds}`)
      const { round: one, waits } = await measureRound(side, round)
      const earlier = measured.get(side)
      measured.set(side, {
        rounds: [...(earlier?.rounds ?? []), one],
        waits: earlier ? joinWaits(earlier.waits, waits) : waits,
        commits: 0,
      })
    }
  await sleep(PASS_ON_MS)
  for (const side of sides)
    measured.get(side)!.commits = (await readCommits(side.service.db)) - commits_before.get(side)!
  return tableOf(name, sides, measured)
}

function describeCount(count: number): string {
  return count === 1 ? '1 process' : `${count} processes`
}

async function measureRound(side: Side, round: number): Promise<{ round: Round; waits: Waits }> {
  const { service } = side
  const readTimes = async () => [processorTime(service.child.pid!), await processorTimeOfPostgres(service.db)] as const
  const [service_before, postgres_before] = await readTimes()
  const stop = sampleWaits(service.db, { application: SERVICE, interval_ms: SAMPLE_INTERVAL_MS })
  const { per_second, operations } = await side.run(round)
  const waits = await stop()
  const [service_after, postgres_after] = await readTimes()
  return {
    waits,
    round: {
      per_second,
      operations,
      service_ms: (service_after - service_before) / operations,
      postgres_ms: (postgres_after - postgres_before) / operations,
    },
  }
}

async function readCommits(db: Database): Promise<number> {
  const [row] = await db<{ commits: number }[]>`
    select xact_commit as commits from pg_stat_database where datname = current_database()`
  return row!.commits
}

function joinWaits(one: Waits, other: Waits): Waits {
  const join = (a: Map<string, number>, b: Map<string, number>) =>
    new Map([...new Set([...a.keys(), ...b.keys()])].map((name) => [name, (a.get(name) ?? 0) + (b.get(name) ?? 0)]))
  return {
    samples: one.samples + other.samples,
    observations: one.observations + other.observations,
    waits: join(one.waits, other.waits),
    locked: join(one.locked, other.locked),
    max_waiting: Math.max(one.max_waiting, other.max_waiting),
  }
}

function tableOf(name: string, sides: readonly Side[], measured: ReadonlyMap<Side, Measured>): Table {
  const all = sides.map((side) => measured.get(side)!)
  const row = (title: string, numberOf: (one: Measured) => number) => ({ name: title, values: all.map(numberOf) })
  const mid = (numberOf: (round: Round) => number) => (one: Measured) => median(one.rounds.map(numberOf))
  const shareOf = (kind: 'waits' | 'locked', wait: string) => (one: Measured) =>
    (100 * (one.waits[kind].get(wait) ?? 0)) / Math.max(1, one.waits.samples)
  const frequent = (kind: 'waits' | 'locked') =>
    [...new Set(all.flatMap((one) => [...one.waits[kind].keys()]))]
      .toSorted((a, b) => sumOf(all, shareOf(kind, b)) - sumOf(all, shareOf(kind, a)))
      .slice(0, MAX_WAITS)
  return {
    title: `${name}, for one, by the number of processes`,
    columns: sides.map(({ count }) => String(count)),
    rows: [
      row(
        'a second',
        mid(({ per_second }) => per_second),
      ),
      row(
        'service, ms of processor time',
        mid(({ service_ms }) => service_ms),
      ),
      row(
        'PostgreSQL, ms of processor time',
        mid(({ postgres_ms }) => postgres_ms),
      ),
      row('transactions', (one) => one.commits / one.rounds.reduce((sum, { operations }) => sum + operations, 0)),
      row('busy connections at a time', (one) => one.waits.samples / Math.max(1, one.waits.observations)),
      row('most locks that were waited for', (one) => one.waits.max_waiting),
      ...frequent('waits').map((wait) => row(`% ${wait}`, shareOf('waits', wait))),
      ...frequent('locked').map((wait) => row(`% in: ${wait}`, shareOf('locked', wait))),
    ],
  }
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}
