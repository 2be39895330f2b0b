import { type Job, load, type Outcome } from '../load.ts'
import { FIRST_WARMUP_S, figureOf, printProgress, type Result, rateOf, type ScenarioContext } from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { residentMemory } from '../processes.ts'
import { type OpenRequest, rawCreates, rawGets, rawPaymentCallbacks } from '../requests.ts'
import { assignCustomers } from '../shops.ts'
import { createLoad } from './create.ts'
import { checkCounts, rawLists } from './reads.ts'
import { checkSettled } from './settle.ts'

const MINUTE_S = 60
const DEFAULT_MINUTES = 10
/** The rate of each kind of work, as a share of the maximum rate of creates alone. */
const LOAD_SHARE = 0.08
/** The maximum ratio between the memory in the last third of the time and in the middle third. */
const MAX_GROWTH = 1.1

const kinds = ['create', 'settle', 'get', 'list'] as const
type Kind = (typeof kinds)[number]

/**
 * Measure the service's memory after each minute of a steady mixture of work. The requests that are settled in one
 * minute were created in the minute before.
 */
export async function measureMemory(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const minutes = options.minutes ?? DEFAULT_MINUTES
  if (minutes < 3) throw new Error('--minutes must be at least 3, so that there is a middle third.')
  if (residentMemory(service.child) === 0)
    throw new Error('This system does not report the memory of a process (no /proc).')
  const rate = Math.ceil(rateOf(await createLoad(context, START_TOMORROW)(FIRST_WARMUP_S)) * LOAD_SHARE)
  const outcomes: Record<Kind, Outcome[]> = { create: [], settle: [], get: [], list: [] }
  const memory: number[] = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    printProgress(`minute ${minute} of ${minutes}, ${rate} creates, settlements, gets and lists a second`)
    const results = await Promise.all(
      Object.entries(await jobsOf(context, rate)).map(async ([kind, job]) => [kind as Kind, await load(job)] as const),
    )
    for (const [kind, outcome] of results) outcomes[kind].push(outcome)
    memory.push(residentMemory(service.child))
  }
  return {
    figures: kinds.map((kind) => figureOf(`steady load: ${kind}`, outcomes[kind])),
    checks: [
      checkMemoryGrowth(memory),
      ...(await checkSettled(service.db, outcomes.settle)),
      await checkCounts(service.db),
    ],
    series: [{ name: 'memory of the service in MB, minute by minute', values: memory }],
  }
}

async function jobsOf({ service, options }: ScenarioContext, rate: number): Promise<Record<Kind, Job>> {
  const steady = {
    url: service.url,
    connections: Math.ceil(options.connections / kinds.length),
    warmup_s: 0,
    seconds: MINUTE_S,
    per_second: rate,
  }
  const open = await readOpen(service, rate * MINUTE_S)
  const lists = Object.values(rawLists(assignCustomers(service.shops))).map((list) => list.slice(0, LISTS_PER_KIND))
  return {
    create: { ...steady, requests: rawCreates(service.shops, START_TOMORROW), expected: 201 },
    settle: { ...steady, requests: rawPaymentCallbacks(service, open), once: true, expected: 200 },
    get: { ...steady, requests: rawGets(service, open), expected: 200 },
    list: { ...steady, requests: lists.flat(), expected: 200 },
  }
}

/** The number of different requests for each kind of list. */
const LISTS_PER_KIND = 100

/** The jobs do nothing for a request before it starts, so only this scenario pays it. */
const START_TOMORROW = { start_date: new Date(Date.now() + 24 * 3_600_000).toISOString() }

async function readOpen({ db }: BenchService, count: number): Promise<OpenRequest[]> {
  const rows = await db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests
    where status = 'pending' and start_date is not null order by id limit ${count}`
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
