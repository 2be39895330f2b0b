import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chooseRefundConnection } from '../../../src/connections/choose.ts'
import { applyAcceptanceResults } from '../../../src/core/collections/acceptance-checks.ts'
import { removeAcceptanceUrl, setAcceptanceUrl } from '../../../src/core/collections/acceptance-urls.ts'
import type { IncomingPaymentReport } from '../../../src/core/collections/incoming-payments.ts'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { cancelPayment } from '../../../src/core/payments/approvals.ts'
import { findPaymentsById, listRecipients } from '../../../src/core/payments/payments.ts'
import {
  planReturn,
  type RefundedMoney,
  type RefundInput,
  refundCollection,
  returnCollection,
} from '../../../src/core/payments/refunds.ts'
import { reviewPayment } from '../../../src/core/payments/review/review.ts'
import { begin } from '../../../src/db/client.ts'
import { type Amount, parseAmount } from '../../../src/lib/money.ts'
import { answerTo, applyEach, startPayoutsOf } from '../payouts.ts'
import { amount, openShop, PHONE, type Shop } from '../shop.ts'

let shop: Shop
let owner: number
beforeAll(async () => {
  shop = await openShop()
  owner = (await shop.wallet()).author
})
afterAll(() => shop.close())
afterEach(() => shop.db`delete from fees`)

/** A collection of 1,500 BXC; matched when a request waits for it. */
async function collected(options: { matched?: boolean } = {}): Promise<number> {
  if (options.matched) await shop.createRequest()
  const report = shop.paymentReport({ phonenumber: options.matched ? PHONE : '+80000000044' })
  await shop.ingest(report)
  return (await shop.collections()).at(-1)!.id
}

/** A collection that failed the acceptance check of the organization. */
async function refusedByItsOrganization(): Promise<number> {
  const hook = {
    organization: shop.organization,
    url: 'https://shop.example/hook',
    when_unreachable: 'reject' as const,
  }
  await begin(shop.db, (tx) => setAcceptanceUrl(tx, shop.now(), { ...hook, timeout_s: 60 }))
  const collection = await collected()
  await begin(shop.db, async (tx) => {
    const [question] = await tx<{ id: number }[]>`select id from acceptance_checks where collection = ${collection}`
    const answer = { verdict: 'reject' as const, reason: 'No', unreachable: false, error: null, due_at: null }
    await applyAcceptanceResults(tx, shop.now(), [{ id: question!.id, ...answer }])
    await removeAcceptanceUrl(tx, shop.organization)
  })
  return collection
}

function inputFor(collection: number, changes: Partial<RefundInput> = {}): RefundInput {
  const chooseNetwork = (money: RefundedMoney) => chooseRefundConnection(shop.testApp.app.connections.list(), money)
  return { organization: shop.organization, collection, author: owner, chooseNetwork, ...changes }
}

const returnMoney = (collection: number, changes?: Partial<RefundInput>) =>
  begin(shop.db, (tx) => returnCollection(tx, shop.now(), inputFor(collection, changes)))
const refund = (collection: number, sum?: Amount) =>
  begin(shop.db, (tx) => refundCollection(tx, shop.now(), { ...inputFor(collection), amount: sum }))
const reviewOf = async (collection: number) =>
  reviewPayment(shop.db, shop.now(), await planReturn(shop.db, inputFor(collection)), new Map())
const refunded = async (collection: number) => (await shop.collections()).find((one) => one.id === collection)!.refunded

