import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chooseRefundConnection } from '../../src/connections/choose.ts'
import { applyAcceptanceResults } from '../../src/core/collections/acceptance-checks.ts'
import { cancelRequest, matchManually } from '../../src/core/collections/actions.ts'
import { claimCollection } from '../../src/core/collections/collections.ts'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import type { NetworkOrder, OrderAnswer } from '../../src/core/connections/network-orders.ts'
import { eraseContact } from '../../src/core/contacts/erasure.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import { refundCollection, returnCollection } from '../../src/core/payments/refunds.ts'
import { settle } from '../../src/core/settlements/settle.ts'
import { begin, type Database, type Tx } from '../../src/db/client.ts'
import { findInconsistencies } from '../../src/jobs/check-consistency.ts'
import { lockedTables, outOfOrder, watchLocks } from '../lock-order.ts'
import { placeOrder } from './charges.ts'
import { createManyAcceptanceChecks, createManyPayments } from './many-rows.ts'
import { answerTo, startPayoutsOf } from './payouts.ts'
import { amount, openShop, type Shop } from './shop.ts'

/* The order of locks over tables, and what happens to rows that all actions want at once. */

let shop: Shop
let author: number
let watched: { db: Database; transactions: string[][] }

beforeAll(async () => {
  shop = await openShop()
  ;({ author } = shop.requestInput())
  watched = await watchLocks(shop.db)
})
beforeEach(() => {
  watched.transactions.length = 0
})
afterAll(() => shop.close())

const watch = <T>(work: (tx: Tx) => Promise<T>) => begin(watched.db, work)

let customers = 0

/** A collection of 1,500 of another customer, matched or not. */
async function collect(matched = true) {
  customers += 1
  const phonenumber = `+8000001${String(customers).padStart(4, '0')}`
  if (matched) await shop.createRequest({ phonenumber })
  await shop.ingest(shop.paymentReport({ phonenumber }))
  return (await shop.collections()).at(-1)!
}

const refundInput = (collection: number) => ({
  organization: shop.organization,
  collection,
  author,
  chooseNetwork: (money: Parameters<typeof chooseRefundConnection>[1]) =>
    chooseRefundConnection(shop.testApp.app.connections.list(), money),
})

const refund = (tx: Tx, collection: number, sum?: bigint) =>
  refundCollection(tx, shop.now(), { ...refundInput(collection), amount: sum })

