import { checkStored, countRequests, createSide } from './create.ts'
import { countAnswers, figureOf, type Result, rateOf, type Side, type Stage, takeTurns } from './measurements.ts'
import { load } from './load.ts'
import { createWires } from './requests.ts'

/** How long a create takes while the service has half as much to do as it just could. */
export async function measureHalf(stage: Stage): Promise<Result> {
  const { house, options } = stage
  const before = await countRequests(house.db)
  const createMost = createSide(stage)
  let top = 0
  const measureTop: Side = async (warmup_s) => {
    const outcome = await createMost(warmup_s)
    top = rateOf(outcome)
    return outcome
  }
  const requests = createWires(house.shops)
  const createHalf: Side = (warmup_s) =>
    load({ ...options, url: house.url, requests, warmup_s, per_second: top / 2, expected: 201 })
  const [most, half] = await takeTurns('create at half its rate', options.rounds, [measureTop, createHalf])
  return {
    figures: [
      figureOf('create, as many as possible', most!),
      figureOf('create at half that rate, since it was due', half!),
    ],
    checks: [await checkStored(house.db, before, countAnswers([...most!, ...half!], 201))],
  }
}
