import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { cancelRequest, matchManually } from '../../../src/core/collections/actions.ts'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { placeOrder } from '../charges.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

const GRACE = { user: null, name: 'Grace' }
const match = (collection: number, request: number, by = GRACE as { user: number | null; name: string }) =>
  begin(shop.db, (tx) => matchManually(tx, shop.now(), { collection, request, by }))
const cancel = (request: number, by = GRACE) => begin(shop.db, (tx) => cancelRequest(tx, shop.now(), { request, by }))

/** A payment whose amount fits no request: its report, and the id of its collection. */
async function receiveUnmatched(changes: Parameters<Shop['paymentReport']>[0] = {}) {
  const report = shop.paymentReport({ amount: amount('1499'), ...changes })
  await shop.ingest(report)
  const collection = (await shop.collections()).find((row) => row.remote_transaction_id === report.remote_id)!
  return { report, collection: collection.id }
}

describe('a manual match', () => {
  it('fulfils a request with an unmatched collection of another amount and phone', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveUnmatched({ phonenumber: '+80000000044' })
    const before = await shop.wallet()
    shop.testApp.clock.advance(60)
    const matched = await match(collection, request.id)

    expect(matched).toMatchObject({ id: collection, status: 'successful', modified: shop.now() })
    expect(matched.collection_request).toMatchObject({ id: request.id, status: 'successful', collection })
    expect(await shop.request(request.id)).toMatchObject({ due_at: null, error_message: null })
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
    expect((await shop.wallet()).balance).toBe(before.balance)
  })

  it('records an event for the request, and none more for the collection', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveUnmatched()
    await match(collection, request.id)
    const events = await shop.events()
    expect(events.map((event) => event.type).filter((type) => type !== 'contact.created')).toEqual([
      'collection.received',
      'collectionrequest.status.changed',
    ])
    expect(events.at(-1)!.data).toMatchObject({ id: request.id, status: 'successful', collection })
    const messages = await shop.db`select purpose from sms_messages where collection_request = ${request.id}`
    expect([...messages]).toEqual([{ purpose: 'success' }])
  })

  it('stores who did it: in the history and in the rows', async () => {
    const [owner] = await shop.db<{ id: number }[]>`select id from users where kind = 'person'`
    const request = await shop.createRequest()
    const { collection } = await receiveUnmatched()
    await match(collection, request.id, { user: owner!.id, name: 'Demo Owner' })
    const [transition] = await shop.db`
      select author, note from collection_request_transitions where collection_request = ${request.id}`
    expect(transition).toEqual({ author: owner!.id, note: 'Matched by Demo Owner' })
    expect(await shop.request(request.id)).toMatchObject({ updated_by: owner!.id })
    expect((await shop.collections())[0]).toMatchObject({ updated_by: owner!.id })
  })

  it('is reversed like any other when the network reverses the payment', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const { collection, report } = await receiveUnmatched()
    await match(collection, request.id)
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.history(request.id)).toEqual(['pending → successful', 'successful → reversed'])
  })

  it('happens once for each request and each collection, even with several attempts at once', async () => {
    const requests = [await shop.createRequest(), await shop.createRequest()] as const
    const [first, second] = [await receiveUnmatched(), await receiveUnmatched()]
    const attempts = await Promise.allSettled([
      match(first.collection, requests[0].id),
      match(first.collection, requests[1].id),
      match(second.collection, requests[0].id),
      match(second.collection, requests[1].id),
    ])
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const refused of attempts.filter((attempt) => attempt.status === 'rejected'))
      expect(refused.reason).toBeInstanceOf(Invalid)
    const matched = await Promise.all(requests.map(({ id }) => shop.request(id)))
    expect(new Set(matched.map((request) => request.collection))).toEqual(
      new Set([first.collection, second.collection]),
    )
  })

  it('and an incoming payment at the same time do not both fulfil one request', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveUnmatched()
    const fitting = shop.paymentReport()
    await Promise.allSettled([match(collection, request.id), shop.ingest(fitting)])
    const matched = (await shop.collections()).filter((row) => row.collection_request === request.id)
    expect(matched).toHaveLength(1)
    expect((await shop.request(request.id)).collection).toBe(matched[0]!.id)
    expect(await shop.collections()).toHaveLength(2)
  })

  it('is refused, with the reason, when the two do not fit', async () => {
    const open = await shop.createRequest()
    const ended = await shop.createRequest({ phonenumber: '+80000000045' })
    await cancel(ended.id)
    const { collection } = await receiveUnmatched()
    const ugx = await receiveUnmatched({ currency: 'UGX' })
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    const refusals: [number, number, RegExp][] = [
      [collection, ended.id, /is failed already/],
      [ugx.collection, open.id, /is in UGX, request \d+ in BXC/],
    ]
    for (const [id, request, error] of refusals) await expect(match(id, request)).rejects.toThrow(error)
    await expect(match(999, open.id)).rejects.toBeInstanceOf(NotFound)
    await expect(match(collection, 999_999)).rejects.toBeInstanceOf(NotFound)

    const states: [string, RegExp][] = [
      [`organization = ${other.id}`, /different owners/],
      [`organization = ${shop.organization}, status = 'failed'`, /is failed/],
      ["status = 'pending'", /is pending/],
      ["status = 'successful', claimed_by = 1", /claimed by user 1/],
      ['claimed_by = null, refunded = 1', /has been returned/],
    ]
    for (const [change, error] of states) {
      await shop.db.unsafe(`update collections set ${change} where id = ${collection}`)
      await expect(match(collection, open.id)).rejects.toThrow(error)
    }
    expect((await shop.request(open.id)).status).toBe('pending')
  })
})

describe('cancelling a request', () => {
  it('makes it failed, with the name of the person', async () => {
    const request = await shop.createRequest()
    expect(await cancel(request.id)).toMatchObject({ status: 'failed', error_message: 'Cancelled by Grace' })
    expect(await shop.request(request.id)).toMatchObject({ due_at: null, leased_until: null })
    expect(await shop.history(request.id)).toEqual(['pending → failed'])
    const [event] = await shop.events('collectionrequest.status.changed')
    expect(event!.data).toMatchObject({ status: 'failed', error_message: 'Cancelled by Grace' })
  })

  it('leaves a later payment unmatched', async () => {
    const request = await shop.createRequest()
    await cancel(request.id)
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, request.id) }))
    expect(await shop.collections()).toMatchObject([{ status: 'successful', collection_request: null }])
  })

  it('is refused when it has ended or does not exist', async () => {
    const request = await shop.createRequest()
    await cancel(request.id)
    await expect(cancel(request.id)).rejects.toThrow(`Request ${request.id} is failed already.`)
    await expect(cancel(999_999)).rejects.toBeInstanceOf(NotFound)
  })
})
