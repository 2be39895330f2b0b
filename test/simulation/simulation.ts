import { pino } from 'pino'
import { createWrite } from '../../src/api/batched-calls.ts'
import type { Arrived } from '../../src/api/callbacks.ts'
import { readArrival, takeCallbacks } from '../../src/api/callbacks.ts'
import { readConfig } from '../../src/config.ts'
import type { NewPurchase } from '../../src/core/bills/purchases.ts'
import {
  type CollectionRequest,
  createCollectionRequests,
  type NewCollectionRequest,
} from '../../src/core/collections/requests.ts'
import { createPayments, type NewPayment } from '../../src/core/payments/create.ts'
import type { Payment } from '../../src/core/payments/payments.ts'
import { begin, CommitUnknown } from '../../src/db/client.ts'
import { askOrganizations } from '../../src/jobs/run-acceptance-checks.ts'
import { deliverWebhook } from '../../src/jobs/deliver-webhooks.ts'
import { allJobs } from '../../src/jobs/index.ts'
import type { Job } from '../../src/lib/loop.ts'
import type { Sender, SendResult } from '../../src/senders/sms-sender.ts'
import { type Bills, createBills, createCounter, gatedBiller } from './bills.ts'
import { createFeeds, type Feed } from './feeds.ts'
import { createHooks, type Hooks } from './acceptance-urls.ts'
import { type LeaseWatch, watchLeases } from './leases.ts'
import { createOutside, type Notice, type Outside } from './networks.ts'
import { createPayouts, type Payouts } from './payments.ts'
import { Disconnected, type Fate, gatedVerbs, type Process, startProcess } from './process.ts'
import { createRandom, type Random } from './random.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import type { Store } from './store.ts'

/** One try of a client to make a request, and what the client knows of it. */
export interface Creation {
  /** Stands in the request's metadata, so that the request can be told from all others. */
  n: number
  key: string | null
  outcome: 'unanswered' | 'made' | 'refused'
  id: number | null
}

/** A process with its doors and jobs. */
export interface Crew extends Process {
  jobs: Job<unknown>[]
  create(item: NewCollectionRequest): Promise<CollectionRequest>
  take(arrived: Arrived): Promise<void>
  buy(item: NewPurchase): Promise<number>
  pay(item: NewPayment): Promise<Payment>
  /** How many works it has under way. */
  works: number
}

/** Everything that one seed sets in motion. */
export interface World {
  seed: number
  store: Store
  random: Random
  scheduler: Scheduler
  outside: Outside
  bills: Bills
  payouts: Payouts
  receivers: Receivers
  hooks: Hooks
  feeds: Feed[]
  leases: LeaseWatch
  crews: Crew[]
  creations: Creation[]
  /** How many processes there have been. */
  hired: number
  /** Whether every statement is a step, so that transactions overlap. */
  fine: boolean
  /** Whether there is but one shop, two customers and one amount. */
  narrow: boolean
  /** Whether connections to the database break. */
  breaks: boolean
  /** While it is rough, transactions fail and texts go astray. */
  rough: boolean
  clock: { now(): Date; real(): Date; advance(seconds: number): void; jump(seconds: number): void }
  /** What must never happen and has happened. */
  violations: string[]
  tell(line: string): void
  /** Starts a process. */
  hire(options?: { fine: boolean }): Crew
  /** Lets a process begin a work. */
  start(crew: Crew, name: string, work: () => Promise<void>): Promise<void>
  /** Brings a callback to the door of a process. */
  deliver(crew: Crew, notice: Notice): Promise<void>
}

const BEGINNING = Date.parse('2030-01-15T12:00:00Z')
const CONFIG = readConfig({ DATABASE_URL: 'postgres://simulated', LOG_LEVEL: 'silent' })
const LOG = pino({ level: 'silent' })

