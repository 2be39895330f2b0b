import { pino } from 'pino'
import { createBatchedWrite } from '../../../src/actions/batched-calls.ts'
import { createCallbackWriter } from '../../../src/api/callbacks.ts'
import { readReceivedCallback } from '../../../src/api/raw-callbacks.ts'
import type { App } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import type { Connection } from '../../../src/connections/connection.ts'
import type { CollectionRequest } from '../../../src/core/collections/collection-request.ts'
import { newCollectionRequestBody, toNewCollectionRequest } from '../../../src/core/collections/new-request.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../../src/core/collections/requests.ts'
import { begin, connect, type Database } from '../../../src/db/client.ts'
import { openReads } from '../../../src/db/reads/reads.ts'
import { createThrottle } from '../../../src/http/throttle.ts'
import { findInconsistencies } from '../../../src/jobs/check-consistency.ts'
import { collect } from '../../../src/jobs/collect.ts'
import { matchIncomingMoney } from '../../../src/jobs/invoices/match-money.ts'
import { remindOfInvoices } from '../../../src/jobs/invoices/remind-of-invoices.ts'
import { returnSurplus } from '../../../src/jobs/invoices/return-surplus.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { createOrderCalls } from '../../../src/jobs/orders/order-calls.ts'
import { processCallbacks } from '../../../src/jobs/process-callbacks.ts'
import type { Job } from '../../../src/lib/loop.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { connectionsOf, rawCallback, toolsWithoutDatabase } from '../../connections/fake-connection.ts'
import { checkRules } from '../checks/invariants.ts'
import { checkAllocations, checkCredit, checkInvoiceMoney, isMoneyUncounted } from '../checks/invoice-money.ts'
import { createSimulatedNetworks, networkFor, type PendingCallback, type SimulatedNetworks } from '../networks.ts'
import { SECRET } from '../process.ts'
import { createRandom, type Random } from '../random.ts'
import type { RunResult } from '../run.ts'
import { readRequestOf } from '../simulation.ts'
import type { Store } from '../store.ts'
import { openInvoiceDesks, workAtDesks } from './invoices.ts'
import { checkPaid } from './paid-requests.ts'

/*
 * Transactions that really overlap. The other simulation decides which statement runs next, so it runs one at a time; here
 * several processes with connections of their own work at the same time, and wait in the middle of transactions while they
 * hold locks. What a seed draws can be repeated; which transaction meets which one depends on the machine as well.
 */

const PROCESSES = 3
const REQUESTS = 150
/** So many seconds pass on the service's clock for one real second: networks are asked 5 s and 15 s after a prompt. */
const SPEED = 60
const START_MS = Date.parse('2030-01-15T12:00:00Z')
/** Longer than any wait before a network is asked again. */
const FURTHER_MS = 2 * 3_600_000
const PATIENCE_MS = 30_000
const CONFIG = readConfig({ DATABASE_URL: 'postgres://simulated', LOG_LEVEL: 'silent' })
const LOG = pino({ level: 'silent' })
const Body = newCollectionRequestBody(['BXC'])

interface OverlapProcess {
  app: App
  db: Database
  jobs: Job<unknown>[]
  create(item: NewCollectionRequest): Promise<CollectionRequest>
  takeCallback: ReturnType<typeof createCallbackWriter>
}

interface Overlap {
  store: Store
  random: Random
  networks: SimulatedNetworks
  clock: { now(): Date; real(): Date; advance(ms: number): void }
  processes: OverlapProcess[]
  violations: string[]
}

/**
 * Run one seed: requests are made, prompted and paid, and callbacks and polls tell of the same money at the same time.
 */
export async function runOverlap(store: Store, seed: number): Promise<RunResult> {
  await store.reset()
  const random = createRandom(seed)
  await choosePlans(store, random.chance(0.8) ? 'nested loops' : 'as usual')
  const clock = createFastClock()
  const networks = createSimulatedNetworks(random, clock, store.shops[0]!.organization)
  networks.requestOf = (reference) => readRequestOf(store.observer, reference)
  const overlap: Overlap = { store, random, networks, clock, processes: [], violations: networks.violations }
  for (let number = 0; number < PROCESSES; number += 1) overlap.processes.push(openProcess(overlap))
  try {
    await live(overlap)
    await finish(overlap)
    const violations = [...overlap.violations, ...(await check(overlap))]
    return { seed, violations, counts: await count(overlap) }
  } finally {
    await Promise.all(overlap.processes.map(({ db }) => db.end({ timeout: 5 })))
    await choosePlans(store, 'as usual')
  }
}

