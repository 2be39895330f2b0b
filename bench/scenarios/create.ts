import type { Database } from '../../src/db/client.ts'
import { load } from '../load.ts'
import {
  type Check,
  countAnswers,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import { rawCreates } from '../requests.ts'

/** Creates against the ceiling, turn by turn. Afterwards every answer must have its row. */
export async function measureCreate(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  const before = await countRequests(house.db)
  const [bare, created] = await measureInTurns('create', options.rounds, [bareServerLoad(stage), createLoad(stage)])
  return {
    figures: [
      figureOf('the ceiling: a bare route, no database', bare!),
      { ...figureOf('create', created!), ratio: ratioOf(created!, bare!) },
    ],
    checks: [await checkStored(house.db, before, countAnswers(created!, 201))],
  }
}

/** The bare route. */
export function bareServerLoad({ bare_server: ceiling, service: house, options }: ScenarioContext): MeasuredLoad {
  const job = { ...options, url: ceiling.url, requests: rawCreates(house.shops), expected: 201 }
  return (warmup_s) => load({ ...job, warmup_s })
}

/** Creates, as many as so many callers can make, with these fields besides. */
export function createLoad(
  { service: house, options }: Pick<ScenarioContext, 'service' | 'options'>,
  more: object = {},
): MeasuredLoad {
  const job = { ...options, url: house.url, requests: rawCreates(house.shops, more), expected: 201 }
  return (warmup_s) => load({ ...job, warmup_s })
}

export async function countRequests(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from collection_requests`
  return row!.count
}

/** Every create that was answered is stored, and nothing else. */
export async function checkStored(db: Database, before: number, answered: number): Promise<Check> {
  const stored = (await countRequests(db)) - before
  return { claim: `${answered} creates were answered and ${stored} requests are stored`, holds: stored === answered }
}
