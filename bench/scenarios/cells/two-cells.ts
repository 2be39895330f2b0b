import { availableParallelism } from 'node:os'
import { can_pin, pinProcess } from '../../cores.ts'
import { findPostmaster } from '../../cost/counters.ts'
import type { Outcome } from '../../load.ts'
import {
  type Figure,
  figureOf,
  measureInTurns,
  median,
  type Result,
  ratioOf,
  type UnservedContext,
} from '../../measurements.ts'
import { type BenchPostgres, type BenchService, startPostgres } from '../../postgres.ts'
import { checkStored, countRequests, createLoad } from '../create.ts'

/** Service and PostgreSQL of one cell, and the cores that both are kept on. */
interface BenchCell {
  service: BenchService
  cores: string
}

/**
 * Compare two cells, each on one half of the cores, with one cell on all of them. The load runs on the same cores in both.
 */
export async function measureCells({ options }: UnservedContext): Promise<Result> {
  if (!can_pin)
    return {
      figures: [],
      checks: [],
      notes: ['cells was not measured: it needs two cores, and the program taskset of util-linux.'],
    }
  const count = availableParallelism()
  const half = count >> 1
  const started: BenchPostgres[] = []
  const start = async (cores: string, processes: number): Promise<BenchCell> => {
    const postgres = await startPostgres(processes)
    started.push(postgres)
    const service = await postgres.startService(['--no-jobs'], 1)
    pinProcess(service.child.pid!, cores)
    pinProcess(await findPostmaster(service.db), cores)
    return { service, cores }
  }
  try {
    const one = await start(`0-${2 * half - 1}`, 2 * half)
    const two = [await start(`0-${half - 1}`, half), await start(`${half}-${2 * half - 1}`, half)]
    const before = new Map<BenchCell, number>()
    for (const cell of [one, ...two]) before.set(cell, await countRequests(cell.service.db))
    // Each cell of half the size has half of the callers.
    const halved = { ...options, connections: Math.ceil(options.connections / 2) }
    const by_cell = new Map<BenchCell, Outcome[]>(two.map((cell) => [cell, []]))
    const [single, pair] = await measureInTurns('create in cells', options.rounds, [
      createLoad({ service: one.service, options }),
      async (warmup_s, generate) => {
        const outcomes = await Promise.all(
          two.map(({ service }) => createLoad({ service, options: halved })(warmup_s, generate)),
        )
        for (const [index, cell] of two.entries()) by_cell.get(cell)!.push(outcomes[index]!)
        return joinOutcomes(outcomes)
      },
    ])
    const checks = [await checkStored(one.service.db, before.get(one)!, single!)]
    for (const cell of two) checks.push(await checkStored(cell.service.db, before.get(cell)!, by_cell.get(cell)!))
    for (const { service } of [one, ...two]) await service.close()
    return { figures: figuresOf(single!, pair!, half), checks }
  } finally {
    for (const postgres of started) await postgres.close()
  }
}

function figuresOf(single: readonly Outcome[], pair: readonly Outcome[], half: number): Figure[] {
  const slower = median(pair.map(({ p99_ms }, round) => p99_ms / single[round]!.p99_ms))
  return [
    figureOf(`create, one cell on ${2 * half} cores`, single),
    {
      ...figureOf(`create, two cells on ${half} of them each; p99 ${slower.toFixed(2)} of the p99 of one`, pair),
      ratio: ratioOf(pair, single),
      baseline: 'one cell',
    },
  ]
}

/** Add what came from several services at the same time. The slower one gives the latencies. */
function joinOutcomes(outcomes: readonly Outcome[]): Outcome {
  const sum = (numberOf: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + numberOf(outcome), 0)
  const max = (numberOf: (outcome: Outcome) => number) => Math.max(...outcomes.map(numberOf))
  return {
    ...outcomes[0]!,
    answered: sum(({ answered }) => answered),
    errors: sum(({ errors }) => errors),
    cut_off: sum(({ cut_off }) => cut_off),
    p50_ms: max(({ p50_ms }) => p50_ms),
    p99_ms: max(({ p99_ms }) => p99_ms),
    seconds: max(({ seconds }) => seconds),
  }
}
