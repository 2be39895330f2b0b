import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockDueRequests, nextDueRequest, postponeRequests } from '../../../../src/core/collections/orders.ts'
import { fundAccount } from '../../../../src/core/ledger/accounts.ts'
import { begin } from '../../../../src/db/client.ts'
import { answer, chargeConnections, claimOrders, dispatch, sendOrder } from '../../charges.ts'
import { amount, openShop, type Shop } from '../../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('a request that starts later', () => {
  it('is not due before its start date', async () => {
    const request = await shop.createRequest({ start_date: new Date(shop.now().getTime() + 60_000) })
    expect(await claim()).not.toContain(request.id)
    shop.testApp.clock.advance(60)
    expect(await claim()).toContain(request.id)
  })

  it('has its wallet checked when it starts', async () => {
    const wallet = await shop.wallet('KES')
    await fund(wallet.id, -wallet.balance)
    const start_date = new Date(shop.now().getTime() + 60_000)
    const changes = { currency: 'KES', phonenumber: '+254711000001', start_date }
    const [first, second] = [await shop.createRequest(changes), await shop.createRequest(changes)]
    shop.testApp.clock.advance(60)
    await dispatch(shop, first.id)
    expect(await shop.request(first.id)).toMatchObject({
      status: 'failed',
      error_message: 'The KES account has no funds.',
    })
    await fund(wallet.id, wallet.balance)
    await dispatch(shop, second.id)
    expect(await shop.orders(second.id)).toMatchObject([{ state: 'new' }])
  })
})

describe('expiry', () => {
  const in_a_minute = () => ({ expiry_date: new Date(shop.now().getTime() + 60_000) })
  const accepted = { outcome: 'accepted', remote_id: 'SBO1' } as const

  it('ends a request at its expiry date, not before', async () => {
    const request = await shop.createRequest(in_a_minute())
    shop.testApp.clock.advance(59)
    await dispatch(shop, request.id)
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started' })
    shop.testApp.clock.advance(1)
    await dispatch(shop, request.id)
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired', error_message: null, due_at: null })
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → expired'])
    // It was never sent, and is not sent any more.
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'not_sent', due_at: null }])
  })

  it('waits for the answer to a last question, and the order goes on', async () => {
    const request = await shop.createRequest(in_a_minute())
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, accepted)
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id)
    expect(await shop.request(request.id)).toMatchObject({ status: 'instructions_sent' })
    const [asked] = await claimOrders(shop)
    expect(asked).toMatchObject({ id: order.id, was: 'accepted' })
    await answer(shop, asked!, accepted)
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired', due_at: null })
    const [open] = await shop.orders(request.id)
    expect(open).toMatchObject({ state: 'accepted', due_at: new Date(shop.now().getTime() + 60_000) })
  })

  it('does not come when the last question says that the order was paid in time', async () => {
    const request = await shop.createRequest(in_a_minute())
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, accepted)
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id)
    await answer(shop, order, { outcome: 'successful', remote_id: 'R1' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', due_at: null })
  })

  it('asks once more when the question was too early to be the last one', async () => {
    const request = await shop.createRequest(in_a_minute())
    const order = await sendOrder(shop, request.id)
    const asked_at = shop.now()
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id)
    await answer(shop, order, accepted, { asked_at })
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started' })
    expect(await shop.orders(request.id)).toMatchObject([{ due_at: shop.now() }])
    await answer(shop, order, accepted)
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired' })
  })

  it('comes after a minute when the last question has no answer', async () => {
    const request = await shop.createRequest(in_a_minute())
    await answer(shop, await sendOrder(shop, request.id), accepted)
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id)
    shop.testApp.clock.advance(59)
    await dispatch(shop, request.id)
    expect(await shop.request(request.id)).toMatchObject({ status: 'instructions_sent' })
    shop.testApp.clock.advance(1)
    await dispatch(shop, request.id)
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired' })
  })

  it('comes at once where the network cannot be asked', async () => {
    const request = await shop.createRequest(in_a_minute())
    await answer(shop, await sendOrder(shop, request.id), accepted)
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id, chargeConnections({ can_ask: false }))
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired' })
  })

  it('and a payment at the same time: only one changes the request, and the money is in the books in both cases', async () => {
    const requests = await Promise.all(Array.from({ length: 12 }, () => shop.createRequest(in_a_minute())))
    for (const { id } of requests) await dispatch(shop, id)
    const orders = await Promise.all(requests.map(async ({ id }) => (await shop.orders(id))[0]!))
    const before = await shop.wallet()
    shop.testApp.clock.advance(60)
    await Promise.all(
      orders.flatMap(({ collection_request, reference }) => [
        dispatch(shop, collection_request!),
        shop.ingest(shop.paymentReport({ order_reference: reference })),
      ]),
    )
    expect((await shop.wallet()).balance).toBe(before.balance + 12n * amount('1500'))
    const collections = await shop.collections()
    for (const { id } of requests) {
      const { status, collection } = await shop.request(id)
      expect(['expired', 'successful']).toContain(status)
      expect(await shop.history(id)).toHaveLength(2)
      expect(collections.some((row) => row.collection_request === id && row.id === collection)).toBe(
        status === 'successful',
      )
      // The order is paid in both cases.
      expect(await shop.orders(id)).toMatchObject([{ state: 'successful', due_at: null }])
    }
  })
})

