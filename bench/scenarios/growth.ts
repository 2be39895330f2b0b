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
/** Requests of each customer, so that a page of one customer is always full. More rows mean more customers. */
const REQUESTS_EACH = 25
/** The maximum ratio between the time of a first page among a million requests and among ten thousand. */
const MAX_SLOWDOWN = 1.5

/**
 * Measure the same work in turn on tables of different sizes, each in its own database. Lists are measured first,
 * because the later scenarios add rows.
 */
export async function measureGrowth(context: ScenarioContext): Promise<Result> {
  const { options } = context
  // The three services together use as many connections as the embedded PostgreSQL allows.
  if (options.processes > 1)
    throw new Error('The scenario growth runs three services at once and does not support --processes.')
  const services = await startServices(context)
  const figures: Figure[] = []
  const checks: Check[] = []
  const measure = async (name: string, sides: readonly MeasuredLoad[]) => {
    const outcomes = await measureInTurns(name, options.rounds, sides)
    const [smallest] = outcomes
    figures.push(
      ...outcomes.map((outcome, size) => ({
        ...figureOf(`${name}, of ${SIZES[size]!.toLocaleString('en')}`, outcome),
        ...(size > 0 && { ratio: ratioOf(smallest!, outcome), baseline: 'the time among 10,000' }),
      })),
    )
    return ratioOf(smallest!, outcomes.at(-1)!)
  }
  for (const name of Object.keys(rawLists(assignCustomers(context.service.shops)))) {
    const sides = services.map((service, size) =>
      readLoad(service, options, rawLists(sampleCustomers(service, size))[name]!),
    )
    const ratio = await measure(name, sides)
    checks.push({
      claim: `${name}: ${ratio.toFixed(2)} times as long among a million as among 10,000 (at most ${MAX_SLOWDOWN})`,
      holds: ratio <= MAX_SLOWDOWN,
    })
  }
  await measure('get one', await Promise.all(services.map((service) => getLoad(service, context))))
  const creates = services.map((service) => createLoad({ service, options }))
  await measure('create', creates)
  const settlements = services.map((service) => settleLoad(service, options))
  await measure('settle', settlements)
  for (const service of services) checks.push(await checkCounts(service.db))
  for (const service of services.slice(1)) await service.close()
  return { figures, checks }
}

async function startServices({ postgres, service, options }: ScenarioContext): Promise<BenchService[]> {
  const services = [service]
  while (services.length < SIZES.length)
    services.push(await postgres.startService(['--no-jobs'], options.organizations))
  for (const [size, rows] of SIZES.entries()) {
    printProgress(`filling a table with ${rows} requests`)
    const { db, shops } = services[size]!
    await insertContacts(db, assignCustomers(shops))
    await insertRequests(db, customersOf(services[size]!, size), { rows, ended: true })
    // The inserted rows are written to disk now and not during the measurement.
    await db`checkpoint`
  }
  return services
}

function customersOf({ shops }: BenchService, size: number) {
  return assignCustomers(shops, SIZES[size]! / REQUESTS_EACH)
}

/**
 * The customers whose pages are read. Each size has the same number, because concurrent reads of the same page share one
 * query. The offset varies, so that they are customers of all organizations.
 */
function sampleCustomers(service: BenchService, size: number) {
  const step = SIZES[size]! / SIZES[0]!
  return customersOf(service, size).filter(({ number }) => number % step === Math.floor(number / step) % step)
}

/** Read single requests from the whole table. */
async function getLoad(service: BenchService, { options }: ScenarioContext): Promise<MeasuredLoad> {
  const requests = await service.db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests order by hashint8(id) limit ${CUSTOMERS}`
  return readLoad(service, options, rawGets(service, requests))
}
