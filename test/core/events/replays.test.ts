import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimDeliveries } from '../../../src/core/events/attempts.ts'
import { deleteWebhooks, listDeliveries } from '../../../src/core/events/deliveries.ts'
import { recordEvents } from '../../../src/core/events/events.ts'
import {
  countReplays,
  type ReplayCursor,
  type ReplayFilters,
  replayByEvents,
  replayDeliveries,
} from '../../../src/core/events/replays.ts'
import { createWebhook } from '../../../src/core/events/webhooks.ts'
import { NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const START = new Date('2030-01-15T12:00:00Z')
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000)

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
beforeEach(() => testApp.db`truncate webhooks, webhook_deliveries, webhook_attempts, events`)
afterAll(() => testApp.close())

async function webhook(): Promise<number> {
  const { organization } = testApp
  const input = { organization, user: 1, event: 'contact.created', target: 'https://shop.example/' }
  return (await begin(testApp.db, (tx) => createWebhook(tx, START, input, 'ab'.repeat(32)))).id
}

/** So many events, a second apart, from the given time on. */
async function happen(count: number, at_s = 0): Promise<void> {
  const event = { organization: testApp.organization, type: 'contact.created' as const, data: {}, author: 1 }
  for (let number = 0; number < count; number += 1)
    await begin(testApp.db, (tx) => recordEvents(tx, at(at_s + number), [event]))
}

/** All that waits ends in this state, a minute after its event. */
const end = (state: string) =>
  testApp.db`update webhook_deliveries set state = ${state}, ended = created + interval '1 minute', due_at = null, attempts = 3
    where state = 'waiting'`

const choose = (changes: Partial<ReplayFilters> = {}): ReplayFilters => ({
  organization: testApp.organization,
  ...changes,
})

/** Replays all chosen deliveries in chunks. Returns the size of each chunk. */
async function replay(choice: ReplayFilters, limit = 1_000): Promise<number[]> {
  const counts: number[] = []
  for (let after: ReplayCursor | null | undefined; after !== null; ) {
    const { count, next } = await begin(testApp.db, (tx) =>
      replayDeliveries(tx, at(10_000), choice, limit, after ?? undefined),
    )
    counts.push(count)
    after = next
    // A receiver that fails at once must not be replayed to for ever.
    await end('failed')
  }
  return counts
}

async function claim(at_s: number) {
  const times = { now: at(at_s), real: at(at_s), lease_end: at(at_s + 15) }
  return begin(testApp.db, (tx) => claimDeliveries(tx, times, [], 1_000))
}

describe('a replay', () => {
  it('replays all chosen deliveries in chunks, and each only once', async () => {
    const [one, two] = [await webhook(), await webhook()]
    await happen(5)
    await end('failed')
    expect(await countReplays(testApp.db, choose({ failed: true }))).toBe(10)
    expect(await replay(choose({ failed: true }), 3)).toEqual([3, 3, 3, 1])
    expect(await replay(choose({ webhook: two }), 5)).toEqual([5, 0])
    expect(await replay(choose({ webhook: one, organization: testApp.organization + 1 }))).toEqual([0])
  })

  it('chooses the events from one time until before another', async () => {
    const id = await webhook()
    await happen(10)
    await end('delivered')
    const span = choose({ webhook: id, since: at(2), until: at(5) })
    expect(await countReplays(testApp.db, span)).toBe(3)
    await begin(testApp.db, (tx) => replayDeliveries(tx, at(100), span, 100))
    const back = await listDeliveries(testApp.db, testApp.organization, { state: 'waiting' }, 100)
    expect(back.map((row) => row.created)).toEqual([at(4), at(3), at(2)])
    expect(back[0]).toMatchObject({ attempts: 3, replayed: at(100), due_at: at(100) })
    expect(await countReplays(testApp.db, choose({ failed: true }))).toBe(0)
  })

  it('sends the same body with the same id and ten more attempts, after all first attempts', async () => {
    const id = await webhook()
    await happen(3)
    const before = await claim(1)
    await end('cancelled')
    await happen(2, 200)
    await begin(testApp.db, (tx) => replayDeliveries(tx, at(150), choose({ webhook: id }), 100))
    const rows = await claim(300)
    expect(rows.map((row) => row.replay)).toEqual([false, false, true, true, true])
    expect(rows.slice(2).map(({ body, token, event }) => ({ body, token, event }))).toEqual(
      before.map(({ body, token, event }) => ({ body, token, event })),
    )
    expect(rows[2]).toMatchObject({ attempt: 4, attempts_before_replay: 3 })
  })

  it('leaves out deleted webhooks', async () => {
    const id = await webhook()
    await happen(2)
    await end('failed')
    await begin(testApp.db, (tx) => deleteWebhooks(tx, at(100), [id]))
    expect(await countReplays(testApp.db, choose())).toBe(0)
    expect(await replay(choose())).toEqual([0])
  })

  it('of named deliveries takes any state, but keeps the order of first attempts', async () => {
    const id = await webhook()
    await happen(3)
    const events = (await claim(5)).map((row) => row.event)
    await testApp.db`update webhook_deliveries set attempts = 2, due_at = ${at(9_999)} where event = ${events[0]!}`
    await testApp.db`update webhook_deliveries set state = 'delivered', ended = ${START}, due_at = null, attempts = 1
      where event = ${events[1]!}`
    await begin(testApp.db, (tx) => replayByEvents(tx, at(100), id, events))
    const rows = await claim(101)
    expect(rows.map(({ event, replay, attempt }) => ({ event, replay, attempt }))).toEqual([
      { event: events[2], replay: false, attempt: 1 },
      { event: events[0], replay: true, attempt: 3 },
      { event: events[1], replay: true, attempt: 2 },
    ])
  })

  it('of named deliveries is refused completely if one does not exist', async () => {
    const id = await webhook()
    await happen(1)
    await end('delivered')
    const [{ event } = { event: 0 }] = await listDeliveries(testApp.db, testApp.organization, {}, 1)
    const named = (hook: number, events: number[]) =>
      begin(testApp.db, (tx) => replayByEvents(tx, at(100), hook, events))
    await expect(named(id, [event, 999_999])).rejects.toThrow(NotFound)
    await expect(named(999_999, [event])).rejects.toThrow(NotFound)
    expect(await listDeliveries(testApp.db, testApp.organization, {}, 9)).toMatchObject([{ state: 'delivered' }])
  })
})
