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

const SMALLEST = 10_000
const DEFAULT_LARGEST = 1_000_000
/** Requests of each customer, so that a page of one customer is always full. More rows mean more customers. */
const REQUESTS_EACH = 25
/** The maximum ratio between the time of a first page in the largest table and in the smallest. */
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
  const sizes = [SMALLEST, 10 * SMALLEST, options.rows ?? DEFAULT_LARGEST]
  const services = await startServices(context, sizes)
  const figures: Figure[] = []
  const checks: Check[] = []
  const measure = async (name: string, sides: readonly MeasuredLoad[]) => {
    const outcomes = await measureInTurns(name, options.rounds, sides)
    const [smallest] = outcomes
    figures.push(
      ...outcomes.map((outcome, size) => ({
        ...figureOf(`${name}, of ${sizes[size]!.toLocaleString('en')}`, outcome),
        ...(size > 0 && { ratio: ratioOf(smallest!, outcome), baseline: 'the time in the smallest' }),
      })),
    )
    return ratioOf(smallest!, outcomes.at(-1)!)
  }
  for (const name of Object.keys(rawLists(assignCustomers(context.service.shops)))) {
    const sides = services.map((service, size) =>
      readLoad(service, options, rawLists(sampleCustomers(service, sizes[size]!))[name]!),
    )
    const ratio = await measure(name, sides)
    checks.push({
      claim: `${name}: ${ratio.toFixed(2)} times as long in the largest table as in the smallest (at most ${MAX_SLOWDOWN})`,
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

async function startServices(
  { postgres, service, options }: ScenarioContext,
  sizes: readonly number[],
): Promise<BenchService[]> {
  const services = [service]
  while (services.length < sizes.length)
    services.push(await postgres.startService(['--no-jobs'], options.organizations))
  for (const [size, rows] of sizes.entries()) {
    printProgress(`filling a table with ${rows} requests`)
    const { db, shops } = services[size]!
    await insertContacts(db, assignCustomers(shops))
    await insertRequests(db, customersOf(services[size]!, rows), { rows, ended: true })
    // The inserted rows are written to disk now and not during the measurement.
    await db`checkpoint`
  }
  return services
}

function customersOf({ shops }: BenchService, rows: number) {
  return assignCustomers(shops, Math.ceil(rows / REQUESTS_EACH))
}

/**
 * The customers whose pages are read. Each size has the same number, because concurrent reads of the same page share one
 * query. The offset varies, so that they are customers of all organizations.
 */
function sampleCustomers(service: BenchService, rows: number) {
  const step = Math.floor(rows / SMALLEST)
  return customersOf(service, rows).filter(({ number }) => number % step === Math.floor(number / step) % step)
}

/** Read single requests from the whole table. */
async function getLoad(service: BenchService, { options }: ScenarioContext): Promise<MeasuredLoad> {
  const requests = await service.db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests order by hashint8(id) limit ${CUSTOMERS}`
  return readLoad(service, options, rawGets(service, requests))
}