/** Builds the world of a seed over a store that has been reset. */
export function createWorld(store: Store, seed: number, tell: (line: string) => void): World {
  const random = createRandom(seed)
  let now = BEGINNING
  let real = BEGINNING
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
  const outside = createOutside(random, clock.now)
  const world: World = {
    ...{ seed, store, random, outside, clock, tell, crews: [], creations: [], violations: [], hired: 0, rough: true },
    fine: random.chance(0.4),
    narrow: random.chance(0.5),
    breaks: random.chance(0.3),
    scheduler: createScheduler(store.countLockWaits),
    bills: createBills(random, clock.real),
    payouts: createPayouts(outside, random),
    receivers: createReceivers(store.watch, random),
    hooks: createHooks(store.watch, random, () => world.rough),
    feeds: createFeeds(store),
    leases: watchLeases(clock.real),
    hire: (options) => hire(world, options?.fine ?? world.fine),
    start: (crew, name, work) => start(world, crew, name, work),
    deliver,
  }
  return world
}

function hire(world: World, fine: boolean): Crew {
  const { scheduler, leases, store, outside, clock, random } = world
  world.hired += 1
  const process = startProcess({
    ...{ name: `P${world.hired}`, scheduler, leases, clock, fine, config: CONFIG, log: LOG, db: store.db },
    networks: outside.networks,
    sender: createSender(world),
    fate: (): Fate => (world.rough && world.breaks && random.chance(0.04) ? random.pick(['broken', 'silent']) : 'well'),
    onTrouble: (error) => {
      if ((error as { code?: string }).code === '40P01')
        world.violations.push('Transactions have waited for each other.')
    },
  })
  const { app } = process
  app.billers = [gatedBiller(world.bills.biller, process, scheduler)]
  const { hear, post } = world.receivers
  const gated = gatedVerbs({ code: 'webhook', post }, process, world)
  const outgoing = {
    post(target: URL, headers: Record<string, string>, body: string) {
      hear(target, headers)
      return gated.post(target, headers, body)
    },
  }
  const hook = gatedVerbs({ code: 'hook', post: world.hooks.post }, process, world)
  const jobs = allJobs(app).map((job) => {
    if (job.name === 'ask-organizations') return askOrganizations(app, () => hook)
    return job.name === 'deliver-webhook' ? deliverWebhook(app, outgoing) : job
  })
  const crew: Crew = Object.assign(process, {
    jobs: jobs as Job<unknown>[],
    create: createWrite(app, (items: NewCollectionRequest[]) =>
      begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
    ),
    take: takeCallbacks(app),
    buy: createWrite(app, createCounter(app)),
    pay: createWrite(app, (items: NewPayment[]) => begin(app.db, (tx) => createPayments(tx, app.clock.now(), items))),
    works: 0,
  })
  world.crews.push(crew)
  return crew
}

function createSender(world: World): Sender {
  const { random } = world
  const faults: SendResult[] = [
    { outcome: 'failed', message: 'No such number.', retry: false },
    { outcome: 'failed', message: 'Busy.', retry: true },
    { outcome: 'unknown', message: 'No answer.' },
  ]
  return {
    code: 'sms',
    send: async () => (world.rough && random.chance(0.2) ? random.pick(faults) : { outcome: 'sent' }),
  }
}

/** A work that ends in a fault which is none of ours to expect is a violation. */
function start(world: World, crew: Crew, name: string, work: () => Promise<void>): Promise<void> {
  crew.works += 1
  const run = async () => {
    try {
      await work()
      world.tell(`${crew.name} has ended ${name}`)
    } catch (error) {
      world.tell(`${crew.name} fails at ${name}: ${error}`)
      if (!isBreak(error)) world.violations.push(`${name} has failed: ${describe(error)}`)
    }
    crew.works -= 1
  }
  return world.scheduler.start(() => world.leases.run(run))
}

async function deliver(crew: Crew, notice: Notice): Promise<void> {
  const network = crew.app.networks.find(({ code }) => code === notice.network)!
  await crew.take(readArrival(network, notice))
  if (!notice.payment) return
  notice.payment.told = true
  if (notice.tells_reversal) notice.payment.told_reversed = true
}

/** Whether an error is nothing but connections that we have broken. */
export function isBreak(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isBreak)
  if (error instanceof CommitUnknown) return isBreak(error.cause)
  return error instanceof Disconnected
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(' ')
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
