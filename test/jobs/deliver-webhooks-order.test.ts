import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordEvents } from '../../src/core/events/events.ts'
import type { WebhookRow } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { deliverWebhooks } from '../../src/jobs/deliver-webhooks.ts'
import { startLoop } from '../../src/lib/loop.ts'
import { openReceiver, pause, type Receiver, type Responder } from '../receiver.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, eventNumbers, type WebhookHelpers } from './webhook-helpers.ts'

const SKIP = '?skip-cert-verify'
const MOST_UNDER_WAY = 8
const DAY_S = 24 * 60 * 60

let testApp: TestApp
let test: WebhookHelpers
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  await testApp.startService()
  test = createWebhookHelpers(testApp)
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await test.deleteAllWebhooks()
})
afterAll(() => testApp.close())

async function receive(answer?: Responder): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver
}

function arrived(receiver: Receiver, count: number) {
  const look = async () => (receiver.received.length >= count ? receiver.received : undefined)
  return eventually(`${count} notifications`, look)
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Requests that are under way together may overtake each other on the line; they are started in the order of events. */
async function expectOrder(webhook: WebhookRow, count: number) {
  const look = async () => {
    const rows = await testApp.db<
      { at: Date }[]
    >`select at from webhook_attempts where webhook = ${webhook.id} order by event`
    return rows.length === count ? rows.map(({ at }) => at.getTime()) : undefined
  }
  const starts = await eventually('the record', look)
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
}

/** Another process that does the same job on the same database. */
function startAnother(settings: Partial<TestApp['app']['config']> = {}) {
  const app = { ...testApp.app, config: { ...testApp.app.config, ...settings } }
  const loop = startLoop(deliverWebhooks(app), {
    now: app.clock.now,
    onError: (_name, error) => expect.fail(String(error)),
  })
  testApp.app.onWake(loop.wake)
  closers.push(loop.stop)
}

describe('one webhook', () => {
  it('is sent to in the order of events, a few at once', async () => {
    const receiver = await receive(async () => {
      await pause(5 + Math.random() * 20)
      return 200
    })
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(...numbers(100))
    const order = eventNumbers(await arrived(receiver, 100))
    expect(receiver.max_open).toBeGreaterThan(1)
    expect(receiver.max_open).toBeLessThanOrEqual(MOST_UNDER_WAY)
    await expectOrder(webhook, 100)
    expect([...order].sort((a, b) => a - b)).toEqual(numbers(100))
  })

  it('waits for an event that was begun before and is not committed yet', async () => {
    const receiver = await receive()
    await test.addWebhook(receiver.url + SKIP)
    const { promise: late, resolve: commit } = Promise.withResolvers<void>()
    const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
    const slow = begin(testApp.db, async (tx) => {
      const event = {
        organization: testApp.organization,
        type: 'contact.created' as const,
        data: { number: 1 },
        author: 1,
      }
      await recordEvents(tx, testApp.clock.now(), [event])
      hasBegun()
      await late
    })
    await begun
    await test.emitEvents(2)
    await pause(100)
    expect(receiver.received).toEqual([])
    commit()
    await slow
    testApp.app.wake()
    expect(eventNumbers(await arrived(receiver, 2)).sort()).toEqual([1, 2])
  })

  it('does not hold up first sends because of what has to be tried again', async () => {
    const receiver = await receive((received) => (eventNumbers([received])[0]! <= 3 ? 500 : 200))
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(...numbers(6))
    await arrived(receiver, 6)
    await eventually('the record', async () => {
      const states = (await test.deliveries(webhook)).map((one) => one.state).join()
      return states === 'waiting,waiting,waiting,delivered,delivered,delivered' ? true : undefined
    })
  })

  it('is sent to by one process at a time, and each notification by one only', async () => {
    const receiver = await receive(async () => {
      await pause(Math.random() * 10)
      return 200
    })
    startAnother()
    startAnother()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    for (let round = 0; round < 10; round += 1)
      await test.emitEvents(...numbers(10).map((number) => round * 10 + number))
    await arrived(receiver, 100)
    await eventually('the record', async () =>
      (await test.deliveries(webhook)).every((one) => one.state === 'delivered') ? true : undefined,
    )
    expect(receiver.received).toHaveLength(100)
    expect(receiver.max_open).toBeLessThanOrEqual(MOST_UNDER_WAY)
    await expectOrder(webhook, 100)
  })

  it('is free for the next process when nothing is left to send', async () => {
    const receiver = await receive()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2, 3)
    await arrived(receiver, 3)
    await eventually('the lease to be given back', async () => {
      const [row] = await testApp.db`select 1 from webhooks where id = ${webhook.id} and leased_until is null`
      return row
    })
  })
})

