import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../../src/core/access/organizations.ts'
import { assignPayment } from '../../../../src/core/collections/actions.ts'
import { checkPaidOrders } from '../../../../src/core/collections/paid-requests.ts'
import { listOrderAnswers } from '../../../../src/core/connections/network-orders.ts'
import { begin } from '../../../../src/db/client.ts'
import { answer, sendOrder } from '../../charges.ts'
import { amount, NETWORK, openShop, type Shop } from '../../shop.ts'

/* Money has one identity per order, whoever says first that it was paid, and under whatever ids. */

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

async function placeCharge() {
  const request = await shop.createRequest()
  return { request, order: await sendOrder(shop, request.id) }
}

const idsOf = async () => (await shop.collections()).map((row) => row.remote_transaction_id)

describe('money of an order', () => {
  it('is recorded once, also when callback and question give it different ids', async () => {
    const { request, order } = await placeCharge()
    const { balance } = await shop.wallet()
    await shop.ingest(shop.paymentReport({ remote_id: 'M1', order_reference: order.reference }))
    await answer(shop, order, { outcome: 'successful', remote_id: 'OTHER' })
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'THIRD', order_reference: order.reference }))).toEqual([
      'known',
    ])
    expect(await idsOf()).toEqual(['M1'])
    expect((await shop.wallet()).balance - balance).toBe(amount('1500'))
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful' })
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful', remote_transaction_id: 'M1' }])
  })

  it('is recorded once when two reports with different ids come in one batch', async () => {
    const { order } = await placeCharge()
    const reports = ['M1', 'M2'].map((remote_id) => shop.paymentReport({ remote_id, order_reference: order.reference }))
    expect(await shop.ingest(...reports)).toEqual(['recorded', 'known'])
    for (const report of reports) await shop.ingest(report)
    expect(await idsOf()).toEqual(['M1'])
  })

  it('stands under our reference until the network gives its id, which is filled in', async () => {
    const { order } = await placeCharge()
    await answer(shop, order, { outcome: 'successful' })
    expect(await idsOf()).toEqual([order.reference])
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'M1', order_reference: order.reference }))).toEqual([
      'known',
    ])
    expect(await idsOf()).toEqual(['M1'])
    // From now on the id alone is enough, and an id that stands for none changes nothing.
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'M1' }))).toEqual(['known'])
    await answer(shop, order, { outcome: 'successful' })
    expect(await idsOf()).toEqual(['M1'])
  })

  it('is linked to its order when it was recorded without it', async () => {
    const { request, order } = await placeCharge()
    await shop.ingest(shop.paymentReport({ remote_id: 'M1' }))
    expect(await shop.collections()).toMatchObject([{ network_order: null, collection_request: request.id }])
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1' })
    expect(await shop.collections()).toMatchObject([{ network_order: order.id, collection_request: request.id }])
    expect(await checkPaidOrders(shop.db)).toEqual([])
  })

  it('is reported when it may be in the books twice', async () => {
    const { order } = await placeCharge()
    await answer(shop, order, { outcome: 'successful' })
    await shop.ingest(shop.paymentReport({ remote_id: 'M1' }))
    expect(await checkPaidOrders(shop.db)).toEqual([])
    await shop.ingest(shop.paymentReport({ remote_id: 'M1', order_reference: order.reference }))
    await shop.db`update network_orders set remote_transaction_id = 'M1'`
    expect(await checkPaidOrders(shop.db)).toEqual([expect.stringContaining('may both be its money')])
    await shop.db`update network_orders set remote_transaction_id = null`
  })

  it('belongs to the account of its request, also when the receiver number is unknown', async () => {
    const { request, order } = await placeCharge()
    const report = shop.paymentReport({ receiver: 'nobody', order_reference: order.reference })
    expect(await shop.ingest(report)).toEqual(['recorded'])
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful' })
    // Without an order, such money waits for an account.
    expect(await shop.ingest(shop.paymentReport({ receiver: 'nobody' }))).toEqual(['unassigned'])
  })

  it('is recorded once when its network reports it without the order, to a receiver without an account', async () => {
    const { request, order } = await placeCharge()
    await answer(shop, order, { outcome: 'successful' })
    const { balance, id: account } = await shop.wallet()
    const report = { remote_id: 'M1', receiver: '999', phonenumber: order.phonenumber, hides_order: true }
    expect(await shop.ingest(shop.paymentReport(report))).toEqual(['unassigned'])
    const [kept] = await shop.db<
      { id: number }[]
    >`select id from unassigned_payments where remote_transaction_id = 'M1'`
    const by = { payment: kept!.id, account, by: { name: 'Grace' } }
    const assigned = await begin(shop.db, (tx) => assignPayment(tx, shop.now(), [NETWORK], by))
    expect(assigned).toMatchObject({ remote_transaction_id: 'M1', collection_request: { id: request.id } })
    expect(await idsOf()).toEqual(['M1'])
    expect((await shop.wallet()).balance).toBe(balance)
    expect(await shop.db`select state from unassigned_payments where id = ${kept!.id}`).toMatchObject([
      { state: 'assigned' },
    ])
  })

  it('cannot be assigned when the books have it for another organization', async () => {
    const money = { remote_id: 'M2', phonenumber: '+80000000049' }
    expect(await shop.ingest(shop.paymentReport(money))).toEqual(['recorded'])
    expect(await shop.ingest(shop.paymentReport({ ...money, remote_id: 'M3', receiver: '999' }))).toEqual([
      'unassigned',
    ])
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    await shop.db`update collections set organization = ${other.id} where remote_transaction_id = 'M2'`
    const [kept] = await shop.db<{ id: number }[]>`
      update unassigned_payments set remote_transaction_id = 'M2' where remote_transaction_id = 'M3' returning id`
    const { id: account } = await shop.wallet()
    const by = { payment: kept!.id, account, by: { name: 'Grace' } }
    const assigned = begin(shop.db, (tx) => assignPayment(tx, shop.now(), [NETWORK], by))
    await expect(assigned).rejects.toThrow(/already in the books/)
    expect(await shop.db`select state from unassigned_payments where id = ${kept!.id}`).toMatchObject([
      { state: 'unassigned' },
    ])
  })

  it('names no order of another connection', async () => {
    const { request, order } = await placeCharge()
    const network = { slug: 'elsewhere', code: 'elsewhere', name: 'Elsewhere' }
    const report = shop.paymentReport({ network, receiver: 'nobody', order_reference: order.reference })
    expect(await shop.ingest(report)).toEqual(['unassigned'])
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'sent' }])
  })

  it('with another amount is recorded as it came, matched to nothing, and closes the order', async () => {
    const { request, order } = await placeCharge()
    await shop.ingest(shop.paymentReport({ order_reference: order.reference, amount: amount('1499') }))
    expect(await shop.collections()).toMatchObject([
      { amount: amount('1499'), collection_request: null, network_order: order.id },
    ])
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started' })
    expect(await listOrderAnswers(shop.db, [order.id])).toMatchObject([
      { source: 'callback', outcome: 'successful', amount: amount('1499') },
    ])
  })

  it('keeps the fee that the network tells', async () => {
    const { request, order } = await placeCharge()
    await answer(shop, order, { outcome: 'successful', remote_id: 'M1', fee: amount('15') })
    expect(await shop.orders(request.id)).toMatchObject([{ fee: amount('15') }])
  })

  it('that the network has taken back is out of the books, and the order says so', async () => {
    const { request, order } = await placeCharge()
    await answer(shop, order, { outcome: 'successful' })
    const { balance } = await shop.wallet()
    await shop.ingest(shop.paymentReport({ remote_id: 'M1', order_reference: order.reference, status: 'reversed' }))
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await shop.collections()).toMatchObject([{ remote_transaction_id: 'M1', status: 'reversed' }])
    expect(await shop.request(request.id)).toMatchObject({ status: 'reversed' })
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'reversed' }])
  })

  it('is taken back as well when the status of the order says so', async () => {
    const { request, order } = await placeCharge()
    await shop.ingest(shop.paymentReport({ remote_id: 'M1', order_reference: order.reference }))
    await answer(shop, order, { outcome: 'reversed', message: 'Taken back.' })
    expect(await shop.collections()).toMatchObject([{ remote_transaction_id: 'M1', status: 'reversed' }])
    expect(await shop.request(request.id)).toMatchObject({ status: 'reversed' })
  })
})
