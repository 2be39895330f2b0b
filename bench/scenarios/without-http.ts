import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { CreateTarget, RoundOptions } from '../bare-create.ts'
import type { Outcome } from '../load.ts'
import { countAnswers, figureOf, measureInTurns, type Result, ratioOf, type ScenarioContext } from '../measurements.ts'
import { settingsOf } from '../postgres.ts'
import { endChild, trackChild } from '../processes.ts'
import { checkStored, countRequests, createLoad } from './create.ts'

/** Creates over HTTP in turn with the same batched write in a process that has no HTTP, on the same tables. */
export async function measureWithoutHttp(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  const creator = trackChild(fork(new URL('../bare-create.ts', import.meta.url)))
  creator.send({ settings: settingsOf(house.database_url), shops: house.shops } satisfies CreateTarget)
  await once(creator, 'message')
  const before = await countRequests(house.db)
  const createBarely = async (warmup_s: number) => {
    creator.send({ callers: options.connections, warmup_s, seconds: options.seconds } satisfies RoundOptions)
    const [outcome] = (await once(creator, 'message')) as [Outcome]
    return outcome
  }
  const sides = [createBarely, createLoad(stage)]
  const [bare, created] = await measureInTurns('create without HTTP', options.rounds, sides)
  await endChild(creator)
  const answered = countAnswers([...bare!, ...created!], 201)
  return {
    figures: [
      figureOf('create without HTTP', bare!),
      { ...figureOf('create in turn with it', created!), ratio: ratioOf(created!, bare!), of: 'create without HTTP' },
    ],
    checks: [await checkStored(house.db, before, answered)],
  }
}