/** PostgreSQL joins large tables by nested loops where it wants few rows. These tables are too small for it to do so by itself. */
async function choosePlans({ observer }: Store, plans: 'nested loops' | 'as usual'): Promise<void> {
  const [row] = await observer<{ name: string }[]>`select current_database() as name`
  const to = plans === 'nested loops' ? 'off' : 'on'
  for (const setting of ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'])
    await observer.unsafe(`alter database ${row!.name} set ${setting} = ${to}`)
}

function createFastClock(): Overlap['clock'] {
  const started = performance.now()
  let ahead_ms = 0
  return {
    now: () => new Date(START_MS + ahead_ms + (performance.now() - started) * SPEED),
    real: () => new Date(),
    advance(ms) {
      ahead_ms += ms
    },
  }
}

function openProcess(overlap: Overlap): OverlapProcess {
  const { store, random, networks, clock } = overlap
  const db = connect(store.url, { connections: 6, application: 'simulated process' })
  const app: App = {
    config: CONFIG,
    db: pauseInTransactions(db, random),
    traces: null,
    throttle: createThrottle(),
    reads: openReads(db, null),
    clock,
    ...connectionsOf(networks.networks.map((network) => slowDown(network, random))),
    connection_tools: toolsWithoutDatabase(),
    billers: [],
    mailer: null,
    sms_sender: { code: 'none', send: async () => ({ outcome: 'sent' }) },
    log: LOG,
    reportUnavailable: () => {},
    disk: null,
    queue_wait_ms: 60_000,
    simulator: null,
    deriveSecret: () => SECRET,
    sealingKeys: () => SECRET,
    address: { url: '', local: '' },
    notices: [],
    startSimulator: async () => {},
    wake: () => {},
    onWake: () => {},
    migrate: async () => [],
    asOwner: () => Promise.reject(new Error('The simulation does not change definitions.')),
    refreshClock: async () => {},
    close: async () => {},
  }
  const calls = createOrderCalls(app)
  // These look once a second of the real clock, which is a minute here.
  const often = { ...app, clock: { ...clock, real: clock.now } }
  const jobs = [
    collect(app, calls),
    networkOrders(app, undefined, calls),
    processCallbacks(app),
    matchIncomingMoney(often),
    returnSurplus(often),
    remindOfInvoices(app),
  ] as Job<unknown>[]
  return {
    app,
    db,
    jobs,
    create: createBatchedWrite(app, (items: NewCollectionRequest[]) =>
      begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
    ),
    takeCallback: createCallbackWriter(app),
  }
}

/** A transaction that has done its work and holds its locks waits for up to 25 ms before it commits. */
function pauseInTransactions(db: Database, random: Random): Database {
  const pausing: Database['begin'] = (opening, work) =>
    db.begin(opening, async (tx) => {
      const result = await work(tx)
      await pause(random.between(0, 25))
      return result
    })
  return new Proxy(db, { get: (target, name) => (name === 'begin' ? pausing : Reflect.get(target, name)) })
}

function slowDown(connection: Connection, random: Random): Connection {
  const operations = new Proxy(connection.operations, {
    get(target, name) {
      const verb = Reflect.get(target, name)
      if (!['charge', 'registerExpectedPayment', 'chargeStatus', 'transaction'].includes(String(name)) || !verb)
        return verb
      return async (...inputs: unknown[]) => {
        await pause(random.between(0, 10))
        return Reflect.apply(verb, target, inputs)
      }
    },
  })
  return { ...connection, operations }
}

/** Everybody does their part at the same time until every order has been decided and every callback delivered. */
async function live(overlap: Overlap): Promise<void> {
  const { random, processes } = overlap
  const deadline = performance.now() + PATIENCE_MS
  let over = false
  const work = async (job: Job<unknown>) => {
    while (!over) {
      await runOnce(overlap, job, random.pick([5, 20, job.limit]))
      await pause(random.between(1, 10))
    }
  }
  const workers = processes.flatMap(({ jobs }) => [...jobs, ...jobs.slice(0, 2)].map(work))
  const desks = await openInvoiceDesks({ ...overlap, apps: processes.map(({ app }) => app) })
  let is_calm = false
  const people = workAtDesks(desks, random, overlap.violations).then(() => {
    is_calm = true
  })
  const made = await createRequests(overlap)
  while (performance.now() < deadline) {
    decideOrders(overlap)
    await Promise.all(overlap.networks.callbacks.splice(0).map((callback) => deliver(overlap, callback)))
    await pause(random.between(5, 30))
    if (is_calm && (await isDecided(overlap, made))) break
  }
  over = true
  await people
  await Promise.all(workers)
}

/** Return true if every request that goes to a network exists, and waits for nobody's decision. */
async function isDecided({ store, networks: { orders, callbacks } }: Overlap, made: number): Promise<boolean> {
  const decided = [...orders.values()].filter(({ state }) => state !== 'pending')
  if (decided.length < made || decided.length < orders.size || callbacks.length > 0) return false
  const [unsent] = await store.observer<{ count: number }[]>`
    select count(*) from collection_requests r
    where r.status in ('pending', 'processing_started', 'instructions_sent') and r.phonenumber not like '+8003%'
      and not exists (select from network_orders o where o.collection_request = r.id and o.sent is not null)`
  return unsent!.count === 0
}

/** Return for how many of the requests an order is sent. Customers of the third network pay without one. */
async function createRequests(overlap: Overlap): Promise<number> {
  const { random, processes, store, clock, networks } = overlap
  let orders = 0
  const creations = Array.from({ length: REQUESTS }, async (_, number) => {
    const shop = random.pick(store.shops)
    const phonenumber = `+800${random.weighted([[5, 1] as const, [2, 2] as const, [1, 3] as const])}00000${10 + (number % 25)}`
    const body = Body.parse({ phonenumber, amount: '100', currency: 'BXC', expiry_date: '30 days', max_attempts: 0 })
    const process = random.pick(processes)
    const { organization, user: author } = shop
    const network = networkFor(networks.networks, body.phonenumber.number, organization)
    const takes_orders = networks.networks.some(({ slug, operations }) => slug === network.slug && operations.charge)
    if (takes_orders) orders += 1
    const made = await process.create(toNewCollectionRequest(body, { now: clock.now(), organization, author, network }))
    if (!takes_orders)
      overlap.networks.send({
        network: network.code,
        receiver: store.receivers.get(`${network.code}:${made.account}`)!,
        phonenumber,
        amount: parseAmount('100')!,
        currency: 'BXC',
        order_reference: null,
        reference: null,
      })
  })
  await Promise.all(creations)
  return orders
}

/** Customers pay most of what they are asked for, many of them at the same moment. */
function decideOrders({ networks, random }: Overlap): void {
  for (const order of networks.orders.values()) {
    if (order.state !== 'pending' || random.chance(0.4)) continue
    if (random.chance(0.9)) networks.pay(order)
    else networks.refuse(order, 'cancelled')
  }
}

/** Some callbacks come twice at once, and some payments are reversed as soon as the network has told of them. */
async function deliver(overlap: Overlap, callback: PendingCallback): Promise<void> {
  const { random, processes, networks } = overlap
  if (random.chance(0.1) && !callback.is_reversal) return
  const network = networks.networks.find(({ code }) => code === callback.network)!
  const times = random.chance(0.2) ? 2 : 1
  // Most arrive together and share a transaction; the others arrive while that one is under way.
  if (random.chance(0.3)) await pause(random.between(0, 20))
  const taken = Array.from({ length: times }, () =>
    random.pick(processes).takeCallback(readReceivedCallback(network, rawCallback(callback))),
  )
  for (const result of await Promise.allSettled(taken))
    if (result.status === 'rejected') overlap.violations.push(`A callback was refused: ${result.reason}`)
  if (callback.payment && !callback.is_reversal && random.chance(0.03)) networks.reverse(callback.payment)
}

/** Later every order is asked about once more, so that money of which no callback told is known as well. */
async function finish(overlap: Overlap): Promise<void> {
  const { clock, processes } = overlap
  clock.advance(FURTHER_MS)
  // A job's work may give another one more to do.
  for (const job of [...processes[0]!.jobs, ...processes[0]!.jobs]) while (await runOnce(overlap, job, job.limit));
  for (let rounds = 0; rounds < 50 && (await isMoneyUncounted(overlap.store.observer)); rounds += 1) {
    clock.advance(1_000)
    for (const job of processes[0]!.jobs) await runOnce(overlap, job, job.limit)
  }
}

async function runOnce(overlap: Overlap, job: Job<unknown>, limit: number): Promise<boolean> {
  try {
    const rows = await job.claim(Math.min(limit, job.limit))
    if (rows.length > 0) await job.run(rows)
    return rows.length > 0
  } catch (error) {
    overlap.violations.push(
      `${job.name} has failed: ${error instanceof AggregateError ? error.errors.join(' ') : error}`,
    )
    return false
  }
}

async function check({ store, networks }: Overlap): Promise<string[]> {
  const found = await Promise.all([
    findInconsistencies(store.observer),
    checkRules(store.observer),
    checkPaid(store.observer, networks),
    checkAllocations(store.observer),
    checkInvoiceMoney(store.observer),
    checkCredit(store.observer),
  ])
  return found.flat()
}

async function count({ store, networks }: Overlap): Promise<Record<string, number>> {
  const [row] = await store.observer<Record<string, number>[]>`
    select (select count(*) from collection_requests) as requests,
      (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections,
      (select count(*) from collections where collection_request is null) as unmatched,
      (select count(*) from invoices) as invoices,
      (select count(*) from invoices where state = 'paid') as invoices_paid,
      (select count(*) from invoice_requests) as invoice_requests,
      (select count(*) from allocations) as allocations,
      (select count(*) from allocations where ended is not null) as allocations_ended`
  return { ...row!, payments: networks.payments.size }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
