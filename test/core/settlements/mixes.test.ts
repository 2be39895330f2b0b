import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPurchases } from '../../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import type { IncomingPaymentReport, IngestResult } from '../../../src/core/collections/incoming-payments.ts'
import type { OrderAnswer, VendNews } from '../../../src/core/connections/network-orders.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { type LearntAny, type SettlementGroup, settle } from '../../../src/core/settlements/settle.ts'
import { begin, type Reader } from '../../../src/db/client.ts'
import { freshReference } from '../../api/bills/buyer.ts'
import { claimOrders, dispatchAll, toChargeAnswer } from '../charges.ts'
import { inParts } from '../in-parts.ts'
import { answerTo, startPayoutsOf } from '../payouts.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'
import { currentVend } from '../vends.ts'

/*
 * All that tests need to know about batches of news: any mix of news, about any of the orders, changes what each of them
 * would change alone, one after the other. Two about one order are settled in parts. So do reports of money.
 */

let shop: Shop
let account: number
let bill_account: number
beforeAll(async () => {
  shop = await openShop()
  account = (await shop.wallet()).id
  bill_account = (await findBillWallet(shop.db, shop.organization))!.id
})
afterAll(() => shop.close())

/** Number of orders of each side. Payments have two recipients each. */
const ORDERS = 4

/** News about one of the orders of a side: the order, and one of the answers. */
interface News {
  order: number
  answer: number
}

/** Open orders of one group, which differ from those of another side in their ids alone. */
interface Side {
  learn(news: News): LearntAny
  /** The orders as they are now, and all that belongs to them, without ids. */
  read(db: Reader): Promise<unknown>
}

const answers = (id: string): OrderAnswer[] => [
  { outcome: 'accepted', remote_id: `A${id}` },
  { outcome: 'successful', remote_id: `M${id}` },
  { outcome: 'successful', remote_id: `M${id}`, amount: amount('20') },
  { outcome: 'failed', reason: 'cancelled', message: 'No' },
  { outcome: 'failed', reason: 'prompt_expired', message: 'Too late' },
  { outcome: 'reversed', message: 'Taken back' },
  { outcome: 'unknown', message: 'HTTP 503' },
  { outcome: 'not_found' },
]
/** Answers that come when the order has ended. */
const FIRST_ANSWERS = 8

const goods = { token: '1234', amount_of_power: null, pins: [], provider_message: '', raw_output: null, more: {} }
const billAnswers: VendNews[] = [
  { outcome: 'accepted', remote_id: 'B1' },
  { outcome: 'successful', remote_id: 'B1', vended: goods },
  { outcome: 'successful', remote_id: 'B1', vended: { ...goods, token: null } },
  { outcome: 'failed', reason: 'declined', message: 'No' },
  { outcome: 'failed', reason: 'out_of_stock', message: 'None left' },
  { outcome: 'not_found', final: true },
  { outcome: 'not_found', final: false },
  { outcome: 'unknown', message: 'HTTP 503' },
]

const EACH = [...Array(ORDERS).keys()]
let phones = 0
function freshPhone(): string {
  phones += 1
  return `+80000${String(phones).padStart(6, '0')}`
}

