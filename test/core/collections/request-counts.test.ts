import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { requestStatuses } from '../../../src/core/collections/collection-request.ts'
import {
  checkRequestCounts,
  insertRequestCounts,
  readRequestCounts,
  requestCountQuery,
  tryUpdateRequestCounts,
  updateRequestCounts,
} from '../../../src/core/collections/request-counts.ts'
import { createCollectionRequests } from '../../../src/core/collections/requests.ts'
import { reserveEvents } from '../../../src/core/events/events.ts'
import { begin, type Reader } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { sql } from '../../../src/db/sql.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
afterEach(() => shop.clear())

/** The kept counts and the counts of the table, in total and by status. */
async function bothCounts(db: Reader) {
  const counts = [undefined, ...requestStatuses].map(async (status) => {
    const [row] = await db<{ kept: number; counted: number }[]>`
      select ${requestCountQuery(shop.organization, status)} as kept, (select count(*) from collection_requests
        where organization = ${shop.organization} and ${status ? sql`status = ${status}` : sql.always}) as counted`
    return [status ?? 'all', row!] as const
  })
  const all = await Promise.all(counts)
  const pick = (column: 'kept' | 'counted') => Object.fromEntries(all.map(([name, row]) => [name, row[column]]))
  return { kept: pick('kept'), counted: pick('counted') }
}

