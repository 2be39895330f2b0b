import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { lockOpenRequests } from '../../../src/core/collections/orders.ts'
import { claimSms, queueSms } from '../../../src/core/collections/sms.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { amount, openShop, PHONE, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ENDED = 4_000
const OPEN = 3_000
const BATCH = 100
const amountOf = (place: number) => amount(String(1_000 + place))

describe('requests that are found by their ids', () => {
  it('are not looked for among all that are open, though hardly any were when PostgreSQL last counted', async () => {
    const wishes = Array.from({ length: BATCH }, (_, place) => shop.requestInput({ amount: amountOf(place) }))
    const made = (await shop.createRequests(wishes)).map((one) => (one.ok ? one.value.id : 0))
    await multiply(made[0]!, 'failed', ENDED)
    await shop.db`vacuum analyze collection_requests`
    await multiply(made[0]!, 'pending', OPEN)
    const texts = made.map((id) => ({
      organization: shop.organization,
      collection_request: id,
      purpose: 'instructions' as const,
      phonenumber: PHONE,
      body: 'Dial *165#.',
    }))
    await begin(shop.db, (tx) => queueSms(tx, shop.now(), texts))

    const now = new Date()
    const looks = {
      'locking them': (tx: Tx) => lockOpenRequests(tx, made),
      'sending their texts': (tx: Tx) => claimSms(tx, { now: shop.now(), real: now, lease_end: now }, BATCH, ''),
      'taking money for them': (tx: Tx) =>
        ingestIncomingPayments(
          tx,
          shop.now(),
          made.map((id, place) => shop.paymentReport({ reference: String(id), amount: amountOf(place) })),
        ),
    }
    for (const [name, look] of Object.entries(looks)) {
      const before = await openOnesRead()
      await begin(shop.db, async (tx) => {
        await look(tx)
        await tx`select pg_stat_force_next_flush()`
      })
      expect((await openOnesRead()) - before, name).toBeLessThan(OPEN / 10)
    }
  })
})

/** Puts so many copies of a request into the table, behind the back of the program. */
async function multiply(id: number, status: string, count: number): Promise<void> {
  await begin(
    shop.db,
    (tx) => tx`
      insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, reason,
        metadata, success_message, send_instructions, status, expiry_date, max_attempts, created, author, modified)
      select organization, amount + 10000 + n, currency, account, phonenumber, contact, network, reason, metadata, success_message,
        send_instructions, ${status}, expiry_date, max_attempts, created, author, modified
      from collection_requests cross join generate_series(1, ${count}::integer) as n where id = ${id}`,
  )
}

/** How many entries of the index of open requests were read so far. */
async function openOnesRead(): Promise<number> {
  const [row] = await shop.db<{ read: number }[]>`
    select idx_tup_read as read from pg_stat_user_indexes where indexrelname = 'collection_requests_match'`
  return row!.read
}
