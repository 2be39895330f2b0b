import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  openStatuses,
  type RequestStatus,
  type RequestRow as Row,
} from '../../../src/core/collections/collection-request.ts'
import type { IncomingPaymentReport } from '../../../src/core/collections/incoming-payments.ts'
import type { LearntOrder, NetworkOrder } from '../../../src/core/connections/network-orders.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { begin } from '../../../src/db/client.ts'
import { applyInBatch } from '../../../src/jobs/shared/apply-in-batch.ts'
import { claimOrders, dispatchAll, toChargeAnswer } from '../charges.ts'
import { amount, openShop, type Shop } from '../shop.ts'

/*
 * Whatever happens, in whatever order and however often: the books stay right. A world of few phones and amounts, so that
 * everything collides with everything, lives through a random story; then the books are read against what happened.
 */

/** Two phones and two amounts; requests and payments meet by chance. */
const phones = ['+80000000011', '+80000000012']
const sums = ['10', '20']

type Deed =
  | { deed: 'ask'; phone: number; sum: number; instructions: boolean; expires_s: number; attempts: number }
  | { deed: 'work' }
  | { deed: 'answer'; order: number; says: 'accepted' | 'failed' | 'lapsed' | 'unknown' | 'paid' | 'paid otherwise' }
  | { deed: 'pay'; phone: number; sum: number; names: 'nothing' | 'order' | 'request'; order: number }
  | { deed: 'report again'; payment: number; reversed: boolean }
  | { deed: 'wait'; seconds: number }

const nat = fc.nat(30)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      deed: fc.constant('ask' as const),
      phone: fc.nat(1),
      sum: fc.nat(1),
      instructions: fc.boolean(),
      expires_s: fc.constantFrom(30, 900, 86_400),
      attempts: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ deed: 'work' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      deed: fc.constant('answer' as const),
      order: nat,
      says: fc.constantFrom('accepted', 'failed', 'lapsed', 'unknown', 'paid', 'paid otherwise'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      deed: fc.constant('pay' as const),
      phone: fc.nat(1),
      sum: fc.nat(1),
      names: fc.constantFrom('nothing', 'order', 'request'),
      order: nat,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ deed: fc.constant('report again' as const), payment: nat, reversed: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ deed: fc.constant('wait' as const), seconds: fc.constantFrom(5, 60, 600, 3_600) }),
  },
)

/** Deeds that happen in one batch, one batch after the other. */
const story = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })

const legal: Record<RequestStatus, readonly RequestStatus[]> = {
  pending: ['processing_started', 'successful', 'failed', 'expired'],
  processing_started: ['instructions_sent', 'successful', 'failed', 'expired'],
  instructions_sent: ['successful', 'failed', 'expired'],
  successful: ['reversed'],
  failed: [],
  expired: [],
  reversed: [],
}

type RequestRow = Row & { due_at: Date | null }

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

