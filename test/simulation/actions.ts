import { newCollectionRequestBody, toNewCollectionRequest } from '../../src/core/collections/new-request.ts'
import { eventTypes } from '../../src/core/events/events.ts'
import { createDuplicateKeyClaim } from '../../src/core/idempotency.ts'
import { Refusal } from '../../src/core/refusals.ts'
import type { Job } from '../../src/lib/loop.ts'
import { parseAmount } from '../../src/lib/money.ts'
import type { FailureReason } from '../../src/networks/contract.ts'
import { buyBill, changeBiller } from './bills.ts'
import { pickAmount, pickPhone, pickProcess, pickShop, UNKNOWN_TILL } from './choices.ts'
import { payTypedNumber, workOnInvoices } from './invoices/actions.ts'
import {
  assignMoney,
  assignTill,
  reportImpossible,
  reverseAPart,
  reversePayment,
  settleOwnMoney,
} from './money-actions.ts'
import { networkFor } from './networks.ts'
import { decidePayments, pay } from './payments.ts'
import { SECRET } from './process.ts'
import type { ReceiverBehaviour } from './receivers.ts'
import type { ServiceProcess, Simulation } from './simulation.ts'

const KEYS = ['order-1', 'order-2', 'order-3']
const MAX_PROCESSES = 3
const Body = newCollectionRequestBody(['BXC'])

/** The possible actions, and how often each happens. */
const ACTIONS: [weight: number, act: (world: Simulation) => void | Promise<void>][] = [
  [14, create],
  [16, deliverCallback],
  [18, decideOrder],
  [7, payWithoutRequest],
  [3, reversePayment],
  [2, assignMoney],
  [1, assignTill],
  [1, reportImpossible],
  [1, settleOwnMoney],
  [4, reverseAPart],
  [2, forgeCallback],
  [3, deliverLateOrder],
  [8, passTime],
  [1, jumpClock],
  [4, changeNetworkHealth],
  [3, killProcess],
  [2, addProcess],
  [2, changeWebhooks],
  [2, changeReceiverBehaviour],
  [3, changeAcceptanceUrl],
  [5, readFeeds],
  [10, buy],
  [14, runOrders],
  [10, changeBiller],
  [9, sendMoney],
  [9, decideAboutPayments],
  [24, workOnInvoices],
  [14, payTypedNumber],
]
const INVOICE_ACTIONS: typeof ACTIONS = [
  [8, workOnInvoices],
  [5, payTypedNumber],
  [3, deliverCallback],
  [3, decideOrder],
  [1, reversePayment],
  [1, reverseAPart],
]

/** Run one action, and then some steps of the running work. */
export async function runStep(world: Simulation): Promise<void> {
  const { random, scheduler } = world
  if (random.chance(0.5)) runJob(world)
  else await random.weighted(world.many_invoices && random.chance(0.6) ? INVOICE_ACTIONS : ACTIONS)(world)
  await scheduler.waitUntilIdle()
  // A transaction of many steps gets as much time as one of a single step, or no work would ever end.
  const most = random.between(0, world.step_per_statement ? 30 : 4)
  for (let steps = 0; steps < most && scheduler.countReady() > 0; steps += 1) {
    const what = await scheduler.runNext(random)
    world.log(what)
    // Between two commits an event could be shown before an earlier one.
    if (world.step_per_statement && what.endsWith('commit')) await readFeeds(world)
  }
}

/** A request needs the first two, one after the other, before its customer can pay. With so many jobs, that would be rare. */
const FREQUENT_JOBS = ['collect', 'network-orders', 'collect', 'network-orders', 'match-money']

/** Run a random job of a random process once, with a claim of random size. */
function runJob(world: Simulation, name?: string): void {
  const crew = pickProcess(world)
  if (!crew) return
  const chosen = name ?? (world.random.chance(0.35) ? world.random.pick(FREQUENT_JOBS) : undefined)
  const job = world.random.pick(chosen ? crew.jobs.filter((one) => one.name === chosen) : crew.jobs)
  const limit = world.random.pick([1, 2, job.limit])
  world.startTask(crew, job.name, async () => {
    await lookFirst(job)
    const rows = await job.claim(Math.min(limit, job.limit))
    if (rows.length > 0) await job.run(rows)
  })
}

/** Jobs that do at once what their process stores after they have looked, as a loop lets them. */
const LOOKING_JOBS = ['send-sms-messages', 'look-up-account-holders']

/** Let a job look for what is due, as its loop does before a claim. */
export async function lookFirst(job: Job<unknown>): Promise<void> {
  if (LOOKING_JOBS.includes(job.name)) await job.nextDue()
}

/** With so many jobs, a random choice would rarely run this one in time for late orders. */
function runOrders(world: Simulation): void {
  runJob(world, 'network-orders')
}

