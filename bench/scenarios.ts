import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../src/core/ledger.ts'
import { sign } from '../src/simulator/wire.ts'
import { fillRequests } from './fill.ts'
import { errorsOf, type Job, load, type Outcome, wireRequest } from './load.ts'
import type { Running } from './processes.ts'
import { API_KEY, type House, network_secret } from './world.ts'

export interface Options {
  seconds: number
  connections: number
  rounds: number
  /** How many requests lie in the table that is listed. */
  rows: number
}

/** One line of the report. */
export interface Figure {
  name: string
  per_second: number
  p50_ms: number | null
  p99_ms: number | null
  errors: number
  /** The part of the ceiling that it reached, measured in the same minute. */
  ratio?: number
  /** What each round gave, where there were several; the figures above are their medians. */
  rounds?: number[]
}

/** Something that must be true in the database afterwards. */
export interface Check {
  claim: string
  holds: boolean
}

export interface Result {
  figures: Figure[]
  checks: Check[]
}

/** How many different customers are asked for money. Each is a contact, made at the first request. */
export const CUSTOMERS = 10_000

/** Everything runs once before it counts, and longer the first time: the compiler needs a moment. */
const FIRST_WARMUP_S = 2
const WARMUP_S = 0.5

/**
 * Creates against the ceiling, turn by turn, so that whatever else the machine does hits both alike.
 * Afterwards every answer must have its row.
 */
export async function measureCreate(house: House, ceiling: Running, options: Options): Promise<Result> {
  const job = { ...options, requests: newRequests(), expected: 201 }
  const bare: Outcome[] = []
  const created: Outcome[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    const warmup_s = round === 1 ? FIRST_WARMUP_S : WARMUP_S
    say(`create, round ${round} of ${options.rounds}`)
    bare.push(await load({ ...job, warmup_s, url: ceiling.url }))
    created.push(await load({ ...job, warmup_s, url: house.url }))
  }
  const ratios = created.map((outcome, round) => rateOf(outcome) / rateOf(bare[round]!))
  const answered = created.reduce((sum, outcome) => sum + (outcome.statuses[201] ?? 0), 0)
  const [{ rows } = { rows: 0 }] = await house.db<{ rows: number }[]>`select count(*) as rows from collection_requests`
  return {
    figures: [
      figureOf('the ceiling: a bare route, no database', bare, 201),
      { ...figureOf('create', created, 201), ratio: median(ratios) },
    ],
    checks: [{ claim: `${answered} creates were answered and ${rows} requests are stored`, holds: rows === answered }],
  }
}

/** Gets one request by its id, all over the table. */
export async function measureGet(house: House, ceiling: Running, options: Options): Promise<Result> {
  const ids = await someRequests(house, CUSTOMERS, options)
  const requests = ids.map(({ id }) => wireRequest('GET', `/api/collectionrequests/${id}`, authorization))
  return { figures: [await measureReads('get one', house, ceiling, requests, options)], checks: [] }
}

/** Lists pages with their exact counts, among as many requests as `options.rows`. */
export async function measureList(house: House, ceiling: Running, options: Options): Promise<Result> {
  say(`filling the table with ${options.rows} requests`)
  await fillRequests(house.db, options.rows, phones())
  const lists = {
    'list the newest 10': ['limit=10'],
    'list 20 of a status': ['limit=20&status=failed'],
    'list 20 of a status and a phone': phones().map((phone) => `limit=20&status=failed&phonenumber=%2B${phone}`),
  }
  const figures: Figure[] = []
  for (const [name, queries] of Object.entries(lists)) {
    const requests = queries.map((query) => wireRequest('GET', `/api/collectionrequests?${query}`, authorization))
    figures.push(await measureReads(`${name}, of ${options.rows}`, house, ceiling, requests, options))
  }
  return { figures, checks: [await checkCounts(house)] }
}

/** What is kept counted is what a look at every row counts. */
async function checkCounts({ db }: House): Promise<Check> {
  const [row] = await db<{ kept: number; counted: number }[]>`
    select (select count(*) from collection_requests) as counted, (select sum(count) from (
      select count from collection_request_counts
      union all select change from collection_request_count_changes) k)::bigint as kept`
  return {
    claim: `${row!.kept} requests are kept counted, ${row!.counted} are there`,
    holds: row!.kept === row!.counted,
  }
}

/** More than one machine settles in a second; so many requests are kept ready for each. */
const SETTLED_PER_SECOND = 10_000

/** The network says that requests were paid: signed callbacks, each answered once its money is in the books. */
export async function measureSettle(house: House, ceiling: Running, options: Options): Promise<Result> {
  const { db } = house
  const open = await someRequests(house, (options.seconds + FIRST_WARMUP_S) * SETTLED_PER_SECOND, options)
  const [{ receiver } = { receiver: '' }] = await db<{ receiver: string }[]>`
    select r.number as receiver from receivers r join accounts a on a.id = r.account where a.currency = ${CURRENCY}`
  const requests = open.map((request) => paymentCallback(request, receiver))
  say('settle')
  const outcome = await load({
    ...options,
    url: house.url,
    requests,
    once: true,
    warmup_s: FIRST_WARMUP_S,
    expected: 200,
  })
  const [books] = await db<{ successful: number; collections: number }[]>`
    select (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections`
  const answered = outcome.statuses[200] ?? 0
  const { successful, collections } = books!
  const figure = figureOf('settle: callback to successful', [outcome], 200)
  return {
    figures: [{ ...figure, ratio: figure.per_second / (await rateOfCeiling(ceiling, options)) }],
    checks: [
      {
        claim: `${answered} payments were taken, ${collections} are recorded, ${successful} requests are successful`,
        holds: answered === collections && answered === successful,
      },
      await checkBooks(house),
    ],
  }
}

