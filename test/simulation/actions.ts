import { claimOf } from '../../src/core/idempotency.ts'
import { eventTypes } from '../../src/core/events/events.ts'
import { newCollectionRequestBody, planRequest } from '../../src/core/collections/new-request.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { networkFor } from '../../src/networks/index.ts'
import type { FailureReason } from '../../src/networks/network.ts'
import { atTheBiller, buyBill } from './bills.ts'
import { decidePayments, pay } from './payments.ts'
import { SECRET } from './process.ts'
import type { ReceiverMood } from './receivers.ts'
import type { Crew, World } from './simulation.ts'

/** In a narrow world there are only the first of each, so that everybody is in everybody's way. */
const PHONES = ['+80010000001', '+80020000001', '+80030000001', '+80010000002', '+80020000002']
const AMOUNTS = ['100', '250.5', '1000']
const NARROW_PHONES = PHONES.slice(0, 2)
const NARROW_AMOUNTS = AMOUNTS.slice(0, 1)
const KEYS = ['order-1', 'order-2', 'order-3']
const MOST_PROCESSES = 3
/** More works than these at once say nothing new. */
const MOST_WORKS = 8
const Body = newCollectionRequestBody(['BXC'])

/** What may happen in the world, and how often. */
const ACTIONS: [weight: number, act: (world: World) => void | Promise<void>][] = [
  [14, create],
  [16, callBack],
  [18, decide],
  [7, payUnasked],
  [3, takeBack],
  [2, forge],
  [3, arriveLate],
  [8, passTime],
  [1, jumpAhead],
  [4, changeMood],
  [3, kill],
  [2, join],
  [2, listen],
  [2, changeReceiver],
  [3, changeHook],
  [5, readFeeds],
  [10, buy],
  [14, runVends],
  [10, atTheBiller],
  [9, sendMoney],
  [9, decideAboutPayments],
]

/** Lets one thing happen, and then those who are under way take some steps, each when its turn comes. */
export async function step(world: World): Promise<void> {
  const { random, scheduler } = world
  if (random.chance(0.5)) runJob(world)
  else await random.weighted(ACTIONS)(world)
  await scheduler.settle()
  // A transaction of many steps takes as long as one of a single step, or nothing would ever get done.
  const most = random.between(0, world.fine ? 30 : 4)
  for (let steps = 0; steps < most && scheduler.waiting() > 0; steps += 1) {
    const what = await scheduler.step(random)
    world.tell(what)
    // Between two commits is when an event could be shown before an earlier one.
    if (world.fine && what.endsWith('commit')) await readFeeds(world)
  }
}

/** Runs a random job of a random process once, with a claim of random size. */
function runJob(world: World, name?: string): void {
  const crew = anyCrew(world)
  if (!crew) return
  const job = world.random.pick(name ? crew.jobs.filter((one) => one.name === name) : crew.jobs)
  const limit = world.random.pick([1, 2, job.limit])
  world.start(crew, job.name, async () => {
    const rows = await job.claim(Math.min(limit, job.limit))
    if (rows.length > 0) await job.run(rows)
  })
}

/** There are so many jobs that this one would hardly ever come in time for what is still on its way. */
function runVends(world: World): void {
  runJob(world, 'vend-bills')
}

/** A client asks for one request, or for several at once that travel in one batch. */
function create(world: World): void {
  const crew = anyCrew(world)
  if (!crew) return
  const count = world.random.weighted([
    [5, 1],
    [2, 2],
    [1, 4],
  ])
  for (let i = 0; i < count; i += 1) ask(world, crew)
}

function ask(world: World, crew: Crew): void {
  const { random, clock, creations } = world
  const shop = anyShop(world)
  const key = random.chance(0.3) ? random.pick(KEYS) : null
  const creation: World['creations'][number] = { n: creations.length + 1, key, outcome: 'unanswered', id: null }
  creations.push(creation)
  const account = random.chance(0.3) ? random.pick(shop.wallets).account : undefined
  const body = Body.parse({ ...wish(world), account, metadata: { n: creation.n, key } })
  world.tell(`a client asks ${crew.name} for ${JSON.stringify({ ...body, amount: String(body.amount) })}`)
  const { organization, user: author } = shop
  world.start(crew, `request ${creation.n}`, async () => {
    const network = networkFor(crew.app.networks, body.phonenumber.number, body.currency)
    const claim = key === null ? undefined : claimOf(organization, key)
    try {
      const planned = planRequest(body, { now: clock.now(), organization, author, network, claim })
      const made = await crew.create(planned)
      Object.assign(creation, { outcome: 'made', id: made.id })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      creation.outcome = 'refused'
    }
  })
}

