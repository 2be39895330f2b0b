import { checkRequestCounts } from '../../src/core/collections/request-counts.ts'
import type { Database } from '../../src/db/client.ts'
import { gates } from '../gates.ts'
import { insertRequests } from '../insert-rows.ts'
import { load } from '../load.ts'
import {
  type Check,
  type Figure,
  figureOf,
  type Gate,
  type MeasuredLoad,
  measureInTurns,
  type Options,
  printProgress,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { authorization, openRequests, rawGets, rawRequest } from '../requests.ts'
import { assignCustomers, CUSTOMERS, type Customer } from '../shops.ts'
import { measureWithWrk, wrkFigure } from '../wrk/wrk.ts'
import { bareServerLoad } from './create.ts'

/** Measure reads of single requests from the whole table. */
export async function measureGet(context: ScenarioContext): Promise<Result> {
  const { service } = context
  const requests = rawGets(service, await openRequests(service, CUSTOMERS))
  return { figures: [await measureReads('get one', context, requests, gates.get)], checks: [] }
}

const DEFAULT_ROWS = 200_000

/** Measure lists with exact counts, on a table of `options.rows` requests. */
export async function measureList(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const rows = options.rows ?? DEFAULT_ROWS
  const customers = assignCustomers(service.shops)
  printProgress(`filling the table with ${rows} requests`)
  await insertRequests(service.db, customers, { rows, ended: true })
  const figures: Figure[] = []
  for (const [name, requests] of Object.entries(rawLists(customers)))
    figures.push(await measureReads(`${name}, of ${rows.toLocaleString('en')}`, context, requests, gateOfList[name]))
  return { figures, checks: [await checkCounts(service.db)] }
}

const LIST_OF_A_PHONE = 'list 20 of a phone'
const gateOfList: Readonly<Record<string, Gate>> = { [LIST_OF_A_PHONE]: gates.list_of_a_phone }

/** The first pages of common lists. */
export function rawLists(customers: readonly Customer[]): Record<string, string[]> {
  const list = ({ shop }: Customer, query: string) =>
    rawRequest('GET', `/api/collectionrequests?${query}`, authorization(shop))
  const one_of_each = [...new Map(customers.map((customer) => [customer.shop, customer])).values()]
  return {
    'list the newest 10': one_of_each.map((customer) => list(customer, 'limit=10')),
    'list 20 of a status': one_of_each.map((customer) => list(customer, 'limit=20&status=failed')),
    [LIST_OF_A_PHONE]: customers.map((customer) => list(customer, `limit=20&phonenumber=%2B${customer.phone}`)),
    'list 20 of a status and a phone': customers.map((customer) =>
      list(customer, `limit=20&status=failed&phonenumber=%2B${customer.phone}`),
    ),
  }
}

/** Send these requests repeatedly. */
export function readLoad(service: BenchService, options: Options, requests: string[]): MeasuredLoad {
  return (warmup_s, generate = load) => generate({ ...options, url: service.url, requests, warmup_s, expected: 200 })
}

/** Measure reads in turn with the bare server; those that have a gate also with wrk. */
async function measureReads(
  name: string,
  context: ScenarioContext,
  requests: string[],
  gate: Gate | undefined,
): Promise<Figure> {
  const { service, options } = context
  const sides = [bareServerLoad(context), readLoad(service, options, requests)]
  const [bare, read] = await measureInTurns(name, options.rounds, sides)
  const figure = { ...figureOf(name, read!), ratio: ratioOf(read!, bare!) }
  if (!gate) return figure
  return { ...figure, gate, ...wrkFigure(await measureWithWrk(name, options.rounds, sides), 1) }
}

/** The stored counts equal the counts of the rows. */
export async function checkCounts(db: Database): Promise<Check> {
  const faults = await checkRequestCounts(db)
  const [row] = await db<{ count: number }[]>`select count(*) from collection_requests`
  return {
    claim: `the stored counts agree with the ${row!.count} requests of the table in every status`,
    holds: faults.length === 0,
  }
}
