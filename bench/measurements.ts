import type { Outcome } from './load.ts'
import type { BenchPostgres, BenchService } from './postgres.ts'
import type { RunningServer } from './processes.ts'

export interface Options {
  /** How long each round is measured. */
  seconds: number
  connections: number
  /** How often what is compared takes turns. */
  rounds: number
  /** How many requests lie in the table that is listed. */
  rows: number
  /** In how many processes the service runs. */
  processes: number
  /** On how many organizations the requests are spread. */
  organizations: number
  /** How long the steady load lasts under which memory is watched. */
  minutes: number
}

/** What a scenario is given: a service on an empty database of its own, and the bare server to hold it against. */
export interface ScenarioContext {
  postgres: BenchPostgres
  service: BenchService
  bare_server: RunningServer
  options: Options
}

/** One line of the report. */
export interface Figure {
  name: string
  per_second: number
  p50_ms: number | null
  p99_ms: number | null
  errors: number
  /** The part that it reached of something that was measured in the same minute. */
  ratio?: number
  /** What that is, unless it is the ceiling. */
  of?: string
  /** What each round gave, where there were several; the figures above are their medians. */
  rounds?: number[]
}

/** Something that must be true afterwards. */
export interface Check {
  claim: string
  holds: boolean
}

/** One quantity at several moments. */
export interface Series {
  name: string
  values: number[]
}

export interface Result {
  figures: Figure[]
  checks: Check[]
  series?: Series[]
}

/** Everything runs before it counts, and longer the first time: the compiler needs a moment. */
export const FIRST_WARMUP_S = 4
export const WARMUP_S = 0.5

/** One of the things that are compared: loads it once and tells what came of it. */
export type MeasuredLoad = (warmup_s: number) => Promise<Outcome>

/** Lets the sides take turns, so that whatever else the machine does hits all alike. One list of outcomes for each. */
export async function measureInTurns(
  name: string,
  rounds: number,
  sides: readonly MeasuredLoad[],
): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = sides.map(() => [])
  for (let round = 1; round <= rounds; round += 1) {
    printProgress(`${name}, round ${round} of ${rounds}`)
    for (const [index, side] of sides.entries())
      outcomes[index]!.push(await side(round === 1 ? FIRST_WARMUP_S : WARMUP_S))
  }
  return outcomes
}

/** One figure of several rounds: the medians, and all their errors. */
export function figureOf(name: string, outcomes: readonly Outcome[]): Figure {
  return {
    name,
    per_second: median(outcomes.map(rateOf)),
    p50_ms: median(outcomes.map((outcome) => outcome.p50_ms)),
    p99_ms: median(outcomes.map((outcome) => outcome.p99_ms)),
    errors: outcomes.reduce((sum, outcome) => sum + outcome.errors, 0),
    rounds: outcomes.map(rateOf),
  }
}

/** How the rates of one side compare with those of the other, round by round. */
export function ratioOf(outcomes: readonly Outcome[], others: readonly Outcome[]): number {
  return median(outcomes.map((outcome, round) => rateOf(outcome) / rateOf(others[round]!)))
}

export function rateOf({ answered, seconds }: Outcome): number {
  return seconds > 0 ? answered / seconds : 0
}

/** How many answers of one status there were in all rounds, the warming up included. */
export function countAnswers(outcomes: readonly Outcome[], status: number): number {
  return outcomes.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Tells who waits what is going on. */
export function printProgress(what: string): void {
  process.stderr.write(`  ${what} …\n`)
}
