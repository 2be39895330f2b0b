import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { createAccount, fundAccount } from '../../../src/core/ledger/accounts.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { WriteConflict } from '../../../src/lib/batches/write-conflict.ts'
import { storePlace } from '../../connections/fake-connection.ts'
import { placeOrder } from '../charges.ts'
import { amount, NETWORK, openShop, PHONE, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('an incoming payment', () => {
  it('is recorded, credited and matched, with its events, in one transaction', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const report = shop.paymentReport({ paid_at: new Date('2030-01-15T11:59:58.900Z') })
    expect(await shop.ingest(report)).toEqual(['recorded'])

    const [collection] = await shop.collections()
    expect(collection).toMatchObject({
      organization: shop.organization,
      account: before.id,
      network: 'sandbox',
      remote_transaction_id: report.remote_id,
      amount: amount('1500'),
      currency: 'BXC',
      phonenumber: PHONE,
      reference: null,
      status: 'successful',
      payment_date: new Date('2030-01-15T11:59:58Z'),
      collection_request: request.id,
    })
    expect(await shop.request(request.id)).toMatchObject({
      status: 'successful',
      collection: collection!.id,
      due_at: null,
    })
    expect((await shop.wallet()).balance).toBe(before.balance + amount('1500'))
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
    const events = await shop.events()
    expect(events.map((event) => event.type)).toEqual([
      'contact.created',
      'collectionrequest.status.changed',
      'collection.received',
    ])
    expect(events[1]!.data).toMatchObject({ id: request.id, status: 'successful', collection: collection!.id })
    expect(events[2]!.data).toMatchObject({
      id: collection!.id,
      amount: '1500.0000',
      contact: { phone_number: PHONE },
      collection_request: { id: request.id, status: 'successful', collection: collection!.id },
    })
  })

  it('that matches no request is recorded and credited too, with its event', async () => {
    const before = await shop.wallet()
    await shop.ingest(shop.paymentReport())
    expect(await shop.collections()).toMatchObject([{ collection_request: null, status: 'successful' }])
    expect((await shop.wallet()).balance).toBe(before.balance + amount('1500'))
    expect((await shop.events()).map((event) => event.type)).toEqual(['contact.created', 'collection.received'])
    expect((await shop.events('collection.received'))[0]!.data).toMatchObject({ collection_request: null })
  })

  it('is recorded once, even if it is reported several times at once', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const report = shop.paymentReport()
    const retry = async () => {
      // The API and the jobs repeat a batch after a write conflict too.
      for (;;)
        try {
          return await shop.ingest(report)
        } catch (error) {
          if (!(error instanceof WriteConflict)) throw error
        }
    }
    const results = await Promise.all(Array.from({ length: 8 }, retry))
    expect(results.flat().filter((result) => result === 'recorded')).toHaveLength(1)
    expect(await shop.ingest(report, report)).toEqual(['known', 'known'])
    expect(await shop.collections()).toHaveLength(1)
    expect((await shop.wallet()).balance).toBe(before.balance + amount('1500'))
    expect(await shop.history(request.id)).toHaveLength(1)
  })

  it('is recorded once when one batch contains it twice', async () => {
    const report = shop.paymentReport()
    expect(await shop.ingest(report, shop.paymentReport(), report)).toEqual(['recorded', 'recorded', 'known'])
    expect(await shop.collections()).toHaveLength(2)
  })

  it('with the same remote id on another network is another payment', async () => {
    const { id } = await shop.wallet()
    await storePlace(shop.db, { connection: 'other', number: '5', account: id })
    const report = shop.paymentReport()
    const other = { ...report, network: { slug: 'other', code: 'other', name: 'Other' }, receiver: '5' }
    expect(await shop.ingest(report, other)).toEqual(['recorded', 'recorded'])
  })

  it('to an unknown receiver, or in another currency than its account, is kept and in no books', async () => {
    expect(
      await shop.ingest(
        shop.paymentReport({ receiver: 'unknown' }),
        shop.paymentReport({ receiver: shop.receiver('UGX') }),
        shop.paymentReport({ network: { slug: 'other', code: 'other', name: 'Other' } }),
      ),
    ).toEqual(['unassigned', 'unassigned', 'unassigned'])
    expect(await shop.collections()).toEqual([])
    expect(await shop.events()).toEqual([])
    expect(await shop.db`select 1 from unassigned_payments`).toHaveLength(3)
  })
})