const openSide: Record<SettlementGroup, () => Promise<Side>> = {
  async charge() {
    const made = await shop.createRequests(EACH.map(() => shop.requestInput({ phonenumber: freshPhone() })))
    const ids = made.map((one) => (one.ok ? one.value.id : 0))
    await dispatchAll(shop, ids)
    const orders = (await claimOrders(shop)).filter(({ collection_request }) => ids.includes(collection_request!))
    return {
      learn({ order: index, answer }) {
        const order = orders[index]!
        return toChargeAnswer(shop, order, answers(String(order.id))[answer]!)
      },
      read: (db) => db`
        select r.status, r.error_message, r.attempt, w.due_at, o.state, o.message, o.failure_reason, o.network_calls,
          o.attention, o.due_at as order_due, o.closed is not null as closed, c.amount, c.status as collection,
          c.reversed_in_parts,
          (select array_agg(t.from_status || '>' || t.to_status order by t.id) from collection_request_transitions t
            where t.collection_request = r.id) as moves,
          (select array_agg(m.purpose order by m.id) from sms_messages m where m.collection_request = r.id) as sms,
          (select array_agg(a.outcome order by a.id) from network_order_answers a where a.network_order = o.id) as answers,
          (select array_agg(e.status order by e.id) from events e
            where e.type = 'collectionrequest.status.changed' and e.object = r.id) as events
        from collection_requests r join network_orders o on o.collection_request = r.id
        left join open_collection_requests w on w.collection_request = r.id
        left join collections c on c.network_order = o.id
        where r.id = any(${ids}::bigint[]) order by r.id`,
    }
  },
  async payout() {
    const author = shop.requestInput().author
    const recipient = () => ({
      phonenumber: freshPhone(),
      amount: amount('10'),
      network: NETWORK,
      description: '',
      metadata: {},
      national_id: null,
      national_id_type: null,
    })
    const made = await begin(shop.db, (tx) =>
      createPayments(
        tx,
        shop.now(),
        EACH.slice(ORDERS / 2).map(() => ({
          organization: shop.organization,
          author,
          purpose: 'payment' as const,
          collection: null,
          payment_type: 'money' as const,
          amount: amount('20'),
          currency: 'BXC',
          account,
          source: account,
          description: 'Wages',
          metadata: {},
          send_sms_message: true,
          start_date: null,
          recipients: [recipient(), recipient()],
        })),
      ),
    )
    const ids = made.map((one) => (one.ok ? one.value.id : 0))
    const recipients = await shop.db<{ id: number }[]>`
      select id from payment_recipients where payment = any(${ids}::bigint[]) order by id`
    const orders = await startPayoutsOf(
      shop,
      recipients.map(({ id }) => id),
    )
    return {
      learn({ order: index, answer }) {
        const order = orders[index]!
        return answerTo(order, answers(String(order.id))[answer]!)
      },
      read: (db) => db`
        select p.state as payment, p.last_error as payment_error, r.state, r.last_error, r.network_calls, r.reversed,
          r.reversed_in_parts, o.state as order, o.message, o.attention, o.due_at, l.amount as late, l.booked,
          (select array_agg(m.purpose order by m.id) from sms_messages m where m.payment_recipient = r.id) as sms,
          (select array_agg(a.outcome order by a.id) from network_order_answers a where a.network_order = o.id) as answers
        from payment_recipients r join payments p on p.id = r.payment
        join network_orders o on o.payment_recipient = r.id left join late_payouts l on l.recipient = r.id
        where p.id = any(${ids}::bigint[]) order by r.id`,
    }
  },
  async purchase() {
    const made = await begin(shop.db, (tx) =>
      createPurchases(
        tx,
        shop.now(),
        EACH.map(() => ({
          organization: shop.organization,
          account: bill_account,
          agent_reference: freshReference(),
          agent_id: null,
          biller: 'sandbox',
          kind: 'electricity' as const,
          account_number: '04042404048',
          service_type: 'ikeja_electric_prepaid',
          phone: '08031234567',
          amount: amount('100'),
          details: { prepaid: true },
          scenario: null,
          metadata: {},
          author: 1,
          pin: null,
        })),
      ),
    )
    const ids = made.map((one) => (one.ok ? one.value : 0))
    await shop.db`
      update network_orders set state = 'sent', sent = ${shop.now()}, sent_real = now(), leased_until = now()
      where bill_purchase = any(${ids}::bigint[])`
    const orders = await Promise.all(ids.map((id) => currentVend(shop.db, id)))
    return {
      learn: ({ order, answer }) => ({ order: orders[order]!, source: 'status', answer: billAnswers[answer]! }),
      read: (db) => db`
        select p.status, p.outcome, p.failure_code, p.vended, o.state, o.message, o.due_at, o.network_calls, o.attention,
          o.leased_until is null as free,
          (select array_agg(a.outcome order by a.id) from network_order_answers a where a.network_order = o.id) as answers,
          (select count(*) from sms_messages m where m.bill_purchase = p.id) as sms,
          (select count(*) from events e where e.type = 'billpayment.status.changed' and e.object = p.id) as events
        from bill_purchases p join network_orders o on o.bill_purchase = p.id
        where p.id = any(${ids}::bigint[]) order by p.id`,
    }
  },
}

/** Settles news as jobs do: in one transaction, and in parts after a conflict. @returns the errors of single news */
async function settleAll(news: readonly LearntAny[]): Promise<string[]> {
  const ended = await inParts(shop.db, news, async (tx, part) => {
    const { updates } = await settle(tx, shop.now(), part)
    return updates.map((value) => ({ ok: true, value }))
  })
  return ended.flatMap((one, index) => (one.ok ? [] : [`${index}: ${(one.error as Error).message}`]))
}

/** Reads the balances by account. The first money of a connection opens its account. */
async function readBalances(): Promise<Map<number, bigint>> {
  const accounts = await shop.db<{ id: number; balance: bigint }[]>`select id, balance from accounts`
  return new Map(accounts.map(({ id, balance }) => [id, balance]))
}

