import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AttemptResult,
  claimDeliveries,
  type DueDelivery,
  mayHaveDueDeliveries,
  nextDeliveryAttemptAt,
  nextDueDelivery,
  recordAttempts,
  type WebhookLease,
} from '../../../src/core/events/attempts.ts'
import { listAttempts, listDeliveries } from '../../../src/core/events/deliveries.ts'
import { countOverdue, readDueWork } from '../../../src/core/events/due-work.ts'
import { recordEvents } from '../../../src/core/events/events.ts'
import { createWebhook } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const START = new Date('2030-01-15T12:00:00Z')
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000)
const LEASE_S = 15
const DAY_S = 24 * 60 * 60

let testApp: TestApp
let owner: number

beforeAll(async () => {
  testApp = await buildTestApp()
  const [row] = await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`
  owner = row!.id
})
beforeEach(() => testApp.db`truncate webhooks, webhook_deliveries, webhook_attempts, events`)
afterAll(() => testApp.close())

async function webhook(): Promise<number> {
  const { organization } = testApp
  const input = { organization, user: owner, event: 'contact.created', target: 'https://shop.example/' }
  return (await begin(testApp.db, (tx) => createWebhook(tx, START, input, 'ab'.repeat(32)))).id
}

/** So many events, a second apart, each in a transaction of its own. */
async function happen(count: number, at_s = 0): Promise<void> {
  const { organization } = testApp
  for (let number = 0; number < count; number += 1)
    await begin(testApp.db, (tx) =>
      recordEvents(tx, at(at_s + number), [{ organization, type: 'contact.created', data: {}, author: 1 }]),
    )
}

/** What a process claims when both clocks show this, and the hold that it then has. */
async function claim(at_s: number, holds: WebhookLease[] = [], real_s = at_s) {
  const lease_end = at(real_s + LEASE_S)
  const times = { now: at(at_s), real: at(real_s), lease_end }
  const rows = await begin(testApp.db, (tx) => claimDeliveries(tx, times, holds, 1_000))
  const hold = (id: number): WebhookLease => ({
    webhook: id,
    leased_until: lease_end,
    claimed: rows.filter((row) => row.webhook === id).map((row) => row.event),
    slow: false,
  })
  return { rows, hold }
}

function result(delivery: DueDelivery, changes: Partial<AttemptResult> = {}): AttemptResult {
  const { webhook, event, attempt, attempts_before_replay, replay } = delivery
  const nothing = { remote_address: null, response_headers: null, response_body: null, retry_after_s: null }
  const named = { webhook, event, attempt, attempts_before_replay, replay }
  const made = { ...named, at: START, duration_ms: 1, request_headers: {}, ...nothing }
  return { ...made, status: 500, failure: 'status', ...changes }
}

const record = (
  at_s: number,
  results: AttemptResult[],
  releases: Pick<WebhookLease, 'webhook' | 'leased_until'>[] = [],
) => begin(testApp.db, (tx) => recordAttempts(tx, at(at_s), results, releases))

const statesOf = async (id: number) =>
  (await listDeliveries(testApp.db, testApp.organization, { webhook: id }, 100))
    .reverse()
    .map((row) => `${row.state} ${row.attempts}`)

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
    const wait_s = (wish: number) => (nextDeliveryAttemptAt(START, 1, wish, 0)!.getTime() - START.getTime()) / 1_000
    expect([5, 11, 28_800, 1_000_000].map(wait_s)).toEqual([10, 11, 28_800, 28_800])
  })
})

describe('a claim', () => {
  it('takes a share of the due deliveries of each webhook, in the order of events', async () => {
    const [one, two] = [await webhook(), await webhook()]
    await happen(140)
    const { rows, hold } = await claim(200)
    const shares = (some: DueDelivery[]) =>
      [one, two].map((id) => some.filter((row) => row.webhook === id).map((row) => row.event))
    for (const events of shares(rows)) {
      expect(events).toHaveLength(32)
      expect(events).toEqual([...events].sort((a, b) => a - b))
    }
    // Whose receiver turns out to be quick gets more; whose receiver is slow has to end what it has first.
    const more = await claim(201, [hold(one), { ...hold(two), slow: true }])
    expect(shares(more.rows).map((events) => events.length)).toEqual([128 - 32, 0])
    const less = await claim(202, [
      { ...hold(one), leased_until: at(0) },
      { ...hold(two), claimed: [], slow: true },
    ])
    expect(shares(less.rows).map((events) => events.length)).toEqual([0, 8])
  })

  it('excludes other processes until it is released or its lease ends', async () => {
    const id = await webhook()
    await happen(1)
    const mine = await claim(10)
    expect(mine.rows).toHaveLength(1)
    expect((await claim(10)).rows).toEqual([])
    await happen(1, 20)
    expect((await claim(21, [], 24)).rows).toEqual([])

    // The holder gets what came in between, and not what it has.
    const more = await claim(21, [mine.hold(id)], 24)
    expect(more.rows).toHaveLength(1)
    expect(more.rows[0]!.event).not.toBe(mine.rows[0]!.event)

    // It is killed. When its lease is over another process takes all of it.
    expect((await claim(30, [], 24 + LEASE_S - 1)).rows).toEqual([])
    expect((await claim(30, [], 24 + LEASE_S)).rows).toHaveLength(2)
  })

  it('claims nothing of webhooks of which the process has enough', async () => {
    const [supplied, other] = [await webhook(), await webhook()]
    await happen(2)
    const times = { now: at(5), real: at(5), lease_end: at(5 + LEASE_S) }
    const rows = await begin(testApp.db, (tx) => claimDeliveries(tx, times, [], 1_000, [supplied]))
    expect(rows.map((row) => row.webhook)).toEqual([other, other])
    expect(await mayHaveDueDeliveries(testApp.db, at(5), [supplied, other])).toBe(false)
    expect(await mayHaveDueDeliveries(testApp.db, at(5), [other])).toBe(true)
  })

  it('frees the webhook when its lease is released, but not if the lease was renewed meanwhile', async () => {
    const id = await webhook()
    await happen(1)
    const first = await claim(10)
    await happen(1, 20)
    const second = await claim(21, [first.hold(id)])
    await record(22, [result(first.rows[0]!, { failure: null, status: 200 })], [first.hold(id)])
    expect((await claim(23)).rows).toEqual([])
    await record(24, [result(second.rows[0]!, { failure: null, status: 200 })], [second.hold(id)])
    await happen(1, 25)
    expect((await claim(26)).rows).toHaveLength(1)
  })

  it('takes a retry when it is due, and not before', async () => {
    const id = await webhook()
    await happen(1)
    const { rows, hold } = await claim(1)
    await record(1, [result(rows[0]!, { health_change: 'failing' })], [hold(id)])
    const due_at = await nextDueDelivery(testApp.db, at(1))
    const due_s = (due_at!.getTime() - START.getTime()) / 1_000
    expect(due_s).toBeGreaterThanOrEqual(11)
    expect((await claim(due_s - 0.001)).rows).toEqual([])
    expect((await claim(due_s)).rows).toMatchObject([{ attempt: 2, failing: true }])
  })
})

describe('a webhook that has failed for a day', () => {
  async function failing(count: number) {
    const id = await webhook()
    await happen(count)
    const { rows, hold } = await claim(200)
    await record(
      100,
      rows.map((row) => result(row, { health_change: 'failing' })),
      [hold(id)],
    )
    return id
  }

  it('gets its oldest delivery and no other', async () => {
    await failing(3)
    expect((await claim(DAY_S + 99)).rows).toHaveLength(3)
    const probe = await claim(DAY_S + 100, [], DAY_S * 2)
    expect(probe.rows).toHaveLength(1)
    expect((await claim(DAY_S + 100, [probe.hold(probe.rows[0]!.webhook)], DAY_S * 2)).rows).toEqual([])
  })

  it('does not block the sandbox clock with its other deliveries', async () => {
    // Other work falls due by itself, too.
    const times = [200, DAY_S * 2, DAY_S * 3]
    const others = new Map(
      await Promise.all(times.map(async (at_s) => [at_s, await countOverdue(testApp.db, at(at_s))] as const)),
    )
    const id = await failing(3)
    const overdue = async (at_s: number) => {
      const work = await readDueWork(testApp.db)
      const [mine] = work.filter(({ table }) => table === 'webhook_deliveries')
      const count = (await countOverdue(testApp.db, at(at_s))) - others.get(at_s)!
      expect(mine !== undefined && mine.due_at <= at(at_s)).toBe(count > 0)
      return count
    }
    expect(await overdue(200)).toBe(3)
    // They fail on, until the day is over.
    for (const at_s of [200, 1_000, 10_000, 50_000, 86_000]) {
      const { rows, hold } = await claim(at_s)
      await record(
        at_s,
        rows.map((row) => result(row)),
        [hold(id)],
      )
    }
    await happen(1, DAY_S + 200)
    expect(await overdue(DAY_S * 2)).toBe(1)
    const { rows, hold } = await claim(DAY_S * 2)
    await record(DAY_S * 2, [result(rows[0]!)], [hold(id)])
    expect(await overdue(DAY_S * 2)).toBe(0)
    expect(await overdue(DAY_S * 3)).toBe(1)
  })

  it('does not block the clock with a delivery that was queued while it was deleted', async () => {
    const id = await failing(2)
    const waits = async () => (await readDueWork(testApp.db)).some(({ table }) => table === 'webhook_deliveries')
    expect(await waits()).toBe(true)
    const overdue = await countOverdue(testApp.db, at(DAY_S * 9))
    // The transaction that deletes a webhook cannot cancel what another one is about to commit.
    await testApp.db`update webhooks set deleted = ${at(300)} where id = ${id}`
    expect(await waits()).toBe(false)
    expect(await countOverdue(testApp.db, at(DAY_S * 9))).toBe(overdue - 2)
  })

  it('gets all deliveries after one succeeds', async () => {
    const id = await failing(3)
    const { rows, hold } = await claim(DAY_S + 100)
    await record(
      DAY_S + 101,
      [result(rows[0]!, { failure: null, status: 200, health_change: 'recovered' })],
      [hold(id)],
    )
    expect((await claim(DAY_S + 102)).rows).toHaveLength(2)
  })
})

describe('the record of an attempt', () => {
  it('is stored but does not change the delivery if another process made the same attempt', async () => {
    const id = await webhook()
    await happen(1)
    const slow = await claim(1)
    const quick = await claim(1, [], 100)
    await record(2, [result(quick.rows[0]!, { failure: null, status: 200 })])
    await record(3, [result(slow.rows[0]!)])
    expect(await statesOf(id)).toEqual(['delivered 1'])
    expect(await listAttempts(testApp.db, id, slow.rows[0]!.event)).toMatchObject([
      { attempt: 1, status: 200 },
      { attempt: 1, status: 500 },
    ])
  })

  it('ends the delivery after ten attempts, and after 410 the webhook and its waiting deliveries', async () => {
    const id = await webhook()
    await happen(3)
    const { rows } = await claim(10)
    await testApp.db`update webhook_deliveries set attempts = 9 where event = ${rows[0]!.event}`
    await record(10, [result({ ...rows[0]!, attempt: 10 })])
    expect(await statesOf(id)).toEqual(['failed 10', 'waiting 0', 'waiting 0'])
    await record(11, [result(rows[1]!, { status: 410 })])
    expect(await statesOf(id)).toEqual(['failed 10', 'failed 1', 'cancelled 0'])
    expect((await claim(100_000)).rows).toEqual([])
  })
})

describe('the look for due deliveries', () => {
  it('reads one of them, however many wait', async () => {
    const id = await webhook()
    await happen(1)
    await testApp.db`
      insert into webhook_deliveries_waiting (webhook, event, body, state, created, due_at)
      select ${id}, number, '{}', 'waiting', ${START}, ${START} from generate_series(1000, 2999) as number`
    const { found, read } = await begin(testApp.db, async (tx) => {
      // The figures of this connection, which earlier transactions may have begun.
      const readSoFar = async () => {
        const [row] = await tx<{ read: number }[]>`
          select pg_stat_get_xact_tuples_returned('webhook_deliveries_waiting_first'::regclass)
            + pg_stat_get_xact_tuples_returned('webhook_deliveries_waiting'::regclass) as read`
        return row!.read
      }
      const before = await readSoFar()
      const found = await mayHaveDueDeliveries(tx, at(0))
      return { found, read: (await readSoFar()) - before }
    })
    expect(found).toBe(true)
    expect(read).toBeLessThan(10)
  })
})