function buy(world: World): void {
  const crew = anyCrew(world)
  if (crew) buyBill(world, crew, anyShop(world))
}

function sendMoney(world: World): void {
  const crew = anyCrew(world)
  if (crew) pay(world, crew, anyShop(world))
}

async function decideAboutPayments(world: World): Promise<void> {
  const crew = anyCrew(world)
  if (crew) await decidePayments(world, crew, anyShop(world))
}

/** A body as clients send it. */
function wish(world: World): Record<string, unknown> {
  const { random, clock } = world
  const later = (minutes: number) => dateText(new Date(clock.now().getTime() + minutes * 60_000))
  const [frequency, minutes] = random.pick([
    ['minutely', 4],
    ['hourly', 150],
    ['daily', 4_000],
  ] as const)
  const plan = random.chance(0.05) ? { frequency, end_date: later(minutes) } : undefined
  return {
    phonenumber: anyPhone(world),
    amount: anyAmount(world),
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

/** `DD/MM/YYYY HH:MM:SS`, the form that the interface asks for. */
function dateText(date: Date): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(date.toISOString())!
  return `${day}/${month}/${year} ${time}`
}

/** A callback arrives: any of those on their way, once, twice, or never. */
function callBack(world: World): void {
  const { random, outside } = world
  if (outside.notices.length === 0) return
  const notice = random.pick(outside.notices)
  const fate = random.weighted([
    [6, 'once'],
    [2, 'twice'],
    [2, 'lost'],
  ] as const)
  if (fate !== 'twice') outside.notices.splice(outside.notices.indexOf(notice), 1)
  world.tell(`a callback of ${notice.network} comes ${fate}: ${notice.body}`)
  const crew = anyCrew(world)
  if (fate === 'lost' || !crew) return
  world.start(crew, 'callback', () => world.deliver(crew, notice))
}

/** A customer does something about an order. */
function decide(world: World): void {
  const { random, outside } = world
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
  world.tell(`a customer decides about ${order.reference}: ${choice}`)
  if (choice === 'pay') outside.pay(order)
  else if (choice === 'pay wrongly') outside.pay(order, order.amount + 5n)
  else outside.refuse(order, choice)
}

function payUnasked(world: World): void {
  const { random, outside, store } = world
  const phonenumber = anyPhone(world)
  const network = networkFor(outside.networks, phonenumber, 'BXC')!.code
  const { account } = random.pick(anyShop(world).wallets)
  const someRequest = String(random.between(1, world.creations.length + 2))
  const payment = outside.send({
    ...{ network, phonenumber, currency: 'BXC', order_reference: null },
    receiver: random.chance(0.05) ? '999' : store.receivers.get(`${network}:${account}`)!,
    amount: parseAmount(anyAmount(world))!,
    reference: random.pick([null, null, someRequest, 'rent']),
  })
  world.tell(`${phonenumber} pays unasked: ${payment.remote_id}, reference ${payment.reference}`)
}

function takeBack(world: World): void {
  const { random, outside } = world
  const standing = [...outside.payments.values()].filter((payment) => payment.status === 'successful')
  if (standing.length === 0) return
  const payment = random.pick(standing)
  world.tell(`${payment.network} takes ${payment.remote_id} back`)
  outside.takeBack(payment)
}

/** Somebody knocks who is no network, with money that does not exist or is more than was paid. */
function forge(world: World): void {
  const { random, outside, store } = world
  const real = [...outside.payments.values()]
  const network = random.pick(outside.networks).code
  const { account } = random.pick(anyShop(world).wallets)
  const base = {
    ...{ network, remote_id: `F${random.between(1, 99)}`, status: 'successful' as const, currency: 'BXC' },
    ...{ phonenumber: anyPhone(world), order_reference: null, reference: null, amount: 10_000_000n },
    receiver: store.receivers.get(`${network}:${account}`)!,
  }
  const claimed = real.length > 0 && random.chance(0.5) ? { ...random.pick(real), amount: 99_990_000n } : base
  const notice = outside.forge(claimed)
  outside.notices.push(notice)
  world.tell(`somebody forges ${notice.body}`)
}

function arriveLate({ random, outside, tell }: World): void {
  const [straggler] = outside.stragglers.splice(random.between(0, outside.stragglers.length - 1), 1)
  if (!straggler) return
  tell(`${straggler.order.reference} arrives late`)
  outside.arrive(straggler)
}

function passTime(world: World): void {
  const seconds = world.random.pick([1, 2, 5, 5, 10, 16, 20, 60, 300, 700])
  world.clock.advance(seconds)
  world.tell(`${seconds} s pass; it is ${world.clock.now().toISOString()}`)
}

function jumpAhead(world: World): void {
  const seconds = world.random.pick([30, 600, 3_600, 20_000])
  world.clock.jump(seconds)
  world.tell(`the clock jumps to ${world.clock.now().toISOString()}`)
}

function changeMood(world: World): void {
  const { code } = world.random.pick(world.outside.networks)
  const mood = world.random.pick(['well', 'well', 'flaky', 'down'] as const)
  world.outside.moods.set(code, mood)
  world.tell(`${code} is ${mood}`)
}

/** A process dies where it stands, and another takes its place. Who waits for a lock cannot notice its own death. */
async function kill(world: World): Promise<void> {
  const crew = anyCrew(world)
  if (!crew || world.scheduler.blocked() > 0) return
  world.tell(`${crew.name} is killed`)
  world.crews = world.crews.filter((other) => other !== crew)
  await crew.kill()
  world.hire()
}

function join(world: World): void {
  if (world.crews.length >= MOST_PROCESSES) return
  world.tell(`${world.hire().name} joins`)
}

/** A shop begins to listen, or no longer does, while nobody is in the middle of a transaction: else who could say what it missed. */
async function listen(world: World): Promise<void> {
  const { random, receivers, clock, store } = world
  if (isBusy(world)) return
  const listening = receivers.all.filter((receiver) => receiver.until === null)
  if (listening.length > 3) {
    const receiver = random.pick(listening)
    await receivers.stop(receiver, clock.now())
    world.tell(`webhook ${receiver.webhook} is deleted`)
    return
  }
  const receiver = await receivers.listen(
    random.pick(store.shops),
    random.pick(eventTypes.slice(1)),
    clock.now(),
    SECRET,
  )
  world.tell(`webhook ${receiver.webhook} listens to ${receiver.event} of ${receiver.organization}`)
}

function changeReceiver({ random, receivers, tell }: World): void {
  if (receivers.all.length === 0) return
  const receiver = random.pick(receivers.all)
  receiver.mood = random.pick<ReceiverMood>(['well', 'well', 'failing', 'silent', 'gone'])
  tell(`the receiver of webhook ${receiver.webhook} is ${receiver.mood}`)
}

/** A shop wants to be asked about money, or no longer does, while nobody is in the middle of taking some. */
async function changeHook(world: World): Promise<void> {
  const { hooks, clock } = world
  if (!isBusy(world)) world.tell(await hooks.change(anyShop(world), clock.now()))
}

async function readFeeds({ feeds, violations }: World): Promise<void> {
  for (const feed of feeds) {
    const fault = await feed.poll()
    if (fault) violations.push(fault)
  }
}

export function isBusy(world: World): boolean {
  return world.crews.some((crew) => crew.open > 0)
}

function anyShop({ random, store, narrow }: World): World['store']['shops'][number] {
  return narrow ? store.shops[0]! : random.pick(store.shops)
}

function anyPhone({ random, narrow }: World): string {
  return random.pick(narrow ? NARROW_PHONES : PHONES)
}

function anyAmount({ random, narrow }: World): string {
  return random.pick(narrow ? NARROW_AMOUNTS : AMOUNTS)
}

function anyCrew(world: World): Crew | undefined {
  const free = world.crews.filter((crew) => crew.works < MOST_WORKS)
  return free.length === 0 ? undefined : world.random.pick(free)
}
