import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AttemptResult } from '../../../src/core/events/attempts.ts'
import { listDeliveries } from '../../../src/core/events/deliveries.ts'
import {
  countReplays,
  type ReplayCursor,
  type ReplayFilters,
  replayByEvents,
  replayDeliveries,
} from '../../../src/core/events/replays.ts'
import { deleteWebhooks } from '../../../src/core/events/webhooks.ts'
import { NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { at, DELIVERED, done, type Feed, resultOf, startFeed } from './hand-read-feed.ts'

let feed: Feed

beforeAll(async () => {
  feed = await startFeed()
})
beforeEach(() => feed.db`truncate webhooks, webhook_types, webhook_retries, webhook_attempts, events`)
afterAll(() => feed.close())

let next_claim_s = 20_000

/** All that waits fails for good, or arrives. */
async function end(changes: Partial<AttemptResult> = { attempts_before_replay: -10 }): Promise<void> {
  next_claim_s += 100
  const { due, readings, lease } = await feed.claim(next_claim_s)
  await feed.record(
    60,
    due.map((one) => resultOf(one, changes)),
    readings.map(({ webhook }) => done(lease(webhook))),
  )
}

const choose = (changes: Partial<ReplayFilters> = {}): ReplayFilters => ({
  organization: feed.organization,
  ...changes,
})

/** Replay all chosen deliveries in chunks. Returns the size of each chunk. */
async function replay(choice: ReplayFilters, limit = 1_000): Promise<number[]> {
  const counts: number[] = []
  for (let after: ReplayCursor | null | undefined; after !== null; ) {
    const { count, next } = await begin(feed.db, (tx) =>
      replayDeliveries(tx, at(10_000), choice, limit, after ?? undefined),
    )
    counts.push(count)
    after = next
    // A receiver that fails at once must not be replayed to for ever.
    await end()
  }
  return counts
}

describe('a replay', () => {
  it('replays all chosen deliveries in chunks, and each only once', async () => {
    const [one, two] = [await feed.webhook(), await feed.webhook()]
    await feed.happen(5)
    await end()
    expect(await countReplays(feed.db, choose({ failed: true }))).toBe(10)
    expect(await replay(choose({ failed: true }), 3)).toEqual([3, 3, 3, 1])
    expect(await replay(choose({ webhook: two }), 5)).toEqual([5, 0])
    expect(await replay(choose({ webhook: one, organization: feed.organization + 1 }))).toEqual([0])
  })

  it('chooses the events from one time until before another', async () => {
    const id = await feed.webhook()
    await feed.happen(10)
    await end(DELIVERED)
    const span = choose({ webhook: id, since: at(2), until: at(5) })
    expect(await countReplays(feed.db, span)).toBe(3)
    await begin(feed.db, (tx) => replayDeliveries(tx, at(100), span, 100))
    const back = await listDeliveries(feed.db, feed.organization, { state: 'waiting' }, 100)
    expect(back.map((row) => row.created)).toEqual([at(4), at(3), at(2)])
    expect(back[0]).toMatchObject({ attempts: 1, replayed: at(100), due_at: at(100) })
    expect(await countReplays(feed.db, choose({ failed: true }))).toBe(0)
  })

  it('sends the same body with the same id and ten more attempts, after all first attempts', async () => {
    const id = await feed.webhook()
    await feed.happen(3)
    const before = await feed.claim(1)
    await end()
    await feed.happen(2, 200)
    await begin(feed.db, (tx) => replayDeliveries(tx, at(150), choose({ webhook: id }), 100))
    const { due } = await feed.claim(300, [], next_claim_s + 100)
    expect(due.map(({ replayed }) => replayed)).toEqual([null, null, at(150), at(150), at(150)])
    expect(due.slice(2).map(({ body, token, event }) => ({ body, token, event }))).toEqual(
      before.due.map(({ body, token, event }) => ({ body, token, event })),
    )
    expect(due[2]).toMatchObject({ attempt: 2, attempts_before_replay: 1 })
  })

  it('leaves out deleted webhooks', async () => {
    const id = await feed.webhook()
    await feed.happen(2)
    await end()
    await begin(feed.db, (tx) => deleteWebhooks(tx, at(100), [id]))
    expect(await countReplays(feed.db, choose())).toBe(0)
    expect(await replay(choose())).toEqual([0])
  })

  it('of named deliveries takes any state, but keeps the order of first attempts', async () => {
    const id = await feed.webhook()
    await feed.happen(3)
    const { due } = await feed.claim(5)
    const events = due.map(({ event }) => event)
    await feed.record(6, [resultOf(due[0]!), resultOf(due[1]!, DELIVERED)])
    await begin(feed.db, (tx) => replayByEvents(tx, at(100), id, events))
    const again = await feed.claim(101)
    expect(again.due.map(({ event, replayed, attempt }) => ({ event, replayed, attempt }))).toEqual([
      { event: events[2], replayed: null, attempt: 1 },
      { event: events[0], replayed: at(100), attempt: 2 },
      { event: events[1], replayed: at(100), attempt: 2 },
    ])
  })

  it('of named deliveries is refused completely if one does not exist', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    await end(DELIVERED)
    const [{ event } = { event: 0 }] = await listDeliveries(feed.db, feed.organization, {}, 1)
    const named = (hook: number, events: number[]) => begin(feed.db, (tx) => replayByEvents(tx, at(100), hook, events))
    await expect(named(id, [event, 999_999])).rejects.toThrow(NotFound)
    await expect(named(999_999, [event])).rejects.toThrow(NotFound)
    expect(await listDeliveries(feed.db, feed.organization, {}, 9)).toMatchObject([{ state: 'delivered' }])
  })
})
