import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAudit } from '../../../src/core/access/audit.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { cancelRequest, matchManually } from '../../../src/core/collections/manual-actions.ts'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
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

/** Money that fits no request because of its amount, and its collection's id. */
async function receiveOdd(changes: Parameters<Shop['paymentReport']>[0] = {}) {
  const money = shop.paymentReport({ amount: amount('1499'), ...changes })
  await shop.ingest(money)
  const collection = (await shop.collections()).find((one) => one.remote_transaction_id === money.remote_id)!
  return { money, collection: collection.id }
}

async function lastEntry() {
  const slice = { limit: 1, offset: 0, descending: true }
  return (await listAudit(shop.db, shop.organization, {}, slice)).rows[0]
}

describe('a match by hand', () => {
  it('lets unmatched money fulfil a request, whatever amount and phone they have', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveOdd({ phonenumber: '+80000000044' })
    const before = await shop.wallet()
    shop.testApp.clock.advance(60)
    const matched = await match(collection, request.id)

    expect(matched).toMatchObject({ id: collection, status: 'successful', modified: shop.now() })
    expect(matched.collection_request).toMatchObject({ id: request.id, status: 'successful', collection })
    expect(await shop.request(request.id)).toMatchObject({ due_at: null, error_message: null })
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
    expect((await shop.wallet()).balance).toBe(before.balance)
  })

  it('announces the request, and the money only once', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveOdd()
    await match(collection, request.id)
    const events = await shop.events()
    expect(events.map((event) => event.type).filter((type) => type !== 'contact.created')).toEqual([
      'collection.received',
      'collectionrequest.status.changed',
    ])
    expect(events.at(-1)!.data).toMatchObject({ id: request.id, status: 'successful', collection })
    const texts = await shop.db`select purpose from sms_messages where collection_request = ${request.id}`
    expect([...texts]).toEqual([{ purpose: 'success' }])
  })

  it('says who did it: in the history, on the rows and in the log', async () => {
    const [owner] = await shop.db<{ id: number }[]>`select id from users where kind = 'person'`
    const request = await shop.createRequest()
    const { collection } = await receiveOdd()
    await match(collection, request.id, { user: owner!.id, name: 'Demo Owner' })
    const [move] = await shop.db`
      select author, note from collection_request_transitions where collection_request = ${request.id}`
    expect(move).toEqual({ author: owner!.id, note: 'Matched by Demo Owner' })
    expect(await shop.request(request.id)).toMatchObject({ updated_by: owner!.id })
    expect((await shop.collections())[0]).toMatchObject({ updated_by: owner!.id })
    expect(await lastEntry()).toMatchObject({
      user: owner!.id,
      action: 'match collection',
      object: collection,
      details: { by: 'Demo Owner', collection_request: request.id },
    })
  })

  it('is taken back like any other when the network takes the money back', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const { collection, money } = await receiveOdd()
    await match(collection, request.id)
    expect(await shop.ingest({ ...money, status: 'reversed' })).toEqual(['reversed'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.history(request.id)).toEqual(['pending → successful', 'successful → reversed'])
  })

  it('happens once, to either side, however many try at once', async () => {
    const [one, two] = [await shop.createRequest(), await shop.createRequest()]
    const [first, second] = [await receiveOdd(), await receiveOdd()]
    const tries = await Promise.allSettled([
      match(first.collection, one.id),
      match(first.collection, two.id),
      match(second.collection, one.id),
      match(second.collection, two.id),
    ])
    const fulfilled = tries.filter((one) => one.status === 'fulfilled')
    expect(fulfilled.length).toBe(2)
    for (const refused of tries.filter((one) => one.status === 'rejected'))
      expect(refused.reason).toBeInstanceOf(Invalid)
    const requests = await Promise.all([shop.request(one.id), shop.request(two.id)])
    expect(new Set(requests.map((request) => request.collection))).toEqual(
      new Set([first.collection, second.collection]),
    )
  })

  it('and money that comes at the same moment never fulfil one request both', async () => {
    const request = await shop.createRequest()
    const { collection } = await receiveOdd()
    const fits = shop.paymentReport()
    await Promise.allSettled([match(collection, request.id), shop.ingest(fits)])
    const matched = (await shop.collections()).filter((one) => one.collection_request === request.id)
    expect(matched).toHaveLength(1)
    expect((await shop.request(request.id)).collection).toBe(matched[0]!.id)
    expect(await shop.collections()).toHaveLength(2)
  })

  it('refuses what cannot be matched and says why', async () => {
    const open = await shop.createRequest()
    const ended = await shop.createRequest({ phonenumber: '+80000000045' })
    await cancel(ended.id)
    const { collection } = await receiveOdd()
    const ugx = await receiveOdd({ currency: 'UGX' })
    const foreign = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Neighbour'))
    const refusals: [number, number, RegExp][] = [
      [collection, ended.id, /is failed already/],
      [ugx.collection, open.id, /is in UGX, request \d+ in BXC/],
    ]
    for (const [money, request, why] of refusals) await expect(match(money, request)).rejects.toThrow(why)
    await expect(match(999, open.id)).rejects.toBeInstanceOf(NotFound)
    await expect(match(collection, 999_999)).rejects.toBeInstanceOf(NotFound)

    const states: [string, RegExp][] = [
      [`organization = ${foreign.id}`, /different owners/],
      [`organization = ${shop.organization}, status = 'failed'`, /is failed/],
      ["status = 'pending'", /is pending/],
      ["status = 'successful', claimed_by = 1", /claimed by user 1/],
      ['claimed_by = null, refunded = 1', /has been returned/],
    ]
    for (const [change, why] of states) {
      await shop.db.unsafe(`update collections set ${change} where id = ${collection}`)
      await expect(match(collection, open.id)).rejects.toThrow(why)
    }
    expect((await shop.request(open.id)).status).toBe('pending')
  })
})

describe('a cancelled request', () => {
  it('has failed, and says who cancelled it', async () => {
    const request = await shop.createRequest()
    expect(await cancel(request.id)).toMatchObject({ status: 'failed', error_message: 'Cancelled by Grace' })
    expect(await shop.request(request.id)).toMatchObject({ due_at: null, leased_until: null })
    expect(await shop.history(request.id)).toEqual(['pending → failed'])
    const [event] = await shop.events('collectionrequest.status.changed')
    expect(event!.data).toMatchObject({ status: 'failed', error_message: 'Cancelled by Grace' })
    expect(await lastEntry()).toMatchObject({ user: null, action: 'cancel request', object: request.id })
  })

  it('leaves money that comes all the same unmatched', async () => {
    const request = await shop.createRequest()
    await cancel(request.id)
    await shop.ingest(shop.paymentReport({ order_reference: `KR${request.id}-1` }))
    expect(await shop.collections()).toMatchObject([{ status: 'successful', collection_request: null }])
  })

  it('cannot be cancelled once more, nor can one that does not exist', async () => {
    const request = await shop.createRequest()
    await cancel(request.id)
    await expect(cancel(request.id)).rejects.toThrow(`Request ${request.id} is failed already.`)
    await expect(cancel(999_999)).rejects.toBeInstanceOf(NotFound)
  })
})
