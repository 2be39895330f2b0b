import { load } from '../load.ts'
import {
  countAnswers,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  rateOf,
  type ScenarioContext,
} from '../measurements.ts'
import { rawCreates } from '../requests.ts'
import { checkStored, countRequests, createLoad } from './create.ts'

/** How long a create takes while the service has half as much to do as it just could. */
export async function measureHalfRate(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  const before = await countRequests(house.db)
  const createMost = createLoad(stage)
  let top = 0
  const measureTop: MeasuredLoad = async (warmup_s) => {
    const outcome = await createMost(warmup_s)
    top = rateOf(outcome)
    return outcome
  }
  const requests = rawCreates(house.shops)
  const createHalf: MeasuredLoad = (warmup_s) =>
    load({ ...options, url: house.url, requests, warmup_s, per_second: top / 2, expected: 201 })
  const [most, half] = await measureInTurns('create at half its rate', options.rounds, [measureTop, createHalf])
  return {
    figures: [
      figureOf('create, as many as possible', most!),
      figureOf('create at half that rate, since it was due', half!),
    ],
    checks: [await checkStored(house.db, before, countAnswers([...most!, ...half!], 201))],
  }
}
