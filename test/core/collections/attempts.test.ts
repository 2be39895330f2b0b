import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  applyOrderAnswers,
  dispatchDueRequests,
  findOrderActionByReference,
  type NetworkTraits,
  type OrderAction,
  type OrderActionAnswer,
} from '../../../src/core/collections/attempts.ts'
import {
  claimDueRequests,
  nextDueRequest,
  orderReference,
  parseOrderReference,
} from '../../../src/core/collections/orders.ts'
import { createAccount, fundAccount } from '../../../src/core/ledger/accounts.ts'
import { WriteConflict } from '../../../src/core/write-conflict.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, NETWORK, openShop, PHONE, type Shop } from '../shop.ts'

const ABLE: NetworkTraits = { can_prompt: true, can_register_expected_payment: true, can_check_order: true }

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('a request that is due', () => {
  it('starts: it is processed, its order is written down, and the order is to be sent', async () => {
    const request = await shop.createRequest({ reason: 'School fees' })
    const [step] = await look(request.id)
    expect(step).toMatchObject({ kind: 'send', request: { id: request.id, attempt: 1 } })
    expect(step!.order).toEqual({
      reference: orderReference(request.id, 1),
      receiver: shop.receiver(),
      phonenumber: PHONE,
      amount: amount('1500'),
      currency: 'BXC',
      reason: 'School fees',
      remote_id: null,
    })
    expect(await shop.request(request.id)).toMatchObject({
      status: 'processing_started',
      attempt: 1,
      status_queries: 0,
    })
    expect(await shop.orders(request.id)).toMatchObject([
      { attempt: 1, prompt_sent: true, outcome: null, remote_id: null },
    ])
    expect(await shop.history(request.id)).toEqual(['pending → processing_started'])
  })

  it('shows the name of the business where the request has no reason', async () => {
    const request = await shop.createRequest()
    expect((await look(request.id))[0]!.order.reason).toBe('Demo Shop')
  })

  it('moves on when the customer has been prompted, and keeps what the network calls the order', async () => {
    const request = await shop.createRequest()
    await answer(await look(request.id), { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'instructions_sent', leased_until: null })
    expect(await shop.orders(request.id)).toMatchObject([{ outcome: 'accepted', remote_id: 'SBO1' }])
    expect((await look(request.id))[0]).toMatchObject({ kind: 'check', order: { remote_id: 'SBO1' } })
  })

  it('without instructions goes no further than being processed until its money comes', async () => {
    const request = await shop.createRequest({ send_instructions: false })
    const steps = await look(request.id)
    await answer(steps, { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('processing_started')
    expect(await shop.orders(request.id)).toMatchObject([{ prompt_sent: false }])
    await shop.ingest(shop.paymentReport({ order_reference: steps[0]!.order.reference }))
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → successful'])
  })

  it('is fulfilled when the network calls its order paid', async () => {
    const request = await shop.createRequest()
    const paid_at = new Date(shop.now().getTime() - 90_000)
    await answer(await look(request.id), { outcome: 'successful', remote_id: 'R1', amount: amount('1500'), paid_at })
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', due_at: null })
    const money = { remote_transaction_id: 'R1', collection_request: request.id, payment_date: paid_at }
    expect(await shop.collections()).toMatchObject([money])
    // The callback that comes after all tells nothing new.
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'R1' }))).toEqual(['known'])
  })

  it('stays open, and is not asked about again, when its order was paid with another amount', async () => {
    const request = await shop.createRequest()
    await answer(await look(request.id), { outcome: 'successful', remote_id: 'R1', amount: amount('1499') })
    const money = { amount: amount('1499'), collection_request: null, payment_date: shop.now() }
    expect(await shop.collections()).toMatchObject([money])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', leased_until: null, due_at: row.expiry_date })
  })

  it('that is refused by the network fails with the words of the network', async () => {
    const request = await shop.createRequest()
    await answer(await look(request.id), { outcome: 'failed', message: 'Wrong PIN', retryable: false })
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Wrong PIN', due_at: null })
    const [, event] = await shop.events('collectionrequest.status.changed')
    expect(event!.data).toMatchObject({ status: 'failed', error_message: 'Wrong PIN' })
  })

  it('fails when its account has no receiver number on the network', async () => {
    const bare = await begin(shop.db, async (tx) => {
      const wallet = await createAccount(tx, shop.now(), {
        organization: shop.organization,
        currency: 'BXC',
        kind: 'local',
        name: 'Bare',
        author: 1,
      })
      await fundAccount(tx, shop.now(), { account: wallet.id, amount: amount('1'), description: '', author: 1 })
      return wallet.id
    })
    const request = await shop.createRequest({ account: bare })
    expect(await look(request.id)).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({
      status: 'failed',
      error_message: 'The account has no receiver number on the network of this phone.',
    })
  })

  it('waits for money alone where its network can do nothing for it', async () => {
    const request = await shop.createRequest()
    expect(
      await look(request.id, { can_prompt: false, can_register_expected_payment: false, can_check_order: false }),
    ).toEqual([])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ attempt: 0, due_at: row.expiry_date })
    expect(await shop.orders(request.id)).toEqual([])
  })

  it('waits for a callback where its network cannot be asked', async () => {
    const request = await shop.createRequest()
    await answer(await look(request.id), { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(5)
    expect(await look(request.id, { ...ABLE, can_check_order: false })).toEqual([])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', due_at: row.expiry_date })
  })
})

