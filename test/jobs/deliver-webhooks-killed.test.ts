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
/** Enough has arrived after a start that the process is in the middle of its work. */
const BETWEEN_KILLS = 300
const PATIENCE_MS = 120_000
/** Eight under way, and eight more whose outcome is being recorded. */
const MOST_IN_FLIGHT = WEBHOOKS * 16
/** What a dead process held goes on within ten seconds, once there is another; a busy machine may add some of its own. */
const GOES_ON_WITHIN_MS = 13_000

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

const arrivals = () => receiver.received.map((one) => String(one.headers['webhook-id']))

/** Starts the real program on this database, with the jobs only, and waits until it is ready. */
async function start(): Promise<ChildProcess> {
  const { DATABASE_URL, DATA_DIR, SANDBOX_API_KEY } = testApp.app.config
  const { PATH } = process.env
  const environment = { PATH, DATABASE_URL, DATA_DIR, SANDBOX_API_KEY, LOG_LEVEL: 'fatal' }
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--no-api'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await eventually('the process', async () => (output.includes('is ready') ? true : undefined), PATIENCE_MS)
  return child
}

/** Waits until nothing more arrives from a process that is dead, nor lies unread in the connections that it had. */
async function silence(): Promise<void> {
  for (let quiet = 0, seen = -1; quiet < 5; quiet = seen === receiver.received.length ? quiet + 1 : 0) {
    seen = receiver.received.length
    await pause(50)
  }
}

/** The webhook-ids of what has no recorded end yet. */
async function unrecorded(): Promise<Set<string>> {
  const rows = await testApp.db<{ id: string }[]>`
    select 'msg_' || w.token || '_' || d.event as id from webhook_deliveries_waiting d join webhooks w on w.id = d.webhook`
  return new Set(rows.map(({ id }) => id))
}

it(
  'loses nothing when its process is killed over and over, and sends twice only what was in flight',
  async () => {
    for (let shop = 0; shop < WEBHOOKS; shop += 1) await test.addWebhook(`${receiver.url}/${shop}?skip-cert-verify`)
    const event = { organization: testApp.organization, type: 'contact.created' as const, data: {}, author: 1 }
    await begin(testApp.db, (tx) => recordEvents(tx, testApp.clock.now(), Array<typeof event>(EVENTS).fill(event)))

    const in_flight: string[] = []
    const pauses_ms: number[] = []
    let child = await start()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = receiver.received.length
      const enough = async () => (receiver.received.length >= before + BETWEEN_KILLS ? true : undefined)
      await eventually('the work to be in full swing', enough, PATIENCE_MS)
      child.kill('SIGKILL')
      await once(child, 'exit')
      // What had been sent by then has arrived, and the next process, which may send it once more, has not begun.
      await silence()
      const arrived = new Set(arrivals().slice(before))
      const waiting = await unrecorded()
      child = await start()
      const ready = performance.now()
      const seen = receiver.received.length
      const cut_off = [...arrived].filter((id) => waiting.has(id))
      expect(cut_off.length).toBeLessThanOrEqual(MOST_IN_FLIGHT)
      in_flight.push(...cut_off)
      const goesOn = async () => (receiver.received.length > seen ? true : undefined)
      await eventually('the work to go on', goesOn, PATIENCE_MS)
      pauses_ms.push(Math.round(performance.now() - ready))
    }
    const rest = async () => ((await unrecorded()).size === 0 ? true : undefined)
    await eventually('everything to be recorded', rest, PATIENCE_MS)
    child.kill('SIGTERM')
    await once(child, 'exit')

    const counts = new Map<string, number>()
    for (const id of arrivals()) counts.set(id, (counts.get(id) ?? 0) + 1)
    const twice = [...counts].filter(([, count]) => count > 1)
    console.log(JSON.stringify({ sent: counts.size, twice: twice.length, in_flight: in_flight.length, pauses_ms }))

    expect(counts.size).toBe(WEBHOOKS * EVENTS)
    const allowed = new Map<string, number>()
    for (const id of in_flight) allowed.set(id, (allowed.get(id) ?? 1) + 1)
    for (const [id, count] of twice) expect(count, id).toBeLessThanOrEqual(allowed.get(id) ?? 1)
    expect(Math.max(...pauses_ms)).toBeLessThan(GOES_ON_WITHIN_MS)

    const [books] = await testApp.db<{ delivered: number; attempts: number }[]>`
    select (select count(*) from webhook_deliveries where state = 'delivered' and attempts = 1) as delivered,
      (select count(*) from webhook_attempts where failure is null) as attempts`
    expect(books).toEqual({ delivered: WEBHOOKS * EVENTS, attempts: WEBHOOKS * EVENTS })
  },
  4 * PATIENCE_MS,
)
