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
const MAX_IN_FLIGHT = 8
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

/** Concurrent requests may arrive in another order; checks that they were started in the order of events. */
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

/** Start the job of another process on the same database. */
function startOtherProcess(settings: Partial<TestApp['app']['config']> = {}) {
  const app = { ...testApp.app, config: { ...testApp.app.config, ...settings } }
  const loop = startLoop(deliverWebhooks(app), {
    now: app.clock.now,
    onError: (_name, error) => expect.fail(String(error)),
  })
  testApp.app.onWake(loop.wake)
  closers.push(loop.stop)
}

describe('one webhook', () => {
  it('gets its notifications in the order of events, several at a time', async () => {
    const receiver = await receive(async () => {
      await pause(5 + Math.random() * 20)
      return 200
    })
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(...numbers(100))
    const order = eventNumbers(await arrived(receiver, 100))
    expect(receiver.max_open).toBeGreaterThan(1)
    expect(receiver.max_open).toBeLessThanOrEqual(MAX_IN_FLIGHT)
    await expectOrder(webhook, 100)
    expect([...order].sort((a, b) => a - b)).toEqual(numbers(100))
  })

  it('waits for an earlier event that is not committed yet', async () => {
    const receiver = await receive()
    await test.addWebhook(receiver.url + SKIP)
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: recorded, resolve: hasRecorded } = Promise.withResolvers<void>()
    const slow = begin(testApp.db, async (tx) => {
      const event = {
        organization: testApp.organization,
        type: 'contact.created' as const,
        data: { number: 1 },
        author: 1,
      }
      await recordEvents(tx, testApp.clock.now(), [event])
      hasRecorded()
      await mayCommit
    })
    await recorded
    await test.emitEvents(2)
    await pause(100)
    expect(receiver.received).toEqual([])
    commit()
    await slow
    testApp.app.wake()
    expect(eventNumbers(await arrived(receiver, 2)).sort()).toEqual([1, 2])
  })

  it('does not delay first attempts because of retries', async () => {
    const receiver = await receive((received) => (eventNumbers([received])[0]! <= 3 ? 500 : 200))
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(...numbers(6))
    await arrived(receiver, 6)
    await eventually('the record', async () => {
      const states = (await test.deliveries(webhook)).map(({ state }) => state).join()
      return states === 'waiting,waiting,waiting,delivered,delivered,delivered' ? true : undefined
    })
  })

  it('is served by one process at a time, and each notification is sent by one process', async () => {
    const receiver = await receive(async () => {
      await pause(Math.random() * 10)
      return 200
    })
    startOtherProcess()
    startOtherProcess()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    for (let round = 0; round < 10; round += 1)
      await test.emitEvents(...numbers(10).map((number) => round * 10 + number))
    await arrived(receiver, 100)
    await eventually('the record', async () =>
      (await test.deliveries(webhook)).every(({ state }) => state === 'delivered') ? true : undefined,
    )
    expect(receiver.received).toHaveLength(100)
    expect(receiver.max_open).toBeLessThanOrEqual(MAX_IN_FLIGHT)
    await expectOrder(webhook, 100)
  })

  it('is written no more than once a second while events come, and then once', async () => {
    const receiver = await receive()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    const version = async () => {
      const [row] = await testApp.db<{ version: string; leased_until: Date | null }[]>`
        select ctid::text || xmin::text as version, leased_until from webhooks where id = ${webhook.id}`
      return row!
    }
    const begun_ms = performance.now()
    const versions = new Set<string>()
    for (const number of numbers(40)) {
      await test.emitEvents(number)
      await arrived(receiver, number)
      versions.add((await version()).version)
    }
    // A lease can have begun before the first event of the loop, and one is read in between.
    expect(versions.size).toBeLessThanOrEqual((performance.now() - begun_ms) / 1_000 + 2)
    await eventually('the lease to be ended', async () => ((await version()).leased_until === null ? true : undefined))
    const [row] = await testApp.db<{ behind: boolean }[]>`
      select position < (select max(event) from webhook_attempts where webhook = ${webhook.id}) as behind
      from webhooks where id = ${webhook.id}`
    expect(row!.behind).toBe(false)
  })

  it('is released when its process stops, so that the next one goes on at once', async () => {
    const receiver = await receive()
    const other_app = await buildTestApp()
    closers.push(other_app.close)
    const other = createWebhookHelpers(other_app)
    const webhook = await other.addWebhook(receiver.url + SKIP)
    const isLeased = async () => {
      const [row] = await other_app.db<{ leased: boolean }[]>`
        select leased_until is not null as leased from webhooks where id = ${webhook.id}`
      return row!.leased
    }
    for (const number of [1, 2]) {
      await other.emitEvents(number)
      const job = deliverWebhooks(other_app.app)
      await job.run(await job.claim(10))
      expect(eventNumbers(receiver.received)).toEqual(numbers(number))
      expect(await isLeased()).toBe(true)
      await job.close!()
      expect(await isLeased()).toBe(false)
    }
  })

  it('is released when nothing is left to send', async () => {
    const receiver = await receive()
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2, 3)
    await arrived(receiver, 3)
    await eventually('the lease to be released', async () => {
      const [row] = await testApp.db`select 1 from webhooks where id = ${webhook.id} and leased_until is null`
      return row
    })
  })
})

