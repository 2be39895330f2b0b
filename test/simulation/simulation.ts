import { pino } from 'pino'
import { createBatchedWrite } from '../../src/actions/batched-calls.ts'
import { createCallbackWriter } from '../../src/api/callbacks.ts'
import { type ReceivedCallback, readReceivedCallback } from '../../src/api/raw-callbacks.ts'
import { readConfig } from '../../src/config.ts'
import type { NewPurchase } from '../../src/core/bills/purchases.ts'
import type { CollectionRequest } from '../../src/core/collections/collection-request.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../src/core/collections/requests.ts'
import { findRequestsOfOrders } from '../../src/core/connections/network-orders.ts'
import { createPayments, type NewPayment } from '../../src/core/payments/create.ts'
import type { Payment } from '../../src/core/payments/payments.ts'
import { begin, CommitUnknown, type Reader } from '../../src/db/client.ts'
import { deliverWebhooks } from '../../src/jobs/deliver-webhooks.ts'
import { allJobs } from '../../src/jobs/index.ts'
import { runAcceptanceChecks } from '../../src/jobs/run-acceptance-checks.ts'
import type { Job } from '../../src/lib/loop.ts'
import type { SmsResult, SmsSender } from '../../src/senders/sms-sender.ts'
import { rawCallback } from '../connections/fake-connection.ts'
import { type AcceptanceUrls, createAcceptanceUrls } from './acceptance-urls.ts'
import { createPurchaseWriter, createSimulatedBiller, type SimulatedBiller, scheduleSellers } from './bills.ts'
import { createFeeds, type Feed } from './feeds.ts'
import type { Customer } from './invoices/customers.ts'
import { createLeaseChecker, type LeaseChecker } from './leases.ts'
import { createSimulatedNetworks, type PendingCallback, type SimulatedNetworks } from './networks.ts'
import { createPayouts, type SimulatedPayouts } from './payments.ts'
import { Disconnected, type Process, scheduleCalls, startProcess, type TransactionFault } from './process.ts'
import { createRandom, type Random } from './random.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import type { Store } from './store.ts'

/** Try of a client to make a request, with its result as the client sees it. */
export interface Creation {
  /** Identify the request; part of its metadata. */
  n: number
  key: string | null
  outcome: 'unanswered' | 'made' | 'refused'
  id: number | null
}

/** A process with its doors and jobs. */
export interface ServiceProcess extends Process {
  jobs: Job<unknown>[]
  create(item: NewCollectionRequest): Promise<CollectionRequest>
  takeCallback(arrived: ReceivedCallback): Promise<void>
  buy(item: NewPurchase): Promise<number>
  pay(item: NewPayment): Promise<Payment>
  /** Number of running pieces of work. */
  running_tasks: number
}

/** The state of one run. */
export interface Simulation {
  seed: number
  store: Store
  random: Random
  scheduler: Scheduler
  networks: SimulatedNetworks
  biller: SimulatedBiller
  payouts: SimulatedPayouts
  /** The customers who get invoices. */
  customers: Customer[]
  receivers: Receivers
  acceptanceUrls: AcceptanceUrls
  feeds: Feed[]
  leases: LeaseChecker
  processes: ServiceProcess[]
  creations: Creation[]
  /** Number of processes so far. */
  processes_started: number
  /** True if every statement is a step, so that transactions overlap. */
  step_per_statement: boolean
  /** True if there are only one shop, two customers and one amount. */
  few_choices: boolean
  /** True if most deeds concern invoices. */
  many_invoices: boolean
  /** True if connections to the database break. */
  connections_break: boolean
  /** While true, transactions fail and SMS get lost. */
  faults_on: boolean
  clock: { now(): Date; real(): Date; advance(seconds: number): void; jump(seconds: number): void }
  /** The violated rules. */
  violations: string[]
  log(line: string): void
  startProcess(options?: { step_per_statement: boolean }): ServiceProcess
  /** Start a piece of work in a process. */
  startTask(crew: ServiceProcess, name: string, work: () => Promise<void>): Promise<void>
  deliver(crew: ServiceProcess, notice: PendingCallback): Promise<void>
}

const START_MS = Date.parse('2030-01-15T12:00:00Z')
const CONFIG = readConfig({ DATABASE_URL: 'postgres://simulated', LOG_LEVEL: 'silent' })
const LOG = pino({ level: 'silent' })

/** The request of a stored order. An order that is called and not stored is a fault of the service. */
export async function readRequestOf(db: Reader, reference: string): Promise<number> {
  const request = (await findRequestsOfOrders(db, [reference])).get(reference)
  if (request === undefined) throw new Error(`The order ${reference} was sent and is not stored.`)
  return request
}

