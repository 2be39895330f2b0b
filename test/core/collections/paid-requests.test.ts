import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transitionAlone } from '../../../src/core/collections/orders.ts'
import {
  checkPaidOrders,
  checkPaidRequests,
  matchPaidRequest,
  readPaidRequests,
} from '../../../src/core/collections/paid-requests.ts'
import { begin } from '../../../src/db/client.ts'
import { placeOrder } from '../charges.ts'
import { leavePaidRequestOpen } from '../many-rows.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { openTwoConnections } from '../two-connections.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

/** Match what the job finds, as it does. */
async function match(limit = 100): Promise<number[]> {
  const matched: number[] = []
  for (const [id, named_by] of await readPaidRequests(shop.db, limit))
    if (await begin(shop.db, (tx) => matchPaidRequest(tx, shop.now(), id, named_by))) matched.push(id)
  return matched
}
const check = () => checkPaidRequests(shop.db)

const createPaid = (changes?: Parameters<Shop['paymentReport']>[0]) => leavePaidRequestOpen(shop, changes)

describe('an open request with an unmatched collection that paid its order', () => {
  it('is matched, with history, event and SMS; the money stays in its wallet', async () => {
    const { id, collection, reference } = await createPaid()
    const { balance } = await shop.wallet()
    expect(await check()).toEqual([
      `Request ${id} is processing_started, although collection ${collection} paid its order ${reference}. The service matches the two within the hour.`,
    ])
    expect(await match()).toEqual([id])
    expect(await shop.request(id)).toMatchObject({ status: 'successful', collection, due_at: null, leased_until: null })
    expect((await shop.collections())[0]).toMatchObject({
      id: collection,
      collection_request: id,
      status: 'successful',
    })
    expect((await shop.history(id)).at(-1)).toBe('processing_started → successful')
    const changes = await shop.events('collectionrequest.status.changed')
    expect(changes.at(-1)!.data).toMatchObject({ id, status: 'successful', collection })
    expect(await shop.events('collection.received')).toHaveLength(1)
    expect((await shop.wallet()).balance).toBe(balance)
    expect(await check()).toEqual([])
    expect(await match()).toEqual([])
  })

  it('is matched if the customer typed the id of the request', async () => {
    const { id } = await shop.createRequest()
    shop.testApp.clock.advance(1)
    await shop.ingest(shop.paymentReport({ phonenumber: '+80000000004', amount: amount('7') }))
    await shop.db`update collections set reference = ${` ${id} `}, amount = 1500`
    expect(await check()).toEqual([expect.stringContaining('named it')])
    expect(await match()).toEqual([id])
    await shop.db`update collections set amount = 7`
  })

  it('is not matched to money whose typed number was no request yet', async () => {
    const future = (await shop.createRequest({ amount: amount('8') })).id + 1
    await shop.ingest(shop.paymentReport({ phonenumber: '+80000000004', reference: String(future) }))
    expect((await shop.createRequest()).id).toBe(future)
    expect(await check()).toEqual([])
    expect(await match()).toEqual([])
  })

  it('is matched also while another transaction has locked the request and the collection', async () => {
    const { id, collection } = await createPaid()
    const connections = await openTwoConnections(shop.testApp.app.config.DATABASE_URL!)
    const matched = await connections.runWhileHeld(
      async (tx) => {
        await tx`update collection_requests set attempt = attempt where id = ${id}`
        await tx`update collections set modified = modified`
      },
      (tx) => matchPaidRequest(tx, shop.now(), id, [collection]),
    )
    expect(matched).toBe(true)
    await connections.close()
  })

  it('is matched to its own collection if an older one also names another request', async () => {
    const [first, second] = [await createPaid(), await createPaid()]
    await shop.db`update collections set reference = ${String(second.id)} where id = ${first.collection}`
    await shop.db`update collections set created = created + interval '1 minute'`
    expect(await readPaidRequests(shop.db, 100)).toEqual(
      new Map([
        [first.id, [first.collection]],
        [second.id, [second.collection, first.collection]],
      ]),
    )
    expect(await match()).toEqual([first.id, second.id])
    expect(await shop.request(second.id)).toMatchObject({ collection: second.collection })
  })

  it('is matched in chunks if there are many', async () => {
    const ids: number[] = []
    for (let number = 0; number < 3; number += 1) ids.push((await createPaid()).id)
    expect(await match(2)).toEqual(ids.slice(0, 2))
    expect(await match(2)).toEqual(ids.slice(2))
  })

  it.each([
    ['another amount', { amount: amount('1499') }, ''],
    ['a collection that was refunded in part', {}, 'refunded = 1'],
    ['a collection that a user has claimed', {}, 'claimed_by = 1'],
    ['a collection that the network has reversed', {}, "status = 'reversed'"],
  ])('is not matched with %s', async (_, changes, change) => {
    const { id } = await createPaid(changes)
    if (change) await shop.db.unsafe(`update collections set ${change}`)
    expect(await match()).toEqual([])
    expect(await shop.request(id)).toMatchObject({ status: 'processing_started' })
    expect(await check()).toEqual([])
  })
})

describe('a request that has ended', () => {
  async function end(id: number, seconds: number) {
    shop.testApp.clock.advance(seconds)
    const request = await shop.request(id)
    await begin(shop.db, (tx) =>
      transitionAlone(tx, shop.now(), { request, to: 'expired', author: request.author, due_at: null }),
    )
  }

  it('does not change, but is reported if it was paid before its end', async () => {
    const { id, collection, reference } = await createPaid()
    await end(id, 60)
    expect(await match()).toEqual([])
    expect(await shop.request(id)).toMatchObject({ status: 'expired', collection: null })
    expect(await check()).toEqual([
      `Request ${id} is expired, although collection ${collection} paid its order ${reference} before it ended. Return collection ${collection}, or serve the customer.`,
    ])
    await shop.clear()
  })

  it('is not reported if it was paid after its end', async () => {
    const { id } = await shop.createRequest()
    await end(id, 60)
    shop.testApp.clock.advance(60)
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, id), reference: String(id) }))
    expect(await check()).toEqual([])
    expect(await match()).toEqual([])
  })
})

it('reports paid orders whose money is not in the books', async () => {
  const { reference } = await createPaid()
  expect(await checkPaidOrders(shop.db)).toEqual([])
  await shop.db`update network_orders set remote_transaction_id = 'GONE'`
  await shop.db`update collections set network_order = null`
  expect(await checkPaidOrders(shop.db)).toEqual([
    expect.stringContaining(`Order ${reference} was paid on sandbox (GONE)`),
  ])
})
