import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextDeliveryAttemptAt } from '../../../src/core/events/attempts.ts'
import { listAttempts } from '../../../src/core/events/deliveries.ts'
import { editEndpoint } from '../../../src/core/events/endpoints.ts'
import { begin } from '../../../src/db/client.ts'
import { DELIVERED, type Feed, resultOf, START, startFeed } from './hand-read-feed.ts'

let feed: Feed

beforeAll(async () => {
  feed = await startFeed()
})
beforeEach(() => feed.db`truncate webhooks, webhook_types, webhook_retries, webhook_attempts, events`)
afterAll(() => feed.close())

describe('the wait before the next attempt', () => {
  const WAITS_S = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]

  it('grows, is never short, and has at most a tenth of jitter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (made, random) => {
        const wait_ms = nextDeliveryAttemptAt(START, made, null, random)!.getTime() - START.getTime()
        const base_ms = WAITS_S[made - 1]! * 1_000
        expect(wait_ms).toBeGreaterThanOrEqual(base_ms)
        expect(wait_ms).toBeLessThanOrEqual(base_ms * 1.1 + 1)
      }),
    )
  })

  it('ends with the tenth attempt', () => {
    expect(nextDeliveryAttemptAt(START, 10, null)).toBeNull()
    expect(nextDeliveryAttemptAt(START, 10, 60)).toBeNull()
  })

  it('follows a longer Retry-After of the receiver, up to eight hours', () => {
    const wait_s = (hint_s: number) => (nextDeliveryAttemptAt(START, 1, hint_s, 0)!.getTime() - START.getTime()) / 1_000
    expect([5, 11, 28_800, 1_000_000].map(wait_s)).toEqual([10, 11, 28_800, 28_800])
  })
})

describe('the record of an attempt', () => {
  it('is stored but does not change the delivery if another process made the same attempt', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    const slow = await feed.claim(1)
    const quick = await feed.claim(1, [], 100)
    await feed.record(2, [resultOf(quick.due[0]!, DELIVERED)])
    await feed.record(3, [resultOf(slow.due[0]!)])
    expect(await feed.statesOf(id)).toEqual(['delivered 1'])
    expect(await listAttempts(feed.db, id, slow.due[0]!.event)).toMatchObject([
      { attempt: 1, status: 200 },
      { attempt: 1, status: 500 },
    ])
  })

  it('ends the delivery after ten attempts, and after 410 the webhook and its waiting deliveries', async () => {
    const id = await feed.webhook()
    await feed.happen(3)
    const { due } = await feed.claim(10)
    for (let attempt = 1; attempt <= 10; attempt += 1) await feed.record(10, [resultOf({ ...due[0]!, attempt })])
    expect(await feed.statesOf(id)).toEqual(['failed 10', 'waiting 0', 'waiting 0'])
    await feed.record(11, [resultOf(due[1]!, { status: 410 })])
    expect(await feed.statesOf(id)).toEqual(['failed 10', 'failed 1', 'cancelled 0'])
    expect((await feed.claim(100_000)).due).toEqual([])
  })

  it('deletes no webhook that has another receiver by the time when the old one responds 410', async () => {
    const id = await feed.webhook()
    await feed.happen(2)
    const { due } = await feed.claim(10)
    const target = 'https://new.example/'
    await begin(feed.db, (tx) => editEndpoint(tx, START, id, { target }, null))
    await feed.record(11, [resultOf(due[0]!, { status: 410 }), resultOf(due[1]!, DELIVERED)])
    expect(await feed.statesOf(id)).toEqual(['waiting 1', 'delivered 1'])
    const again = await feed.claim(100_000)
    expect(again.due).toMatchObject([{ event: due[0]!.event, attempt: 2, target }])
    await feed.record(100_001, [resultOf(again.due[0]!, { status: 410 })])
    expect(await feed.statesOf(id)).toEqual(['failed 2', 'delivered 1'])
  })
})
