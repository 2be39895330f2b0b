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

/** Measures creates in turn with the bare server. Afterwards every answered request must be stored. */
export async function measureCreate(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const before = await countRequests(service.db)
  const [bare, created] = await measureInTurns('create', options.rounds, [bareServerLoad(context), createLoad(context)])
  return {
    figures: [
      figureOf('the ceiling: a bare route, no database', bare!),
      { ...figureOf('create', created!), ratio: ratioOf(created!, bare!) },
    ],
    checks: [await checkStored(service.db, before, countAnswers(created!, 201))],
  }
}

/** Loads the bare server. */
export function bareServerLoad({ bare_server, service, options }: ScenarioContext): MeasuredLoad {
  const job = { ...options, url: bare_server.url, requests: rawCreates(service.shops), expected: 201 }
  return (warmup_s) => load({ ...job, warmup_s })
}

/** Creates requests with these extra fields, as many as the callers can. */
export function createLoad(
  { service, options }: Pick<ScenarioContext, 'service' | 'options'>,
  extra: object = {},
): MeasuredLoad {
  const job = { ...options, url: service.url, requests: rawCreates(service.shops, extra), expected: 201 }
  return (warmup_s) => load({ ...job, warmup_s })
}

export async function countRequests(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from collection_requests`
  return row!.count
}

/** Exactly the answered creates are stored. */
export async function checkStored(db: Database, before: number, answered: number): Promise<Check> {
  const stored = (await countRequests(db)) - before
  return { claim: `${answered} creates were answered and ${stored} requests are stored`, holds: stored === answered }
}