/** The order of a refund of 100 that has begun. */
async function startRefund(collection: number): Promise<NetworkOrder> {
  const payment = await begin(shop.db, (tx) => refund(tx, collection, amount('100')))
  const recipients = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${payment.id}`
  const [order] = await startPayoutsOf(
    shop,
    recipients.map(({ id }) => id),
  )
  return order!
}

const FAILED: OrderAnswer = { outcome: 'failed', reason: 'rejected', message: 'No' }
const sent = (id: string): OrderAnswer => ({ outcome: 'successful', remote_id: id, amount: amount('100') })
const answer = (tx: Tx, orders: readonly NetworkOrder[], said: OrderAnswer) =>
  settle(
    tx,
    shop.now(),
    orders.map((order) => answerTo(order, said)),
  )

const reverse = (tx: Tx, collection: { remote_transaction_id: string }) =>
  ingestIncomingPayments(tx, shop.now(), [
    shop.paymentReport({ remote_id: collection.remote_transaction_id, status: 'reversed' }),
  ])

describe('locks are taken in one order by', () => {
  const actions: Record<string, () => Promise<{ locks: string[] }>> = {
    async settlement() {
      const order_reference = await placeOrder(shop, (await shop.createRequest()).id)
      await watch((tx) => ingestIncomingPayments(tx, shop.now(), [shop.paymentReport({ order_reference })]))
      return { locks: ['collection_requests', 'network_orders', 'collections', 'sms_messages', 'accounts'] }
    },
    async 'a refund'() {
      const { id } = await collect()
      await watch((tx) => refund(tx, id))
      return { locks: ['collections', 'accounts'] }
    },
    async 'a return of unmatched money'() {
      const { id } = await collect(false)
      await watch((tx) => returnCollection(tx, shop.now(), refundInput(id)))
      return { locks: ['collections', 'accounts'] }
    },
    async 'a refund that fails'() {
      const order = await startRefund((await collect()).id)
      await watch((tx) => answer(tx, [order], FAILED))
      return { locks: ['payments', 'payment_recipients', 'network_orders', 'collections', 'accounts'] }
    },
    async 'a refund that was sent after all'() {
      const order = await startRefund((await collect()).id)
      await begin(shop.db, (tx) => answer(tx, [order], FAILED))
      await watch((tx) => answer(tx, [order], sent('S1')))
      return { locks: ['payments', 'payment_recipients', 'network_orders', 'late_payouts', 'collections', 'accounts'] }
    },
    async 'a refund that comes back'() {
      const order = await startRefund((await collect()).id)
      await begin(shop.db, (tx) => answer(tx, [order], sent('S2')))
      await watch((tx) => answer(tx, [order], { outcome: 'reversed', message: 'Taken back' }))
      return { locks: ['payments', 'payment_recipients', 'network_orders', 'collections', 'accounts'] }
    },
    async 'a payment that is cancelled'() {
      const { payments } = await createManyPayments(shop)
      const decision = { organization: shop.organization, user: author, reason: 'Too early' }
      await watch((tx) => cancelPayment(tx, shop.now(), { ...decision, payment: payments[0]! }))
      return { locks: ['payments', 'payment_recipients', 'accounts'] }
    },
    async 'a reversal'() {
      const collection = await collect()
      await watch((tx) => reverse(tx, collection))
      return { locks: ['collection_requests', 'collections', 'accounts'] }
    },
    async 'a match by hand'() {
      const { id } = await collect(false)
      const request = await shop.createRequest()
      await watch((tx) =>
        matchManually(tx, shop.now(), { collection: id, request: request.id, by: { user: null, name: 'operator' } }),
      )
      return { locks: ['collection_requests', 'collections', 'sms_messages'] }
    },
    async 'a claim of unmatched money'() {
      const { remote_transaction_id, phonenumber } = await collect(false)
      const caller = { organization: shop.organization, user: author }
      await watch((tx) =>
        claimCollection(tx, shop.now(), caller, { amount: amount('1500'), remote_transaction_id, phonenumber }),
      )
      return { locks: ['collections'] }
    },
    async 'a request that is cancelled'() {
      const { id } = await shop.createRequest()
      await watch((tx) => cancelRequest(tx, shop.now(), { request: id, by: { user: null, name: 'operator' } }))
      return { locks: ['collection_requests'] }
    },
    async 'the verdict of an organization'() {
      const { checks } = await createManyAcceptanceChecks(shop)
      const verdict = { verdict: 'reject' as const, reason: 'No', unreachable: false, error: null, due_at: null }
      await watch((tx) =>
        applyAcceptanceResults(
          tx,
          shop.now(),
          checks.map((id) => ({ id, ...verdict })),
        ),
      )
      return { locks: ['acceptance_checks'] }
    },
    async 'the erasure of a person'() {
      const { id, contact } = await collect()
      const order = await startRefund(id)
      await begin(shop.db, (tx) => answer(tx, [order], FAILED))
      await watch((tx) => eraseContact(tx, shop.now(), contact!, { author, lease_end: null }))
      const money = ['unassigned_payments', 'collection_requests', 'payments', 'payment_recipients', 'payment_links']
      return { locks: [...money, 'contacts', 'network_orders', 'acceptance_checks', 'collections', 'sms_messages'] }
    },
  }

  it.each(Object.keys(actions))('%s', async (name) => {
    const { locks } = await actions[name]!()
    const [locked] = watched.transactions
    expect(outOfOrder(locked!)).toEqual([])
    expect(locked).toEqual(locks)
  })
})

describe('the watch over locks', () => {
  it('sees rows that are locked, changed or upserted, inside of statements, too', () => {
    const statements = [
      'select id from payments where id = any($1) order by id for update',
      'insert into contacts (id) values (1) on conflict do nothing',
      'with changed as (update collections set refunded = 0 where id = $1 returning id) update accounts set balance = 0',
    ]
    expect(lockedTables(statements)).toEqual(['payments', 'contacts', 'collections', 'accounts'])
  })

  it('passes over claims, reads and rows of the transaction itself', () => {
    const statements = [
      'select id from payments limit 1 for update skip locked',
      'select id from collections',
      'insert into network_orders (id) values (1)',
      'update network_orders set due_at = null where id = 1',
    ]
    expect(lockedTables(statements)).toEqual([])
  })

  it('names what is locked against the order', () => {
    expect(outOfOrder(['payments', 'accounts', 'collections'])).toEqual(['accounts before collections'])
  })
})

describe('refunds, payouts, reversals and settlements of the same rows', () => {
  it('all take effect at once, without a deadlock', async () => {
    const known = await findInconsistencies(shop.db)
    const deadlocks: unknown[] = []
    const database = new Proxy(shop.db, {
      get(target, name) {
        if (name !== 'begin') return Reflect.get(target, name)
        const noting: Database['begin'] = (opening, work) =>
          target.begin(opening, work).catch((error: { code?: string }) => {
            if (error.code === '40P01') deadlocks.push(error)
            throw error
          })
        return noting
      },
    })
    const run = <T>(work: (tx: Tx) => Promise<T>) => begin(database, work).catch(() => undefined)
    for (let round = 0; round < 5; round += 1) {
      const collections = [await collect(), await collect(), await collect()]
      const orders: NetworkOrder[] = []
      for (const { id } of collections) orders.push(await startRefund(id), await startRefund(id))
      const halves = [orders.filter((_, index) => index % 2 === 0), orders.filter((_, index) => index % 2 === 1)]
      const open = await shop.createRequest()
      const report = shop.paymentReport({ order_reference: await placeOrder(shop, open.id) })
      await Promise.all([
        run((tx) => answer(tx, halves[0]!, FAILED)),
        run((tx) => answer(tx, halves[1]!.toReversed(), FAILED)),
        ...collections.map(({ id }) => run((tx) => refund(tx, id, amount('50')))),
        ...collections.toReversed().map((collection) => run((tx) => reverse(tx, collection))),
        run((tx) =>
          ingestIncomingPayments(
            tx,
            shop.now(),
            collections
              .toReversed()
              .map(({ remote_transaction_id }) =>
                shop.paymentReport({ remote_id: remote_transaction_id, status: 'reversed' }),
              ),
          ),
        ),
        run((tx) => ingestIncomingPayments(tx, shop.now(), [report])),
      ])
      expect(await shop.request(open.id)).toMatchObject({ status: 'successful' })
      const after =
        await shop.db`select status from collections where id = any(${collections.map(({ id }) => id)}::bigint[])`
      expect(after.map(({ status }) => status)).toEqual(['reversed', 'reversed', 'reversed'])
    }
    expect(deadlocks).toEqual([])
    expect(await findInconsistencies(shop.db)).toEqual(known)
  })
})
