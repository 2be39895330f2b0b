import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { orderReference } from '../../../src/core/collections/orders.ts'
import { createAccount, fundAccount } from '../../../src/core/ledger/accounts.ts'
import { WriteConflict } from '../../../src/core/write-conflict.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { amount, NETWORK, openShop, PHONE, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('money that comes in', () => {
  it('is recorded, credited, matched and announced in one go', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const money = shop.paymentReport({ paid_at: new Date('2030-01-15T11:59:58.900Z') })
    expect(await shop.ingest(money)).toEqual(['recorded'])

    const [collection] = await shop.collections()
    expect(collection).toMatchObject({
      organization: shop.organization,
      account: before.id,
      network: 'sandbox',
      remote_transaction_id: money.remote_id,
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

  it('that nobody asked for is kept, credited and announced all the same', async () => {
    const before = await shop.wallet()
    await shop.ingest(shop.paymentReport())
    expect(await shop.collections()).toMatchObject([{ collection_request: null, status: 'successful' }])
    expect((await shop.wallet()).balance).toBe(before.balance + amount('1500'))
    expect((await shop.events()).map((event) => event.type)).toEqual(['contact.created', 'collection.received'])
    expect((await shop.events('collection.received'))[0]!.data).toMatchObject({ collection_request: null })
  })

  it('is counted once, however often and however simultaneously it is reported', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const money = shop.paymentReport()
    const retry = async () => {
      // What the doors do: a batch that was overtaken is repeated.
      for (;;)
        try {
          return await shop.ingest(money)
        } catch (error) {
          if (!(error instanceof WriteConflict)) throw error
        }
    }
    const taken = await Promise.all(Array.from({ length: 8 }, retry))
    expect(taken.flat().filter((one) => one === 'recorded')).toHaveLength(1)
    expect(await shop.ingest(money, money)).toEqual(['known', 'known'])
    expect(await shop.collections()).toHaveLength(1)
    expect((await shop.wallet()).balance).toBe(before.balance + amount('1500'))
    expect(await shop.history(request.id)).toHaveLength(1)
  })

  it('is counted once when one batch holds it twice', async () => {
    const money = shop.paymentReport()
    expect(await shop.ingest(money, shop.paymentReport(), money)).toEqual(['recorded', 'recorded', 'known'])
    expect(await shop.collections()).toHaveLength(2)
  })

  it('of the same remote id on two networks is two payments', async () => {
    const [account] = [await shop.wallet()]
    await shop.db`insert into receivers values ('other', '5', ${account.id})`
    const money = shop.paymentReport()
    const other = { ...money, network: { code: 'other', name: 'Other' }, receiver: '5' }
    expect(await shop.ingest(money, other)).toEqual(['recorded', 'recorded'])
  })

  it('for a receiver that is not ours, or in another currency than its account, is left alone', async () => {
    expect(
      await shop.ingest(
        shop.paymentReport({ receiver: 'nobody' }),
        shop.paymentReport({ receiver: shop.receiver('UGX') }),
        shop.paymentReport({ network: { code: 'other', name: 'Other' } }),
      ),
    ).toEqual(['no_account', 'no_account', 'no_account'])
    expect(await shop.collections()).toEqual([])
    expect(await shop.events()).toEqual([])
  })
})

