import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '../../src/core/events/events.ts'
import { begin } from '../../src/db/client.ts'
import type { SendJob } from '../bare-sender.ts'
import { type Figure, median, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { endChild, trackChild } from '../processes.ts'
import type { ReceivedStats } from '../receiver.ts'
import { authorization } from '../requests.ts'

/** So many shops are told of each event. */
const WEBHOOKS = 10
/** What the service allows itself for each (interface-gaps: Webhooks), and so the bare loop. */
const MAX_IN_FLIGHT = 8
/** Under full load so many notifications are always waiting or under way. */
const MAX_PENDING = 1_280
/** How many events share a transaction under full load. */
const EVENTS_PER_TRANSACTION = 16
/** Under half load events happen this often. */
const TICK_MS = 10
const WARMUP_S = 2
const TIMEOUT_MS = 60_000

/**
 * Notifications to ten shops over TLS, every attempt recorded, against a bare loop that sends the same, turn by turn.
 * Afterwards every notification that arrived must have its row.
 */
export async function measureDeliveries({ service: house, options }: ScenarioContext): Promise<Result> {
  const shop = await startReceiver()
  const targets = await createWebhooks(house, shop.url)
  const feed = createEventGenerator(house)
  const bare: ReceivedStats[] = []
  let bare_failures = 0
  const full: ReceivedStats[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    printProgress(`deliveries, round ${round} of ${options.rounds}`)
    const { arrivals, failures } = await sendWithoutService(shop, targets, options.seconds)
    bare.push(arrivals)
    bare_failures += failures
    full.push(await measureFullLoad(shop, feed, options.seconds))
  }
  printProgress('deliveries at half load')
  const rates = full.map(deliveryRate)
  const half = await measureHalfLoad(shop, feed, median(rates) / 2, options.seconds)
  const checks = [await checkRows(house, feed.countNotifications())]
  await endChild(shop.child)
  const ratios = full.map((arrivals, round) => deliveryRate(arrivals) / deliveryRate(bare[round]!))
  return {
    figures: [
      { ...deliveryFigure('the same sends in a bare loop', bare), errors: bare_failures },
      { ...deliveryFigure('deliveries', full), ratio: median(ratios), of: 'the bare loop' },
      deliveryFigure('deliveries at half load', [half]),
    ],
    checks,
  }
}

interface WebhookReceiver {
  url: string
  child: ChildProcess
  command(wish: 'begin' | 'look'): Promise<ReceivedStats>
}

async function startReceiver(): Promise<WebhookReceiver> {
  const child = trackChild(fork(new URL('../receiver.ts', import.meta.url)))
  const [url] = (await once(child, 'message')) as [string]
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (wish: 'begin' | 'look'): Promise<ReceivedStats> => {
    const answer = once(child, 'message') as Promise<[ReceivedStats]>
    child.send(wish)
    return (await answer)[0]
  }
  return {
    url,
    child,
    // One after the other, so that everybody gets the answer to what was asked.
    command(wish) {
      const answer = turn.then(() => ask(wish))
      turn = answer
      return answer
    },
  }
}

async function createWebhooks(house: BenchService, url: string): Promise<string[]> {
  const targets = Array.from({ length: WEBHOOKS }, (_, shop) => `${url}/${shop}?skip-cert-verify`)
  for (const target of targets) {
    const answer = await fetch(`${house.url}/api/webhooks`, {
      method: 'POST',
      headers: { ...authorization(house.shops[0]!), 'content-type': 'application/json' },
      body: JSON.stringify({ event: EVENT, target }),
    })
    if (answer.status !== 201) throw new Error(`A webhook could not be made: ${await answer.text()}`)
  }
  return targets
}

const EVENT = 'payment.status.changed'

/** About as long as the object of a real event. */
const PADDING = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`field_${index}`, `value ${index}`.repeat(3)]),
)

interface EventGenerator {
  /** Lets so many events happen now. */
  emit(count: number): Promise<void>
  /** How many notifications they make in all. */
  countNotifications(): number
}

function createEventGenerator(house: BenchService): EventGenerator {
  let recorded = 0
  return {
    countNotifications: () => recorded,
    async emit(count) {
      const { organization, author } = house.shops[0]!
      const event = { organization, type: EVENT, author } as const
      const data = { ...PADDING, at: performance.timeOrigin + performance.now() }
      await begin(house.db, (tx) =>
        recordEvents(
          tx,
          new Date(),
          Array.from({ length: count }, () => ({ ...event, data })),
        ),
      )
      recorded += count * WEBHOOKS
      await house.db.notify('wake', '')
    },
  }
}

