import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { requestStatuses } from '../../../src/core/collections/collection-request.ts'
import { mergeCountChanges, requestCountQuery } from '../../../src/core/collections/request-counts.ts'
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

/** What is kept counted beside what a look at every request counts, in all and by status. */
async function bothCounts(db: Reader) {
  const counts = [undefined, ...requestStatuses].map(async (status) => {
    const [row] = await db<{ kept: number; counted: number }[]>`
      select ${requestCountQuery(shop.organization, status)} as kept, (select count(*) from collection_requests
        where organization = ${shop.organization} and ${status ? sql`status = ${status}` : sql.always}) as counted`
    return [status ?? 'all', row!] as const
  })
  const all = await Promise.all(counts)
  const pick = (which: 'kept' | 'counted') => Object.fromEntries(all.map(([name, row]) => [name, row[which]]))
  return { kept: pick('kept'), counted: pick('counted') }
}

async function expectExact(db: Reader = shop.db) {
  const { kept, counted } = await bothCounts(db)
  expect(kept).toEqual(counted)
  return kept
}

describe('the counts of requests', () => {
  it('follow every request from its making to its end', async () => {
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

  it('are the same before and after they are folded, and folding leaves one row for each', async () => {
    for (let made = 0; made < 5; made += 1) await shop.createRequest()
    await shop.ingest(shop.paymentReport(), shop.paymentReport())
    const before = await expectExact()
    await begin(shop.db, mergeCountChanges)
    await begin(shop.db, mergeCountChanges)
    expect(await expectExact()).toEqual(before)
    expect(await shop.db`select * from collection_request_count_changes`).toHaveLength(0)
    const rows = await shop.db`
      select status, count from collection_request_counts where organization = ${shop.organization} order by status`
    expect([...rows]).toEqual([
      { status: 'pending', count: 3 },
      { status: 'successful', count: 2 },
    ])
  })

  it('know nothing of a write that was given up', async () => {
    await shop.createRequest()
    const lost = begin(shop.db, async (tx) => {
      await tx`insert into collection_request_count_changes values (${shop.organization}, 'pending', 1)`
      throw new Error('The process is killed here.')
    })
    await expect(lost).rejects.toThrow()
    expect(await expectExact()).toMatchObject({ all: 1 })
  })

  it('are exact in every snapshot while many write, fold and fail at once', { timeout: 120_000 }, async () => {
    const deed = fc.constantFrom('ask' as const, 'pay' as const, 'fold' as const, 'ask and fail' as const)
    const deedsOfOne = fc.array(deed, { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(deedsOfOne, { minLength: 3, maxLength: 3 }), async (writers) => {
        let writing = true
        const look = async () => {
          while (writing) await withSnapshot(shop.db, (tx) => expectExact(tx))
        }
        const write = async (deeds: readonly string[]) => {
          for (const what of deeds) {
            if (what === 'ask') await shop.createRequest()
            else if (what === 'ask and fail')
              await shop.createRequest({ currency: 'KES', account: 99_999 }).catch(() => {})
            // Who is overtaken by another report tries again in the service; here it simply stays away.
            else if (what === 'pay') await shop.ingest(shop.paymentReport()).catch(() => {})
            else await begin(shop.db, mergeCountChanges)
          }
        }
        const written = Promise.all(writers.map(write)).finally(() => {
          writing = false
        })
        await Promise.all([written, look()])
        await expectExact()
      }),
      { numRuns: 12 },
    )
  })
})
