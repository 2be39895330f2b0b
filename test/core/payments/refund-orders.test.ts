import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkOrder, OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { findPaymentsById, type Payment } from '../../../src/core/payments/payments.ts'
import { readChargeOfRefund } from '../../../src/core/payments/payout-orders.ts'
import { type PayoutTraits, startPayouts } from '../../../src/core/payments/payouts.ts'
import { refundCollection } from '../../../src/core/payments/refunds.ts'
import { begin } from '../../../src/db/client.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { storePlace } from '../../connections/fake-connection.ts'
import { sendOrder } from '../charges.ts'
import { answerTo, applyEach } from '../payouts.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/* Refunds as orders: the operation of the network where it has one for this money, otherwise a payout. */

const ANY_PART: PayoutTraits = { reference: 'uuid-v4', refund_reference: 'uuid-v4', refunds_parts: true }
const ONLY_WHOLE: PayoutTraits = { ...ANY_PART, refunds_parts: false }
const NO_PAYOUTS: PayoutTraits = { ...ONLY_WHOLE, reference: null }
const ELSEWHERE = { slug: 'elsewhere', code: 'elsewhere', name: 'Elsewhere' }
const LIMITS = { decimals: 4, min: 1n, max: 10n ** 15n }

let shop: Shop
let author: number
let account: number
beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author } = await shop.wallet())
  await storePlace(shop.db, { connection: 'elsewhere', number: '800800', account })
})
afterAll(() => shop.close())

/** A collection of 1,500 that a customer paid; with a charge unless told otherwise. */
async function collect({ is_charge = true } = {}) {
  const request = await shop.createRequest()
  const order = is_charge ? await sendOrder(shop, request.id) : undefined
  await shop.ingest(shop.paymentReport({ order_reference: order?.reference ?? null }))
  const collection = (await shop.collections()).at(-1)!
  return { collection, order, balance: (await shop.wallet()).balance }
}