/** A client makes one request, or several at once in one batch. */
function create(world: Simulation): void {
  const crew = pickProcess(world)
  if (!crew) return
  const count = world.random.weighted([
    [5, 1],
    [2, 2],
    [1, 4],
  ])
  for (let i = 0; i < count; i += 1) requestMoneyOnce(world, crew)
}

function requestMoneyOnce(world: Simulation, crew: ServiceProcess): void {
  const { random, clock, creations } = world
  const shop = pickShop(world)
  const key = random.chance(0.3) ? random.pick(KEYS) : null
  const creation: Simulation['creations'][number] = { n: creations.length + 1, key, outcome: 'unanswered', id: null }
  creations.push(creation)
  const account = random.chance(0.3) ? random.pick(shop.wallets).account : undefined
  const body = Body.parse({ ...requestBody(world), account, metadata: { n: creation.n, key } })
  world.log(`a client asks ${crew.name} for ${JSON.stringify({ ...body, amount: String(body.amount) })}`)
  const { organization, user: author } = shop
  world.startTask(crew, `request ${creation.n}`, async () => {
    const network = networkFor(crew.app.connections.list(), body.phonenumber.number, shop.organization)
    const claim = key === null ? undefined : createDuplicateKeyClaim(organization, key)
    try {
      const planned = toNewCollectionRequest(body, { now: clock.now(), organization, author, network })
      const made = await crew.create({ ...planned, claim })
      Object.assign(creation, { outcome: 'made', id: made.id })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      creation.outcome = 'refused'
    }
  })
}

function buy(world: Simulation): void {
  const crew = pickProcess(world)
  if (crew) buyBill(world, crew, pickShop(world))
}

function sendMoney(world: Simulation): void {
  const crew = pickProcess(world)
  if (crew) pay(world, crew, pickShop(world))
}

async function decideAboutPayments(world: Simulation): Promise<void> {
  const crew = pickProcess(world)
  if (crew) await decidePayments(world, crew, pickShop(world))
}

/** A body as clients send it. */
function requestBody(world: Simulation): Record<string, unknown> {
  const { random, clock } = world
  const later = (minutes: number) => dateText(new Date(clock.now().getTime() + minutes * 60_000))
  const [frequency, minutes] = random.pick([
    ['minutely', 4],
    ['hourly', 150],
    ['daily', 4_000],
  ] as const)
  const plan = random.chance(0.05) ? { frequency, end_date: later(minutes) } : undefined
  return {
    phonenumber: pickPhone(world),
    amount: pickAmount(world),
    currency: 'BXC',
    send_instructions: random.chance(0.7),
    instructions: random.weighted([
      [6, undefined],
      [1, 'skip'],
      [1, 'Pay to the till.'],
    ]),
    expiry_date: random.pick(['1 minute', '5 minutes', '15 minutes', '40 minutes', '3 hours', '3 hours']),
    start_date: !plan && random.chance(0.2) ? later(random.pick([1, 5, 90])) : undefined,
    max_attempts: random.pick([undefined, 0, 1, 3]),
    retry_interval_minutes: random.pick([undefined, 10, 30]),
    subscription_settings: plan,
  }
}

/** `DD/MM/YYYY HH:MM:SS`, the form of the interface. */
function dateText(date: Date): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(date.toISOString())!
  return `${day}/${month}/${year} ${time}`
}

/** Deliver one of the waiting callbacks once, twice, or never. */
function deliverCallback(world: Simulation): void {
  const { random, networks: outside } = world
  if (outside.callbacks.length === 0) return
  const notice = random.pick(outside.callbacks)
  const fate = random.weighted([
    [6, 'once'],
    [2, 'twice'],
    [2, 'lost'],
  ] as const)
  if (fate !== 'twice') outside.callbacks.splice(outside.callbacks.indexOf(notice), 1)
  world.log(`a callback of ${notice.network} comes ${fate}: ${notice.body}`)
  const crew = pickProcess(world)
  if (fate === 'lost' || !crew) return
  world.startTask(crew, 'callback', () => world.deliver(crew, notice))
}

/** A customer acts on an order. */
function decideOrder(world: Simulation): void {
  const { random, networks: outside } = world
  const pending = [...outside.orders.values()].filter((order) => order.state === 'pending')
  if (pending.length === 0) return
  const order = random.pick(pending)
  const choice = random.weighted<'pay' | 'pay wrongly' | FailureReason>([
    [12, 'pay'],
    [1, 'pay wrongly'],
    [2, 'cancelled'],
    [6, 'prompt_expired'],
    [1, 'unreachable'],
    [1, 'insufficient_funds'],
  ])
  world.log(`a customer decides about ${order.reference}: ${choice}`)
  if (choice === 'pay') outside.pay(order)
  else if (choice === 'pay wrongly') outside.pay(order, order.amount + 5n)
  else outside.refuse(order, choice)
}

