import type { Database } from '../../src/db/client.ts'
import type { StoringTarget } from '../bare/storing.ts'
import { gates } from '../gates.ts'
import { load } from '../load.ts'
import {
  type Check,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import { endChild, startTold } from '../processes.ts'
import { numberedCreates } from '../requests.ts'
import { checkStored, countRequests } from './create.ts'

/** Measure creates, each for a new customer, in turn with the bare route that writes the same rows in batches. */
export async function measureNewCustomers({ service, options }: ScenarioContext): Promise<Result> {
  const { db, database_url } = service
  const shop = service.shops[0]!
  const target: StoringTarget = { database_url, shop }
  const bare = await startTold(new URL('../bare/storing.ts', import.meta.url), target)
  const before = { requests: await countRequests(db), contacts: await countContacts(db) }
  let sent = 0
  const creates =
    (url: string): MeasuredLoad =>
    async (warmup_s, generate = load) => {
      const outcome = await generate({ ...options, url, warmup_s, expected: 201, ...numberedCreates([shop], sent) })
      sent += Object.values(outcome.statuses).reduce((sum, count) => sum + count, outcome.cut_off)
      return outcome
    }
  const sides = [creates(bare.url), creates(service.url)]
  const [stored, created] = await measureInTurns('new customers', options.rounds, sides)
  await endChild(bare.child)
  const requests = (await countRequests(db)) - before.requests
  const contacts = (await countContacts(db)) - before.contacts
  return {
    figures: [
      figureOf('a bare route with the same rows in SQL', stored!),
      {
        ...figureOf('create, each customer new', created!),
        ratio: ratioOf(created!, stored!),
        baseline: 'the bare route with SQL',
        gate: gates.new_customers,
      },
    ],
    checks: [
      await checkStored(db, before.requests, [...stored!, ...created!]),
      {
        claim: `${requests} requests have ${contacts} new customers`,
        holds: contacts === requests,
      } satisfies Check,
    ],
  }
}

async function countContacts(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from contacts`
  return row!.count
}
