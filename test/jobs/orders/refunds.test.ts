import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chooseRefundConnection } from '../../../src/connections/choose.ts'
import { readDispositions } from '../../../src/core/collections/collections.ts'
import { storeCallbacks } from '../../../src/core/connections/callbacks.ts'
import { findPaymentsById, type Payment } from '../../../src/core/payments/payments.ts'
import { refundCollection } from '../../../src/core/payments/refunds.ts'
import { begin } from '../../../src/db/client.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { processCallbacks } from '../../../src/jobs/process-callbacks.ts'
import { sendPayments } from '../../../src/jobs/send-payments.ts'
import type { PayoutAnswer, PayoutCheck, Refund } from '../../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection } from '../../connections/fake-connection.ts'
import { sendOrder } from '../../core/charges.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'

/* Refunds through the jobs, over a network that gives back whole charges only. */

const fake = {
  calls: [] as string[],
  refunds: [] as Refund[],
  refund: (): PayoutAnswer => ({ outcome: 'accepted', remote_id: 'R1' }),
  payout: (): PayoutAnswer => ({ outcome: 'successful', remote_id: 'PO1' }),
  check: (): PayoutCheck => ({ outcome: 'unknown', message: 'Busy' }),
}
const network: FakeNetwork = {
  code: 'sandbox',
  name: 'Sandbox Network',
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
  traits: { refund: { refunds: 'full' } },
  canRefund: ({ reference, transaction }) => transaction !== reference,
  charge: async () => ({ outcome: 'accepted', remote_id: 'C1' }),
  async payout() {
    fake.calls.push('payout')
    return fake.payout()
  },
  readCallback: ({ body: reference }) => ({
    subject: 'order',
    order: { reference },
    verified: true,
    answer: { outcome: 'successful' as const, remote_id: `end of ${reference}` },
  }),
  async refund(refund) {
    fake.calls.push('refund')
    fake.refunds.push(refund)
    return fake.refund()
  },
  async refundStatus() {
    fake.calls.push('refundStatus')
    return fake.check()
  },
}

const connection = fakeConnection(network)

let shop: Shop
let author: number
beforeAll(async () => {
  shop = await openShop({ overrides: { connections: [connection] } })
  ;({ author } = await shop.wallet())
})
afterAll(() => shop.close())
beforeEach(() => {
  fake.calls = []
  fake.refunds = []
  fake.refund = () => ({ outcome: 'accepted', remote_id: 'R1' })
  fake.payout = () => ({ outcome: 'successful', remote_id: 'PO1' })
  fake.check = () => ({ outcome: 'unknown', message: 'Busy' })
})

/** A charge of 1,500 that its customer has paid. */
async function collect() {
  const order = await sendOrder(shop, (await shop.createRequest()).id)
  await shop.ingest(shop.paymentReport({ order_reference: order.reference }))
  await shop.db`update network_orders set due_at = null`
  const collection = (await shop.collections()).at(-1)!
  return { collection, order, balance: (await shop.wallet()).balance }
}

async function refund(collection: number, sum = amount('1500')): Promise<Payment> {
  const payment = await orderRefund(collection, sum)
  await work()
  return payment
}

function orderRefund(collection: number, sum: bigint): Promise<Payment> {
  const { app } = shop.testApp
  const input = { organization: shop.organization, collection, author, amount: sum }
  return begin(shop.db, (tx) =>
    refundCollection(tx, shop.now(), {
      ...input,
      chooseNetwork: (money) => chooseRefundConnection(app.connections.list(), money),
    }),
  )
}

/** Start the payments that are due, and make the calls that are due for their orders. */
async function work(): Promise<void> {
  await start()
  const orders = networkOrders(shop.testApp.app)
  await orders.run(await orders.claim(100))
}

/** Store the orders of the payments that are due. */
async function start(): Promise<void> {
  const payments = sendPayments(shop.testApp.app)
  await payments.run(await payments.claim(100))
}

const stateOf = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!.phone_nos[0]!.state

it('a whole charge is refunded, with the ids of the charge, and asked about until the network says the end', async () => {
  const { collection, order, balance } = await collect()
  const payment = await refund(collection.id)
  expect(fake.refunds).toMatchObject([
    { amount: amount('1500'), charge: { reference: order.reference, transaction: collection.remote_transaction_id } },
  ])
  expect(await stateOf(payment)).toBe('pending_confirmation')
  fake.check = () => ({ outcome: 'successful', remote_id: 'RF1' })
  shop.testApp.clock.advance(60)
  await work()
  expect(fake.calls).toEqual(['refund', 'refundStatus'])
  expect(await stateOf(payment)).toBe('complete')
  expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
})

