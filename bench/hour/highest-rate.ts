import { load, type Outcome, SLOW_MS } from '../load.ts'
import { type Options, printProgress, type Table } from '../measurements.ts'
import { waitUntilDone } from '../outside/arrived.ts'
import type { ServiceWithOutside } from '../outside/outside.ts'
import { numberedCreates } from '../requests.ts'
import { readSample } from './samples.ts'

/**
 * First rate, as a share of the service's full rate, and the increase of each step. After a burst the last
 * notifications take long, so a steady rate may be higher.
 */
const FIRST_SHARE = 0.7
const STEP_SHARE = 0.1
const MAX_STEPS = 30
/**
 * Maximum backlog of a step at its end, in seconds: more is a growing backlog. Customers pay after one of these
 * seconds. The time until all is done says less, since waiting work is quick when nothing new comes.
 */
const MAX_BEHIND_S = 2

/** Rate that was tried. */
export interface Step {
  per_second: number
  created: number
  errors: number
  p50_ms: number
  p99_ms: number
  /** Backlog at its end, as seconds of its rate: open requests or waiting notifications, whichever is more. */
  behind_s: number
  /** Seconds from the last create until everything was done. */
  backlog_s: number
}

/** Return true if a service can keep the rate of a step: quick answers, no refusals, and no growing backlog. */
export function stepHolds({ p99_ms, errors, behind_s }: Step): boolean {
  return p99_ms < SLOW_MS && errors === 0 && behind_s <= MAX_BEHIND_S
}

/** The rates to try, the lowest first, for a service that finishes `finished` collections per second at its full rate. */
export function stepRates(finished: number): number[] {
  return Array.from({ length: MAX_STEPS }, (_, step) =>
    Math.max(1, Math.round(finished * (FIRST_SHARE + step * STEP_SHARE))),
  )
}

/**
 * Raise the rate until a step does not hold twice, or halve it if not even the first one holds. Returns the highest
 * that held, with how many requests were created and tried.
 * @throws Error if none holds
 */
export async function findHighestRate(
  outside: ServiceWithOutside,
  options: Options,
  { finished, step_s, first }: { finished: number; step_s: number; first: number },
): Promise<{ highest: number; steps: Step[]; created: number; tried: number }> {
  const steps: Step[] = []
  // The numbers of customers whose requests failed are not used again.
  let tried = 0
  const tryRate = async (per_second: number) => {
    printProgress(`everything on, ${per_second} a second for ${step_s} s`)
    const before = (await outside.countCalls()).notifications
    const outcome = await loadAtRate(outside, options, { per_second, seconds: step_s, first: first + tried })
    const { open, waiting } = await readSample(outside.service)
    const done = await waitUntilDone(outside.service.db)
    const notifications = (await outside.countCalls()).notifications - before
    const behind_s = Math.max(open / per_second, (waiting / notifications) * step_s)
    const backlog_s = Math.max(...Object.values(done)) / 1_000
    const { p50_ms, p99_ms, errors } = outcome
    const step = { per_second, created: outcome.statuses[201] ?? 0, errors, p50_ms, p99_ms, behind_s, backlog_s }
    tried += step.created + errors
    steps.push(step)
    return stepHolds(step)
  }
  // Other programs on the machine can spoil a step, so one that does not hold is tried once more.
  const tryTwice = async (per_second: number) => (await tryRate(per_second)) || (await tryRate(per_second))
  const [lowest, ...rates] = stepRates(finished)
  if (await tryTwice(lowest!)) {
    for (const per_second of rates) if (!(await tryTwice(per_second))) break
  } else {
    for (let rate = lowest! / 2; rate >= 1; rate /= 2) if (await tryRate(Math.floor(rate))) break
  }
  const highest = steps.findLast(stepHolds)?.per_second
  if (highest === undefined) throw new Error(`This machine cannot keep ${steps[0]!.per_second} collections a second.`)
  return { highest, steps, tried, created: steps.reduce((sum, step) => sum + step.created, 0) }
}

/** Create requests of new customers at a steady rate. */
export function loadAtRate(
  { service }: ServiceWithOutside,
  { connections }: Options,
  {
    per_second,
    seconds,
    first,
    interval_s,
  }: { per_second: number; seconds: number; first: number; interval_s?: number },
): Promise<Outcome> {
  const job = { url: service.url, connections, warmup_s: 0, seconds, per_second, expected: 201 }
  return load({ ...job, ...(interval_s !== undefined && { interval_s }), ...numberedCreates(service.shops, first) })
}

export function stepTable(steps: readonly Step[]): Table {
  return {
    title: 'steps: created a second',
    columns: ['created', 'errors', 'p50 ms', 'p99 ms', 'behind s', 'backlog s', 'holds'],
    rows: steps.map((step) => ({
      name: String(step.per_second),
      values: [
        step.created,
        step.errors,
        step.p50_ms,
        step.p99_ms,
        step.behind_s,
        step.backlog_s,
        stepHolds(step) ? 1 : 0,
      ],
    })),
  }
}
