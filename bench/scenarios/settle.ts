import { checkLedger } from '../../src/core/ledger/transfers.ts'
import type { Database } from '../../src/db/client.ts'
import { load } from '../load.ts'
import {
  type Check,
  countAnswers,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Options,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { openRequests, rawPaymentCallbacks } from '../requests.ts'
import type { Shop } from '../shops.ts'
import { bareServerLoad } from './create.ts'

/** More than one machine settles in a second; so many requests are kept ready for each. */
const MAX_SETTLEMENTS_PER_SECOND = 6_000

/** The network says that requests were paid: signed callbacks, each answered once its money is in the books. */
export async function measureSettle(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  const sides = [bareServerLoad(stage), settleLoad(house, options)]
  const [bare, settled] = await measureInTurns('settle', options.rounds, sides)
  return {
    figures: [{ ...figureOf('settle: callback to successful', settled!), ratio: ratioOf(settled!, bare!) }],
    checks: await checkSettled(house.db, countAnswers(settled!, 200)),
  }
}

/** Settles open requests of these shops, each once. */
export function settleLoad(house: BenchService, options: Options, shops?: readonly Shop[]): MeasuredLoad {
  return async (warmup_s) => {
    const wanted = Math.ceil((options.seconds + warmup_s) * MAX_SETTLEMENTS_PER_SECOND)
    const requests = rawPaymentCallbacks(house, await openRequests(house, wanted, shops))
    return load({ ...options, url: house.url, requests, once: true, warmup_s, expected: 200 })
  }
}

/** Every payment that was answered is in the books, and nothing else. */
export async function checkSettled(db: Database, answered: number): Promise<Check[]> {
  const [row] = await db<{ successful: number; collections: number }[]>`
    select (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections`
  const { successful, collections } = row!
  return [
    {
      claim: `${answered} payments were taken, ${collections} are recorded, ${successful} requests are successful`,
      holds: answered === collections && answered === successful,
    },
    await checkBooks(db),
  ]
}

export async function checkBooks(db: Database): Promise<Check> {
  const faults = await checkLedger(db)
  return { claim: faults.length > 0 ? faults.join(' ') : 'the books balance', holds: faults.length === 0 }
}
