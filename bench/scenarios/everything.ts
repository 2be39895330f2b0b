import { processorTimeOfPostgres } from '../cost/counters.ts'
import { gates } from '../gates.ts'
import { load, type Outcome } from '../load.ts'
import {
  FIRST_WARMUP_S,
  type Figure,
  figureOf,
  median,
  type Options,
  printProgress,
  type Result,
  rateOf,
  type Table,
  type UnservedContext,
  WARMUP_S,
} from '../measurements.ts'
import { checkArrived, type DoneTimes, waitUntilDone } from '../outside/arrived.ts'
import { type BareCollections, measureBareCollections } from '../outside/bare-collections.ts'
import { type ServiceWithOutside, startServiceWithOutside } from '../outside/outside.ts'
import { processorTime } from '../processes.ts'
import { numberedCreates } from '../requests.ts'
import { ceilingLoad } from './create.ts'
import { checkBooks } from './settle.ts'

/** The collections before those that are measured. All of them have ended by then. */
export const WARMUP_COLLECTIONS = 1_500
/** Duration of creating requests: so long that the last ones, which end afterwards, matter little. */
const LOAD_S = 20

/**
 * Measure the whole flow at the full rate. For 20 seconds, requests of new customers are created as fast as they are
 * accepted. Customers of an outside network pay a second later. The rate covers all of them, from the first create
 * until each request is successful, each notification delivered and each SMS sent. The ceiling is measured before and
 * afterwards. Then the HTTP calls of collections are measured alone: with these HTTP clients, no product on this
 * machine can collect more.
 */
export async function measureEverything(context: UnservedContext): Promise<Result> {
  const { postgres, options } = context
  const outside = await startServiceWithOutside(postgres, options.organizations)
  const { service } = outside
  try {
    printProgress(`everything on, ${WARMUP_COLLECTIONS} collections before`)
    const warmup = await warmUp(outside, options)
    const ceiling = ceilingLoad({ ...context, shops: service.shops })
    const bare = [await ceiling(FIRST_WARMUP_S)]
    printProgress(`everything on, ${LOAD_S} s at the full rate`)
    const measured = await measureCollections(outside, options, LOAD_S, warmup)
    bare.push(await ceiling(WARMUP_S))
    printProgress(`the HTTP calls of collections alone, ${LOAD_S / 2} s at the full rate`)
    const calls_alone = await measureBareCollections(options, service.shops, LOAD_S / 2)
    const calls = await outside.countCalls()
    const ratio = measured.per_second / median(bare.map(rateOf))
    const all: Figure = {
      name: 'everything on: create to last notification',
      per_second: measured.per_second,
      p50_ms: null,
      p99_ms: null,
      errors: 0,
      ratio,
      gate: gates.everything,
    }
    return {
      figures: [
        figureOf('the ceiling before and after everything', bare),
        {
          name: 'the HTTP calls of a collection alone',
          per_second: calls_alone.per_second,
          p50_ms: null,
          p99_ms: null,
          errors: 0,
          ratio: calls_alone.per_second / median(bare.map(rateOf)),
        },
        { ...figureOf('everything on: create', [measured.outcome]), gate: gates.everything_create },
        all,
      ],
      checks: [
        ...(await checkArrived(service.db, { requests: warmup + measured.created, calls })),
        await checkBooks(service.db),
      ],
      tables: [processorTable(measured, calls_alone), doneTable(measured)],
      notes: [
        `everything on reaches ${(measured.per_second / calls_alone.per_second).toFixed(2)} of its HTTP calls alone, without a database`,
      ],
    }
  } finally {
    await outside.close()
  }
}

/** Create and end the collections that come first. Returns how many. */
export async function warmUp({ service }: ServiceWithOutside, { connections }: Options): Promise<number> {
  const { requests, numbered } = numberedCreates(service.shops, 0)
  // `once` is for each of the prepared requests; with numbers there are as many as their list is long.
  const list = Array.from({ length: WARMUP_COLLECTIONS }, (_, index) => requests[index % requests.length]!)
  const job = { url: service.url, connections, warmup_s: 0, seconds: 60, expected: 201 }
  const outcome = await load({ ...job, requests: list, numbered, once: true })
  await waitUntilDone(service.db)
  return outcome.statuses[201] ?? 0
}

/** Measurement of collections at the full rate. Times are in ms. */
export interface MeasuredCollections {
  outcome: Outcome
  /** Times at which the rest was done, after the last create. */
  done: DoneTimes
  created: number
  seconds: number
  per_second: number
  service_ms: number
  postgres_ms: number
  outside_ms: number
}

/** Create requests as fast as they are accepted, and wait until all that they cause is done. */
export async function measureCollections(
  outside: ServiceWithOutside,
  { connections }: Options,
  load_s: number,
  first: number,
): Promise<MeasuredCollections> {
  const { service } = outside
  const readTimes = async () => ({
    service: processorTime(service.child.pid!),
    postgres: await processorTimeOfPostgres(service.db),
    outside: outside.processorTime(),
  })
  const before = await readTimes()
  const started_at = performance.now()
  const job = { url: service.url, connections, warmup_s: 0, seconds: load_s, expected: 201 }
  const outcome = await load({ ...job, ...numberedCreates(service.shops, first) })
  const done = await waitUntilDone(service.db)
  const seconds = (performance.now() - started_at) / 1_000
  const after = await readTimes()
  const created = outcome.statuses[201] ?? 0
  return {
    outcome,
    done,
    created,
    seconds,
    per_second: created / seconds,
    service_ms: after.service - before.service,
    postgres_ms: after.postgres - before.postgres,
    outside_ms: after.outside - before.outside,
  }
}

function processorTable(
  { created, service_ms, postgres_ms, outside_ms }: MeasuredCollections,
  { collector_ms }: BareCollections,
): Table {
  const rows: [string, number][] = [
    ['service', service_ms],
    ['PostgreSQL', postgres_ms],
    ['network, SMS provider and receiver', outside_ms],
  ]
  return {
    title: 'processor time of a collection, ms',
    columns: ['ms'],
    rows: [
      ...rows.map(([name, ms]) => ({ name, values: [ms / created] })),
      { name: 'a process that makes the HTTP calls alone', values: [collector_ms] },
    ],
  }
}

function doneTable({ done }: MeasuredCollections): Table {
  const rows: [string, number][] = [
    ['requests', done.requests],
    ['notifications', done.notifications],
    ['SMS', done.sms],
    ['contact look-ups', done.look_ups],
  ]
  return {
    title: 'the last was done so long after the last create',
    columns: ['s'],
    rows: rows.map(([name, ms]) => ({ name, values: [ms / 1_000] })),
  }
}
