import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { lockOpenRequests } from '../../../src/core/collections/orders.ts'
import { findEndedRequests } from '../../../src/core/collections/sms.ts'
import { claimSms } from '../../../src/core/sms/claims.ts'
import { queueSms } from '../../../src/core/sms/outbox.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { amount, openShop, PHONE, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ENDED_REQUESTS = 4_000
const OPEN_REQUESTS = 3_000
const BATCH_SIZE = 100
const amountOf = (index: number) => amount(String(1_000 + index))

describe('the history of a request', () => {
  it('only grows: a change that shortens or rewrites it is refused', async () => {
    const { id } = await shop.createRequest()
    const setHistory = (history: string) => shop.db`
      update collection_requests set history = ${history} where id = ${id}`
    const line = '["processing_started",1893499200000,1]\n'
    await setHistory(line)
    await setHistory(`${line}["failed",1893499201000,1,"No answer"]\n`)
    await expect(setHistory(line)).rejects.toThrow('append-only')
    await expect(setHistory('["failed",1893499201000,1]\n')).rejects.toThrow('append-only')
    expect(
      await shop.db`
        select id, from_status, to_status, at, author, note from collection_request_transitions
        where collection_request = ${id} order by id`,
    ).toEqual([
      {
        id: 1,
        from_status: 'pending',
        to_status: 'processing_started',
        author: 1,
        note: null,
        at: new Date('2030-01-01T12:00:00Z'),
      },
      {
        id: 2,
        from_status: 'processing_started',
        to_status: 'failed',
        author: 1,
        note: 'No answer',
        at: new Date('2030-01-01T12:00:01Z'),
      },
    ])
  })
})

describe('requests that are read by id', () => {
  it('are not searched among all open requests, even if PostgreSQL has statistics from a time with few open ones', async () => {
    const inputs = Array.from({ length: BATCH_SIZE }, (_, index) => shop.requestInput({ amount: amountOf(index) }))
    const ids = (await shop.createRequests(inputs)).map((result) => (result.ok ? result.value.id : 0))
    await copyRequest(ids[0]!, 'failed', ENDED_REQUESTS)
    await shop.db`vacuum analyze collection_requests`
    await copyRequest(ids[0]!, 'pending', OPEN_REQUESTS)
    const messages = ids.map((id) => ({
      organization: shop.organization,
      collection_request: id,
      purpose: 'instructions' as const,
      phonenumber: PHONE,
      body: 'Dial *165#.',
    }))
    await begin(shop.db, (tx) => queueSms(tx, shop.now(), messages))

    const now = new Date()
    const actions = {
      'locking them': (tx: Tx) => lockOpenRequests(tx, ids),
      'sending their SMS': (tx: Tx) =>
        claimSms(tx, { now: shop.now(), real: now }, [
          { connection: '', slots: BATCH_SIZE, states: 'all', lease_end: now },
        ]),
      'finding those that have ended': (tx: Tx) => findEndedRequests(tx, ids),
      'receiving payments for them': (tx: Tx) =>
        ingestIncomingPayments(
          tx,
          shop.now(),
          ids.map((id, index) => shop.paymentReport({ reference: String(id), amount: amountOf(index) })),
        ),
    }
    for (const [name, run] of Object.entries(actions)) {
      const before = await countIndexReads()
      await begin(shop.db, async (tx) => {
        await run(tx)
        await tx`select pg_stat_force_next_flush()`
      })
      expect((await countIndexReads()) - before, name).toBeLessThan(OPEN_REQUESTS / 10)
    }
  })
})

/** Insert copies of a request directly into the table. */
async function copyRequest(id: number, status: string, count: number): Promise<void> {
  await begin(
    shop.db,
    (tx) => tx`
      with copies as (insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection,
        reason, metadata, success_message, send_instructions, status, expiry_date, max_attempts, created, author, modified)
      select organization, amount + 10000 + n, currency, account, phonenumber, contact, network, connection, reason, metadata,
        success_message, send_instructions, ${status}, expiry_date, max_attempts, created, author, modified
      from collection_requests cross join generate_series(1, ${count}::integer) as n where id = ${id} returning *)
      insert into open_collection_requests (collection_request, organization, account, phonenumber, amount, due_at)
      select id, organization, account, phonenumber, amount, created from copies where status = 'pending'`,
  )
}

/** Return the number of entries read so far in the index of open requests. */
async function countIndexReads(): Promise<number> {
  const [row] = await shop.db<{ read: number }[]>`
    select idx_tup_read as read from pg_stat_user_indexes where indexrelname = 'open_collection_requests_match'`
  return row!.read
}
