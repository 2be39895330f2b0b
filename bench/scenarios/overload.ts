import { load, type Outcome } from '../load.ts'
import {
  type Check,
  countAnswers,
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

/** So many connections to each process, more than it lets in at once, or as many as `--connections` says if these are more. */
const CONNECTIONS_PER_PROCESS = 3_000
/** How much more they want than the service could just do. */
const OVERLOAD_FACTOR = 2
/** Afterwards it must do this much of what it did before. */
const MIN_RECOVERY = 0.9
const SAMPLE_INTERVAL_MS = 500

/**
 * Creates at twice the rate that the service can bear, whether answers come or not. It should do what it can, refuse the
 * rest at once and say when to come back, need no more memory for it, and afterwards be as fast as before.
 */
export async function measureOverload(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  const stored = await countRequests(house.db)
  const [calm] = await measureInTurns('create before the overload', options.rounds, [createLoad(stage)])
  const before = figureOf('create before the overload', calm!)
  const per_second = OVERLOAD_FACTOR * Math.max(...before.rounds!)
  const at_first = residentMemory(house.child)
  const { outcome, peak } = await runOverload(stage, per_second)
  const at_last = residentMemory(house.child)
  const [again] = await measureInTurns('create after the overload', options.rounds, [createLoad(stage)])
  const after = figureOf('create after the overload', again!)
  const ratio = after.per_second / before.per_second
  const answered = countAnswers([...calm!, outcome, ...again!], 201)
  return {
    figures: [
      before,
      {
        ...statusFigure('overload: made (201)', outcome, '201'),
        errors: outcome.errors - (outcome.statuses[503] ?? 0),
      },
      statusFigure('overload: refused (503)', outcome, '503'),
      { ...after, ratio, of: 'before' },
    ],
    checks: [
      ...checkAnswers(outcome),
      await checkStored(house.db, stored, answered),
      {
        claim: `after the overload it made ${ratio.toFixed(2)} of what it made before (at least ${MIN_RECOVERY})`,
        holds: ratio >= MIN_RECOVERY,
      },
    ],
    series: at_first
      ? [
          {
            name: 'memory of the service in MB before, at most during, and after the overload',
            values: [at_first, peak, at_last],
          },
        ]
      : [],
  }
}

async function runOverload(
  { service: house, options }: ScenarioContext,
  per_second: number,
): Promise<{ outcome: Outcome; peak: number }> {
  printProgress(`overload, ${Math.round(per_second)} creates a second`)
  let peak = residentMemory(house.child)
  const looking = setInterval(() => {
    peak = Math.max(peak, residentMemory(house.child))
  }, SAMPLE_INTERVAL_MS)
  const outcome = await load({
    url: house.url,
    connections: Math.max(CONNECTIONS_PER_PROCESS * options.processes, options.connections),
    // It takes a moment until all are connected.
    warmup_s: FIRST_WARMUP_S,
    seconds: options.seconds * options.rounds,
    requests: rawCreates(house.shops),
    per_second,
    expected: 201,
  })
  clearInterval(looking)
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
    of: 'what was due',
  }
}

function checkAnswers(outcome: Outcome): Check[] {
  const { 201: made = 0, 503: refused = 0, ...others } = outcome.statuses
  const wrong = Object.entries(others).map(([status, count]) => `${count} times ${status}`)
  return [
    {
      claim: `of ${totalCount(outcome)} creates that were due ${made} were made and ${refused} refused with Retry-After; besides: ${wrong.join(', ') || 'nothing'}`,
      holds: made > 0 && wrong.length === 0,
    },
  ]
}

function totalCount({ statuses }: Outcome): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}
