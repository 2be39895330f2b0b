import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '../../src/core/events/events.ts'
import { packData } from '../../src/core/events/stored-data.ts'
import { maintainPartitions, partitionedTables } from '../../src/core/partitions.ts'
import { begin } from '../../src/db/client.ts'
import type { SendJob } from '../bare/sender.ts'
import { type Figure, median, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import type { BenchService } from '../postgres.ts'
import { endChild, trackChild } from '../processes.ts'
import type { ReceivedStats } from '../receiver.ts'
import { authorization } from '../requests.ts'
import { startReceiver, type WebhookReceiver } from '../start-receiver.ts'

/** The number of webhooks that get each event. */
const WEBHOOKS = 10
/** The service's limit for each webhook (interface-gaps: Webhooks), which the bare loop uses too. */
const MAX_IN_FLIGHT = 8
/** Number of waiting or in-flight notifications under full load. */
const MAX_PENDING = 1_280
/** Events per transaction under full load. */
const EVENTS_PER_TRANSACTION = 16
/** Interval of events under half load. */
const TICK_MS = 10
/** Events that are stored before: days since the first one, how many are stored at once, and one in how many has the type that is sent. */
const STORED_DAYS = 20
const STORED_AT_ONCE = 250_000
const STORED_PER_SENT = 4
const DAY_MS = 24 * 3_600_000
const WARMUP_S = 2
const TIMEOUT_MS = 60_000

/**
 * Measure notifications to ten webhooks over TLS, with every attempt recorded, in turn with a bare loop that sends the
 * same requests. Afterwards every notification must be recorded. With `--rows`, the feed has so many events of the last weeks.
 */
export async function measureDeliveries({ service, options }: ScenarioContext): Promise<Result> {
  if (options.rows) await storeEvents(service, options.rows)
  const receiver = await startReceiver()
  const targets = await createWebhooks(service, receiver.url)
  const generator = createEventGenerator(service)
  const bare: ReceivedStats[] = []
  let bare_failures = 0
  const full: ReceivedStats[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    printProgress(`deliveries, round ${round} of ${options.rounds}`)
    const { stats, failures } = await sendWithoutService(receiver, targets, options.seconds)
    bare.push(stats)
    bare_failures += failures
    full.push(await measureFullLoad(receiver, generator, options.seconds))
  }
  printProgress('deliveries at half load')
  const rates = full.map(deliveryRate)
  const half = await measureHalfLoad(receiver, generator, median(rates) / 2, options.seconds)
  const checks = [await checkRows(service, generator.countNotifications())]
  await endChild(receiver.child)
  const ratios = full.map((stats, round) => deliveryRate(stats) / deliveryRate(bare[round]!))
  return {
    figures: [
      { ...deliveryFigure('the same sends in a bare loop', bare), errors: bare_failures },
      { ...deliveryFigure('deliveries', full), ratio: median(ratios), baseline: 'the bare loop' },
      deliveryFigure('deliveries at half load', [half]),
    ],
    checks,
  }
}

/** Store events of the last weeks, which no webhook gets any more. */
async function storeEvents({ db, shops: [shop] }: BenchService, count: number): Promise<void> {
  const { organization, author } = shop!
  const data = packData(JSON.stringify(PADDING))
  const end = new Date()
  const events = partitionedTables.find(({ table }) => table === 'events')!
  printProgress(`storing ${count} events`)
  // While the feed is empty nothing holds the table up.
  const days = Array.from({ length: STORED_DAYS + 1 }, (_, day) => new Date(end.getTime() - day * DAY_MS))
  await begin(db, (tx) => maintainPartitions(tx, end, events, 2 * STORED_DAYS, days))
  for (let first = 0; first < count; first += STORED_AT_ONCE) {
    const last = Math.min(first + STORED_AT_ONCE, count) - 1
    await db`
      insert into events (id, organization, type, object, status, data, created, author, modified)
      select nextval('events_id_seq'), ${organization}, case n % ${STORED_PER_SENT}::integer when 0 then ${EVENT} else 'contact.created' end,
        n, 'active', ${data}::bytea, at, ${author}, at
      from generate_series(${first}::integer, ${last}::integer) n cross join lateral (
        select ${end}::timestamptz - (${count}::integer - n) * interval '1 day' * ${STORED_DAYS}::integer / ${count}::integer as at) t
      order by n`
  }
  await db`vacuum analyze events`
  await db`checkpoint`
}

async function createWebhooks(service: BenchService, url: string): Promise<string[]> {
  const targets = Array.from({ length: WEBHOOKS }, (_, shop) => `${url}/${shop}?skip-cert-verify`)
  for (const target of targets) {
    const answer = await fetch(`${service.url}/api/webhooks`, {
      method: 'POST',
      headers: { ...authorization(service.shops[0]!), 'content-type': 'application/json' },
      body: JSON.stringify({ event: EVENT, target }),
    })
    if (answer.status !== 201) throw new Error(`A webhook could not be created: ${await answer.text()}`)
  }
  return targets
}

const EVENT = 'payment.status.changed'

/** About the size of a real event. */
const PADDING = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`field_${index}`, `value ${index}`.repeat(3)]),
)

