import { load } from '../load.ts'
import {
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  rateOf,
  type ScenarioContext,
} from '../measurements.ts'
import { rawCreates } from '../requests.ts'
import { checkStored, countRequests, createLoad } from './create.ts'

/** Measure the latency of creates at half of the maximum rate. */
export async function measureHalfRate(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const before = await countRequests(service.db)
  const createMax = createLoad(context)
  let max_rate = 0
  const measureMax: MeasuredLoad = async (warmup_s) => {
    const outcome = await createMax(warmup_s)
    max_rate = rateOf(outcome)
    return outcome
  }
  const requests = rawCreates(service.shops)
  const createHalf: MeasuredLoad = (warmup_s) =>
    load({ ...options, url: service.url, requests, warmup_s, per_second: max_rate / 2, expected: 201 })
  const [max, half] = await measureInTurns('create at half its rate', options.rounds, [measureMax, createHalf])
  return {
    figures: [
      figureOf('create, as many as possible', max!),
      figureOf('create at half that rate, since it was due', half!),
    ],
    checks: [await checkStored(service.db, before, [...max!, ...half!])],
  }
}
