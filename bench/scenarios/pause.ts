import { setTimeout as sleep } from 'node:timers/promises'
import { loadAtRate } from '../hour/highest-rate.ts'
import { readSample } from '../hour/samples.ts'
import { SLOW_MS } from '../load.ts'
import { figureOf, printProgress, type Result, type Table, type UnservedContext } from '../measurements.ts'
import { checkArrived, waitUntilDone } from '../outside/arrived.ts'
import { type ServiceWithOutside, startServiceWithOutside } from '../outside/outside.ts'
import { measureCollections, warmUp } from './everything.ts'
import { checkBooks } from './settle.ts'

/** Duration of measuring the full rate, and the share of it that the load keeps. */
const FULL_RATE_S = 10
const KEPT_SHARE = 0.75
/** Intervals of the load, and their numbers before the pause and from its beginning. */
const INTERVAL_S = 10
const BEFORE = 3
const AFTER = 12
const PAUSE_S = 8
/** Maximum ratio of open work after recovery to open work before. */
const MAX_OPEN_RATIO = 1.5

/** The end of one interval. */
interface Interval {
  open: number
  waiting: number
  /** Status queries about orders in it. */
  questions: number
  /** Callbacks that the network sent again, because they were not answered in time or were refused. */
  repeated: number
}

/**
 * Measure the traces of a pause. At three quarters of the full rate, the service stands still for some seconds, like a
 * machine that is moved or short of memory. Late work must not cost so much more that the service stays late.
 */
export async function measurePause({ postgres, options }: UnservedContext): Promise<Result> {
  const outside = await startServiceWithOutside(postgres, options.organizations)
  const { db, child } = outside.service
  try {
    printProgress('everything on, to find the rate')
    const warmup = await warmUp(outside, options)
    const full = await measureCollections(outside, options, FULL_RATE_S, warmup)
    const per_second = options.collections_per_second ?? Math.max(1, Math.floor(full.per_second * KEPT_SHARE))
    printProgress(`everything on, ${per_second} a second, with a pause of ${PAUSE_S} s`)
    const first = warmup + full.created + full.outcome.errors
    const seconds = (BEFORE + AFTER) * INTERVAL_S
    const loading = loadAtRate(outside, options, { per_second, seconds, first, interval_s: INTERVAL_S })
    const stopping = sleep(BEFORE * INTERVAL_S * 1_000).then(async () => {
      child.kill('SIGSTOP')
      await sleep(PAUSE_S * 1_000)
      child.kill('SIGCONT')
    })
    const intervals = await readIntervals(outside, BEFORE + AFTER)
    await stopping
    const outcome = await loading
    const done = await waitUntilDone(db)
    const calls = await outside.countCalls()
    const created = outcome.statuses[201] ?? 0
    const recovered = intervals.findIndex(
      ({ open }, index) =>
        index > BEFORE &&
        open <= MAX_OPEN_RATIO * intervals[BEFORE - 1]!.open &&
        (outcome.intervals[index]?.p99_ms ?? 0) < SLOW_MS,
    )
    const rows = intervals.map(({ open, waiting, questions, repeated }, index) => {
      const { count = 0, p50_ms = null, p99_ms = null } = outcome.intervals[index] ?? {}
      return {
        name: `${index * INTERVAL_S} to ${(index + 1) * INTERVAL_S} s`,
        values: [count, p50_ms, p99_ms, open, waiting, questions, repeated],
      }
    })
    const columns = ['creates', 'p50 ms', 'p99 ms', 'open after', 'notifs.', 'questions', 'repeated']
    const table: Table = {
      title: `a pause from second ${BEFORE * INTERVAL_S} to ${BEFORE * INTERVAL_S + PAUSE_S}`,
      columns,
      rows,
    }
    return {
      figures: [figureOf(`everything on: create, ${per_second} a second with a pause`, [outcome])],
      tables: [table],
      notes: [
        recovered < 0
          ? `${AFTER * INTERVAL_S - PAUSE_S} s after the pause it had not recovered`
          : `recovered at most ${(recovered + 1 - BEFORE) * INTERVAL_S - PAUSE_S} s after the pause`,
        `everything was done ${(Math.max(...Object.values(done)) / 1_000).toFixed(1)} s after the last create`,
      ],
      checks: [
        ...(await checkArrived(db, { requests: warmup + full.created + created, calls, may_fail: true })),
        await checkBooks(db),
      ],
    }
  } finally {
    await outside.close()
  }
}

async function readIntervals(outside: ServiceWithOutside, count: number): Promise<Interval[]> {
  const started_at = performance.now()
  const intervals: Interval[] = []
  let before = (await outside.countCalls()).network
  for (let index = 1; index <= count; index += 1) {
    await sleep(Math.max(0, started_at + index * INTERVAL_S * 1_000 - performance.now()))
    const { open, waiting } = await readSample(outside.service)
    const { network } = await outside.countCalls()
    intervals.push({
      open,
      waiting,
      questions: network.questions - before.questions,
      repeated: network.repeated - before.repeated,
    })
    before = network
  }
  return intervals
}
