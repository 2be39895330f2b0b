import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordEvents } from '../../src/core/events/events.ts'
import { begin } from '../../src/db/client.ts'
import { openReceiver, pause, type Receiver } from '../receiver.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, type WebhookHelpers } from './webhook-helpers.ts'

const PROGRAM = join(import.meta.dirname, '../../src/cli/index.ts')
const WEBHOOKS = 10
const EVENTS = 200
const KILLS = 3
/** The process is killed after this number of arrivals, in the middle of its work. */
const ARRIVALS_PER_KILL = 300
const TIMEOUT_MS = 120_000
/** Per webhook: those in flight, and those whose result is being recorded. */
const MAX_IN_FLIGHT = WEBHOOKS * 32
/** The work of a dead process continues within ten seconds in another process; the rest is tolerance for a busy machine. */
const MAX_PAUSE_MS = 13_000

let testApp: TestApp
let test: WebhookHelpers
let receiver: Receiver
const started: ChildProcess[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  test = createWebhookHelpers(testApp)
  receiver = await openReceiver(async () => {
    await pause(2)
    return 200
  })
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await receiver.close()
  await testApp.close()
})

const arrivals = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))

/** Start the real program on this database, with the jobs only, and wait until it is ready. */
async function start(): Promise<ChildProcess> {
  const { DATABASE_URL, DATA_DIR, SANDBOX_API_KEY } = testApp.app.config
  const { PATH } = process.env
  const environment = { PATH, KUSANYA_ENV_FILE: 'off', DATABASE_URL, DATA_DIR, SANDBOX_API_KEY, LOG_LEVEL: 'fatal' }
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--no-api'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await eventually('the process', async () => (output.includes('is ready') ? true : undefined), TIMEOUT_MS)
  return child
}

/** Wait until all requests of a dead process have arrived, also those that its connections still contain. */
async function waitForLastArrivals(): Promise<void> {
  for (
    let quiet_polls = 0, seen = -1;
    quiet_polls < 5;
    quiet_polls = seen === receiver.received.length ? quiet_polls + 1 : 0
  ) {
    seen = receiver.received.length
    await pause(50)
  }
}

/** The webhook-ids of deliveries without a recorded end. */
async function unrecorded(): Promise<Set<string>> {
  const rows = await testApp.db<{ id: string }[]>`
    select 'msg_' || w.token || '_' || d.event as id from webhook_deliveries d join webhooks w on w.id = d.webhook
    where d.state = 'waiting'`
  return new Set(rows.map(({ id }) => id))
}

it(
  'loses nothing when the process is killed repeatedly, and sends only deliveries in flight twice',
  async () => {
    for (let shop = 0; shop < WEBHOOKS; shop += 1) await test.addWebhook(`${receiver.url}/${shop}?skip-cert-verify`)
    const event = { organization: testApp.organization, type: 'contact.created' as const, data: {}, author: 1 }
    await begin(testApp.db, (tx) => recordEvents(tx, testApp.clock.now(), Array<typeof event>(EVENTS).fill(event)))

    const { in_flight, pauses_ms } = await deliverInSpiteOfKills()

    const counts = new Map<string, number>()
    for (const id of arrivals()) counts.set(id, (counts.get(id) ?? 0) + 1)
    const twice = [...counts].filter(([, count]) => count > 1)
    console.log(JSON.stringify({ sent: counts.size, twice: twice.length, in_flight: in_flight.length, pauses_ms }))

    expect(counts.size).toBe(WEBHOOKS * EVENTS)
    const allowed = new Map<string, number>()
    for (const id of in_flight) allowed.set(id, (allowed.get(id) ?? 1) + 1)
    for (const [id, count] of twice) expect(count, id).toBeLessThanOrEqual(allowed.get(id) ?? 1)
    expect(Math.max(...pauses_ms)).toBeLessThan(MAX_PAUSE_MS)

    const [totals] = await testApp.db<{ delivered: number; attempts: number }[]>`
    select (select count(*) from webhook_deliveries where state = 'delivered' and attempts = 1) as delivered,
      (select count(*) from webhook_attempts where failure is null) as attempts`
    expect(totals).toEqual({ delivered: WEBHOOKS * EVENTS, attempts: WEBHOOKS * EVENTS })
  },
  4 * TIMEOUT_MS,
)

/**
 * Deliver everything, in a process that is killed in the middle of its work and started again.
 * @returns the webhook-ids of deliveries in flight at each kill, and how long the work paused after each
 */
async function deliverInSpiteOfKills(): Promise<{ in_flight: string[]; pauses_ms: number[] }> {
  const in_flight: string[] = []
  const pauses_ms: number[] = []
  let child = await start()
  /** Number of arrivals when this process started. */
  let started_at = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = receiver.received.length
    const hasArrivals = async () => (receiver.received.length >= before + ARRIVALS_PER_KILL ? true : undefined)
    await eventually('arrivals', hasArrivals, TIMEOUT_MS)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // All sent requests have arrived, and the next process, which may repeat some, has not started.
    await waitForLastArrivals()
    const arrived = new Set(arrivals().slice(started_at))
    const waiting = await unrecorded()
    child = await start()
    const ready_ms = performance.now()
    const seen = receiver.received.length
    started_at = seen
    const unrecorded_arrivals = [...arrived].filter((id) => waiting.has(id))
    expect(unrecorded_arrivals.length).toBeLessThanOrEqual(MAX_IN_FLIGHT)
    in_flight.push(...unrecorded_arrivals)
    const continues = async () => (receiver.received.length > seen ? true : undefined)
    await eventually('the work to continue', continues, TIMEOUT_MS)
    pauses_ms.push(Math.round(performance.now() - ready_ms))
  }
  const allRecorded = async () => ((await unrecorded()).size === 0 ? true : undefined)
  await eventually('everything to be recorded', allRecorded, TIMEOUT_MS)
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { in_flight, pauses_ms }
}
