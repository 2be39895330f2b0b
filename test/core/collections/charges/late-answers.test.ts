import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPaidOrders } from '../../../../src/core/collections/paid-requests.ts'
import { listOrderAnswers } from '../../../../src/core/connections/network-orders.ts'
import { answer, chargeConnections, dispatch, sendOrder } from '../../charges.ts'
import { amount, openShop, type Shop } from '../../shop.ts'

/* Answers of networks about charges that come late, in another order, or with other money (docs/networks.md). */

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

const expired_prompt = { outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' } as const
const declined = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' } as const

/** A request with an order that was sent, and the balance before it. */
async function placeCharge() {
  const { balance } = await shop.wallet()
  const request = await shop.createRequest()
  return { request, order: await sendOrder(shop, request.id), balance }
}

const balanceSince = async (before: bigint) => (await shop.wallet()).balance - before

describe('the success of a charge that had failed', () => {
  it('is credited once, as money that no open request asked for, and the request stays failed', async () => {
    const { request, order, balance } = await placeCharge()
    await answer(shop, order, declined)
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1' })
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1' })
    expect(await balanceSince(balance)).toBe(amount('1500'))
    expect(await shop.collections()).toMatchObject([
      { remote_transaction_id: 'M1', collection_request: null, network_order: order.id, status: 'successful' },
    ])
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → failed'])
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful', failure_reason: null, due_at: null }])
    expect(await shop.events('collection.received')).toHaveLength(1)
    // The first answer keeps its reason.
    expect((await listOrderAnswers(shop.db, [order.id])).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['failed', 'cancelled'],
      ['successful', null],
    ])
  })
})

describe('two attempts of one request that are both paid', () => {
  it('fulfil the request once; the other money is credited and unmatched', async () => {
    const { request, order: first, balance } = await placeCharge()
    await answer(shop, first, expired_prompt)
    shop.testApp.clock.advance(600)
    await dispatch(shop, request.id, chargeConnections({ can_ask: false }))
    const second = await sendOrder(shop, request.id)
    await answer(shop, second, { outcome: 'successful', remote_id: 'M2' })
    await answer(shop, first, { outcome: 'successful', remote_id: 'M1' })
    expect(await balanceSince(balance)).toBe(amount('3000'))
    expect(await shop.collections()).toMatchObject([
      { remote_transaction_id: 'M2', collection_request: request.id, network_order: second.id },
      { remote_transaction_id: 'M1', collection_request: null, network_order: first.id },
    ])
    expect((await shop.history(request.id)).filter((move) => move.endsWith('successful'))).toHaveLength(1)
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful' }, { state: 'successful' }])
  })
})

describe('the reversal of a charge whose success is not known yet', () => {
  it('leaves no money in the books, also when the success is reported later', async () => {
    const { request, order, balance } = await placeCharge()
    const report = shop.paymentReport({ remote_id: 'M1', order_reference: order.reference })
    await shop.ingest({ ...report, status: 'reversed' })
    await shop.ingest(report)
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1' })
    expect(await balanceSince(balance)).toBe(0n)
    expect(await shop.collections()).toMatchObject([{ remote_transaction_id: 'M1', status: 'reversed' }])
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'reversed', due_at: null }])
  })

  it('may come as the answer about the order, and closes it', async () => {
    const { request, order, balance } = await placeCharge()
    await answer(shop, order, { outcome: 'reversed', message: 'Taken back.' })
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1' })
    expect(await balanceSince(balance)).toBe(0n)
    expect(await checkPaidOrders(shop.db)).toEqual([])
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'reversed', due_at: null }])
  })
})

describe('money for an order in another currency', () => {
  it('waits for an account, closes the order, and neither the request nor the wallet changes', async () => {
    const { request, order, balance } = await placeCharge()
    const report = shop.paymentReport({ remote_id: 'M1', order_reference: order.reference })
    expect(await shop.ingest({ ...report, currency: 'XXX' })).toEqual(['unassigned'])
    expect(await balanceSince(balance)).toBe(0n)
    expect(await shop.collections()).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started' })
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful', due_at: null }])
    expect(await checkPaidOrders(shop.db)).toEqual([expect.stringContaining('the money is not in the books')])
  })
})
