import { load, type Outcome } from '../../load.ts'
import {
  type Check,
  FIRST_WARMUP_S,
  type Figure,
  figureOf,
  median,
  printProgress,
  type Result,
  rateOf,
  type ScenarioContext,
  WARMUP_S,
} from '../../measurements.ts'
import { rawCreates } from '../../requests.ts'
import type { Shop } from '../../shops.ts'
import { checkStored, countRequests, createLoad } from '../create.ts'

/** Number of organizations: the first makes most of the requests, the others share the rest. */
export const NEIGHBOURS = 10
/** The part of the first. */
const PART = 0.9
/** All requests together, as a factor of the maximum rate. */
const LOAD_FACTOR = 0.5
/** The first sends so many times the maximum rate to overload the service. */
const OVERLOAD_FACTOR = 2
/** More callers than one organization can have requests in flight. */
const OVERLOAD_CONNECTIONS = 1_500
/**
 * The address of the others: the service shares its places between addresses, and neighbours have their own. Only Linux
 * has it without being told.
 */
const OTHER_ADDRESS = process.platform === 'linux' ? '127.0.0.2' : undefined
/** Maximum p99 of the others beside the first, as a factor of their p99 when all share the same load evenly. */
const MAX_SLOWDOWN = 1.5

/**
 * Measure the creates of nine organizations alone, as nine tenths of the load, beside one with nine tenths of it, and beside the
 * same one when it overloads the service. The second shows what the load itself costs, however it is divided.
 */
export async function measureNeighbours(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const [first, ...others] = service.shops
  const stored = await countRequests(service.db)
  const max = await createLoad(context)(FIRST_WARMUP_S)
  const per_second = LOAD_FACTOR * rateOf(max)
  const send = (shops: readonly Shop[], rate: number, connections = options.connections) =>
    load({
      ...options,
      url: service.url,
      from_address: shops === others ? OTHER_ADDRESS : undefined,
      requests: rawCreates(shops),
      warmup_s: WARMUP_S,
      per_second: rate,
      connections,
      expected: 201,
    })
  const sides: Record<'alone' | 'even' | 'beside' | 'overload', Outcome[]> = {
    alone: [],
    even: [],
    beside: [],
    overload: [],
  }
  const of_first: Outcome[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    printProgress(`neighbours, round ${round} of ${options.rounds}`)
    const sendOthers = () => send(others, (1 - PART) * per_second)
    sides.alone.push(await sendOthers())
    const [even, small] = await Promise.all([send(others, PART * per_second), send([first!], (1 - PART) * per_second)])
    sides.even.push(even)
    const [beside, busy] = await Promise.all([sendOthers(), send([first!], PART * per_second)])
    sides.beside.push(beside)
    const flood = send([first!], OVERLOAD_FACTOR * rateOf(max), OVERLOAD_CONNECTIONS)
    const [overload, flooding] = await Promise.all([sendOthers(), flood])
    sides.overload.push(overload)
    of_first.push(small, busy, flooding)
  }
  return {
    figures: [
      { ...figureOf('nine organizations alone', sides.alone) },
      besides('ten with the same load, evenly: the nine', sides.even, sides.alone),
      besides('nine beside one with 90 % of the load', sides.beside, sides.alone),
      besides('nine beside one that overloads the service', sides.overload, sides.alone),
    ],
    checks: [
      compare(`beside one organization with ${100 * PART} % of the load`, sides.beside, sides.even),
      checkAnswered(sides.overload),
      await checkStored(service.db, stored, [max, ...Object.values(sides).flat(), ...of_first]),
    ],
  }
}

/** Figure of a side, with the ratio of the 99th percentiles. */
function besides(name: string, side: readonly Outcome[], alone: readonly Outcome[]): Figure {
  return { ...figureOf(name, side), ratio: slowdownOf(side, alone), baseline: 'the p99 alone' }
}

/** Return the median over the rounds of the p99 of a side, divided by the p99 of another. */
function slowdownOf(side: readonly Outcome[], other: readonly Outcome[]): number {
  return median(side.map(({ p99_ms }, round) => p99_ms / other[round]!.p99_ms))
}

function compare(words: string, side: readonly Outcome[], even: readonly Outcome[]): Check {
  const slowdown = slowdownOf(side, even)
  return {
    claim: `${words}, the p99 of the others is ${slowdown.toFixed(2)} of that with the load shared evenly (at most ${MAX_SLOWDOWN})`,
    holds: slowdown <= MAX_SLOWDOWN,
  }
}

function checkAnswered(side: readonly Outcome[]): Check {
  const refused = side.reduce((sum, { errors }) => sum + errors, 0)
  const answered = side.reduce((sum, outcome) => sum + (outcome.statuses[201] ?? 0), 0)
  return {
    claim: `while one organization overloads the service, ${answered} creates of the others were answered and ${refused} refused`,
    holds: refused === 0,
  }
}