describe('unknown is never failed:', () => {
  it('the request stays open and is asked about after 5 s, 15 s, 1, 5 and 15 minutes, then every hour', async () => {
    for (const outcome of ['unknown', 'accepted'] as const) {
      const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 5 * 3_600_000) })
      const waits: number[] = []
      for (let asked = 0; asked < 8; asked += 1) {
        const [step] = await look(request.id)
        expect(step).toMatchObject({
          kind: asked === 0 ? 'send' : 'check',
          order: { reference: orderReference(request.id, 1) },
        })
        await answer([step!], outcome === 'unknown' ? { outcome, message: 'HTTP 503' } : { outcome, remote_id: 'SBO1' })
        const wait_s = ((await shop.request(request.id)).due_at!.getTime() - shop.now().getTime()) / 1_000
        waits.push(wait_s)
        shop.testApp.clock.advance(wait_s)
      }
      expect(waits).toEqual([5, 15, 60, 300, 900, 3_600, 3_600, 3_600])
      expect((await shop.request(request.id)).status).toBe(
        outcome === 'unknown' ? 'processing_started' : 'instructions_sent',
      )
    }
  })

  it('it is looked at no later than it expires', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 3_000) })
    await answer(await look(request.id), { outcome: 'unknown', message: 'no answer' })
    expect((await shop.request(request.id)).due_at).toEqual(new Date(shop.now().getTime() + 3_000))
  })

  it('an order that was begun and never answered is asked about, not sent again', async () => {
    const request = await shop.createRequest()
    await look(request.id)
    shop.testApp.clock.advance(15)
    expect(await shop.db`select 1 from collection_requests where due_at <= ${shop.now()}`).toHaveLength(1)
    expect(await look(request.id)).toMatchObject([
      { kind: 'check', order: { reference: orderReference(request.id, 1) } },
    ])
    expect(await shop.orders(request.id)).toHaveLength(1)
  })
})