/** How many requests run through everything, and how long they may take. */
const THROUGH_EVERYTHING = 3_000
const PATIENCE_MS = 60_000

/**
 * Jobs, the simulated network and its customers in one process: requests are made as fast as they are taken, prompts go
 * out, customers pay a second later, callbacks come in. Counted from the first request until the last one is successful.
 */
export async function measureEverything(house: House, options: Options): Promise<Result> {
  const requests = newRequests().slice(0, THROUGH_EVERYTHING)
  say('everything on')
  const begun = performance.now()
  const outcome = await load({
    ...options,
    url: house.url,
    requests,
    once: true,
    warmup_s: 0,
    seconds: 60,
    expected: 201,
  })
  const answered = outcome.statuses[201] ?? 0
  let successful = 0
  while (successful < answered && performance.now() - begun < PATIENCE_MS) {
    await sleep(50)
    const [row] = await house.db<{ count: number }[]>`
      select count(*) from collection_requests where status = 'successful'`
    successful = row?.count ?? 0
  }
  const seconds = (performance.now() - begun) / 1_000
  const settled: Figure = {
    name: 'everything on: from create to successful',
    per_second: successful / seconds,
    p50_ms: null,
    p99_ms: null,
    errors: answered - successful,
  }
  return {
    figures: [figureOf('everything on: create', [outcome], 201), settled],
    checks: [
      { claim: `${successful} of ${answered} requests were paid`, holds: successful === answered },
      await checkBooks(house),
    ],
  }
}

async function checkBooks({ db }: House): Promise<Check> {
  const faults = await auditLedger(db)
  return { claim: faults.length > 0 ? faults.join(' ') : 'the books balance', holds: faults.length === 0 }
}

async function measureReads(
  name: string,
  house: House,
  ceiling: Running,
  requests: string[],
  options: Options,
): Promise<Figure> {
  say(name)
  const job: Job = { ...options, url: house.url, requests, warmup_s: FIRST_WARMUP_S, expected: 200 }
  const figure = figureOf(name, [await load(job)], 200)
  return { ...figure, ratio: figure.per_second / (await rateOfCeiling(ceiling, options)) }
}

/** What the bare route does in this very minute. */
async function rateOfCeiling(ceiling: Running, options: Options): Promise<number> {
  const job = { ...options, requests: newRequests(), expected: 201 }
  return rateOf(await load({ ...job, warmup_s: WARMUP_S, url: ceiling.url }))
}

const authorization = { authorization: `Token ${API_KEY}` }
const CURRENCY = 'BXC'
const AMOUNT = '1500.0000'

function phoneOf(customer: number): string {
  return `800${10_010_000 + customer}`
}

function phones(): string[] {
  return Array.from({ length: CUSTOMERS }, (_, customer) => phoneOf(customer))
}

/** What a shop sends: one request for each customer. None of them has a number at which the sandbox plays tricks. */
function newRequests(): string[] {
  return Array.from({ length: CUSTOMERS }, (_, customer) => {
    const body = {
      phonenumber: `+${phoneOf(customer)}`,
      amount: '1500',
      currency: CURRENCY,
      reason: `Order ${customer}`,
      metadata: { order: customer },
      send_instructions: true,
    }
    const headers = { ...authorization, 'content-type': 'application/json' }
    return wireRequest('POST', '/api/collectionrequests', headers, JSON.stringify(body))
  })
}

interface OpenRequest {
  id: number
  phonenumber: string
}

/** So many requests that wait for their money; those that are missing are made first. */
async function someRequests(house: House, wanted: number, options: Options): Promise<OpenRequest[]> {
  const read = () =>
    house.db<OpenRequest[]>`
      select id, phonenumber from collection_requests where status = 'pending' order by id limit ${wanted}`
  const found = await read()
  if (found.length >= wanted) return [...found]
  say(`making ${wanted - found.length} requests`)
  const all = newRequests()
  const requests = Array.from({ length: wanted - found.length }, (_, index) => all[index % all.length]!)
  await load({ ...options, url: house.url, requests, once: true, warmup_s: 0, seconds: 60, expected: 201 })
  return [...(await read())]
}

function paymentCallback({ id, phonenumber }: OpenRequest, receiver: string): string {
  const transaction = {
    remote_id: `BENCH${id}`,
    status: 'successful',
    receiver,
    phonenumber,
    amount: AMOUNT,
    currency: CURRENCY,
    order_reference: `KR${id}-1`,
    reference: null,
    name: null,
    paid_at: new Date().toISOString(),
  }
  const body = JSON.stringify({ event: 'payment.received', transaction })
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': sign(network_secret, body) }
  return wireRequest('POST', '/api/callbacks/sandbox', headers, body)
}

function figureOf(name: string, outcomes: Outcome[], expected: number): Figure {
  return {
    name,
    per_second: median(outcomes.map(rateOf)),
    p50_ms: median(outcomes.map((outcome) => outcome.p50_ms)),
    p99_ms: median(outcomes.map((outcome) => outcome.p99_ms)),
    errors: outcomes.reduce((sum, outcome) => sum + errorsOf(outcome, expected), 0),
    rounds: outcomes.map(rateOf),
  }
}

function rateOf({ answered, seconds }: Outcome): number {
  return seconds > 0 ? answered / seconds : 0
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function say(what: string): void {
  process.stderr.write(`  ${what} …\n`)
}