describe('returning unmatched money', () => {
  it('creates a payment of the whole amount to the phone number that paid', async () => {
    const collection = await collected()
    const { balance } = await shop.wallet()
    const payment = await returnMoney(collection)
    expect(payment).toMatchObject({ state: 'new', amount: amount('1500'), currency: 'BXC' })
    expect(payment.phone_nos).toMatchObject([{ phonenumber: '+80000000044', amount: amount('1500') }])
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await refunded(collection)).toBe(amount('1500'))
    await expect(returnMoney(collection)).rejects.toThrow('The collection is already fully returned')
  })

  it('charges the fee for returns, not the fee for payments', async () => {
    const fee = { fixed: amount('3'), percent: 0n, min_fee: 0n, max_fee: null, currency: 'BXC', network: null }
    for (const kind of ['return', 'payment'] as const)
      await begin(shop.db, (tx) =>
        setFee(tx, shop.now(), {
          ...fee,
          organization: shop.organization,
          kind,
          fixed: kind === 'return' ? amount('3') : amount('99'),
        }),
      )
    const collection = await collected()
    const { balance } = await shop.wallet()
    await returnMoney(collection)
    expect((await shop.wallet()).balance).toBe(balance - amount('1503'))
  })

  it('is reviewed with its fee and the wallet, and refused when the amount or the fee has changed since', async () => {
    const fee = { organization: shop.organization, kind: 'return' as const, currency: 'BXC', network: null }
    const rates = { fixed: amount('3'), percent: 0n, min_fee: 0n, max_fee: null }
    await begin(shop.db, (tx) => setFee(tx, shop.now(), { ...fee, ...rates }))
    const collection = await collected()
    const { balance } = await shop.wallet()
    const { sums, recipients } = await reviewOf(collection)
    expect(recipients).toMatchObject([{ phonenumber: '+80000000044', country: 'XX', name_state: 'unknown' }])
    expect(sums).toMatchObject([{ amount: amount('1500'), fee: amount('3'), after: balance - amount('1503') }])

    const reviewed = { amount: amount('1500'), fee: amount('3') }
    const changes = [
      { seen: { amount: amount('1000'), fee: amount('3') }, refusal: 'from BXC 1,000 to BXC 1,500.' },
      { seen: { amount: amount('1500'), fee: amount('2') }, refusal: 'from BXC 2 to BXC 3.' },
    ]
    for (const { seen, refusal } of changes)
      await expect(returnMoney(collection, { reviewed: seen })).rejects.toThrow(refusal)
    expect([await refunded(collection), (await shop.wallet()).balance]).toEqual([0n, balance])
    await returnMoney(collection, { reviewed })
    await expect(reviewOf(collection)).rejects.toThrow('The collection is already fully returned')
    await expect(reviewOf(await collected({ matched: true }))).rejects.toThrow('Only unmatched money can be returned')
  })

  it('takes money that was never accepted from suspense, without a fee', async () => {
    const fee = { fixed: amount('3'), percent: 0n, min_fee: 0n, max_fee: null, network: null }
    await begin(shop.db, (tx) =>
      setFee(tx, shop.now(), { ...fee, organization: shop.organization, kind: 'return', currency: 'BXC' }),
    )
    const collection = await refusedByItsOrganization()
    const { balance } = await shop.wallet()
    expect((await reviewOf(collection)).sums).toMatchObject([{ fee: 0n, before: balance, after: balance }])
    await returnMoney(collection)
    expect((await shop.wallet()).balance).toBe(balance)
    const [suspense] = await shop.db`select balance from accounts where kind = 'suspense' and currency = 'BXC'`
    expect(suspense).toEqual({ balance: 0n })
  })

  it('is possible again after the payment was cancelled', async () => {
    const collection = await collected()
    const payment = await returnMoney(collection)
    await begin(shop.db, (tx) =>
      cancelPayment(tx, shop.now(), {
        organization: shop.organization,
        payment: payment.id,
        user: owner,
        reason: 'A mistake',
      }),
    )
    expect(await refunded(collection)).toBe(0n)
    await returnMoney(collection)
  })

  it('refuses matched money, missing collections, and amounts that the network cannot send', async () => {
    await expect(returnMoney(await collected({ matched: true }))).rejects.toThrow(
      'Only unmatched money can be returned',
    )
    await expect(returnMoney(999_999)).rejects.toThrow('There is no collection 999999.')
    await expect(returnMoney(await collected(), { chooseNetwork: () => undefined })).rejects.toThrow(
      'cannot send money',
    )
  })

  it('returns money only once, even with many attempts at the same time', async () => {
    const collection = await collected()
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => returnMoney(collection)))
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await refunded(collection)).toBe(amount('1500'))
  })
})

describe('refunding a collection', () => {
  it('refunds a part, and never more in total than was collected', async () => {
    const collection = await collected({ matched: true })
    const first = await refund(collection, parseAmount('1000'))
    expect(first.amount).toBe(amount('1000'))
    await expect(refund(collection, amount('500.01'))).rejects.toThrow(
      'Only BXC 500 can still be returned or refunded.',
    )
    expect((await refund(collection)).amount).toBe(amount('500'))
    await expect(refund(collection)).rejects.toThrow('The collection is already fully returned')
  })

  it('never refunds too much with many refunds at the same time', async () => {
    const collection = await collected({ matched: true })
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => refund(collection, amount('400'))))
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
    expect(await refunded(collection)).toBe(amount('1200'))
  })

  it('refuses zero, negative amounts, and unmatched money', async () => {
    const collection = await collected({ matched: true })
    await expect(refund(collection, 0n)).rejects.toThrow('greater than 0')
    await expect(refund(collection, amount('-5'))).rejects.toThrow('greater than 0')
    await expect(refund(await collected())).rejects.toThrow('Only matched or claimed money can be refunded')
  })
})

