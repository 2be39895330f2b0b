import { type Generator, load, type Outcome } from './load.ts'
import type { BenchPostgres, BenchService } from './postgres.ts'
import type { RunningServer } from './processes.ts'

export interface Options {
  /** Duration of each measured round. */
  seconds: number
  connections: number
  /** Number of alternating rounds that compare two sides. */
  rounds: number
  /** Number of requests in the listed table; null for the usual one of the scenario. */
  rows: number | null
  /** The number of processes of the service. */
  processes: number
  /** Number of organizations that share the requests. */
  organizations: number
  /** Duration of a steady load; null for the usual time of the scenario. */
  minutes: number | null
  /** Number of simultaneously due plans of one organization. */
  due: number
  /** Number of collections whose costs are counted. */
  collections: number
  /** The rate of those collections. */
  collections_per_second: number | null
}

/** The input of a scenario: a service on an empty database, and the bare server to compare it with. */
export interface ScenarioContext {
  postgres: BenchPostgres
  service: BenchService
  bare_server: RunningServer
  options: Options
}

/** The input of a scenario that starts its services itself. */
export type UnservedContext = Omit<ScenarioContext, 'service'>

/** Required and desired values of a figure. */
export interface Gate {
  /** Ratios have a smallest value, latencies in ms a largest one. */
  unit: 'ratio' | 'p99_ms'
  gate: number
  aim?: number
}

/** Line of the report. */
export interface Figure {
  name: string
  per_second: number
  p50_ms: number | null
  p99_ms: number | null
  errors: number
  /** The ratio to another figure that was measured in the same minute. */
  ratio?: number
  /** The name of the other figure, unless it is the ceiling. */
  baseline?: string
  /** The rates of the rounds; the figures above are medians over them. */
  rounds?: number[]
  /** Required value of the figure. */
  gate?: Gate
  /** Same load by wrk, in separate rounds. */
  with_wrk?: { per_second: number; p50_ms: number; p99_ms: number; errors: number; ratio?: number }
}

/** Condition that must hold after the scenario. */
export interface Check {
  claim: string
  holds: boolean
}

/** Quantity at several times. */
export interface Series {
  name: string
  values: number[]
}

/** A table with a name for each row, and as many numbers as columns. */
export interface Table {
  title: string
  columns: string[]
  rows: { name: string; values: (number | null)[] }[]
}

export interface Result {
  figures: Figure[]
  checks: Check[]
  series?: Series[]
  tables?: Table[]
  /** Notes on this run for the reader of the figures. */
  notes?: string[]
}

/** Warm-ups before each measurement. The first one is longer because of the compiler. */
export const FIRST_WARMUP_S = 4
export const WARMUP_S = 0.5

/** Side of a comparison. Each call loads it once. Default: with Node's own load generator. */
export type MeasuredLoad = (warmup_s: number, generate?: Generator) => Promise<Outcome>

/**
 * Measure the sides in alternating rounds, so that other work of the machine affects all alike. Returns the outcomes of
 * each side.
 */
export async function measureInTurns(
  name: string,
  rounds: number,
  sides: readonly MeasuredLoad[],
  generate: Generator = load,
): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = sides.map(() => [])
  for (let round = 1; round <= rounds; round += 1) {
    printProgress(`${name}, round ${round} of ${rounds}`)
    for (const [index, side] of sides.entries())
      outcomes[index]!.push(await side(round === 1 ? FIRST_WARMUP_S : WARMUP_S, generate))
  }
  return outcomes
}

/** Combine several rounds into a figure: the medians and the sum of the errors. */
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

/** The median of the ratios between the rates of two sides, round by round. */
export function ratioOf(outcomes: readonly Outcome[], others: readonly Outcome[]): number {
  return median(outcomes.map((outcome, round) => rateOf(outcome) / rateOf(others[round]!)))
}

export function rateOf({ answered, seconds }: Outcome): number {
  return seconds > 0 ? answered / seconds : 0
}

/** Count the answers with a status in all rounds, including the warm-up. */
export function countAnswers(outcomes: readonly Outcome[], status: number): number {
  return outcomes.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
}

/** Return the maximum number of requests done without a counted answer. */
export function countCutOff(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { cut_off }) => sum + cut_off, 0)
}

/** Say it for the claim of a check. */
export function describeCutOff(cut_off: number): string {
  return cut_off > 0 ? ` (and up to ${cut_off} that wrk did not wait for)` : ''
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Print the current step to the error output. */
export function printProgress(step: string): void {
  process.stderr.write(`  ${step} …\n`)
}