describe('matching by our order reference', () => {
  it('fulfils that request, even if another one is older', async () => {
    const [older, referenced] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, referenced.id) }))
    expect(await statuses(older.id, referenced.id)).toEqual(['pending', 'successful'])
  })

  it('fulfils that request only, not another one that fits', async () => {
    const [paid, open] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, paid.id) }))
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, paid.id, 2) }))
    expect(await statuses(paid.id, open.id)).toEqual(['successful', 'pending'])
    expect((await shop.collections())[1]).toMatchObject({ collection_request: null })
  })

  it('fulfils nothing with another amount', async () => {
    const request = await shop.createRequest()
    await shop.ingest(
      shop.paymentReport({ order_reference: await placeOrder(shop, request.id), amount: amount('1499') }),
    )
    expect(await statuses(request.id)).toEqual(['pending'])
    expect(await shop.collections()).toMatchObject([{ collection_request: null, amount: amount('1499') }])
  })

  it('fulfils the request also from another phone, and creates a contact for that phone', async () => {
    const request = await shop.createRequest()
    await shop.ingest(
      shop.paymentReport({ order_reference: await placeOrder(shop, request.id), phonenumber: '+80000000077' }),
    )
    expect(await statuses(request.id)).toEqual(['successful'])
    const [received] = await shop.events('collection.received')
    expect(received!.data).toMatchObject({
      contact: { phone_number: '+80000000077' },
      collection_request: { contact: { phone_number: PHONE } },
    })
  })

  it.each(['KR1-1', '0', randomUUID()])(
    'matches by phone and amount if the reference is not of our order: %s',
    async (order_reference) => {
      const request = await shop.createRequest()
      expect(await shop.ingest(shop.paymentReport({ order_reference }))).toEqual(['recorded'])
      expect(await statuses(request.id)).toEqual(['successful'])
    },
  )
})

describe('matching by the reference that the customer typed', () => {
  it('fulfils the request with that id', async () => {
    const [older, referenced] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ reference: ` ${referenced.id} `, phonenumber: '+80000000077' }))
    expect(await statuses(older.id, referenced.id)).toEqual(['pending', 'successful'])
  })

  it.each(['invoice 12', '', '0', '99999999', '1e3', '-1', `${'9'.repeat(30)}`])(
    'falls back to phone and amount if there is no such request: %j',
    async (reference) => {
      const request = await shop.createRequest()
      await shop.ingest(shop.paymentReport({ reference }))
      expect(await statuses(request.id)).toEqual(['successful'])
      expect(await shop.collections()).toMatchObject([{ reference }])
    },
  )

  it('falls back to phone and amount if the request has another amount', async () => {
    const [referenced, fitting] = [await shop.createRequest({ amount: amount('20') }), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ reference: String(referenced.id) }))
    expect(await statuses(referenced.id, fitting.id)).toEqual(['pending', 'successful'])
  })
})

describe('matching by phone, amount and currency', () => {
  it('fulfils the oldest open request first, and each request once', async () => {
    const requests = [await shop.createRequest(), await shop.createRequest(), await shop.createRequest()]
    const ids = requests.map((request) => request.id)
    await shop.ingest(shop.paymentReport())
    expect(await statuses(...ids)).toEqual(['successful', 'pending', 'pending'])
    await shop.ingest(shop.paymentReport(), shop.paymentReport(), shop.paymentReport())
    expect(await statuses(...ids)).toEqual(['successful', 'successful', 'successful'])
    const collections = await shop.collections()
    expect(collections.map((row) => row.collection_request)).toEqual([...ids, null])
  })

  it('fulfils the nth oldest request with the nth payment of a batch, by payment date', async () => {
    const [first, second] = [await shop.createRequest(), await shop.createRequest()]
    const late = shop.paymentReport({ paid_at: new Date('2030-01-15T11:00:02Z') })
    const early = shop.paymentReport({ paid_at: new Date('2030-01-15T11:00:01Z') })
    await shop.ingest(late, early)
    const collections = await shop.collections()
    const fulfilledBy = (id: number) => collections.find((row) => row.collection_request === id)!.remote_transaction_id
    expect([fulfilledBy(first.id), fulfilledBy(second.id)]).toEqual([early.remote_id, late.remote_id])
  })

  it('reserves a request for the payment of the batch that references it', async () => {
    const [older, newer] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport(), shop.paymentReport({ order_reference: await placeOrder(shop, older.id) }))
    expect(await statuses(older.id, newer.id)).toEqual(['successful', 'successful'])
    const collections = await shop.collections()
    expect(collections.map((row) => row.collection_request)).toEqual([newer.id, older.id])
  })

  it('fulfils a request before its start, one in processing and one with instructions sent', async () => {
    const later = await shop.createRequest({ start_date: new Date('2030-02-01T00:00:00Z') })
    await shop.ingest(shop.paymentReport())
    expect(await statuses(later.id)).toEqual(['successful'])
    for (const status of ['processing_started', 'instructions_sent']) {
      const { id } = await shop.createRequest()
      await shop.db`update collection_requests set status = ${status} where id = ${id}`
      await shop.ingest(shop.paymentReport())
      expect(await statuses(id)).toEqual(['successful'])
    }
  })

  it.each(['failed', 'expired', 'reversed', 'successful'])('does not change a request that is %s', async (status) => {
    const { id } = await shop.createRequest()
    const has_collection = status === 'reversed' || status === 'successful'
    await shop.db`update collection_requests set status = ${status}, collection = ${has_collection ? 99 : null} where id = ${id}`
    await shop.ingest(
      shop.paymentReport({ order_reference: await placeOrder(shop, id) }),
      shop.paymentReport({ reference: String(id) }),
      shop.paymentReport(),
    )
    expect(await statuses(id)).toEqual([status])
    expect((await shop.collections()).map((row) => row.collection_request)).toEqual([null, null, null])
  })

  it.each<[string, Parameters<Shop['paymentReport']>[0]]>([
    ['another phone', { phonenumber: '+80000000077' }],
    ['another amount', { amount: amount('1500.0001') }],
    ['another currency', { currency: 'UGX' }],
  ])('does not fulfil a request with %s', async (_difference, changes) => {
    const request = await shop.createRequest()
    await shop.ingest(shop.paymentReport(changes))
    expect(await statuses(request.id)).toEqual(['pending'])
    expect(await shop.collections()).toMatchObject([{ collection_request: null }])
  })

  it('only fulfils requests of the account of the receiver', async () => {
    const other = await openWallet('77')
    const [here, there] = [await shop.createRequest(), await shop.createRequest({ account: other })]
    await shop.ingest(shop.paymentReport({ receiver: '77' }), shop.paymentReport({ receiver: '77' }))
    expect(await statuses(here.id, there.id)).toEqual(['pending', 'successful'])
    expect((await shop.collections()).map((row) => row.account)).toEqual([other, other])
  })

  it('does not fulfil requests of another organization', async () => {
    const request = await shop.createRequest()
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    await openWallet('88', other)
    await shop.ingest(
      shop.paymentReport({ receiver: '88' }),
      shop.paymentReport({ receiver: '88', order_reference: await placeOrder(shop, request.id) }),
      shop.paymentReport({ receiver: '88', reference: String(request.id) }),
    )
    // The second names an order of ours, whose request says whose money it is.
    expect((await shop.collections()).map((row) => [row.organization, row.collection_request])).toEqual([
      [other.id, null],
      [request.organization, request.id],
      [other.id, null],
    ])
  })
})

