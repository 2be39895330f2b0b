import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCandidates, findFirstCandidate, START } from '../../../src/core/archive/candidates.ts'
import { archiveKinds } from '../../../src/core/archive/kinds.ts'
import type { Reader, Row } from '../../../src/db/client.ts'
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
      and not attisdropped and attname not in ('id', 'created', 'modified', 'status', 'due_at')`
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
      reason, state, created, closed)
    select 'R' || id, 'charge', id, 'sandbox', organization, 1, 'x', 'x', 1, 'BXC', '', 'failed', modified, modified
    from collection_requests;
    insert into network_order_answers (network_order, at, source, outcome)
    select id, created, 'reply', 'failed' from network_orders, generate_series(1, 2);
    insert into collection_request_count_changes values (${shop.organization}, 'failed', ${ROWS});
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
    expect(await findFirstCandidate(shop.db, kind, before)).toMatchObject({ created: new Date('2015-01-01T01:00:00Z') })
    expect(await findFirstCandidate(shop.db, kind, new Date('2014-01-01'))).toBeUndefined()
  })
})
