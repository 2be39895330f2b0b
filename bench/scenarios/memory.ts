import { type Job, load, type Outcome } from '../load.ts'
import {
  countAnswers,
  FIRST_WARMUP_S,
  figureOf,
  printProgress,
  type Result,
  rateOf,
  type ScenarioContext,
} from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { residentMemory } from '../processes.ts'
import { type OpenRequest, rawCreates, rawGets, rawPaymentCallbacks } from '../requests.ts'
import { assignCustomers } from '../shops.ts'
import { createLoad } from './create.ts'
import { checkCounts, rawLists } from './reads.ts'
import { checkSettled } from './settle.ts'

const MINUTE_S = 60
/** What each kind of work gets of the rate at which creates alone are made; together that is a machine at work. */
const LOAD_SHARE = 0.08
/** By how much memory may be larger in the last third of the time than in the middle one. */
const MAX_GROWTH = 1.1

const kinds = ['create', 'settle', 'get', 'list'] as const
type Kind = (typeof kinds)[number]

/**
 * A steady mixture of work for as many minutes as wanted, and the service's memory after each. What is settled in one
 * minute was made in the one before.
 */
export async function measureMemory(stage: ScenarioContext): Promise<Result> {
  const { service: house, options } = stage
  if (options.minutes < 3) throw new Error('--minutes must be at least 3, so that there is a middle to compare with.')
  if (residentMemory(house.child) === 0) throw new Error('This system does not tell how much memory a process has.')
  const rate = Math.ceil(rateOf(await createLoad(stage, START_TOMORROW)(FIRST_WARMUP_S)) * LOAD_SHARE)
  const outcomes: Record<Kind, Outcome[]> = { create: [], settle: [], get: [], list: [] }
  const memory: number[] = []
  for (let minute = 1; minute <= options.minutes; minute += 1) {
    printProgress(`minute ${minute} of ${options.minutes}, ${rate} creates, settlements, gets and lists a second`)
    const made = await Promise.all(
      Object.entries(await jobsOf(stage, rate)).map(async ([kind, job]) => [kind as Kind, await load(job)] as const),
    )
    for (const [kind, outcome] of made) outcomes[kind].push(outcome)
    memory.push(residentMemory(house.child))
  }
  return {
    figures: kinds.map((kind) => figureOf(`steady load: ${kind}`, outcomes[kind])),
    checks: [
      checkMemoryGrowth(memory),
      ...(await checkSettled(house.db, countAnswers(outcomes.settle, 200))),
      await checkCounts(house.db),
    ],
    series: [{ name: 'memory of the service in MB, minute by minute', values: memory }],
  }
}

async function jobsOf({ service: house, options }: ScenarioContext, rate: number): Promise<Record<Kind, Job>> {
  const steady = {
    url: house.url,
    connections: Math.ceil(options.connections / kinds.length),
    warmup_s: 0,
    seconds: MINUTE_S,
    per_second: rate,
  }
  const open = await readOpen(house, rate * MINUTE_S)
  const lists = Object.values(rawLists(assignCustomers(house.shops))).map((list) => list.slice(0, LISTS_PER_KIND))
  return {
    create: { ...steady, requests: rawCreates(house.shops, START_TOMORROW), expected: 201 },
    settle: { ...steady, requests: rawPaymentCallbacks(house, open), once: true, expected: 200 },
    get: { ...steady, requests: rawGets(house, open), expected: 200 },
    list: { ...steady, requests: lists.flat(), expected: 200 },
  }
}

/** Of the lists of each kind so many different ones are asked for. */
const LISTS_PER_KIND = 100

/** The jobs leave a request alone until it starts, so that it is paid by nobody but this. */
const START_TOMORROW = { start_date: new Date(Date.now() + 24 * 3_600_000).toISOString() }

async function readOpen({ db }: BenchService, wanted: number): Promise<OpenRequest[]> {
  const rows = await db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests
    where status = 'pending' and start_date is not null order by id limit ${wanted}`
  return [...rows]
}

function checkMemoryGrowth(memory: readonly number[]) {
  const third = Math.floor(memory.length / 3)
  const middle = mean(memory.slice(third, -third))
  const last = mean(memory.slice(-third))
  return {
    claim: `memory was ${Math.round(last)} MB in the last third of the time and ${Math.round(middle)} MB in the middle one`,
    holds: last <= middle * MAX_GROWTH,
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