describe('a receiver that is dead or slow', () => {
  it('does not delay other receivers', async () => {
    const dead = await Promise.all(numbers(3).map(() => receive(() => undefined)))
    for (const receiver of dead) await test.addWebhook(receiver.url + SKIP)
    await test.addWebhook('https://127.0.0.1:1/')
    await test.emitEvents(...numbers(20))
    await Promise.all(dead.map((receiver) => arrived(receiver, MAX_IN_FLIGHT)))
    const healthy = await receive()
    await test.addWebhook(healthy.url + SKIP)
    await test.emitEvents(...numbers(50))
    await arrived(healthy, 50)
    for (const receiver of dead) {
      expect(receiver.max_open).toBe(MAX_IN_FLIGHT)
      // Eight at a time time out after five seconds, so most of their deliveries still wait.
      expect(receiver.received.length).toBeLessThan(50)
    }
  })

  it('is tried with one delivery at a time after a day without any success, until it works again', async () => {
    let status = 500
    const receiver = await receive(() => status)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2, 3)
    await arrived(receiver, 3)
    const attempts = async () => (await test.deliveries(webhook)).map(({ attempts }) => attempts)
    const attemptsReach = (expected: number[]) =>
      eventually(`attempts ${expected}`, async () => (`${await attempts()}` === `${expected}` ? true : undefined))
    await attemptsReach([1, 1, 1])

    test.advance(DAY_S)
    await attemptsReach([2, 1, 1])
    await test.emitEvents(4)
    await pause(100)
    expect(await attempts()).toEqual([2, 1, 1, 0])
    test.advance(34)
    await attemptsReach([3, 1, 1, 0])
    expect(receiver.received).toHaveLength(5)

    status = 200
    test.advance(133)
    await attemptsReach([4, 2, 2, 1])
    const states = (await test.deliveries(webhook)).map(({ state }) => state)
    expect(states).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
  })

  it('continues with the next delivery after ten attempts of the first', async () => {
    const receiver = await receive(() => 500)
    const webhook = await test.addWebhook(receiver.url + SKIP)
    await test.emitEvents(1, 2)
    await eventually('both to fail', async () =>
      (await test.deliveries(webhook)).every((one) => one.attempts === 1) ? true : undefined,
    )
    test.advance(2 * DAY_S)
    let seen_attempts = 0
    await eventually('the first to fail after all attempts', async () => {
      const [first, second] = await test.deliveries(webhook)
      if (first!.state === 'failed' && second!.attempts > 1) return true
      // Move the clock once for each attempt: by more than the longest wait, but not beyond the retention of records.
      if (first!.attempts + second!.attempts > seen_attempts) test.advance(9 * 60 * 60)
      seen_attempts = first!.attempts + second!.attempts
      return undefined
    })
    expect(eventNumbers(receiver.received).slice(2, 11)).toEqual(Array(9).fill(1))
  })
})

describe('in live mode', () => {
  it('only public addresses are called, whatever address the name had when the webhook was created', async () => {
    const receiver = await receive()
    const other_app = await buildTestApp()
    closers.push(other_app.close)
    const other = createWebhookHelpers(other_app)
    const live = { ...other_app.app, config: { ...other_app.app.config, MODE: 'live' as const } }
    const webhook = await other.addWebhook(receiver.url + SKIP)
    await other.emitEvents(1)
    const deliver = async (app: TestApp['app']) => {
      const job = deliverWebhooks(app)
      await job.run(await job.claim(10))
      await job.close?.()
    }
    await deliver(live)
    expect(await other.deliveries(webhook)).toMatchObject([{ state: 'waiting', last_failure: 'private_address' }])
    expect(receiver.connections).toBe(0)

    // WEBHOOK_ALLOWED_NETWORKS allows private networks. Live mode checks certificates, whatever the target says.
    other_app.clock.advance(11)
    await deliver({ ...live, config: { ...live.config, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, ::1' } })
    expect(await other.deliveries(webhook)).toMatchObject([{ attempts: 2, last_failure: 'tls' }])
  })
})