/** Finds the accounts that have changed, and by how much. */
function changesBetween(before: ReadonlyMap<number, bigint>, after: ReadonlyMap<number, bigint>) {
  const changes = [...after].map(([id, balance]) => [id, balance - (before.get(id) ?? 0n)] as const)
  return new Map(changes.filter(([, change]) => change !== 0n))
}

/** A payment ends, and then money of a recipient that had failed before moves: all in one batch. */
const LATE_AFTER_THE_END: News[] = [
  { order: 0, answer: 0 },
  { order: 2, answer: 3 },
  { order: 3, answer: 3 },
  { order: 2, answer: 1 },
]

const anyNews = fc.array(fc.record({ order: fc.nat(ORDERS - 1), answer: fc.nat(FIRST_ANSWERS - 1) }), {
  minLength: 1,
  maxLength: 8,
})

it.each(['charge', 'payout', 'purchase'] as const)(
  'any mix of news about a %s does what each does alone',
  async (group) => {
    await fc.assert(
      fc.asyncProperty(anyNews, async (mix) => {
        const [together, alone] = [await openSide[group](), await openSide[group]()]
        const before = await readBalances()
        const batch_errors = await settleAll(mix.map(together.learn))
        const between = await readBalances()
        const errors: string[] = []
        for (const [index, one] of mix.entries())
          errors.push(...(await settleAll([alone.learn(one)])).map((error) => error.replace('0', String(index))))
        const after = await readBalances()
        expect(await together.read(shop.db)).toEqual(await alone.read(shop.db))
        expect(batch_errors).toEqual(errors)
        expect(changesBetween(before, between)).toEqual(changesBetween(between, after))
      }),
      { numRuns: 15, examples: [[LATE_AFTER_THE_END]] },
    )
    expect([...(await checkLedger(shop.db)), ...(await checkHolds(shop.db))]).toEqual([])
  },
)

const part = (remote_id: string, sum: string) => ({ remote_id, amount: amount(sum) })
/** Reports about one transaction: it is paid, and goes back whole or in parts, in any order and several times. */
const reports: Partial<IncomingPaymentReport>[] = [
  {},
  { amount: amount('20') },
  { status: 'reversed' },
  { reversals: [part('V1', '500')] },
  { reversals: [part('V1', '500'), part('V2', '1000'), part('V1', '500')] },
]

/** Customers who pay, most of them for a request. */
async function openCustomers() {
  const phones = EACH.map(freshPhone)
  const [, ...asked] = phones
  await shop.createRequests(asked.map((phonenumber) => shop.requestInput({ phonenumber })))
  return {
    report({ order, answer }: News): IncomingPaymentReport {
      const phonenumber = phones[order]!
      return shop.paymentReport({ phonenumber, remote_id: `P${phonenumber}`, ...reports[answer] })
    },
    read: () => shop.db`
      select p.phonenumber is not null as asked, p.status, p.error_message, c.amount, c.status as collection,
        c.reversed_in_parts, c.match_reason, c.collection_request = p.id as fulfilled,
        (select array_agg(t.from_status || '>' || t.to_status order by t.id) from collection_request_transitions t
          where t.collection_request = p.id) as moves,
        (select array_agg(v.remote_id order by v.remote_id) from collection_reversals v where v.collection = c.id) as parts,
        (select array_agg(e.type || e.status order by e.id) from events e
          where e.type like 'collection.%' and e.object = c.id) as events,
        (select array_agg(e.status order by e.id) from events e
          where e.type = 'collectionrequest.status.changed' and e.object = p.id) as request_events
      from unnest(${phones}::text[]) with ordinality as f (phone, number)
      left join collection_requests p on p.phonenumber = f.phone
      left join collections c on c.phonenumber = f.phone
      order by f.number`,
  }
}

it('any mix of reports of money does what each does alone', async () => {
  const anyReports = fc.array(fc.record({ order: fc.nat(ORDERS - 1), answer: fc.nat(reports.length - 1) }), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(anyReports, async (mix) => {
      const [together, alone] = [await openCustomers(), await openCustomers()]
      const before = await readBalances()
      const batch_results = await shop.ingest(...mix.map(together.report))
      const between = await readBalances()
      const results: IngestResult[] = []
      for (const one of mix) results.push(...(await shop.ingest(alone.report(one))))
      expect(await together.read()).toEqual(await alone.read())
      expect(batch_results).toEqual(results)
      expect(changesBetween(before, between)).toEqual(changesBetween(between, await readBalances()))
    }),
    { numRuns: 20 },
  )
  expect(await checkLedger(shop.db)).toEqual([])
})