/** Build the simulation of a seed over a store that has been reset. */
export function createSimulation(store: Store, seed: number, log: (line: string) => void): Simulation {
  const random = createRandom(seed)
  let now = START_MS
  let real = START_MS
  const clock = {
    now: () => new Date(now),
    real: () => new Date(real),
    advance(seconds: number) {
      now += seconds * 1_000
      real += seconds * 1_000
    },
    jump(seconds: number) {
      now += seconds * 1_000
    },
  }
  const outside = createSimulatedNetworks(random, clock, store.shops[0]!.organization)
  outside.requestOf = (reference) => readRequestOf(store.observer, reference)
  const world: Simulation = {
    seed,
    store,
    random,
    networks: outside,
    clock,
    log,
    processes: [],
    creations: [],
    customers: [],
    violations: [],
    processes_started: 0,
    faults_on: true,
    step_per_statement: random.chance(0.4),
    few_choices: random.chance(0.5),
    many_invoices: random.chance(0.5),
    connections_break: random.chance(0.3),
    scheduler: createScheduler(store.countLockWaits),
    biller: createSimulatedBiller(random, clock.real),
    payouts: createPayouts(outside, random),
    receivers: createReceivers(store.observer, random),
    acceptanceUrls: createAcceptanceUrls(store.observer, random, () => world.faults_on),
    feeds: createFeeds(store),
    leases: createLeaseChecker(clock.real),
    startProcess: (options) => startServiceProcess(world, options?.step_per_statement ?? world.step_per_statement),
    startTask: (crew, name, work) => startTask(world, crew, name, work),
    deliver: (crew, notice) => deliver(world, crew, notice),
  }
  return world
}

function startServiceProcess(world: Simulation, fine: boolean): ServiceProcess {
  const { scheduler, leases, store, networks: outside, clock, random } = world
  world.processes_started += 1
  const process = startProcess({
    name: `P${world.processes_started}`,
    scheduler,
    leases,
    clock,
    step_per_statement: fine,
    config: CONFIG,
    log: LOG,
    db: store.db,
    networks: outside.networks,
    sender: createSender(world),
    drawFault: (): TransactionFault =>
      world.faults_on && world.connections_break && random.chance(0.04)
        ? random.pick(['lost before commit', 'lost after commit'])
        : 'none',
    onDatabaseError: (error) => {
      if ((error as { code?: string }).code === '40P01')
        world.violations.push('Transactions have waited for each other.')
    },
  })
  const { app } = process
  const sellers = scheduleSellers(world.biller, process, scheduler)
  app.bill_connections = { list: () => sellers, find: (slug) => sellers.find((one) => one.slug === slug) }
  const { recordSend: hear, post } = world.receivers
  const gated = scheduleCalls({ code: 'webhook', post }, process, world)
  const outgoing = {
    post(target: URL, headers: Record<string, string>, body: string) {
      hear(target, headers)
      return gated.post(target, headers, body)
    },
  }
  const hook = scheduleCalls({ code: 'hook', post: world.acceptanceUrls.post }, process, world)
  const jobs = allJobs(app).map((job) => {
    if (job.name === 'run-acceptance-checks') return runAcceptanceChecks(app, hook)
    return job.name === 'deliver-webhooks' ? deliverWebhooks(app, outgoing) : job
  })
  const crew: ServiceProcess = Object.assign(process, {
    jobs: jobs as Job<unknown>[],
    create: createBatchedWrite(app, (items: NewCollectionRequest[]) =>
      begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
    ),
    takeCallback: createCallbackWriter(app),
    buy: createBatchedWrite(app, createPurchaseWriter(app)),
    pay: createBatchedWrite(app, (items: NewPayment[]) =>
      begin(app.db, (tx) => createPayments(tx, app.clock.now(), items)),
    ),
    running_tasks: 0,
  })
  world.processes.push(crew)
  return crew
}

function createSender(world: Simulation): SmsSender {
  const { random } = world
  const faults: SmsResult[] = [
    { outcome: 'failed', message: 'No such number.', retry: false },
    { outcome: 'failed', message: 'Busy.', retry: true },
    { outcome: 'unknown', message: 'No answer.' },
  ]
  return {
    code: 'sms',
    send: async () => (world.faults_on && random.chance(0.2) ? random.pick(faults) : { outcome: 'sent' }),
  }
}

/** Work that ends with an unexpected error is a violation. */
function startTask(world: Simulation, crew: ServiceProcess, name: string, work: () => Promise<void>): Promise<void> {
  crew.running_tasks += 1
  const run = async () => {
    try {
      await work()
      world.log(`${crew.name} has ended ${name}`)
    } catch (error) {
      world.log(`${crew.name} fails at ${name}: ${error}`)
      if (!isSimulatedDisconnect(error)) world.violations.push(`${name} has failed: ${describe(error)}`)
    }
    crew.running_tasks -= 1
  }
  return world.scheduler.start(() => world.leases.run(run))
}

async function deliver(world: Simulation, crew: ServiceProcess, notice: PendingCallback): Promise<void> {
  const connection = crew.app.connections.find(notice.network)!
  await crew.takeCallback(readReceivedCallback(connection, rawCallback(notice)))
  if (notice.is_impossible) world.networks.confirmed_impossible.push(notice.body)
  if (!notice.payment) return
  notice.payment.notified = true
  if (notice.is_reversal) notice.payment.reversal_notified = true
  for (const part of notice.parts ?? []) part.notified = true
}

/** Return true if the error consists only of connections that the simulation has broken. */
export function isSimulatedDisconnect(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isSimulatedDisconnect)
  if (error instanceof CommitUnknown) return isSimulatedDisconnect(error.cause)
  return error instanceof Disconnected
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(' ')
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