function payWithoutRequest(world: Simulation): void {
  const { random, networks: outside, store } = world
  const phonenumber = pickPhone(world)
  const shop = pickShop(world)
  const network = networkFor(outside.networks, phonenumber, shop.organization).slug
  const { account } = random.pick(shop.wallets)
  const someRequest = String(random.between(1, world.creations.length + 2))
  const payment = outside.send({
    network,
    phonenumber,
    currency: 'BXC',
    order_reference: null,
    receiver: random.chance(0.2) ? UNKNOWN_TILL : store.receivers.get(`${network}:${account}`)!,
    amount: parseAmount(pickAmount(world))!,
    reference: random.pick([null, null, someRequest, 'rent']),
  })
  world.log(`${phonenumber} pays unasked: ${payment.remote_id}, reference ${payment.reference}`)
}

/** Deliver a forged callback about money that does not exist or is more than was paid. */
function forgeCallback(world: Simulation): void {
  const { random, networks: outside, store } = world
  const real = [...outside.payments.values()]
  const network = random.pick(outside.networks).code
  const { account } = random.pick(pickShop(world).wallets)
  const base = {
    network,
    remote_id: `F${random.between(1, 99)}`,
    status: 'successful' as const,
    currency: 'BXC',
    phonenumber: pickPhone(world),
    order_reference: null,
    reference: null,
    amount: 10_000_000n,
    receiver: store.receivers.get(`${network}:${account}`) ?? UNKNOWN_TILL,
  }
  const claimed = real.length > 0 && random.chance(0.5) ? { ...random.pick(real), amount: 99_990_000n } : base
  const notice = outside.forge(claimed)
  outside.callbacks.push(notice)
  world.log(`somebody forges ${notice.body}`)
}

function deliverLateOrder({ random, networks: outside, log }: Simulation): void {
  const [straggler] = outside.late_orders.splice(random.between(0, outside.late_orders.length - 1), 1)
  if (!straggler) return
  log(`${straggler.order.reference} arrives late`)
  outside.deliverLate(straggler)
}

function passTime(world: Simulation): void {
  const seconds = world.random.pick([1, 2, 5, 5, 10, 16, 20, 60, 300, 700])
  world.clock.advance(seconds)
  world.log(`${seconds} s pass; it is ${world.clock.now().toISOString()}`)
}

function jumpClock(world: Simulation): void {
  const seconds = world.random.pick([30, 600, 3_600, 20_000])
  world.clock.jump(seconds)
  world.log(`the clock jumps to ${world.clock.now().toISOString()}`)
}

function changeNetworkHealth(world: Simulation): void {
  const { code } = world.random.pick(world.networks.networks)
  const health = world.random.pick(['healthy', 'healthy', 'flaky', 'down'] as const)
  world.networks.health.set(code, health)
  world.log(`${code} is ${health}`)
}

/** Kill a process and start another. A process that waits for a lock is not chosen. */
async function killProcess(world: Simulation): Promise<void> {
  const crew = pickProcess(world)
  if (!crew || world.scheduler.countBlocked() > 0) return
  world.log(`${crew.name} is killed`)
  world.processes = world.processes.filter((other) => other !== crew)
  await crew.kill()
  world.startProcess()
}

function addProcess(world: Simulation): void {
  if (world.processes.length >= MAX_PROCESSES) return
  world.log(`${world.startProcess().name} joins`)
}

/** Add or remove a webhook of a shop while no transaction is open. Otherwise the expected events would be unknown. */
async function changeWebhooks(world: Simulation): Promise<void> {
  const { random, receivers, clock, store } = world
  if (isBusy(world)) return
  const listening = receivers.all.filter((receiver) => receiver.until === null)
  if (listening.length > 3) {
    const receiver = random.pick(listening)
    await receivers.stop(receiver, clock.now())
    world.log(`webhook ${receiver.webhook} is deleted`)
    return
  }
  const receiver = await receivers.listen(
    random.pick(store.shops),
    random.pick(eventTypes.slice(1)),
    clock.now(),
    SECRET,
  )
  world.log(`webhook ${receiver.webhook} listens to ${receiver.event} of ${receiver.organization}`)
}

function changeReceiverBehaviour({ random, receivers, log }: Simulation): void {
  if (receivers.all.length === 0) return
  const receiver = random.pick(receivers.all)
  receiver.behaviour = random.pick<ReceiverBehaviour>(['healthy', 'healthy', 'failing', 'silent', 'gone'])
  log(`the receiver of webhook ${receiver.webhook} is ${receiver.behaviour}`)
}

/** Set or remove the acceptance URL of a shop while no transaction is open. */
async function changeAcceptanceUrl(world: Simulation): Promise<void> {
  const { acceptanceUrls: hooks, clock } = world
  if (!isBusy(world)) world.log(await hooks.change(pickShop(world), clock.now()))
}

async function readFeeds({ feeds, violations }: Simulation): Promise<void> {
  for (const feed of feeds) {
    const fault = await feed.poll()
    if (fault) violations.push(fault)
  }
}

export function isBusy(world: Simulation): boolean {
  return world.processes.some((crew) => crew.open_transactions > 0)
}