describe('a refund that is not sent yet', () => {
  const recipientOf = async (payment: number) => (await listRecipients(shop.db, [payment]))[0]!
  const start = async (payment: number) => startPayoutsOf(shop, [(await recipientOf(payment)).id])
  const takeBack = async (collection: number, changes: Partial<IncomingPaymentReport>) => {
    const { remote_transaction_id: remote_id } = (await shop.collections()).find(({ id }) => id === collection)!
    expect(await shop.ingest(shop.paymentReport({ remote_id, ...changes }))).toEqual(['reversed'])
  }

  it('is never sent after its network has taken the payment back, and its money is in the wallet again', async () => {
    const collection = await collected({ matched: true })
    const { balance } = await shop.wallet()
    const { id } = await refund(collection)
    await takeBack(collection, { status: 'reversed' })
    expect(await start(id)).toEqual([])
    expect(await recipientOf(id)).toMatchObject({ state: 'error', last_error: expect.stringMatching(/was not sent/) })
    expect((await findPaymentsById(shop.db, [id])).get(id)).toMatchObject({ state: 'processed_with_errors' })
    expect(await refunded(collection)).toBe(0n)
    expect((await shop.wallet()).balance).toBe(balance - amount('1500'))
    expect(await checkHolds(shop.db)).toEqual([])
  })

  it('is sent after a part was taken back if both together are not more than came in', async () => {
    const collection = await collected({ matched: true })
    const [small, large] = [await refund(collection, amount('400')), await refund(collection, amount('700'))]
    await takeBack(collection, { reversals: [{ remote_id: 'P1', amount: amount('500') }] })
    expect(await start(large.id)).toEqual([])
    expect(await start(small.id)).toMatchObject([{ amount: amount('400') }])
    expect(await refunded(collection)).toBe(amount('400'))
    expect((await refund(collection)).amount).toBe(amount('600'))
  })

  it('is not sent when an earlier one was sent although its network had reported a failure', async () => {
    const collection = await collected({ matched: true })
    const [first] = await start((await refund(collection)).id)
    await applyEach(shop, [answerTo(first!, { outcome: 'failed', reason: 'unreachable', message: 'No.' })])
    const second = await refund(collection)
    await applyEach(shop, [answerTo(first!, { outcome: 'successful', remote_id: 'LATE' })])
    expect(await start(second.id)).toEqual([])
    expect(await recipientOf(second.id)).toMatchObject({ state: 'error' })
    expect(await refunded(collection)).toBe(amount('1500'))
  })
})

describe('the fee of a collection', () => {
  const charge = (fixed: string) =>
    begin(shop.db, (tx) =>
      setFee(tx, shop.now(), {
        organization: shop.organization,
        kind: 'collection',
        currency: 'BXC',
        network: 'sandbox',
        fixed: amount(fixed),
        percent: amount('1'),
        min_fee: 0n,
        max_fee: null,
      }),
    )

  it('is charged together with the credit, as a transfer of its own that the notification contains', async () => {
    await charge('5')
    const { balance } = await shop.wallet()
    const collection = await collected()
    expect((await shop.wallet()).balance).toBe(balance + amount('1480'))
    const [fee] = await shop.db<{ id: number; kind: string; amount: bigint }[]>`
      select id, kind, amount from transfers where reference = ${`collection:${collection}:fee`}`
    expect(fee).toMatchObject({ kind: 'service_charge', amount: amount('20') })
    const notification = (await shop.events('collection.received')).at(-1)!.data as {
      transaction: { fee_transaction: number }
    }
    expect(notification.transaction.fee_transaction).toBe(fee!.id)
  })

  it('never exceeds the collected amount', async () => {
    await charge('99999')
    const { balance } = await shop.wallet()
    await collected()
    expect((await shop.wallet()).balance).toBe(balance)
  })
})

describe('money of which the network has taken back a part', () => {
  it('is refunded up to what is left', async () => {
    await shop.createRequest()
    const report = shop.paymentReport()
    await shop.ingest(report, { ...report, reversals: [{ remote_id: 'V1', amount: amount('300') }] })
    const { id } = (await shop.collections()).at(-1)!
    await expect(refund(id, amount('1200.01'))).rejects.toThrow('Only BXC 1,200 can still be returned or refunded.')
    expect(await refund(id)).toMatchObject({ amount: amount('1200') })
    await expect(refund(id)).rejects.toThrow('Nothing is left of the collection')
  })
})