it('a part is paid out, because the network gives back whole charges only', async () => {
  const { collection, balance } = await collect()
  const payment = await refund(collection.id, amount('500'))
  expect(fake.calls).toEqual(['payout'])
  expect(await stateOf(payment)).toBe('complete')
  expect((await shop.wallet()).balance).toBe(balance - amount('500'))
})

it('a charge without the receipt that the network needs is paid out, or refused before money is held', async () => {
  const { order, balance } = await collect()
  const collection = (await shop.collections()).at(-1)!.id
  await shop.db`update collections set remote_transaction_id = ${order.reference} where id = ${collection}`
  expect(await readDispositions(shop.db, [collection])).toMatchObject(new Map([[collection, { is_stand_in: true }]]))
  const { operations } = connection
  connection.operations = { ...operations, payout: undefined }
  await expect(refund(collection)).rejects.toMatchObject({
    fields: { collection: [expect.stringContaining('has not told its own id of this payment')] },
  })
  expect((await shop.wallet()).balance).toBe(balance)
  connection.operations = operations
  expect(await stateOf(await refund(collection))).toBe('complete')
  expect(fake.calls).toEqual(['payout'])
})

it('a refund that the network refuses is an error, and its money is free again', async () => {
  const { collection, balance } = await collect()
  fake.refund = () => ({ outcome: 'failed', reason: 'not_allowed', message: 'Too old.' })
  const payment = await refund(collection.id)
  expect(await stateOf(payment)).toBe('error')
  expect((await shop.wallet()).balance).toBe(balance)
})

it('a refund without an answer is asked about and not sent again', async () => {
  const { collection, balance } = await collect()
  fake.refund = () => ({ outcome: 'unknown', message: 'no answer' })
  const payment = await refund(collection.id)
  shop.testApp.clock.advance(60)
  await work()
  expect(fake.calls).toEqual(['refund', 'refundStatus'])
  expect(await stateOf(payment)).toBe('processing')
  expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
})

it.each([
  ['refund', '1500'],
  ['payout', '500'],
])('a stored order of a %s is not sent when the network takes the payment back first', async (_, sum) => {
  const { collection, balance } = await collect()
  const payment = await orderRefund(collection.id, amount(sum))
  await start()
  const { remote_transaction_id: remote_id } = collection
  expect(await shop.ingest(shop.paymentReport({ remote_id, status: 'reversed' }))).toEqual(['reversed'])
  await work()
  expect(fake.calls).toEqual([])
  expect(await stateOf(payment)).toBe('error')
  expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
  expect((await shop.collections()).at(-1)).toMatchObject({ refunded: 0n, status: 'reversed' })
})

it('a refund that never arrived is not sent again when the network took the payment back meanwhile', async () => {
  const { collection, balance } = await collect()
  fake.refund = () => ({ outcome: 'unknown', message: 'no answer' })
  const payment = await refund(collection.id)
  await shop.db`update network_orders set state = 'new', due_at = ${shop.now()} where collection = ${collection.id}`
  const { remote_transaction_id: remote_id } = collection
  expect(await shop.ingest(shop.paymentReport({ remote_id, status: 'reversed' }))).toEqual(['reversed'])
  await work()
  expect(fake.calls).toEqual(['refund'])
  expect(await stateOf(payment)).toBe('error')
  expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
})

it('callbacks about refunds and payouts are marked as done in the transaction that settles both', async () => {
  fake.payout = () => ({ outcome: 'accepted', remote_id: 'PO2' })
  const payments: Payment[] = []
  for (const sum of ['1500', '500']) payments.push(await refund((await collect()).collection.id, amount(sum)))
  expect(fake.calls).toEqual(['refund', 'payout'])
  const orders = await shop.db<{ reference: string }[]>`
    select reference from network_orders where payment_recipient is not null order by id desc limit 2`
  const callbacks = orders.map(({ reference }) => ({
    network: 'sandbox',
    connection: 'sandbox',
    headers: {},
    body: reference,
    verified: true,
    note: null,
    state: 'waiting' as const,
    subject: null,
    reference: null,
  }))
  await begin(shop.db, (tx) => storeCallbacks(tx, shop.now(), callbacks))
  const job = processCallbacks(shop.testApp.app)
  await job.run(await job.claim(100))
  expect(await Promise.all(payments.map(stateOf))).toEqual(['complete', 'complete'])
  // PostgreSQL keeps the transaction that wrote a row last: a killed process has written all of these or none.
  const references = orders.map(({ reference }) => reference)
  const written = await shop.db<{ by: string; rows: number }[]>`
    select by, count(*) as rows from (
      select xmin::text as by from callbacks where body = any(${references}::text[]) and state = 'settled'
      union all select xmin::text from network_orders where reference = any(${references}::text[])
      union all select xmin::text from payments where id = any(${payments.map(({ id }) => id)}::bigint[])) t
    group by by`
  expect(written).toEqual([{ by: expect.any(String), rows: 6 }])
})