interface EventGenerator {
  /** Record `count` events now. */
  emit(count: number): Promise<void>
  /** The number of notifications of all events so far. */
  countNotifications(): number
}

function createEventGenerator(service: BenchService): EventGenerator {
  let recorded = 0
  return {
    countNotifications: () => recorded,
    async emit(count) {
      const { organization, author } = service.shops[0]!
      const event = { organization, type: EVENT, author } as const
      const data = { ...PADDING, at: performance.timeOrigin + performance.now() }
      await begin(service.db, (tx) =>
        recordEvents(
          tx,
          new Date(),
          Array.from({ length: count }, () => ({ ...event, data })),
        ),
      )
      recorded += count * WEBHOOKS
      await service.db.notify('wake', '')
    },
  }
}

async function sendWithoutService(receiver: WebhookReceiver, targets: string[], seconds: number) {
  const sender = trackChild(fork(new URL('../bare/sender.ts', import.meta.url)))
  const body = JSON.stringify({ hook: { id: 1 }, data: { ...PADDING, at: '{at}' } }).replace('"{at}"', '{at}')
  const job: SendJob = { targets, max_in_flight: MAX_IN_FLIGHT, seconds: seconds + WARMUP_S, body }
  sender.send(job)
  const ended = once(sender, 'message') as Promise<[number]>
  await sleep(WARMUP_S * 1_000)
  const stats = await measure(receiver, seconds)
  const [failures] = await ended
  return { stats, failures }
}

/** Emit new events whenever fewer than MAX_PENDING notifications are pending. */
async function measureFullLoad(
  receiver: WebhookReceiver,
  generator: EventGenerator,
  seconds: number,
): Promise<ReceivedStats> {
  const pending = await countPending(receiver, generator)
  let stopped = false
  const emitting = (async () => {
    while (!stopped) {
      if ((await pending()) < MAX_PENDING) await generator.emit(EVENTS_PER_TRANSACTION)
      else await sleep(1)
    }
  })()
  await sleep(WARMUP_S * 1_000)
  const measured = await measure(receiver, seconds)
  stopped = true
  await emitting
  await waitUntilNonePending(pending)
  return measured
}

async function measureHalfLoad(
  receiver: WebhookReceiver,
  generator: EventGenerator,
  per_second: number,
  seconds: number,
): Promise<ReceivedStats> {
  const pending = await countPending(receiver, generator)
  const started_at = performance.now()
  const end = started_at + (WARMUP_S + seconds) * 1_000
  let emitted = 0
  let warm = false
  while (performance.now() < end) {
    const elapsed_s = (performance.now() - started_at) / 1_000
    if (!warm && elapsed_s > WARMUP_S) {
      warm = true
      await receiver.send('reset')
    }
    const missing = Math.floor((elapsed_s * per_second) / WEBHOOKS) - emitted
    if (missing > 0) await generator.emit(missing)
    emitted += Math.max(missing, 0)
    await sleep(TICK_MS)
  }
  const measured = await receiver.send('read')
  await waitUntilNonePending(pending)
  return measured
}

async function measure(receiver: WebhookReceiver, seconds: number): Promise<ReceivedStats> {
  await receiver.send('reset')
  await sleep(seconds * 1_000)
  return receiver.send('read')
}

/** Return a function that counts the notifications that are emitted from now on and have not arrived. */
async function countPending(receiver: WebhookReceiver, generator: EventGenerator): Promise<() => Promise<number>> {
  const { total } = await receiver.send('read')
  const recorded = generator.countNotifications()
  return async () => generator.countNotifications() - recorded - ((await receiver.send('read')).total - total)
}

async function waitUntilNonePending(pending: () => Promise<number>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while ((await pending()) > 0 && Date.now() < deadline) await sleep(20)
}

async function checkRows(service: BenchService, sent: number): Promise<Result['checks'][number]> {
  const readRows = () =>
    service.db<{ delivered: number; attempts: number; waiting: number }[]>`
      select (select count(*) from webhook_deliveries where state = 'delivered' and attempts = 1) as delivered,
        (select count(*) from webhook_attempts where failure is null and response_headers is not null) as attempts,
        (select count(*) from webhook_deliveries where state = 'waiting') as waiting`
  const deadline = Date.now() + TIMEOUT_MS
  let [rows] = await readRows()
  while (rows!.waiting > 0 && Date.now() < deadline) {
    await sleep(50)
    ;[rows] = await readRows()
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
