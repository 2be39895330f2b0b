import { insertContacts, insertRequests } from '../insert-rows.ts'
import {
  type Check,
  type Figure,
  figureOf,
  type MeasuredLoad,
  measureInTurns,
  printProgress,
  type Result,
  ratioOf,
  type ScenarioContext,
} from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { type OpenRequest, rawGets } from '../requests.ts'
import { assignCustomers, CUSTOMERS } from '../shops.ts'
import { createLoad } from './create.ts'
import { checkCounts, rawLists, readLoad } from './reads.ts'
import { settleLoad } from './settle.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** A business grows by its customers: each has so many requests, so that a page of one of them is always full. */
const REQUESTS_EACH = 25
/** How much longer a first page may take among a million requests than among ten thousand. */
const MAX_SLOWDOWN = 1.5

/**
 * The same work on tables of different sizes, each in a database of its own, turn by turn. Pages come first, while the
 * tables have the size that they are called by; creates and what is to be settled are put into them after that.
 */
export async function measureGrowth(stage: ScenarioContext): Promise<Result> {
  const { options } = stage
  // Their connections together are as many as the PostgreSQL that comes along can serve.
  if (options.processes > 1) throw new Error('growth runs three services at once, and takes no --processes.')
  const houses = await startServices(stage)
  const figures: Figure[] = []
  const checks: Check[] = []
  const measure = async (name: string, sides: readonly MeasuredLoad[]) => {
    const outcomes = await measureInTurns(name, options.rounds, sides)
    const [least] = outcomes
    figures.push(
      ...outcomes.map((outcome, size) => ({
        ...figureOf(`${name}, of ${SIZES[size]!.toLocaleString('en')}`, outcome),
        ...(size > 0 && { ratio: ratioOf(least!, outcome), of: 'the time among 10,000' }),
      })),
    )
    return ratioOf(least!, outcomes.at(-1)!)
  }
  for (const name of Object.keys(rawLists(assignCustomers(stage.service.shops)))) {
    const sides = houses.map((house, size) => readLoad(house, options, rawLists(sampleCustomers(house, size))[name]!))
    const ratio = await measure(name, sides)
    checks.push({
      claim: `${name}: ${ratio.toFixed(2)} times as long among a million as among 10,000 (at most ${MAX_SLOWDOWN})`,
      holds: ratio <= MAX_SLOWDOWN,
    })
  }
  await measure('get one', await Promise.all(houses.map((house) => getLoad(house, stage))))
  const creates = houses.map((house) => createLoad({ service: house, options }))
  await measure('create', creates)
  const settlements = houses.map((house) => settleLoad(house, options))
  await measure('settle', settlements)
  for (const house of houses) checks.push(await checkCounts(house.db))
  for (const house of houses.slice(1)) await house.close()
  return { figures, checks }
}

async function startServices({ postgres: world, service: house, options }: ScenarioContext): Promise<BenchService[]> {
  const houses = [house]
  while (houses.length < SIZES.length) houses.push(await world.startService(['--no-jobs'], options.organizations))
  for (const [size, rows] of SIZES.entries()) {
    printProgress(`filling a table with ${rows} requests`)
    const { db, shops } = houses[size]!
    await insertContacts(db, assignCustomers(shops))
    await insertRequests(db, customersOf(houses[size]!, size), { rows, ended: true })
    // What was filled in goes to the disk now and not while something is measured.
    await db`checkpoint`
  }
  return houses
}

function customersOf({ shops }: BenchService, size: number) {
  return assignCustomers(shops, SIZES[size]! / REQUESTS_EACH)
}

/**
 * Whose pages are asked for: as many of each size, since callers who want the same page at once get it together, and
 * each from another place in the turn, so that they are customers of all organizations.
 */
function sampleCustomers(house: BenchService, size: number) {
  const step = SIZES[size]! / SIZES[0]!
  return customersOf(house, size).filter(({ number }) => number % step === Math.floor(number / step) % step)
}

/** Gets requests all over the table. */
async function getLoad(house: BenchService, { options }: ScenarioContext): Promise<MeasuredLoad> {
  const some = await house.db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests order by hashint8(id) limit ${CUSTOMERS}`
  return readLoad(house, options, rawGets(house, some))
}
