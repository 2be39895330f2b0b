import type { Database } from '../../src/db/client.ts'
import { gates } from '../gates.ts'
import { load, type Outcome } from '../load.ts'
import {
  type Check,
  countAnswers,
  countCutOff,
  describeCutOff,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import { rawCreates } from '../requests.ts'
import type { Shop } from '../shops.ts'
import { measureWithWrk, wrkFigure } from '../wrk/wrk.ts'

/** Measure creates in turn with the bare server. Afterwards every answered request must be stored. */
export async function measureCreate(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const before = await countRequests(service.db)
  const sides = [bareServerLoad(context), createLoad(context)]
  const [bare, created] = await measureInTurns('create', options.rounds, sides)
  const again = await measureWithWrk('create', options.rounds, sides)
  return {
    figures: [
      { ...figureOf('the ceiling: a bare route, no database', bare!), ...wrkFigure(again, 0) },
      { ...figureOf('create', created!), ratio: ratioOf(created!, bare!), gate: gates.create, ...wrkFigure(again, 1) },
    ],
    checks: [await checkStored(service.db, before, [...created!, ...(again?.[1] ?? [])])],
  }
}

export function bareServerLoad({ service, ...context }: ScenarioContext): MeasuredLoad {
  return ceilingLoad({ ...context, shops: service.shops })
}

/** Load the bare server with the requests of these shops. */
export function ceilingLoad({
  bare_server,
  options,
  shops,
}: Pick<ScenarioContext, 'bare_server' | 'options'> & { shops: readonly Shop[] }): MeasuredLoad {
  const job = { ...options, url: bare_server.url, requests: rawCreates(shops), expected: 201 }
  return (warmup_s, generate = load) => generate({ ...job, warmup_s })
}

/** Create requests with these extra fields, as many as the callers can. */
export function createLoad(
  { service, options }: Pick<ScenarioContext, 'service' | 'options'>,
  extra: object = {},
): MeasuredLoad {
  const job = { ...options, url: service.url, requests: rawCreates(service.shops, extra), expected: 201 }
  return (warmup_s, generate = load) => generate({ ...job, warmup_s })
}

export async function countRequests(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from collection_requests`
  return row!.count
}

/** Exactly the answered creates are stored, and those whose answer the generator did not wait for. */
export async function checkStored(db: Database, before: number, outcomes: readonly Outcome[]): Promise<Check> {
  const stored = (await countRequests(db)) - before
  const answered = countAnswers(outcomes, 201)
  const cut_off = countCutOff(outcomes)
  return {
    claim: `${answered} creates were answered${describeCutOff(cut_off)} and ${stored} requests are stored`,
    holds: stored >= answered && stored <= answered + cut_off,
  }
}
