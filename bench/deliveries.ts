import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '../src/core/events/events.ts'
import { begin } from '../src/db/client.ts'
import type { Sending } from './bare-sender.ts'
import { type Figure, median, type Result, type Stage, say } from './measurements.ts'
import { end, owned } from './processes.ts'
import type { Arrivals } from './receiver.ts'
import { authorization } from './requests.ts'
import type { House } from './postgres.ts'

/** So many shops are told of each event. */
const WEBHOOKS = 10
/** What the service allows itself for each (interface-gaps: Webhooks), and so the bare loop. */
const UNDER_WAY = 8
/** Under full load so many notifications are always waiting or under way. */
const WINDOW = 1_280
/** How many events share a transaction under full load. */
const TOGETHER = 16
/** Under half load events happen this often. */
const TICK_MS = 10
const WARMUP_S = 2
const PATIENCE_MS = 60_000

/**
 * Notifications to ten shops over TLS, every attempt recorded, against a bare loop that sends the same, turn by turn.
 * Afterwards every notification that arrived must have its row.
 */
export async function measureDeliveries({ house, options }: Stage): Promise<Result> {
  const shop = await openShop()
  const targets = await makeWebhooks(house, shop.url)
  const feed = createFeed(house)
  const bare: Arrivals[] = []
  let bare_failures = 0
  const full: Arrivals[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    say(`deliveries, round ${round} of ${options.rounds}`)
    const { arrivals, failures } = await sendBarely(shop, targets, options.seconds)
    bare.push(arrivals)
    bare_failures += failures
    full.push(await underFullLoad(shop, feed, options.seconds))
  }
  say('deliveries at half load')
  const rates = full.map(rateOf)
  const half = await underHalfLoad(shop, feed, median(rates) / 2, options.seconds)
  const checks = [await checkRows(house, feed.recorded())]
  await end(shop.child)
  const ratios = full.map((arrivals, round) => rateOf(arrivals) / rateOf(bare[round]!))
  return {
    figures: [
      { ...figureOf('the same sends in a bare loop', bare), errors: bare_failures },
      { ...figureOf('deliveries', full), ratio: median(ratios), of: 'the bare loop' },
      figureOf('deliveries at half load', [half]),
    ],
    checks,
  }
}

interface Shop {
  url: string
  child: ChildProcess
  tell(wish: 'begin' | 'look'): Promise<Arrivals>
}

async function openShop(): Promise<Shop> {
  const child = owned(fork(new URL('receiver.ts', import.meta.url)))
  const [url] = (await once(child, 'message')) as [string]
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (wish: 'begin' | 'look'): Promise<Arrivals> => {
    const answer = once(child, 'message') as Promise<[Arrivals]>
    child.send(wish)
    return (await answer)[0]
  }
  return {
    url,
    child,
    // One after the other, so that everybody gets the answer to what was asked.
    tell(wish) {
      const answer = turn.then(() => ask(wish))
      turn = answer
      return answer
    },
  }
}

async function makeWebhooks(house: House, url: string): Promise<string[]> {
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
const FILLING = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`field_${index}`, `value ${index}`.repeat(3)]),
)

interface Feed {
  /** Lets so many events happen now. */
  happen(count: number): Promise<void>
  /** How many notifications they make in all. */
  recorded(): number
}

function createFeed(house: House): Feed {
  let recorded = 0
  return {
    recorded: () => recorded,
    async happen(count) {
      const { organization, author } = house.shops[0]!
      const event = { organization, type: EVENT, author } as const
      const data = { ...FILLING, at: performance.timeOrigin + performance.now() }
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

async function sendBarely(shop: Shop, targets: string[], seconds: number) {
  const sender = owned(fork(new URL('bare-sender.ts', import.meta.url)))
  const body = JSON.stringify({ hook: { id: 1 }, data: { ...FILLING, at: '{at}' } }).replace('"{at}"', '{at}')
  const sending: Sending = { targets, under_way: UNDER_WAY, seconds: seconds + WARMUP_S, body }
  sender.send(sending)
  const ended = once(sender, 'message') as Promise<[number]>
  await sleep(WARMUP_S * 1_000)
  const arrivals = await measure(shop, seconds)
  const [failures] = await ended
  return { arrivals, failures }
}

/** New events happen as soon as there is room for them among what is under way. */
async function underFullLoad(shop: Shop, feed: Feed, seconds: number): Promise<Arrivals> {
  const open = await countOpen(shop, feed)
  let stopped = false
  const feeding = (async () => {
    while (!stopped) {
      if ((await open()) < WINDOW) await feed.happen(TOGETHER)
      else await sleep(1)
    }
  })()
  await sleep(WARMUP_S * 1_000)
  const measured = await measure(shop, seconds)
  stopped = true
  await feeding
  await untilNone(open)
  return measured
}

async function underHalfLoad(shop: Shop, feed: Feed, per_second: number, seconds: number): Promise<Arrivals> {
  const open = await countOpen(shop, feed)
  const began = performance.now()
  const ends = began + (WARMUP_S + seconds) * 1_000
  let happened = 0
  let warm = false
  while (performance.now() < ends) {
    const passed_s = (performance.now() - began) / 1_000
    if (!warm && passed_s > WARMUP_S) {
      warm = true
      await shop.tell('begin')
    }
    const missing = Math.floor((passed_s * per_second) / WEBHOOKS) - happened
    if (missing > 0) await feed.happen(missing)
    happened += Math.max(missing, 0)
    await sleep(TICK_MS)
  }
  const measured = await shop.tell('look')
  await untilNone(open)
  return measured
}

async function measure(shop: Shop, seconds: number): Promise<Arrivals> {
  await shop.tell('begin')
  await sleep(seconds * 1_000)
  return shop.tell('look')
}

/** Says how many notifications have not arrived of those that become due from now on. */
async function countOpen(shop: Shop, feed: Feed): Promise<() => Promise<number>> {
  const { total } = await shop.tell('look')
  const recorded = feed.recorded()
  return async () => feed.recorded() - recorded - ((await shop.tell('look')).total - total)
}

async function untilNone(open: () => Promise<number>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while ((await open()) > 0 && Date.now() < deadline) await sleep(20)
}

async function checkRows(house: House, sent: number): Promise<Result['checks'][number]> {
  const look = () =>
    house.db<{ delivered: number; attempts: number; waiting: number }[]>`
      select (select count(*) from webhook_deliveries where state = 'delivered' and attempts = 1) as delivered,
        (select count(*) from webhook_attempts where failure is null and answer_headers is not null) as attempts,
        (select count(*) from webhook_deliveries_waiting) as waiting`
  const deadline = Date.now() + PATIENCE_MS
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

function figureOf(name: string, rounds: Arrivals[]): Figure {
  return {
    name,
    per_second: median(rounds.map(rateOf)),
    p50_ms: median(rounds.map(({ p50_ms }) => p50_ms)),
    p99_ms: median(rounds.map(({ p99_ms }) => p99_ms)),
    errors: 0,
    rounds: rounds.map(rateOf),
  }
}

function rateOf({ count, seconds }: Arrivals): number {
  return count / seconds
}