describe('transactions at the same time', () => {
  it('that match the same oldest request fulfil one request each', async () => {
    const [older, newer] = [await shop.createRequest(), await shop.createRequest()]
    const [first, second] = [shop.paymentReport(), shop.paymentReport()]
    const waiting = Promise.withResolvers<void>()
    const holding = begin(shop.db, async (tx) => {
      await ingestIncomingPayments(tx, shop.now(), [first])
      await waiting.promise
    })
    await untilLocked(older.id)
    const blocked = shop.ingest(second)
    await untilBlocked()
    waiting.resolve()
    await Promise.all([holding, blocked])
    expect(await statuses(older.id, newer.id)).toEqual(['successful', 'successful'])
    expect((await shop.collections()).map((row) => row.collection_request)).toEqual([older.id, newer.id])
  })

  it('that match the only request fulfil it once and record the other payments unmatched', async () => {
    const request = await shop.createRequest()
    await Promise.all(Array.from({ length: 6 }, () => shop.ingest(shop.paymentReport())))
    const matched = (await shop.collections()).filter((row) => row.collection_request === request.id)
    expect(matched).toHaveLength(1)
    expect(await shop.collections()).toHaveLength(6)
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
  })

  it('that record the same payments in different orders end in write conflicts, not in deadlocks', async () => {
    const all = Array.from({ length: 12 }, (_, index) => shop.paymentReport({ phonenumber: `+8000000${1000 + index}` }))
    const outcomes = await Promise.allSettled([
      shop.ingest(...all),
      shop.ingest(...all.toReversed()),
      shop.ingest(...all),
    ])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WriteConflict)
    expect(await shop.collections()).toHaveLength(12)
  })
})

async function statuses(...ids: number[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await shop.request(id)).status))
}

/** Create another wallet in BXC with its own receiver number. */
async function openWallet(number: string, organization?: { id: number; service_user: number }): Promise<number> {
  return begin(shop.db, async (tx: Tx) => {
    const author = organization?.service_user ?? 1
    const owner = organization?.id ?? shop.organization
    const wallet = await createAccount(tx, shop.now(), {
      organization: owner,
      currency: 'BXC',
      kind: 'local',
      name: number,
      author,
    })
    await fundAccount(tx, shop.now(), { account: wallet.id, amount: amount('100'), description: '', author })
    await storePlace(tx, { connection: NETWORK.slug, number, account: wallet.id })
    return wallet.id
  })
}

/** Wait until another transaction has locked this request. */
async function untilLocked(id: number): Promise<void> {
  for (;;) {
    const unlocked = await begin(
      shop.db,
      (tx) => tx`select 1 from collection_requests where id = ${id} for update skip locked`,
    )
    if (unlocked.length === 0) return
  }
}

/** Wait until a transaction waits for a lock. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const waiting = await shop.db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length > 0) return
  }
}
