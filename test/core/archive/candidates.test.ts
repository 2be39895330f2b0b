import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCandidates, START } from '../../../src/core/archive/candidates.ts'
import { archiveKinds, kindRules } from '../../../src/core/archive/kinds.ts'
import { recordOrdersArchived, recordRequestsArchived } from '../../../src/core/archive/last-run.ts'
import { listOverdue } from '../../../src/core/archive/overdue.ts'
import type { Reader, Row } from '../../../src/db/client.ts'
import { begin } from '../../../src/db/client.ts'
import type { Value } from '../../../src/db/sql.ts'
import { openShop, type Shop } from '../shop.ts'

const ROWS = 4_000
let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.createRequest()
  const { db } = shop
  const columns = await db<{ name: string }[]>`
    select attname::text as name from pg_attribute where attrelid = 'collection_requests'::regclass and attnum > 0
      and not attisdropped and attgenerated = '' and attname not in ('id', 'created', 'modified', 'status')`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await db`
    insert into audit_log (organization, action, details, created)
    select ${shop.organization}, 'sign in', '{}', timestamptz '2015-01-01' + g * interval '1 hour' from generate_series(1, ${ROWS}) g`
  await db.unsafe(`
    insert into collection_requests (${names}, created, modified, status)
    select ${names}, t, t, 'failed' from collection_requests,
      (select timestamptz '2015-01-01' + g * interval '1 hour' as t from generate_series(1, ${ROWS}) g) times;
    insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at)
    select ${shop.organization}, 'message', '+80000000001', 'x', 'sent', modified, modified from collection_requests;
    insert into network_orders (reference, kind, collection_request, connection, organization, attempt, receiver, phonenumber, amount, currency,
      reason, state, created, closed, answers)
    select 'R' || id, 'charge', id, 'sandbox', organization, 1, 'x', 'x', 1, 'BXC', '', 'failed', modified, modified,
      '[[1,1420070400000,"reply","unknown"],[2,1420070405000,"status","failed"]]'
    from collection_requests;
    insert into collection_request_counts values (${shop.organization}, 'failed', ${ROWS}), (${shop.organization}, 'pending', -${ROWS});
    analyze`)
})
afterAll(() => shop.close())

/** A reader that also keeps how PostgreSQL runs each statement. */
function explaining(plans: string[]): Reader {
  const read = async (texts: TemplateStringsArray, ...values: Value[]) => {
    const explained = [`explain ${texts[0]}`, ...texts.slice(1)] as unknown as TemplateStringsArray
    const plan = await shop.db<Row[]>(explained, ...values)
    plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
    return shop.db<Row[]>(texts, ...values)
  }
  return Object.assign(read, { unsafe: shop.db.unsafe }) as Reader
}

describe('a search for what is old', () => {
  it.each(archiveKinds)('finds %s by indexes, the oldest first, each once', async (kind) => {
    const before = new Date('2015-03-01T00:00:00Z')
    const plans: string[] = []
    const found: number[] = []
    let position: typeof START | null = { ...START, organization: shop.organization }
    while (position) {
      const page = await findCandidates(explaining(plans), kind, before, position, 500)
      found.push(...page.candidates.map(({ id }) => id))
      for (const { created } of page.candidates) expect(created.getTime()).toBeLessThan(before.getTime())
      position = page.next
    }
    expect(new Set(found).size).toBe(found.length)
    expect(found.length).toBe(59 * 24 - 1)
    for (const plan of plans)
      expect(plan).not.toMatch(/Seq Scan on (collection_requests|sms_messages|network_order|audit)/)
  })
})

describe('what should have left', () => {
  const DAY_MS = 24 * 3_600_000
  const FIRST = new Date('2015-01-01T01:00:00Z')
  const config = Object.fromEntries(archiveKinds.map((kind, index) => [kindRules[kind].retention, 400 + index])) as {
    [setting in (typeof kindRules)['sms']['retention']]: number
  }
  /** Return the overdue subjects of a day, by kind. */
  async function overdueOn(now: Date, db: Reader = shop.db) {
    const found = await listOverdue(db, { now, real: now, config })
    return Object.fromEntries(found.map(({ kind, overdue_ms }) => [kind, overdue_ms / DAY_MS]))
  }
  // The request that the others are copies of is open, and the first as everywhere.
  beforeAll(
    () =>
      shop.db`update collection_requests set created = ${FIRST}::timestamptz - interval '1 day' where status = 'pending'`,
  )
  const NOTHING = { requests: 0, orders: 0, sms: 0, audit: 0 }
  const now = new Date(FIRST.getTime() + 500 * DAY_MS)

  it('is told by kind with its age beyond its setting, and read by the beginning of an index', async () => {
    expect(await overdueOn(new Date(FIRST.getTime() + 400 * DAY_MS))).toEqual(NOTHING)
    const plans: string[] = []
    expect(await overdueOn(now, explaining(plans))).toEqual({ requests: 100, orders: 99, sms: 98, audit: 97 })
    expect(plans.join('\n')).not.toMatch(/Seq Scan on (collection_requests|sms_messages|network_order|audit)/)
  })

  it('is found behind rows that stay for a reason', async () => {
    const { db } = shop
    await db`update sms_messages set due_at = now(), state = 'waiting' where created < ${FIRST}::timestamptz + interval '24 hours'`
    await db`update collection_requests set status = 'instructions_sent' where created < ${FIRST}::timestamptz + interval '48 hours'`
    expect(await overdueOn(now)).toMatchObject({ requests: 98, sms: 97 })
  })

  it('is counted from the end of the last run for requests, because paid ones stay', async () => {
    const until = new Date(FIRST.getTime() + 30 * DAY_MS)
    await shop.db`update collection_requests set archived = 1 where created < ${until}`
    expect(await overdueOn(now)).toMatchObject({ requests: 0 })
    await begin(shop.db, (tx) => recordRequestsArchived(tx, until))
    expect(await overdueOn(now)).toMatchObject({ requests: 70 })
  })

  it('is counted from the last order that a run has looked at, because orders stay without their answers', async () => {
    const { db } = shop
    const until = new Date(FIRST.getTime() + 30 * DAY_MS)
    const [last] = await db<{ id: number }[]>`select max(id) as id from network_orders where created < ${until}`
    await db`update network_orders set answers = '[]' where id <= ${last!.id}`
    expect(await overdueOn(now)).toMatchObject({ orders: 0 })
    await begin(db, (tx) => recordOrdersArchived(tx, last!.id))
    expect(await overdueOn(now)).toMatchObject({ orders: 69 })
  })
})
