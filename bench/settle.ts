import { auditLedger } from '../src/core/ledger/transfers.ts'
import type { Database } from '../src/db/client.ts'
import { ceilingSide } from './create.ts'
import {
  type Check,
  countAnswers,
  figureOf,
  type Options,
  type Result,
  ratioOf,
  type Side,
  type Stage,
  takeTurns,
} from './measurements.ts'
import { load } from './load.ts'
import { openRequests, paymentWires } from './requests.ts'
import type { Shop } from './shops.ts'
import type { House } from './postgres.ts'

/** More than one machine settles in a second; so many requests are kept ready for each. */
const SETTLED_PER_SECOND = 6_000

/** The network says that requests were paid: signed callbacks, each answered once its money is in the books. */
export async function measureSettle(stage: Stage): Promise<Result> {
  const { house, options } = stage
  const sides = [ceilingSide(stage), settleSide(house, options)]
  const [bare, settled] = await takeTurns('settle', options.rounds, sides)
  return {
    figures: [{ ...figureOf('settle: callback to successful', settled!), ratio: ratioOf(settled!, bare!) }],
    checks: await checkSettled(house.db, countAnswers(settled!, 200)),
  }
}

/** Settles open requests of these shops, each once. */
export function settleSide(house: House, options: Options, shops?: readonly Shop[]): Side {
  return async (warmup_s) => {
    const wanted = Math.ceil((options.seconds + warmup_s) * SETTLED_PER_SECOND)
    const requests = paymentWires(house, await openRequests(house, wanted, shops))
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
  const faults = await auditLedger(db)
  return { claim: faults.length > 0 ? faults.join(' ') : 'the books balance', holds: faults.length === 0 }
}