async function sendWithoutService(shop: WebhookReceiver, targets: string[], seconds: number) {
  const sender = trackChild(fork(new URL('../bare-sender.ts', import.meta.url)))
  const body = JSON.stringify({ hook: { id: 1 }, data: { ...PADDING, at: '{at}' } }).replace('"{at}"', '{at}')
  const sending: SendJob = { targets, max_in_flight: MAX_IN_FLIGHT, seconds: seconds + WARMUP_S, body }
  sender.send(sending)
  const ended = once(sender, 'message') as Promise<[number]>
  await sleep(WARMUP_S * 1_000)
  const arrivals = await measure(shop, seconds)
  const [failures] = await ended
  return { arrivals, failures }
}

/** New events happen as soon as there is room for them among what is under way. */
async function measureFullLoad(shop: WebhookReceiver, feed: EventGenerator, seconds: number): Promise<ReceivedStats> {
  const open = await countPending(shop, feed)
  let stopped = false
  const feeding = (async () => {
    while (!stopped) {
      if ((await open()) < MAX_PENDING) await feed.emit(EVENTS_PER_TRANSACTION)
      else await sleep(1)
    }
  })()
  await sleep(WARMUP_S * 1_000)
  const measured = await measure(shop, seconds)
  stopped = true
  await feeding
  await waitUntilNonePending(open)
  return measured
}

async function measureHalfLoad(
  shop: WebhookReceiver,
  feed: EventGenerator,
  per_second: number,
  seconds: number,
): Promise<ReceivedStats> {
  const open = await countPending(shop, feed)
  const began = performance.now()
  const ends = began + (WARMUP_S + seconds) * 1_000
  let happened = 0
  let warm = false
  while (performance.now() < ends) {
    const passed_s = (performance.now() - began) / 1_000
    if (!warm && passed_s > WARMUP_S) {
      warm = true
      await shop.command('begin')
    }
    const missing = Math.floor((passed_s * per_second) / WEBHOOKS) - happened
    if (missing > 0) await feed.emit(missing)
    happened += Math.max(missing, 0)
    await sleep(TICK_MS)
  }
  const measured = await shop.command('look')
  await waitUntilNonePending(open)
  return measured
}

async function measure(shop: WebhookReceiver, seconds: number): Promise<ReceivedStats> {
  await shop.command('begin')
  await sleep(seconds * 1_000)
  return shop.command('look')
}

/** Says how many notifications have not arrived of those that become due from now on. */
async function countPending(shop: WebhookReceiver, feed: EventGenerator): Promise<() => Promise<number>> {
  const { total } = await shop.command('look')
  const recorded = feed.countNotifications()
  return async () => feed.countNotifications() - recorded - ((await shop.command('look')).total - total)
}

async function waitUntilNonePending(open: () => Promise<number>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while ((await open()) > 0 && Date.now() < deadline) await sleep(20)
}

async function checkRows(house: BenchService, sent: number): Promise<Result['checks'][number]> {
  const look = () =>
    house.db<{ delivered: number; attempts: number; waiting: number }[]>`
      select (select count(*) from webhook_deliveries where state = 'delivered' and attempts = 1) as delivered,
        (select count(*) from webhook_attempts where failure is null and response_headers is not null) as attempts,
        (select count(*) from webhook_deliveries_waiting) as waiting`
  const deadline = Date.now() + TIMEOUT_MS
  let [rows] = await look()
  while (rows!.waiting > 0 && Date.now() < deadline) {
    await sleep(50)
    ;[rows] = await look()
  }
  const { delivered, attempts } = rows!
  return {
    claim: `${sent} notifications were due, ${delivered} are recorded as delivered at the first of ${attempts} attempts`,
    holds: sent === delivered && sent === attempts,
  }
}

function deliveryFigure(name: string, rounds: ReceivedStats[]): Figure {
  return {
    name,
    per_second: median(rounds.map(deliveryRate)),
    p50_ms: median(rounds.map(({ p50_ms }) => p50_ms)),
    p99_ms: median(rounds.map(({ p99_ms }) => p99_ms)),
    errors: 0,
    rounds: rounds.map(deliveryRate),
  }
}

function deliveryRate({ count, seconds }: ReceivedStats): number {
  return count / seconds
}
