import type { Database } from '../src/db/client.ts'
import { ceilingSide } from './create.ts'
import {
  type Check,
  type Figure,
  figureOf,
  type Options,
  type Result,
  ratioOf,
  type Side,
  type Stage,
  say,
  takeTurns,
} from './measurements.ts'
import { fillRequests } from './insert-rows.ts'
import { load } from './load.ts'
import { authorization, getWires, openRequests, wireRequest } from './requests.ts'
import { CUSTOMERS, type Customer, dealOut } from './shops.ts'
import type { House } from './postgres.ts'

/** Gets one request by its id, all over the table. */
export async function measureGet(stage: Stage): Promise<Result> {
  const { house } = stage
  const requests = getWires(house, await openRequests(house, CUSTOMERS))
  return { figures: [await measureReads('get one', stage, requests)], checks: [] }
}

/** Lists pages with their exact counts, among as many requests as `options.rows`. */
export async function measureList(stage: Stage): Promise<Result> {
  const { house, options } = stage
  const customers = dealOut(house.shops)
  say(`filling the table with ${options.rows} requests`)
  await fillRequests(house.db, customers, { rows: options.rows, ended: true })
  const figures: Figure[] = []
  for (const [name, requests] of Object.entries(listWires(customers)))
    figures.push(await measureReads(`${name}, of ${options.rows.toLocaleString('en')}`, stage, requests))
  return { figures, checks: [await checkCounts(house.db)] }
}

/** The first pages that people look at. */
export function listWires(customers: readonly Customer[]): Record<string, string[]> {
  const list = ({ shop }: Customer, query: string) =>
    wireRequest('GET', `/api/collectionrequests?${query}`, authorization(shop))
  const one_of_each = [...new Map(customers.map((customer) => [customer.shop, customer])).values()]
  return {
    'list the newest 10': one_of_each.map((customer) => list(customer, 'limit=10')),
    'list 20 of a status': one_of_each.map((customer) => list(customer, 'limit=20&status=failed')),
    'list 20 of a phone': customers.map((customer) => list(customer, `limit=20&phonenumber=%2B${customer.phone}`)),
    'list 20 of a status and a phone': customers.map((customer) =>
      list(customer, `limit=20&status=failed&phonenumber=%2B${customer.phone}`),
    ),
  }
}

/** Asks for these again and again. */
export function readSide(house: House, options: Options, requests: string[]): Side {
  return (warmup_s) => load({ ...options, url: house.url, requests, warmup_s, expected: 200 })
}

async function measureReads(name: string, stage: Stage, requests: string[]): Promise<Figure> {
  const { house, options } = stage
  const sides = [ceilingSide(stage), readSide(house, options, requests)]
  const [bare, read] = await takeTurns(name, options.rounds, sides)
  return { ...figureOf(name, read!), ratio: ratioOf(read!, bare!) }
}

/** What is kept counted is what a look at every row counts. */
export async function checkCounts(db: Database): Promise<Check> {
  const [row] = await db<{ kept: number; counted: number; wrong: number }[]>`
    with kept as (
      select organization, status, sum(count)::bigint as count from (
        select organization, status, count from collection_request_counts
        union all select organization, status, change from collection_request_count_changes) k
      group by organization, status having sum(count) <> 0),
    counted as (select organization, status, count(*) from collection_requests group by organization, status)
    select (select coalesce(sum(count), 0) from kept)::bigint as kept,
      (select coalesce(sum(count), 0) from counted)::bigint as counted,
      (select count(*) from kept full join counted using (organization, status)
       where kept.count is distinct from counted.count) as wrong`
  const { kept, counted, wrong } = row!
  return {
    claim: `${kept} requests are kept counted, ${counted} are there, and every status has its number`,
    holds: kept === counted && wrong === 0,
  }
}