describe('matching by our own reference', () => {
  it('fulfils that request, even when another one is older', async () => {
    const [older, named] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ order_reference: orderReference(named.id, 1) }))
    expect(await statuses(older.id, named.id)).toEqual(['pending', 'successful'])
  })

  it('fulfils that request only: never another one that would fit', async () => {
    const [done, open] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ order_reference: orderReference(done.id, 1) }))
    await shop.ingest(shop.paymentReport({ order_reference: orderReference(done.id, 2) }))
    expect(await statuses(done.id, open.id)).toEqual(['successful', 'pending'])
    expect((await shop.collections())[1]).toMatchObject({ collection_request: null })
  })

  it('fulfils nothing with another amount', async () => {
    const request = await shop.createRequest()
    await shop.ingest(shop.paymentReport({ order_reference: orderReference(request.id, 1), amount: amount('1499') }))
    expect(await statuses(request.id)).toEqual(['pending'])
    expect(await shop.collections()).toMatchObject([{ collection_request: null, amount: amount('1499') }])
  })

  it('fulfils the request also from another phone, whose owner becomes a contact', async () => {
    const request = await shop.createRequest()
    await shop.ingest(
      shop.paymentReport({ order_reference: orderReference(request.id, 1), phonenumber: '+80000000077' }),
    )
    expect(await statuses(request.id)).toEqual(['successful'])
    const [received] = await shop.events('collection.received')
    expect(received!.data).toMatchObject({
      contact: { phone_number: '+80000000077' },
      collection_request: { contact: { phone_number: PHONE } },
    })
  })

  it.each(['KR0-1', 'KR999999-1', 'KR-1', 'kr1-1', `KR${'9'.repeat(15)}-1`])(
    'of no request (%s) fulfils none by it',
    async (order_reference) => {
      const request = await shop.createRequest()
      expect(await shop.ingest(shop.paymentReport({ order_reference }))).toEqual(['recorded'])
      const ours = /^KR\d+-\d+$/.test(order_reference)
      // What is not in our form is no reference of ours, so the money is matched like any other.
      expect(await statuses(request.id)).toEqual([ours ? 'pending' : 'successful'])
    },
  )
})

describe('matching by what the customer typed', () => {
  it('takes the id of the request', async () => {
    const [older, named] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ reference: ` ${named.id} `, phonenumber: '+80000000077' }))
    expect(await statuses(older.id, named.id)).toEqual(['pending', 'successful'])
  })

  it.each(['invoice 12', '', '0', '99999999', '1e3', '-1', `${'9'.repeat(30)}`])(
    'goes by phone and amount when it is no request: %j',
    async (reference) => {
      const request = await shop.createRequest()
      await shop.ingest(shop.paymentReport({ reference }))
      expect(await statuses(request.id)).toEqual(['successful'])
      expect(await shop.collections()).toMatchObject([{ reference }])
    },
  )

  it('goes by phone and amount when the amount is not that of the request that was typed', async () => {
    const [typed, fitting] = [await shop.createRequest({ amount: amount('20') }), await shop.createRequest()]
    await shop.ingest(shop.paymentReport({ reference: String(typed.id) }))
    expect(await statuses(typed.id, fitting.id)).toEqual(['pending', 'successful'])
  })
})