describe('trying again', () => {
  const lapsed = { outcome: 'failed', message: 'Prompt Expired', retryable: true } as const

  it('prompts once more after ten minutes, under a new reference, up to max_attempts more times', async () => {
    const request = await shop.createRequest({ max_attempts: 2 })
    for (const attempt of [1, 2, 3]) {
      const [step] = await look(request.id)
      expect(step).toMatchObject({ kind: 'send', order: { reference: orderReference(request.id, attempt) } })
      await answer([step!], { outcome: 'accepted', remote_id: `SBO${attempt}` })
      const asked = await look(request.id)
      await answer(asked, lapsed)
      if (attempt === 3) break
      expect(await shop.request(request.id)).toMatchObject({
        status: 'instructions_sent',
        error_message: null,
        due_at: new Date(shop.now().getTime() + 600_000),
      })
      shop.testApp.clock.advance(600)
    }
    expect(await shop.request(request.id)).toMatchObject({
      status: 'failed',
      error_message: 'Prompt Expired',
      attempt: 3,
    })
  })

  it('waits as long as the request says', async () => {
    const request = await shop.createRequest({ retry_interval_minutes: 45 })
    await answer(await look(request.id), lapsed)
    expect((await shop.request(request.id)).due_at).toEqual(new Date(shop.now().getTime() + 45 * 60_000))
  })

  it('never happens with max_attempts 0', async () => {
    const request = await shop.createRequest({ max_attempts: 0 })
    await answer(await look(request.id), lapsed)
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Prompt Expired' })
  })

  it('never happens after the customer or the network said no', async () => {
    const request = await shop.createRequest({ max_attempts: 3 })
    await answer(await look(request.id), { ...lapsed, message: 'Cancelled By User', retryable: false })
    expect((await shop.request(request.id)).status).toBe('failed')
  })

  it('leaves the request to expire when that comes first', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })
    await answer(await look(request.id), lapsed)
    expect((await shop.request(request.id)).due_at).toEqual(request.expiry_date)
    shop.testApp.clock.advance(60)
    expect(await look(request.id)).toEqual([])
    expect((await shop.request(request.id)).status).toBe('expired')
  })

  it('is not disturbed by what is said late about an earlier attempt', async () => {
    const request = await shop.createRequest()
    const [first] = await look(request.id)
    await answer([first!], lapsed)
    shop.testApp.clock.advance(600)
    await look(request.id)
    await answer([first!], { ...lapsed, retryable: false })
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started', attempt: 2 })
    // But money is money, whichever prompt was answered.
    await answer([first!], { outcome: 'successful', remote_id: 'R1', amount: amount('1500') })
    expect((await shop.request(request.id)).status).toBe('successful')
  })
})

describe('the network saying the same twice', () => {
  it('in one batch is settled one after the other: one move, one event', async () => {
    const request = await shop.createRequest()
    const [step] = await look(request.id)
    const refusal = { outcome: 'failed', message: 'Cancelled By User', retryable: false } as const
    const both = begin(shop.db, (tx) =>
      applyOrderAnswers(tx, shop.now(), [answered(step!, refusal), answered(step!, refusal)]),
    )
    await expect(both).rejects.toThrow(WriteConflict)
    await answer([step!], refusal)
    await answer([step!], refusal)
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → failed'])
  })

  it('after the request has ended changes nothing', async () => {
    const request = await shop.createRequest()
    const [step] = await look(request.id)
    await shop.ingest(shop.paymentReport({ order_reference: step!.order.reference }))
    await answer([step!], { outcome: 'failed', message: 'Prompt Expired', retryable: false })
    await answer([step!], { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('successful')
  })
})

describe('a request that starts later', () => {
  it('is not due before', async () => {
    const request = await shop.createRequest({ start_date: new Date(shop.now().getTime() + 60_000) })
    expect(await claim()).not.toContain(request.id)
    shop.testApp.clock.advance(60)
    expect(await claim()).toContain(request.id)
  })

  it('has its wallet looked at when it starts', async () => {
    const wallet = await shop.wallet('KES')
    await fund(wallet.id, -wallet.balance)
    const asked = { currency: 'KES', phonenumber: '+254711000001', start_date: new Date(shop.now().getTime() + 60_000) }
    const [poor, rich] = [await shop.createRequest(asked), await shop.createRequest(asked)]
    shop.testApp.clock.advance(60)
    await look(poor.id)
    expect(await shop.request(poor.id)).toMatchObject({
      status: 'failed',
      error_message: 'The KES account has no funds.',
    })
    await fund(wallet.id, wallet.balance)
    expect(await look(rich.id)).toMatchObject([{ kind: 'send' }])
  })
})

describe('expiry', () => {
  it('ends a request at its date, not before', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })
    shop.testApp.clock.advance(59)
    expect(await look(request.id)).toHaveLength(1)
    shop.testApp.clock.advance(1)
    expect(await look(request.id)).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired', error_message: null, due_at: null })
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → expired'])
  })

  it('and a payment at the same moment: one of the two wins, and the money is in the books either way', async () => {
    const requests = await Promise.all(
      Array.from({ length: 12 }, () => shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })),
    )
    const before = await shop.wallet()
    shop.testApp.clock.advance(60)
    await Promise.all(
      requests.flatMap(({ id }) => [
        look(id),
        shop.ingest(shop.paymentReport({ order_reference: orderReference(id, 1) })),
      ]),
    )
    expect((await shop.wallet()).balance).toBe(before.balance + 12n * amount('1500'))
    const collections = await shop.collections()
    for (const { id } of requests) {
      const { status, collection } = await shop.request(id)
      expect(['expired', 'successful']).toContain(status)
      expect(await shop.history(id)).toHaveLength(1)
      expect(collections.some((one) => one.collection_request === id && one.id === collection)).toBe(
        status === 'successful',
      )
    }
  })
})

