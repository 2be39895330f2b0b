import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Place, Round } from './bare-create.ts'
import { checkStored, countRequests, createSide } from './create.ts'
import { countAnswers, figureOf, type Result, ratioOf, type Stage, takeTurns } from './measurements.ts'
import type { Outcome } from './load.ts'
import { end, owned } from './processes.ts'
import { settingsOf } from './postgres.ts'

/** Creates over HTTP in turn with the same batched write in a process that has no HTTP, on the same tables. */
export async function measureWithoutHttp(stage: Stage): Promise<Result> {
  const { house, options } = stage
  const creator = owned(fork(new URL('bare-create.ts', import.meta.url)))
  creator.send({ settings: settingsOf(house.database_url), shops: house.shops } satisfies Place)
  await once(creator, 'message')
  const before = await countRequests(house.db)
  const createBarely = async (warmup_s: number) => {
    creator.send({ callers: options.connections, warmup_s, seconds: options.seconds } satisfies Round)
    const [outcome] = (await once(creator, 'message')) as [Outcome]
    return outcome
  }
  const sides = [createBarely, createSide(stage)]
  const [bare, created] = await takeTurns('create without HTTP', options.rounds, sides)
  await end(creator)
  const answered = countAnswers([...bare!, ...created!], 201)
  return {
    figures: [
      figureOf('create without HTTP', bare!),
      { ...figureOf('create in turn with it', created!), ratio: ratioOf(created!, bare!), of: 'create without HTTP' },
    ],
    checks: [await checkStored(house.db, before, answered)],
  }
}
