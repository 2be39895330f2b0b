import { createSide } from './create.ts'
import {
  type Check,
  type Figure,
  figureOf,
  type Result,
  ratioOf,
  type Side,
  type Stage,
  say,
  takeTurns,
} from './measurements.ts'
import { fillContacts, fillRequests } from './insert-rows.ts'
import { checkCounts, listWires, readSide } from './reads.ts'
import { getWires, type OpenRequest } from './requests.ts'
import { settleSide } from './settle.ts'
import { CUSTOMERS, dealOut } from './shops.ts'
import type { House } from './postgres.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** A business grows by its customers: each has so many requests, so that a page of one of them is always full. */
const REQUESTS_EACH = 25
/** How much longer a first page may take among a million requests than among ten thousand. */
const SLOWER = 1.5

/**
 * The same work on tables of different sizes, each in a database of its own, turn by turn. Pages come first, while the
 * tables have the size that they are called by; creates and what is to be settled are put into them after that.
 */
export async function measureGrowth(stage: Stage): Promise<Result> {
  const { options } = stage
  // Their connections together are as many as the PostgreSQL that comes along can serve.
  if (options.processes > 1) throw new Error('growth runs three services at once, and takes no --processes.')
  const houses = await openHouses(stage)
  const figures: Figure[] = []
  const checks: Check[] = []
  const measure = async (name: string, sides: readonly Side[]) => {
    const outcomes = await takeTurns(name, options.rounds, sides)
    const [least] = outcomes
    figures.push(
      ...outcomes.map((outcome, size) => ({
        ...figureOf(`${name}, of ${SIZES[size]!.toLocaleString('en')}`, outcome),
        ...(size > 0 && { ratio: ratioOf(least!, outcome), of: 'the time among 10,000' }),
      })),
    )
    return ratioOf(least!, outcomes.at(-1)!)
  }
  for (const name of Object.keys(listWires(dealOut(stage.house.shops)))) {
    const sides = houses.map((house, size) => readSide(house, options, listWires(someCustomers(house, size))[name]!))
    const ratio = await measure(name, sides)
    checks.push({
      claim: `${name}: ${ratio.toFixed(2)} times as long among a million as among 10,000 (at most ${SLOWER})`,
      holds: ratio <= SLOWER,
    })
  }
  await measure('get one', await Promise.all(houses.map((house) => getSide(house, stage))))
  const creates = houses.map((house) => createSide({ house, options }))
  await measure('create', creates)
  const settlements = houses.map((house) => settleSide(house, options))
  await measure('settle', settlements)
  for (const house of houses) checks.push(await checkCounts(house.db))
  for (const house of houses.slice(1)) await house.close()
  return { figures, checks }
}

async function openHouses({ world, house, options }: Stage): Promise<House[]> {
  const houses = [house]
  while (houses.length < SIZES.length) houses.push(await world.open(['--no-jobs'], options.organizations))
  for (const [size, rows] of SIZES.entries()) {
    say(`filling a table with ${rows} requests`)
    const { db, shops } = houses[size]!
    await fillContacts(db, dealOut(shops))
    await fillRequests(db, customersOf(houses[size]!, size), { rows, ended: true })
    // What was filled in goes to the disk now and not while something is measured.
    await db`checkpoint`
  }
  return houses
}

function customersOf({ shops }: House, size: number) {
  return dealOut(shops, SIZES[size]! / REQUESTS_EACH)
}

/**
 * Whose pages are asked for: as many of each size, since callers who want the same page at once get it together, and
 * each from another place in the turn, so that they are customers of all organizations.
 */
function someCustomers(house: House, size: number) {
  const step = SIZES[size]! / SIZES[0]!
  return customersOf(house, size).filter(({ number }) => number % step === Math.floor(number / step) % step)
}

/** Gets requests all over the table. */
async function getSide(house: House, { options }: Stage): Promise<Side> {
  const some = await house.db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests order by hashint8(id) limit ${CUSTOMERS}`
  return readSide(house, options, getWires(house, some))
}
