import { checkLedger } from '../../src/core/ledger/transfers.ts'
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
  type Options,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { openRequests, rawPaymentCallbacks } from '../requests.ts'
import type { Shop } from '../shops.ts'
import { measureWithWrk, wrkFigure } from '../wrk/wrk.ts'
import { bareServerLoad } from './create.ts'

/** More than a machine can settle in a second. This many requests are prepared for each second. */
const MAX_SETTLEMENTS_PER_SECOND = 6_000

/** Measure signed callbacks of paid requests. Each is answered after its money is in the ledger. */
export async function measureSettle(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const sides = [bareServerLoad(context), settleLoad(service, options)]
  const [bare, settled] = await measureInTurns('settle', options.rounds, sides)
  const again = await measureWithWrk('settle', options.rounds, sides)
  const figure = { ...figureOf('settle: callback to successful', settled!), ratio: ratioOf(settled!, bare!) }
  return {
    figures: [{ ...figure, gate: gates.settle, ...wrkFigure(again, 1) }],
    checks: await checkSettled(service.db, [...settled!, ...(again?.[1] ?? [])]),
  }
}

/** Settle open requests of these shops, each once. */
export function settleLoad(service: BenchService, options: Options, shops?: readonly Shop[]): MeasuredLoad {
  return async (warmup_s, generate = load) => {
    const count = Math.ceil((options.seconds + warmup_s) * MAX_SETTLEMENTS_PER_SECOND)
    const requests = rawPaymentCallbacks(service, await openRequests(service, count, shops))
    return generate({ ...options, url: service.url, requests, once: true, warmup_s, expected: 200 })
  }
}

/** Exactly the answered payments are recorded, and those whose answer the generator did not wait for. */
export async function checkSettled(db: Database, outcomes: readonly Outcome[]): Promise<Check[]> {
  const answered = countAnswers(outcomes, 200)
  const cut_off = countCutOff(outcomes)
  const [row] = await db<{ successful: number; collections: number }[]>`
    select (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections`
  const { successful, collections } = row!
  return [
    {
      claim: `${answered} payments were accepted${describeCutOff(cut_off)}, ${collections} are recorded, ${successful} requests are successful`,
      holds: collections === successful && answered <= collections && collections <= answered + cut_off,
    },
    await checkBooks(db),
  ]
}

export async function checkBooks(db: Database): Promise<Check> {
  const errors = await checkLedger(db)
  return { claim: errors.length > 0 ? errors.join(' ') : 'the ledger balances', holds: errors.length === 0 }
}