// Sixty sequences take long on a busy machine.
describe('the ledger', () => {
  it.each([
    ['in batches of many', true],
    ['one by one', false],
  ])('stays correct through any sequence of operations, %s', async (_how, together) => {
    await fc.assert(
      fc.asyncProperty(story, async (batches) => {
        await shop.clear()
        const before = { wallet: (await shop.wallet()).balance, float: await readFloat() }
        const world = new World()
        for (const batch of batches)
          for (const part of together ? [batch] : batch.map((one) => [one])) await world.live(part)
        await expectBooksRight(world, before)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same whether operations come in batches or one by one', async () => {
    // Answers and payments only, over requests that are there: what one batch decides at once must be what it decides in turn.
    const deeds = fc.array(fc.record({ phone: fc.nat(1), sum: fc.nat(1), twice: fc.boolean() }), {
      minLength: 1,
      maxLength: 10,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { maxLength: 8 }), deeds, async (asked, paid) => {
        const outcomes: unknown[] = []
        for (const together of [true, false]) {
          await shop.clear()
          const ids: number[] = []
          for (const [phone, sum] of asked)
            ids.push((await shop.createRequest({ phonenumber: phones[phone], amount: amount(sums[sum]!) })).id)
          const reports = paid.flatMap(({ phone, sum, twice }, index) => {
            const paid_at = new Date(shop.now().getTime() + index * 1_000)
            const money = shop.paymentReport({ phonenumber: phones[phone], amount: amount(sums[sum]!), paid_at })
            return twice ? [money, money] : [money]
          })
          if (together) await shop.ingest(...reports)
          else for (const report of reports) await shop.ingest(report)
          const collections = await shop.collections()
          outcomes.push(
            reports.map((report) => {
              const row = collections.find((one) => one.remote_transaction_id === report.remote_id)!
              return row.collection_request === null ? null : ids.indexOf(row.collection_request)
            }),
          )
        }
        expect(outcomes[0]).toEqual(outcomes[1])
      }),
      { numRuns: 40 },
    )
  })
})

/** Outside world: its received orders, and the payments. */
class World {
  readonly orders: NetworkOrder[] = []
  readonly payments: IncomingPaymentReport[] = []
  /** The part that was reversed. */
  readonly reversed = new Set<string>()

  /** Execute deeds. Neighbours of one kind share a transaction, as in the API. */
  async live(deeds: readonly Deed[]): Promise<void> {
    await shop.createRequests(deeds.flatMap((one) => (one.deed === 'ask' ? [inputOf(one)] : [])))
    for (const one of deeds) if (one.deed === 'wait') shop.testApp.clock.advance(one.seconds)
    if (deeds.some((one) => one.deed === 'work')) await this.work()
    await applyInBatch(
      deeds.flatMap((one) => this.answerOf(one)),
      async (some) => void (await begin(shop.db, (tx) => settle(tx, shop.now(), some))),
      shop.testApp.app.log,
    )
    const reports = deeds.flatMap((one) => this.reportOf(one))
    await applyInBatch(reports, async (some) => void (await shop.ingest(...some)), shop.testApp.app.log)
  }

  private async work(): Promise<void> {
    const due = await shop.db<{ id: number }[]>`
      select collection_request as id from open_collection_requests where due_at <= ${shop.now()}`
    const ids = due.map((row) => row.id)
    await dispatchAll(shop, ids)
    this.orders.push(...(await claimOrders(shop)).filter(({ was }) => was === 'new'))
  }

  private answerOf(one: Deed): LearntOrder[] {
    const step = one.deed === 'answer' ? pick(this.orders, one.order) : undefined
    if (one.deed !== 'answer' || !step) return []
    const answers: Record<typeof one.says, () => LearntOrder['answer']> = {
      accepted: () => ({ outcome: 'accepted', remote_id: `O${step.reference}` }),
      failed: () => ({ outcome: 'failed', reason: 'cancelled', message: 'Wrong PIN' }),
      lapsed: () => ({ outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' }),
      unknown: () => ({ outcome: 'unknown', message: 'HTTP 503' }),
      paid: () => this.paidAnswer(step, step.amount),
      'paid otherwise': () => this.paidAnswer(step, step.amount + 1n),
    }
    return [toChargeAnswer(shop, step, answers[one.says]())]
  }

  /** An order is paid once; asked again the network tells of the same money. */
  private paidAnswer(order: NetworkOrder, paid: bigint): LearntOrder['answer'] {
    const known = this.payments.find((money) => money.order_reference === order.reference)
    const { reference: order_reference, phonenumber } = order
    const money = known ?? shop.paymentReport({ order_reference, phonenumber, amount: paid })
    if (!known) this.payments.push(money)
    return { outcome: 'successful', remote_id: money.remote_id, amount: money.amount }
  }

  private reportOf(one: Deed): IncomingPaymentReport[] {
    if (one.deed === 'pay') {
      const order = pick(this.orders, one.order)
      const is_paid = this.payments.some((money) => money.order_reference === order?.reference)
      const money = shop.paymentReport({
        phonenumber: phones[one.phone],
        amount: amount(sums[one.sum]!),
        order_reference: one.names === 'order' && order && !is_paid ? order.reference : null,
        reference: one.names === 'request' && order ? String(order.collection_request) : null,
      })
      this.payments.push(money)
      return [money]
    }
    const payment = one.deed === 'report again' ? pick(this.payments, one.payment) : undefined
    if (one.deed !== 'report again' || !payment) return []
    if (!one.reversed) return [payment]
    this.reversed.add(payment.remote_id)
    return [{ ...payment, status: 'reversed' }]
  }
}

/** The money at the network of the shop. */
async function readFloat(): Promise<bigint> {
  const [row] = await shop.db<{ float: bigint }[]>`
    select coalesce(-sum(balance), 0)::numeric(38,4) as float from accounts
    where connection = 'sandbox' and currency = 'BXC'`
  return row!.float
}

async function expectBooksRight(world: World, before: { wallet: bigint; float: bigint }): Promise<void> {
  expect(await checkLedger(shop.db)).toEqual([])
  const collections = await shop.collections()

  // No money is lost, none is counted twice.
  const paid = new Map(world.payments.map((money) => [money.remote_id, money]))
  expect(collections.map((one) => one.remote_transaction_id).sort()).toEqual([...paid.keys()].sort())
  for (const one of collections) {
    expect(one.amount).toBe(paid.get(one.remote_transaction_id)!.amount)
    expect(one.status).toBe(world.reversed.has(one.remote_transaction_id) ? 'reversed' : 'successful')
  }
  const kept = collections.filter((one) => one.status === 'successful').reduce((sum, one) => sum + one.amount, 0n)
  expect((await shop.wallet()).balance - before.wallet).toBe(kept)
  expect((await readFloat()) - before.float).toBe(kept)

  // No request is fulfilled twice, none without its money, none by money that does not fit.
  const requests = await shop.db<RequestRow[]>`
    select r.*, o.due_at from collection_requests r
    left join open_collection_requests o on o.collection_request = r.id order by r.id`
  const fulfilling = new Map(
    collections.flatMap((one) => (one.collection_request ? [[one.collection_request, one]] : [])),
  )
  expect(fulfilling.size).toBe(collections.filter((one) => one.collection_request !== null).length)
  for (const request of requests) {
    const collection = fulfilling.get(request.id)
    expect(request.collection).toBe(collection?.id ?? null)
    if (collection) expect(request).toMatchObject({ status: collection.status, amount: collection.amount })
    else expect(['successful', 'reversed']).not.toContain(request.status)
    expect(request.attempt).toBeLessThanOrEqual(request.max_attempts + 1)
    // Open requests will be checked again; ended ones never.
    expect(request.due_at !== null).toBe(openStatuses.includes(request.status))
  }

  // Every transition is allowed, and is reported once, in order.
  const changes = await shop.events('collectionrequest.status.changed')
  for (const request of requests) {
    const moves = await shop.history(request.id)
    let status: RequestStatus = 'pending'
    for (const move of moves) {
      const [from, to] = move.split(' → ') as [RequestStatus, RequestStatus]
      expect(from).toBe(status)
      expect(legal[from]).toContain(to)
      status = to
    }
    expect(request.status).toBe(status)
    const reported = changes.filter((event) => event.data.id === request.id).map((event) => event.data.status)
    expect(reported).toEqual(moves.map((move) => move.split(' → ')[1]))
  }
  const received = await shop.events('collection.received')
  expect(received.map((event) => event.data.id).sort()).toEqual(collections.map((one) => one.id).sort())
}

function inputOf(one: Extract<Deed, { deed: 'ask' }>) {
  return shop.requestInput({
    phonenumber: phones[one.phone],
    amount: amount(sums[one.sum]!),
    send_instructions: one.instructions,
    max_attempts: one.attempts,
    expiry_date: new Date(shop.now().getTime() + one.expires_s * 1_000),
  })
}

/** Pick an item by a number that may exceed the list. */
function pick<T>(all: readonly T[], number: number): T | undefined {
  return all[number % Math.max(1, all.length)]
}
