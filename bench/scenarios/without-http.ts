import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { CreateTarget, RoundOptions } from '../bare/create.ts'
import type { Outcome } from '../load.ts'
import { figureOf, measureInTurns, type Result, ratioOf, type ScenarioContext } from '../measurements.ts'
import { settingsOf } from '../postgres.ts'
import { endChild, trackChild } from '../processes.ts'
import { checkStored, countRequests, createLoad } from './create.ts'

/** Measure creates over HTTP, in turn with the same batched write without HTTP on the same tables. */
export async function measureWithoutHttp(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const creator = trackChild(fork(new URL('../bare/create.ts', import.meta.url)))
  creator.send({ settings: settingsOf(service.database_url), shops: service.shops } satisfies CreateTarget)
  await once(creator, 'message')
  const before = await countRequests(service.db)
  const createWithoutHttp = async (warmup_s: number) => {
    creator.send({ callers: options.connections, warmup_s, seconds: options.seconds } satisfies RoundOptions)
    const [outcome] = (await once(creator, 'message')) as [Outcome]
    return outcome
  }
  const sides = [createWithoutHttp, createLoad(context)]
  const [bare, created] = await measureInTurns('create without HTTP', options.rounds, sides)
  await endChild(creator)
  return {
    figures: [
      figureOf('create without HTTP', bare!),
      {
        ...figureOf('create in turn with it', created!),
        ratio: ratioOf(created!, bare!),
        baseline: 'create without HTTP',
      },
    ],
    checks: [await checkStored(service.db, before, [...bare!, ...created!])],
  }
}
