import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimNotifications, type DueNotification, nextDueRetry } from '../../../src/core/events/claims.ts'
import { countOverdue, readDueWork } from '../../../src/core/events/due-work.ts'
import { deleteWebhooks } from '../../../src/core/events/webhooks.ts'
import { begin, beginFrequent } from '../../../src/db/client.ts'
import { at, DAY_S, DELIVERED, done, type Feed, LEASE_S, resultOf, START, startFeed } from './hand-read-feed.ts'

let feed: Feed

beforeAll(async () => {
  feed = await startFeed()
})
beforeEach(() => feed.db`truncate webhooks, webhook_types, webhook_retries, webhook_attempts, events`)
afterAll(() => feed.close())

describe('a claim', () => {
  it('takes a share of the due deliveries of each webhook, in the order of events', async () => {
    const [one, two] = [await feed.webhook(), await feed.webhook()]
    await feed.happen(140)
    const { due, lease } = await feed.claim(200)
    const shares = (some: readonly DueNotification[]) =>
      [one, two].map((id) => some.filter(({ webhook }) => webhook === id).map(({ event }) => event))
    for (const events of shares(due)) {
      expect(events).toHaveLength(32)
      expect(events).toEqual([...events].sort((a, b) => a - b))
    }
    // A webhook whose receiver is quick gets more; a slow one must finish first.
    const more = await feed.claim(201, [lease(one), { ...lease(two), slow: true }])
    expect(shares(more.due).map((events) => events.length)).toEqual([128 - 32, 0])
    const less = await feed.claim(202, [
      { ...lease(one), leased_until: at(0) },
      { ...lease(two), claimed: [], slow: true },
    ])
    expect(shares(less.due).map((events) => events.length)).toEqual([0, 8])
  })

  it('keeps the plans of its statements', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    const times = { now: at(10), real: at(10), lease_end: at(20), renewed_before: at(19) }
    const kept = await beginFrequent(feed.db, async (tx) => {
      await claimNotifications(tx, times, [id], [], 10)
      return tx<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement like '%join events e on%' and generic_plans > 0
          and statement not like '%pg_prepared%'`
    })
    expect(kept).toHaveLength(1)
  })

  it('excludes other processes until its lease is ended or over', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    const mine = await feed.claim(10)
    expect(mine.due).toHaveLength(1)
    expect((await feed.claim(10)).due).toEqual([])
    await feed.happen(1, 20)
    expect((await feed.claim(21, [], 24)).due).toEqual([])

    // The holder gets what came in between, and not what it has.
    const more = await feed.claim(21, [mine.lease(id)], 24)
    expect(more.due).toHaveLength(1)
    expect(more.due[0]!.event).not.toBe(mine.due[0]!.event)

    // It is killed. When its lease is over another process takes all of it.
    expect((await feed.claim(30, [], 24 + LEASE_S - 1)).due).toEqual([])
    expect((await feed.claim(30, [], 24 + LEASE_S)).due).toHaveLength(2)
  })

  it('sends what a killed process has not recorded, and nothing that it has', async () => {
    const id = await feed.webhook()
    await feed.happen(4)
    const killed = await feed.claim(10)
    // It recorded the third alone, so its position stays before the first.
    await feed.record(11, [resultOf(killed.due[2]!, DELIVERED)])
    const next = await feed.claim(10 + LEASE_S)
    expect(next.due.map(({ event }) => event)).toEqual([0, 1, 3].map((index) => killed.due[index]!.event))
    expect(await feed.statesOf(id)).toEqual(['waiting 0', 'waiting 0', 'delivered 1', 'waiting 0'])
  })

  it('reads again what was given back, and nothing that was sent after it', async () => {
    const id = await feed.webhook()
    await feed.happen(3)
    const { due, lease } = await feed.claim(10)
    await feed.record(
      11,
      due.slice(1).map((one) => resultOf(one, DELIVERED)),
    )
    const given_back = { ...lease(id), claimed: [], read_until: due[0]!.event - 1 }
    const again = await feed.claim(12, [given_back])
    expect(again.due.map(({ event }) => event)).toEqual([due[0]!.event])
    await feed.record(13, [resultOf(again.due[0]!, DELIVERED)])
    await feed.happen(1, 20)
    expect((await feed.claim(21, [{ ...again.lease(id), claimed: [] }])).due).toHaveLength(1)
  })

  it('stays in the order of the feed where a clock went back', async () => {
    await feed.webhook()
    for (const at_s of [5, 3, 4]) await feed.happen(1, at_s)
    const { due } = await feed.claim(10)
    expect(due.map(({ event }) => event)).toEqual(due.map(({ event }) => event).toSorted((a, b) => a - b))
    expect(due).toHaveLength(3)
  })

  it('writes its lease once a second, and with it the position of what was sent', async () => {
    const id = await feed.webhook()
    const before = await feed.row(id)
    await feed.happen(1)
    const first = await feed.claim(10)
    const [{ event }] = first.due as [DueNotification]
    expect(await feed.row(id)).toEqual({ position: before.position, leased_until: at(10 + LEASE_S) })
    await feed.record(10, [resultOf(first.due[0]!, DELIVERED)])
    await feed.happen(1, 10)
    const sent = { ...done(first.lease(id)), claimed: [] }
    const second = await feed.claim(10.9, [sent])
    expect(second.due).toHaveLength(1)
    expect(second.readings).toMatchObject([{ leased_until: at(10 + LEASE_S) }])
    expect(await feed.row(id)).toEqual({ position: before.position, leased_until: at(10 + LEASE_S) })
    // Another process must wait for its end, as long as nobody renews it.
    expect((await feed.claim(10 + LEASE_S - 0.1)).due).toEqual([])

    await feed.record(11, [resultOf(second.due[0]!, DELIVERED)])
    await feed.happen(1, 11)
    const third = await feed.claim(12, [
      { ...second.lease(id), leased_until: at(10 + LEASE_S), claimed: [], position: event },
    ])
    expect(third.due).toHaveLength(1)
    expect(await feed.row(id)).toEqual({ position: event, leased_until: at(12 + LEASE_S) })
    // It is killed. The position does not say that the second event was sent; its attempt does.
    const next = await feed.claim(12 + LEASE_S)
    expect(next.due.map((one) => one.event)).toEqual(third.due.map((one) => one.event))
  })

  it('frees the webhook when its lease is ended, but not if the lease was renewed meanwhile', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    const first = await feed.claim(10)
    await feed.happen(1, 20)
    const second = await feed.claim(21, [first.lease(id)])
    await feed.record(22, [resultOf(first.due[0]!, DELIVERED)], [done(first.lease(id))])
    expect((await feed.claim(23)).due).toEqual([])
    await feed.record(24, [resultOf(second.due[0]!, DELIVERED)], [done(second.lease(id))])
    await feed.happen(1, 25)
    expect((await feed.claim(26)).due).toHaveLength(1)
  })

  it('takes a retry when it is due, and not before', async () => {
    const id = await feed.webhook()
    await feed.happen(1)
    const { due, lease } = await feed.claim(1)
    await feed.record(1, [resultOf(due[0]!, { health_change: 'failing' })], [done(lease(id))])
    const due_at = await nextDueRetry(feed.db, at(1))
    const due_s = (due_at!.getTime() - START.getTime()) / 1_000
    expect(due_s).toBeGreaterThanOrEqual(11)
    expect((await feed.claim(due_s - 0.001)).due).toEqual([])
    expect((await feed.claim(due_s)).due).toMatchObject([{ attempt: 2 }])
  })
})

describe('a webhook that has failed for a day', () => {
  async function failing(count: number) {
    const id = await feed.webhook()
    await feed.happen(count)
    const { due, lease } = await feed.claim(200)
    await feed.record(
      100,
      due.map((one) => resultOf(one, { health_change: 'failing' })),
      [done(lease(id))],
    )
    return id
  }

  it('gets its oldest delivery and no other', async () => {
    await failing(3)
    expect((await feed.claim(DAY_S + 99)).due).toHaveLength(3)
    const probe = await feed.claim(DAY_S + 100, [], DAY_S * 2)
    expect(probe.due).toHaveLength(1)
    expect((await feed.claim(DAY_S + 100, [probe.lease(probe.due[0]!.webhook)], DAY_S * 2)).due).toEqual([])
  })

  it('does not block the sandbox clock with its other deliveries', async () => {
    // Other work falls due by itself, too.
    const times = [200, DAY_S * 2, DAY_S * 3]
    const others = new Map(
      await Promise.all(times.map(async (at_s) => [at_s, await countOverdue(feed.db, at(at_s))] as const)),
    )
    const id = await failing(3)
    const overdue = async (at_s: number) => {
      const work = await readDueWork(feed.db)
      const mine = work.filter(
        ({ table, due_at }) => ['events', 'webhook_retries'].includes(table) && due_at <= at(at_s),
      )
      const count = (await countOverdue(feed.db, at(at_s))) - others.get(at_s)!
      expect(mine.length > 0).toBe(count > 0)
      return count
    }
    expect(await overdue(200)).toBe(3)
    // They fail on, until the day is over.
    for (const at_s of [200, 1_000, 10_000, 50_000, 86_000]) {
      const { due, lease } = await feed.claim(at_s)
      await feed.record(
        at_s,
        due.map((one) => resultOf(one)),
        [done(lease(id))],
      )
    }
    await feed.happen(1, DAY_S + 200)
    expect(await overdue(DAY_S * 2)).toBe(1)
    const { due, lease } = await feed.claim(DAY_S * 2)
    await feed.record(DAY_S * 2, [resultOf(due[0]!)], [done(lease(id))])
    expect(await overdue(DAY_S * 2)).toBe(0)
    expect(await overdue(DAY_S * 3)).toBe(1)
  })

  it('does not block the clock after it was deleted', async () => {
    const id = await failing(2)
    await feed.happen(1, DAY_S)
    await begin(feed.db, (tx) => deleteWebhooks(tx, at(DAY_S), [id]))
    const waits = (await readDueWork(feed.db)).filter(({ table }) => ['events', 'webhook_retries'].includes(table))
    expect(waits).toEqual([])
  })

  it('gets all deliveries after one succeeds', async () => {
    const id = await failing(3)
    const { due, lease } = await feed.claim(DAY_S + 100)
    await feed.record(DAY_S + 101, [resultOf(due[0]!, { ...DELIVERED, health_change: 'recovered' })], [done(lease(id))])
    expect((await feed.claim(DAY_S + 102)).due).toHaveLength(2)
  })
})