/** The stored counts that are not zero, without what the feed adds. */
async function keptCounts() {
  const rows = await shop.db<{ status: string; count: number }[]>`
    select status, count from collection_request_counts where organization = ${shop.organization} and count <> 0`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

async function position() {
  const [row] = await shop.db`select event, collection_request from collection_request_count_position`
  return row
}

/** The versions of the rows of the counts: a row that is written gets another one. */
async function versions() {
  const rows = await shop.db<{ row: string }[]>`
    select ctid::text || ' ' || xmin::text as row from collection_request_counts
    union all select ctid::text || ' ' || xmin::text from collection_request_count_position`
  return rows.map(({ row }) => row).sort()
}

async function expectExact(db: Reader = shop.db) {
  const { kept, counted } = await bothCounts(db)
  expect(kept).toEqual(counted)
  return kept
}

describe('the counts of requests', () => {
  it('follow every request from its creation to its end', async () => {
    expect(await expectExact()).toMatchObject({ all: 0 })
    await shop.createRequest()
    await shop.createRequest({ phonenumber: '+80000000004' })
    expect(await expectExact()).toMatchObject({ all: 2, pending: 2 })
    const paid = shop.paymentReport()
    await shop.ingest(paid)
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
    await shop.ingest({ ...paid, status: 'reversed' })
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 0, reversed: 1 })
  })

  it('stay the same when they are updated, and then have one row per status', async () => {
    for (let count = 0; count < 5; count += 1) await shop.createRequest()
    await shop.ingest(shop.paymentReport(), shop.paymentReport())
    const before = await expectExact()
    await begin(shop.db, updateRequestCounts)
    await begin(shop.db, updateRequestCounts)
    expect(await expectExact()).toEqual(before)
    expect(await keptCounts()).toEqual({ pending: 3, successful: 2 })
    const written = await versions()
    await begin(shop.db, updateRequestCounts)
    expect(await versions()).toEqual(written)
  })

  it('cost a change of a request no row', async () => {
    const { id } = await shop.createRequest()
    await begin(shop.db, updateRequestCounts)
    const before = await versions()
    await shop.createRequest()
    await shop.ingest(shop.paymentReport())
    expect(await versions()).toEqual(before)
    expect((await shop.request(id)).status).toBe('successful')
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
  })

  it('do not count a write that is rolled back', async () => {
    await shop.createRequest()
    const rolledBack = begin(shop.db, async (tx) => {
      await createCollectionRequests(tx, shop.now(), [shop.requestInput()])
      throw new Error('This transaction fails.')
    })
    await expect(rolledBack).rejects.toThrow()
    expect(await expectExact()).toMatchObject({ all: 1 })
    await begin(shop.db, updateRequestCounts)
    expect(await expectExact()).toMatchObject({ all: 1 })
  })

  it('wait for a transaction that has drawn smaller ids, and count it when it has ended', async () => {
    await begin(shop.db, updateRequestCounts)
    const before = await position()
    const made = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const slow = begin(shop.db, async (tx) => {
      await createCollectionRequests(tx, shop.now(), [shop.requestInput()])
      await reserveEvents(tx, 1)
      made.resolve()
      await end.promise
    })
    await made.promise
    await shop.createRequest({ phonenumber: '+80000000004' })
    await shop.ingest(shop.paymentReport({ phonenumber: '+80000000004' }))
    await begin(shop.db, updateRequestCounts)
    expect(await position()).toEqual(before)
    expect(await expectExact()).toMatchObject({ all: 1, successful: 1 })
    end.resolve()
    await slow
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
    await begin(shop.db, updateRequestCounts)
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
    expect(await keptCounts()).toEqual({ pending: 1, successful: 1 })
  })

  it('stay exact for a reader whose snapshot is older than an update', async () => {
    await shop.createRequest()
    await withSnapshot(shop.db, async (tx) => {
      expect(await expectExact(tx)).toMatchObject({ all: 1, pending: 1 })
      await shop.ingest(shop.paymentReport())
      await shop.createRequest()
      await begin(shop.db, updateRequestCounts)
      expect(await expectExact(tx)).toMatchObject({ all: 1, pending: 1 })
    })
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
  })

  it('are updated by one transaction at a time, and the job does not wait for it', async () => {
    await shop.createRequest()
    const before = await position()
    await begin(shop.db, async (tx) => {
      await updateRequestCounts(tx)
      await begin(shop.db, tryUpdateRequestCounts)
      expect(await position()).toEqual(before)
    })
    expect(await position()).not.toEqual(before)
    expect(await expectExact()).toMatchObject({ all: 1 })
  })

  it('come with an organization to a new cell, and are not counted again', async () => {
    await shop.createRequest({ phonenumber: '+80000000004' })
    await shop.createRequest()
    await shop.ingest(shop.paymentReport())
    await begin(shop.db, async (tx) => {
      const counts = await readRequestCounts(tx, shop.organization)
      await tx`delete from collection_request_count_position`
      await insertRequestCounts(tx, shop.organization, counts)
    })
    expect(await expectExact()).toMatchObject({ all: 2, pending: 1, successful: 1 })
    await shop.createRequest()
    expect(await expectExact()).toMatchObject({ all: 3, pending: 2, successful: 1 })
    await begin(shop.db, updateRequestCounts)
    expect(await expectExact()).toMatchObject({ all: 3, pending: 2, successful: 1 })
  })

  it('name what is wrong', async () => {
    expect(await checkRequestCounts(shop.db)).toEqual([])
    await shop.createRequest()
    expect(await checkRequestCounts(shop.db)).toEqual([])
    await begin(shop.db, updateRequestCounts)
    expect(await checkRequestCounts(shop.db)).toEqual([])
    await shop.db`update collection_request_counts set count = 3`
    expect(await checkRequestCounts(shop.db)).toEqual([
      `Organization ${shop.organization} has 1 requests that are pending, and 3 are counted.`,
    ])
  })

  it('are exact in every snapshot during concurrent writes, updates and failures', async () => {
    const action = fc.constantFrom('create' as const, 'pay' as const, 'update' as const, 'fail' as const)
    const actionsOfWriter = fc.array(action, { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(actionsOfWriter, { minLength: 3, maxLength: 3 }), async (writers) => {
        let writing = true
        const check = async () => {
          while (writing) await withSnapshot(shop.db, (tx) => expectExact(tx))
        }
        const write = async (actions: readonly string[]) => {
          for (const name of actions) {
            if (name === 'create') await shop.createRequest()
            else if (name === 'fail') await shop.createRequest({ currency: 'KES', account: 99_999 }).catch(() => {})
            // The service repeats a payment after a write conflict. This test leaves it out.
            else if (name === 'pay') await shop.ingest(shop.paymentReport()).catch(() => {})
            else await begin(shop.db, tryUpdateRequestCounts)
          }
        }
        const written = Promise.all(writers.map(write)).finally(() => {
          writing = false
        })
        await Promise.all([written, check()])
        await expectExact()
      }),
      { numRuns: 12 },
    )
  })
})