/** Refund a collection, start the payment, and return its order; undefined if there is none. */
async function refund(
  collection: number,
  { sum, traits = ANY_PART, network = NETWORK }: { sum?: Amount; traits?: PayoutTraits; network?: typeof NETWORK } = {},
) {
  const { organization } = shop
  const chooseNetwork = () => ({ ...network, limits: LIMITS })
  const payment = await begin(shop.db, (tx) =>
    refundCollection(tx, shop.now(), { organization, collection, author, chooseNetwork, amount: sum }),
  )
  const recipients = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${payment.id}`
  const ids = recipients.map(({ id }) => id)
  const senders = new Map([[network.slug, traits]])
  const [order] = await begin(shop.db, (tx) => startPayouts(tx, shop.now(), ids, senders))
  return { payment, order }
}

const apply = (order: NetworkOrder, answer: OrderAnswer) => applyEach(shop, [answerTo(order, answer)])
const read = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!
const refundedOf = async (id: number) => (await shop.collections()).find((one) => one.id === id)!.refunded
const SUCCESS: OrderAnswer = { outcome: 'successful', remote_id: 'RF1' }

describe('the order of a refund', () => {
  it('names its charge where the connection of the charge can refund all of it', async () => {
    const { collection, order: charge } = await collect()
    const { order } = await refund(collection.id, { traits: ONLY_WHOLE })
    expect(order).toMatchObject({ kind: 'refund', connection: 'sandbox', collection: collection.id })
    expect(order!.amount).toBe(amount('1500'))
    expect(await readChargeOfRefund(shop.db, order!)).toEqual({
      reference: charge!.reference,
      remote_id: null,
      amount: amount('1500'),
      transaction: collection.remote_transaction_id,
    })
  })

  it('may be a part where the connection refunds parts', async () => {
    const { collection } = await collect()
    const { order } = await refund(collection.id, { sum: amount('500') })
    expect(order).toMatchObject({ kind: 'refund', amount: amount('500') })
  })

  it.each([
    { rule: 'a part where only all can be refunded', options: { sum: amount('500'), traits: ONLY_WHOLE } },
    { rule: 'a charge of another connection', options: { network: ELSEWHERE } },
    {
      rule: 'a charge without the id that the network needs',
      options: { traits: { ...ANY_PART, canRefund: () => false } },
    },
    { rule: 'a connection without refunds', options: { traits: { ...ANY_PART, refund_reference: null } } },
  ])('is a payout for $rule', async ({ options }) => {
    const { collection } = await collect()
    const { order } = await refund(collection.id, options)
    expect(order).toMatchObject({ kind: 'payout', collection: null, connection: options.network?.slug ?? 'sandbox' })
  })

  it('is a payout for money that came without a charge, or of which the network took back a part', async () => {
    const without = await collect({ is_charge: false })
    expect((await refund(without.collection.id)).order).toMatchObject({ kind: 'payout' })
    const { collection, order } = await collect()
    const report = { remote_id: collection.remote_transaction_id, order_reference: order!.reference }
    const reversals = [{ remote_id: 'V1', amount: amount('300') }]
    await shop.ingest(shop.paymentReport({ ...report, reversals }))
    expect((await refund(collection.id)).order).toMatchObject({ kind: 'payout', amount: amount('1200') })
  })

  it('waits, with the reason, where the connection can neither refund this part nor pay out', async () => {
    const { collection } = await collect()
    const { payment, order } = await refund(collection.id, { sum: amount('500'), traits: NO_PAYOUTS })
    expect(order).toBeUndefined()
    expect((await read(payment)).phone_nos).toMatchObject([
      { state: 'paused', last_error: 'The connection sandbox cannot send money now.' },
    ])
    const whole = await collect()
    expect((await refund(whole.collection.id, { traits: NO_PAYOUTS })).order).toMatchObject({ kind: 'refund' })
  })
})

describe('the end of a refund', () => {
  it('takes the money from the wallet when it is successful, once', async () => {
    const { collection, balance } = await collect()
    const { payment, order } = await refund(collection.id)
    await apply(order!, SUCCESS)
    await apply(order!, SUCCESS)
    expect(await read(payment)).toMatchObject({ state: 'processed', phone_nos: [{ remote_transaction_id: 'RF1' }] })
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await refundedOf(collection.id)).toBe(amount('1500'))
  })

  it('releases the money when the network refuses it, so that it can be refunded again', async () => {
    const { collection, balance } = await collect()
    const { payment, order } = await refund(collection.id)
    await apply(order!, { outcome: 'failed', reason: 'not_allowed', message: 'Too old.' })
    expect(await read(payment)).toMatchObject({
      state: 'processed_with_errors',
      last_error: 'Too old.',
      phone_nos: [{ state: 'error' }],
    })
    expect((await shop.wallet()).balance).toBe(balance)
    expect(await refundedOf(collection.id)).toBe(0n)
    expect((await refund(collection.id)).order).toMatchObject({ kind: 'refund' })
  })

  it('holds the money while the outcome is unknown', async () => {
    const { collection, balance } = await collect()
    const { payment, order } = await refund(collection.id)
    await apply(order!, { outcome: 'unknown', message: 'no answer' })
    expect((await read(payment)).phone_nos).toMatchObject([{ state: 'processing' }])
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await refundedOf(collection.id)).toBe(amount('1500'))
  })

  it('takes the money again when it succeeds after it was refused, and a person is told', async () => {
    const { collection, balance } = await collect()
    const { payment, order } = await refund(collection.id)
    await apply(order!, { outcome: 'failed', reason: 'rejected', message: 'No.' })
    expect(await apply(order!, SUCCESS)).toMatchObject([{ payment: payment.id, booked: true }])
    expect(await read(payment)).toMatchObject({ state: 'processed' })
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await refundedOf(collection.id)).toBe(amount('1500'))
  })

  it('gives the money back when the network reverses it', async () => {
    const { collection, balance } = await collect()
    const { payment, order } = await refund(collection.id)
    await apply(order!, SUCCESS)
    await apply(order!, { outcome: 'reversed', message: 'Taken back.' })
    expect((await read(payment)).phone_nos).toMatchObject([{ state: 'error' }])
    expect((await shop.wallet()).balance).toBe(balance)
    expect(await refundedOf(collection.id)).toBe(0n)
  })

  it('is no reversal of the payment, although its network reports it as one', async () => {
    const { collection, balance } = await collect()
    const { order } = await refund(collection.id)
    const report = shop.paymentReport({ remote_id: collection.remote_transaction_id, status: 'reversed' })
    await apply(order!, SUCCESS)
    expect(await shop.ingest(report)).toEqual(['known'])
    expect(await shop.ingest(report)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect((await shop.collections()).at(-1)).toMatchObject({ status: 'successful', refunded: amount('1500') })
    const events = await shop.events('collection.reversed')
    expect(events.filter(({ data }) => data.id === collection.id)).toEqual([])
  })

  it('of a part leaves the rest to a reversal', async () => {
    const { collection, balance } = await collect()
    const { order } = await refund(collection.id, { sum: amount('400') })
    await apply(order!, SUCCESS)
    const report = shop.paymentReport({ remote_id: collection.remote_transaction_id, status: 'reversed' })
    expect(await shop.ingest(report)).toEqual(['reversed'])
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
  })

  it('that has failed, or was a payout, hides no reversal', async () => {
    for (const traits of [ANY_PART, { ...ANY_PART, refund_reference: null }]) {
      const { collection, balance } = await collect()
      const { order } = await refund(collection.id, { traits })
      const failed = traits === ANY_PART
      await apply(order!, failed ? { outcome: 'failed', reason: 'rejected', message: 'No.' } : SUCCESS)
      const report = shop.paymentReport({ remote_id: collection.remote_transaction_id, status: 'reversed' })
      expect(await shop.ingest(report)).toEqual(['reversed'])
      expect((await shop.wallet()).balance).toBe(balance - amount(failed ? '1500' : '3000'))
    }
  })
})
