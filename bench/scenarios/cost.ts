import { setTimeout as sleep } from 'node:timers/promises'
import { COUNTING, startCounting } from '../cost/counters.ts'
import { growthTables, readSizes } from '../cost/sizes.ts'
import { type HttpCalls, tablesOf } from '../cost/tables.ts'
import { printProgress, type Result, type UnservedContext } from '../measurements.ts'
import { checkArrived, waitUntilAllIsCounted, waitUntilDone } from '../outside/arrived.ts'
import { type OutsideCalls, startServiceWithOutside } from '../outside/outside.ts'
import { type BenchService, startPostgres } from '../postgres.ts'
import { authorization, newRequestBody } from '../requests.ts'
import { assignCustomers, type Customer } from '../shops.ts'
import { checkBooks } from './settle.ts'

/** Number of collections before the counted ones. */
const WARMUP = 200
const DEFAULT_PER_SECOND = 40

/**
 * Count the costs of one collection from its creation to its notifications, with everything on. Each is for a new
 * customer, over a network in another process, with events to a webhook over TLS and two SMS. Afterwards everything
 * must have arrived. The rate is an option: above 40 per second the SMS reach the limit of a connection, and a busy
 * machine refuses.
 */
export async function measureCost({ options }: UnservedContext): Promise<Result> {
  const { collections } = options
  const per_second = options.collections_per_second ?? DEFAULT_PER_SECOND
  const postgres = await startPostgres(options.processes, COUNTING)
  const outside = await startServiceWithOutside(postgres, 1)
  const { service } = outside
  try {
    const customers = assignCustomers(service.shops, WARMUP + collections)
    printProgress(`${WARMUP} collections before the count`)
    await collect(service, customers.slice(0, WARMUP), per_second)
    const calls = toHttpCalls(await outside.countCalls())
    const sizes = await readSizes(service.db)
    const stop = await startCounting(service)
    printProgress(`${collections} collections, ${per_second} per second`)
    await collect(service, customers.slice(WARMUP), per_second)
    const counts = await stop()
    const all_calls = await outside.countCalls()
    const http = toHttpCalls(all_calls).map(({ name, calls: all }, index) => ({
      name,
      calls: all - calls[index]!.calls,
    }))
    return {
      figures: [],
      checks: [
        ...(await checkArrived(service.db, { requests: WARMUP + collections, calls: all_calls })),
        await checkBooks(service.db),
      ],
      tables: [
        ...tablesOf(counts, http, collections),
        ...growthTables(sizes, await readSizes(service.db), collections),
      ],
    }
  } finally {
    await outside.close()
    await postgres.close()
  }
}

function toHttpCalls({ network, notifications, sms }: OutsideCalls): HttpCalls[] {
  return [
    { name: 'calls to the network', calls: network.calls },
    { name: 'notifications over TLS', calls: notifications },
    { name: 'SMS', calls: sms },
  ]
}

/** Create these requests at a steady rate, and wait until all that they cause is done. */
async function collect(service: BenchService, customers: readonly Customer[], per_second: number): Promise<void> {
  const start = performance.now()
  await Promise.all(
    customers.map(async (customer, index) => {
      await sleep(Math.max(0, start + (1_000 * index) / per_second - performance.now()))
      await create(service, customer)
    }),
  )
  await waitUntilDone(service.db)
  await waitUntilAllIsCounted(service.db)
}

/** Create one request. A busy machine may refuse it for a while; then it is sent again, as callers do. */
async function create({ url }: BenchService, customer: Customer): Promise<void> {
  const request = {
    method: 'POST',
    headers: { ...authorization(customer.shop), 'content-type': 'application/json' },
    body: JSON.stringify(newRequestBody(customer)),
  }
  for (;;) {
    const answer = await fetch(`${url}/api/collectionrequests`, request)
    const text = await answer.text()
    if (answer.status === 201) return
    if (answer.status !== 503) throw new Error(`A request could not be created: ${text}`)
    await sleep(1_000)
  }
}
