import { load, type Outcome } from '../load.ts'
import {
  type Check,
  FIRST_WARMUP_S,
  type Figure,
  figureOf,
  measureInTurns,
  printProgress,
  type Result,
  type ScenarioContext,
} from '../measurements.ts'
import { residentMemory } from '../processes.ts'
import { rawCreates } from '../requests.ts'
import { checkStored, countRequests, createLoad } from './create.ts'

/** The connections to each process, more than it accepts at once. `--connections` can raise the number. */
const CONNECTIONS_PER_PROCESS = 3_000
/** The rate of the load, as a factor of the maximum rate before. */
const OVERLOAD_FACTOR = 2
/** The rate after the overload must be at least this part of the rate before. */
const MIN_RECOVERY = 0.9
const SAMPLE_INTERVAL_MS = 500

/**
 * Send creates at twice the maximum rate, whether answers come or not. The service should serve as many as it can,
 * refuse the rest at once with Retry-After, keep its memory, and recover its speed afterwards.
 */
export async function measureOverload(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const stored = await countRequests(service.db)
  const [first] = await measureInTurns('create before the overload', options.rounds, [createLoad(context)])
  const before = figureOf('create before the overload', first!)
  const per_second = OVERLOAD_FACTOR * Math.max(...before.rounds!)
  const memory_before = residentMemory(service.child)
  const { outcome, peak } = await runOverload(context, per_second)
  const memory_after = residentMemory(service.child)
  const [again] = await measureInTurns('create after the overload', options.rounds, [createLoad(context)])
  const after = figureOf('create after the overload', again!)
  const ratio = after.per_second / before.per_second
  return {
    figures: [
      before,
      {
        ...statusFigure('overload: created (201)', outcome, '201'),
        errors: outcome.errors - (outcome.statuses[503] ?? 0),
      },
      statusFigure('overload: refused (503)', outcome, '503'),
      { ...after, ratio, baseline: 'before' },
    ],
    checks: [
      ...checkAnswers(outcome),
      await checkStored(service.db, stored, [...first!, outcome, ...again!]),
      {
        claim: `the rate after the overload is ${ratio.toFixed(2)} of the rate before (at least ${MIN_RECOVERY})`,
        holds: ratio >= MIN_RECOVERY,
      },
    ],
    series: memory_before
      ? [
          {
            name: 'memory of the service in MB before, at most during, and after the overload',
            values: [memory_before, peak, memory_after],
          },
        ]
      : [],
  }
}

async function runOverload(
  { service, options }: ScenarioContext,
  per_second: number,
): Promise<{ outcome: Outcome; peak: number }> {
  printProgress(`overload, ${Math.round(per_second)} creates a second`)
  let peak = residentMemory(service.child)
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMemory(service.child))
  }, SAMPLE_INTERVAL_MS)
  const outcome = await load({
    url: service.url,
    connections: Math.max(CONNECTIONS_PER_PROCESS * options.processes, options.connections),
    // Opening all connections takes some time.
    warmup_s: FIRST_WARMUP_S,
    seconds: options.seconds * options.rounds,
    requests: rawCreates(service.shops),
    per_second,
    expected: 201,
  })
  clearInterval(sampler)
  return { outcome, peak }
}

function statusFigure(name: string, outcome: Outcome, status: string): Figure {
  const { count, p50_ms, p99_ms } = outcome.measured[status] ?? { count: 0, p50_ms: null, p99_ms: null }
  return {
    name,
    per_second: count / outcome.seconds,
    p50_ms,
    p99_ms,
    errors: 0,
    ratio: (outcome.statuses[status] ?? 0) / totalCount(outcome),
    baseline: 'the due requests',
  }
}

function checkAnswers(outcome: Outcome): Check[] {
  const { 201: created = 0, 503: refused = 0, ...others } = outcome.statuses
  const wrong = Object.entries(others).map(([status, count]) => `${count} times ${status}`)
  return [
    {
      claim: `of ${totalCount(outcome)} creates that were due ${created} were created and ${refused} refused with Retry-After; other answers: ${wrong.join(', ') || 'none'}`,
      holds: created > 0 && wrong.length === 0,
    },
  ]
}

function totalCount({ statuses }: Outcome): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}