describe('a receiver that is dead or slow', () => {
  it('holds up nobody but itself', async () => {
    const dead = await Promise.all(numbers(3).map(() => receive(() => undefined)))
    for (const receiver of dead) await test.addWebhook(receiver.url + SKIP)
    await test.addWebhook('https://127.0.0.1:1/')
    await test.emitEvents(...numbers(20))
    await Promise.all(dead.map((receiver) => arrived(receiver, MOST_UNDER_WAY)))
    const healthy = await receive()
    await test.addWebhook(healthy.url + SKIP)
    await test.emitEvents(...numbers(50))
    await arrived(healthy, 50)
    for (const receiver of dead) {
      expect(receiver.max_open).toBe(MOST_UNDER_WAY)
      // Eight at a time let five seconds pass: their line is long after the healthy one's is through.
      expect(receiver.received.length).toBeLessThan(50)
    }
  })

  it('is tried with one delivery at a time after a day without any success, until it works again', async () => {
    let status = 500
    const receiver = await receive(() => status)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2, 3)
    await arrived(receiver, 3)
    const attempts = async () => (await test.deliveries(webhook)).map((one) => one.attempts)
    const attemptsAre = (wanted: number[]) =>
      eventually(`attempts ${wanted}`, async () => (`${await attempts()}` === `${wanted}` ? true : undefined))
    await attemptsAre([1, 1, 1])

    test.advance(DAY_S)
    await attemptsAre([2, 1, 1])
    await test.emitEvents(4)
    await pause(100)
    expect(await attempts()).toEqual([2, 1, 1, 0])
    test.advance(34)
    await attemptsAre([3, 1, 1, 0])
    expect(receiver.received).toHaveLength(5)

    status = 200
    test.advance(133)
    await attemptsAre([4, 2, 2, 1])
    const states = (await test.deliveries(webhook)).map((one) => one.state)
    expect(states).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
  })

  it('goes on with the next delivery when the one that was tried has had its ten attempts', async () => {
    const receiver = await receive(() => 500)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2)
    await eventually('both to fail', async () =>
      (await test.deliveries(webhook)).every((one) => one.attempts === 1) ? true : undefined,
    )
    test.advance(2 * DAY_S)
    let seen = 0
    await eventually('the first to be given up', async () => {
      const [first, second] = await test.deliveries(webhook)
      if (first!.state === 'failed' && second!.attempts > 1) return true
      // Time passes once for each attempt: as much as the longest wait, and no more than the records are kept for.
      if (first!.attempts + second!.attempts > seen) test.advance(9 * 60 * 60)
      seen = first!.attempts + second!.attempts
      return undefined
    })
    expect(eventNumbers(receiver.received).slice(2, 11)).toEqual(Array(9).fill(1))
  })
})

describe('in live mode', () => {
  it('no address is called that is not public, whatever a name led to when the webhook was made', async () => {
    const receiver = await receive()
    const quiet = await buildTestApp()
    closers.push(quiet.close)
    const other = createWebhookHelpers(quiet)
    const live = { ...quiet.app, config: { ...quiet.app.config, MODE: 'live' as const } }
    const webhook = await other.addWebhook(receiver.url + SKIP)
    await other.emitEvents(1)
    const work = async (app: TestApp['app']) => {
      const job = deliverWebhooks(app)
      await job.run(await job.claim(10))
    }
    await work(live)
    expect(await other.deliveries(webhook)).toMatchObject([{ state: 'waiting', last_failure: 'private_address' }])
    expect(receiver.connections).toBe(0)

    // The networks of the business itself may be named. Certificates count, whatever the target says.
    quiet.clock.advance(11)
    await work({ ...live, config: { ...live.config, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, ::1' } })
    expect(await other.deliveries(webhook)).toMatchObject([{ attempts: 2, last_failure: 'tls' }])
  })
})