describe('claiming', () => {
  it('gives each request to one process, until its lease ends', async () => {
    const ids = (await Promise.all([1, 2, 3, 4, 5, 6].map(() => shop.createRequest()))).map((request) => request.id)
    const claimed = await Promise.all([claim(2), claim(2), claim(2)])
    expect(claimed.flat().sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
    expect(await claim()).toEqual([])
    expect(await nextDueRequest(shop.db, new Date())).toBeNull()
    const after = new Date(Date.now() + 20_000)
    expect(await nextDueRequest(shop.db, after)).toEqual(shop.now())
    expect((await claim(100, after)).length).toBe(6)
  })
})

describe('our references', () => {
  it('are read back by us and by nobody else', () => {
    expect(parseOrderReference(orderReference(123, 2))).toBe(123)
    for (const strange of [null, '', '123', 'KR1', 'KR1-', 'XKR1-1', 'KR1-1 ', 'KR1-1000', `KR${'1'.repeat(16)}-1`])
      expect(parseOrderReference(strange)).toBeUndefined()
  })

  it('lead to the order as it was sent', async () => {
    const request = await shop.createRequest()
    const [step] = await look(request.id)
    await answer([step!], { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await findOrderActionByReference(shop.db, step!.order.reference)).toMatchObject({
      request: { id: request.id, attempt: 1 },
      order: { ...step!.order, remote_id: 'SBO1', reason: '' },
    })
    expect(await findOrderActionByReference(shop.db, orderReference(request.id, 2))).toBeUndefined()
    expect(await findOrderActionByReference(shop.db, 'KR999999-1')).toBeUndefined()
    expect(await findOrderActionByReference(shop.db, 'nonsense')).toBeUndefined()
  })
})

/** The first half of the work on one request. */
function look(id: number, able: NetworkTraits = ABLE): Promise<OrderAction[]> {
  return begin(shop.db, (tx) => dispatchDueRequests(tx, shop.now(), [id], new Map([[NETWORK.code, able]])))
}

/** The second half, with one answer for all steps. */
function answer(steps: OrderAction[], said: OrderActionAnswer['answer']): Promise<void> {
  return begin(shop.db, (tx) =>
    applyOrderAnswers(
      tx,
      shop.now(),
      steps.map((step) => answered(step, said)),
    ),
  )
}

function answered(step: OrderAction, said: OrderActionAnswer['answer']): OrderActionAnswer {
  return { action: step, network: NETWORK, answer: said }
}

function claim(limit = 100, real = new Date()): Promise<number[]> {
  const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + 15_000) }
  return begin(shop.db, (tx) => claimDueRequests(tx, times, limit))
}

function fund(account: number, sum: bigint) {
  return begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account, amount: sum, description: '', author: 1 }))
}