describe('a claim', () => {
  it('gives each request to one process, until its lease ends', async () => {
    const ids = (await Promise.all([1, 2, 3, 4, 5, 6].map(() => shop.createRequest()))).map((request) => request.id)
    const real = new Date()
    const claimed = await Promise.all([claimAll(real), claimAll(real), claimAll(real)])
    expect(claimed.flat().sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
    expect(await claim(100, real)).toEqual([])
    const after = new Date(real.getTime() + 20_000)
    expect(await nextDueRequest(shop.db, after)).toEqual(shop.now())
    expect((await claim(100, after)).length).toBe(6)
  })

  // The last one, because its many rows take long to delete.
  it('takes the requests of all organizations in turn', async () => {
    const one = await shop.createRequest()
    await shop.db`
      insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection, reason,
        metadata, success_message, send_instructions, status, expiry_date, max_attempts, created, author, modified)
      select organization, amount, currency, account, phonenumber, contact, network, connection, reason, metadata,
        success_message, send_instructions, status, expiry_date, max_attempts, created, author, modified
      from collection_requests cross join generate_series(1, 20000) where id = ${one.id}`
    // The newest request belongs to another organization.
    await shop.db`
      insert into open_collection_requests (collection_request, organization, account, phonenumber, amount, due_at)
      select id, organization, account, phonenumber, amount, ${new Date(shop.now().getTime() - 60_000)}
      from collection_requests where id <> ${one.id}`
    await shop.db`update collection_requests set organization = organization + 1 where id = (select max(id) from collection_requests)`
    const [other] = await shop.db<{ id: number }[]>`select max(id) as id from collection_requests`
    await shop.db`
      update open_collection_requests set organization = organization + 1, due_at = ${shop.now()}
      where collection_request = ${other!.id}`
    expect(await claim(10)).toContain(other!.id)
  })
})

function claim(limit = 100, real = new Date()): Promise<number[]> {
  const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + 15_000) }
  return begin(shop.db, async (tx) => {
    const ids = (await lockDueRequests(tx, times, limit)).map(({ id }) => id)
    await postponeRequests(tx, ids, times)
    return ids
  })
}

/** Claims two at a time until nothing is due, as a process does: a claim that another one outran brings none. */
async function claimAll(real: Date): Promise<number[]> {
  const ids: number[] = []
  while (await nextDueRequest(shop.db, real)) ids.push(...(await claim(2, real)))
  return ids
}

function fund(account: number, change: bigint) {
  return begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account, amount: change, description: '', author: 1 }))
}