describe('matching by phone, amount and currency', () => {
  it('takes the oldest open request first, each once', async () => {
    const requests = [await shop.createRequest(), await shop.createRequest(), await shop.createRequest()]
    const ids = requests.map((request) => request.id)
    await shop.ingest(shop.paymentReport())
    expect(await statuses(...ids)).toEqual(['successful', 'pending', 'pending'])
    await shop.ingest(shop.paymentReport(), shop.paymentReport(), shop.paymentReport())
    expect(await statuses(...ids)).toEqual(['successful', 'successful', 'successful'])
    const collections = await shop.collections()
    expect(collections.map((one) => one.collection_request)).toEqual([...ids, null])
  })

  it('lets the nth payment of a batch meet the nth oldest request, by the time it was paid', async () => {
    const [first, second] = [await shop.createRequest(), await shop.createRequest()]
    const late = shop.paymentReport({ paid_at: new Date('2030-01-15T11:00:02Z') })
    const early = shop.paymentReport({ paid_at: new Date('2030-01-15T11:00:01Z') })
    await shop.ingest(late, early)
    const collections = await shop.collections()
    const fulfilledBy = (id: number) => collections.find((one) => one.collection_request === id)!.remote_transaction_id
    expect([fulfilledBy(first.id), fulfilledBy(second.id)]).toEqual([early.remote_id, late.remote_id])
  })

  it('leaves to a neighbour in the batch the request that it names', async () => {
    const [older, newer] = [await shop.createRequest(), await shop.createRequest()]
    await shop.ingest(shop.paymentReport(), shop.paymentReport({ order_reference: orderReference(older.id, 1) }))
    expect(await statuses(older.id, newer.id)).toEqual(['successful', 'successful'])
    const collections = await shop.collections()
    expect(collections.map((one) => one.collection_request)).toEqual([newer.id, older.id])
  })

  it('counts a request before its start, one being processed and one whose customer was told as open', async () => {
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

  it.each(['failed', 'expired', 'reversed', 'successful'])('never revives a request that is %s', async (status) => {
    const { id } = await shop.createRequest()
    const done = status === 'reversed' || status === 'successful'
    await shop.db`update collection_requests set status = ${status}, collection = ${done ? 99 : null} where id = ${id}`
    await shop.ingest(
      shop.paymentReport({ order_reference: orderReference(id, 1) }),
      shop.paymentReport({ reference: String(id) }),
      shop.paymentReport(),
    )
    expect(await statuses(id)).toEqual([status])
    expect((await shop.collections()).map((one) => one.collection_request)).toEqual([null, null, null])
  })

  it.each<[string, Parameters<Shop['paymentReport']>[0]]>([
    ['another phone', { phonenumber: '+80000000077' }],
    ['another amount', { amount: amount('1500.0001') }],
    ['another currency', { currency: 'UGX' }],
  ])('never takes a request with %s', async (_what, changes) => {
    const request = await shop.createRequest()
    await shop.ingest(shop.paymentReport(changes))
    expect(await statuses(request.id)).toEqual(['pending'])
    expect(await shop.collections()).toMatchObject([{ collection_request: null }])
  })

  it('stays within the account that the receiver belongs to', async () => {
    const other = await openWallet('77')
    const [here, there] = [await shop.createRequest(), await shop.createRequest({ account: other })]
    await shop.ingest(shop.paymentReport({ receiver: '77' }), shop.paymentReport({ receiver: '77' }))
    expect(await statuses(here.id, there.id)).toEqual(['pending', 'successful'])
    expect((await shop.collections()).map((one) => one.account)).toEqual([other, other])
  })

  it('gives one organization nothing of another', async () => {
    const mine = await shop.createRequest()
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    await openWallet('88', other)
    await shop.ingest(
      shop.paymentReport({ receiver: '88' }),
      shop.paymentReport({ receiver: '88', order_reference: orderReference(mine.id, 1) }),
      shop.paymentReport({ receiver: '88', reference: String(mine.id) }),
    )
    expect(await statuses(mine.id)).toEqual(['pending'])
    expect((await shop.collections()).map((one) => [one.organization, one.collection_request])).toEqual(
      Array.from({ length: 3 }, () => [other.id, null]),
    )
  })
})

describe('two transactions at once', () => {
  it('that race for the oldest request take one each', async () => {
    const [older, newer] = [await shop.createRequest(), await shop.createRequest()]
    const [first, second] = [shop.paymentReport(), shop.paymentReport()]
    const waiting = Promise.withResolvers<void>()
    const slow = begin(shop.db, async (tx) => {
      await ingestIncomingPayments(tx, shop.now(), [first])
      await waiting.promise
    })
    await taken(older.id)
    const quick = shop.ingest(second)
    await blocked()
    waiting.resolve()
    await Promise.all([slow, quick])
    expect(await statuses(older.id, newer.id)).toEqual(['successful', 'successful'])
    expect((await shop.collections()).map((one) => one.collection_request)).toEqual([older.id, newer.id])
  })

  it('that race for the last request leave one payment unmatched', async () => {
    const request = await shop.createRequest()
    await Promise.all(Array.from({ length: 6 }, () => shop.ingest(shop.paymentReport())))
    const matched = (await shop.collections()).filter((one) => one.collection_request === request.id)
    expect(matched).toHaveLength(1)
    expect(await shop.collections()).toHaveLength(6)
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
  })

  it('that report the same payments in other orders are overtaken, never stuck', async () => {
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

/** Another wallet in BXC with a receiver number of its own. */
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
    await tx`insert into receivers values (${NETWORK.code}, ${number}, ${wallet.id})`
    return wallet.id
  })
}

/** Waits until another transaction has locked this request. */
async function taken(id: number): Promise<void> {
  for (;;) {
    const free = await begin(
      shop.db,
      (tx) => tx`select 1 from collection_requests where id = ${id} for update skip locked`,
    )
    if (free.length === 0) return
  }
}

/** Waits until some transaction waits for another. */
async function blocked(): Promise<void> {
  for (;;) {
    const waiting = await shop.db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length > 0) return
  }
}
