import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/db/client.ts'
import { COUNTING, startCounting } from '../cost/counters.ts'
import { connectOutside, type Outside } from '../cost/outside.ts'
import { growthTables, readSizes } from '../cost/sizes.ts'
import { type HttpCalls, tablesOf } from '../cost/tables.ts'
import { type Check, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import { type BenchService, startPostgres } from '../postgres.ts'
import { endChild } from '../processes.ts'
import { authorization, newRequestBody } from '../requests.ts'
import { assignCustomers, type Customer } from '../shops.ts'
import { startReceiver, type WebhookReceiver } from '../start-receiver.ts'
import { checkBooks } from './settle.ts'

/** How many collections come before those that are counted. */
const WARMUP = 200
const TIMEOUT_MS = 180_000

/**
 * Counts what one collection costs from its creation to its notifications, with everything on: each of a new customer, over
 * a network in another process, with its events to a webhook over TLS and two SMS. Afterwards everything must have arrived.
 * The rate is an option: at more than 40 per second the SMS reach the limit of a connection, and a busy machine refuses.
 */
export async function measureCost({ options }: ScenarioContext): Promise<Result> {
  const { collections, collections_per_second: per_second } = options
  const postgres = await startPostgres(options.processes, COUNTING)
  const notifications = await startReceiver()
  const sms = await startReceiver()
  const service = await postgres.startService([], 1, {
    SMS_URL: sms.url,
    NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../test/fixtures/localhost-cert.pem', import.meta.url)),
  })
  const outside = await connectOutside(service)
  try {
    await createWebhooks(service, notifications.url)
    const customers = assignCustomers(service.shops)
    printProgress(`${WARMUP} collections before the count`)
    await collect(service, customers.slice(0, WARMUP), per_second)
    const readCalls = async () => countCalls(outside, notifications, sms)
    const calls = await readCalls()
    const sizes = await readSizes(service.db)
    const stop = await startCounting(service)
    printProgress(`${collections} collections, ${per_second} per second`)
    await collect(service, customers.slice(WARMUP, WARMUP + collections), per_second)
    const counts = await stop()
    const http = (await readCalls()).map(({ name, calls: all }, index) => ({ name, calls: all - calls[index]!.calls }))
    return {
      figures: [],
      checks: await checkArrived(service.db, http, collections),
      tables: [
        ...tablesOf(counts, http, collections),
        ...growthTables(sizes, await readSizes(service.db), collections),
      ],
    }
  } finally {
    await outside.close()
    await service.close()
    await endChild(notifications.child)
    await endChild(sms.child)
    await postgres.close()
  }
}

async function countCalls(
  outside: Outside,
  notifications: WebhookReceiver,
  sms: WebhookReceiver,
): Promise<HttpCalls[]> {
  const received = async (receiver: WebhookReceiver) => (await receiver.send('read')).total
  return [
    { name: 'calls to the network', calls: await outside.countCalls() },
    { name: 'notifications over TLS', calls: await received(notifications) },
    { name: 'SMS', calls: await received(sms) },
  ]
}

const EVENTS = ['collectionrequest.status.changed', 'collection.received']

async function createWebhooks(service: BenchService, url: string): Promise<void> {
  for (const event of EVENTS) {
    const answer = await fetch(`${service.url}/api/webhooks`, {
      method: 'POST',
      headers: { ...authorization(service.shops[0]!), 'content-type': 'application/json' },
      body: JSON.stringify({ event, target: `${url}/shop?skip-cert-verify` }),
    })
    if (answer.status !== 201) throw new Error(`A webhook could not be created: ${await answer.text()}`)
  }
}

/** Creates these requests at a steady rate, and waits until all that they cause is done. */
async function collect(service: BenchService, customers: readonly Customer[], per_second: number): Promise<void> {
  const start = performance.now()
  await Promise.all(
    customers.map(async (customer, index) => {
      await sleep(Math.max(0, start + (1_000 * index) / per_second - performance.now()))
      await create(service, customer)
    }),
  )
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await isDone(service.db))) {
    if (Date.now() > deadline) throw new Error(`Not everything was done after ${TIMEOUT_MS / 1_000} seconds.`)
    await sleep(100)
  }
}

/** Creates one request. A busy machine may refuse it for a while; then it is sent again, as callers do. */
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

async function isDone(db: Database): Promise<boolean> {
  const [row] = await db<{ open: boolean }[]>`
    select exists (select from collection_requests where due_at is not null)
      or exists (select from network_orders where due_at is not null)
      or exists (select from sms_messages where due_at is not null)
      or exists (select from webhook_deliveries_waiting)
      or exists (select from contacts where due_at is not null)
      or exists (select from collection_request_count_changes) as open`
  return !row!.open
}

async function checkArrived(db: Database, http: readonly HttpCalls[], counted: number): Promise<Check[]> {
  const [row] = await db<{ successful: number; collections: number; delivered: number }[]>`
    select (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections,
      (select count(*) from webhook_deliveries where state = 'delivered') as delivered`
  const all = counted + WARMUP
  const { successful, collections, delivered } = row!
  return [
    {
      claim: `${successful} of ${all} requests are successful, with ${collections} collections`,
      holds: successful === all && collections === all,
    },
    await checkSms(db, all),
    {
      claim: `${http[1]!.calls} notifications arrived, ${delivered} are recorded as delivered with those before`,
      holds: http[1]!.calls * all === delivered * counted,
    },
    await checkBooks(db),
  ]
}

/**
 * Each request has two SMS. Instructions are of no use to a customer who has paid before they were sent, or before they were
 * written because the network answered late: those are not sent. Everything else is.
 */
async function checkSms(db: Database, requests: number): Promise<Check> {
  const [row] = await db<{ confirmations: number; instructions: number; refused: number; unwritten: number }[]>`
    select count(*) filter (where purpose = 'success' and state = 'sent') as confirmations,
      count(*) filter (where purpose = 'instructions' and state = 'sent') as instructions,
      count(*) filter (where purpose = 'instructions' and reason = 'request_ended') as refused,
      ${requests}::bigint - count(*) filter (where purpose = 'instructions') as unwritten
    from sms_messages`
  const { confirmations, instructions, refused, unwritten } = row!
  return {
    claim: `${confirmations} confirmations and ${instructions} instructions are sent; ${refused + unwritten} customers paid before their instructions (${unwritten} before these were written)`,
    holds: confirmations === requests && instructions + refused + unwritten === requests,
  }
}
