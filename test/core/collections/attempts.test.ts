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

const TRAITS: NetworkTraits = { can_prompt: true, can_register_expected_payment: true, can_check_order: true }

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('a due request', () => {
  it('becomes processing_started, stores its order, and returns the order to send', async () => {
    const request = await shop.createRequest({ reason: 'School fees' })
    const [action] = await dispatch(request.id)
    expect(action).toMatchObject({ kind: 'send', request: { id: request.id, attempt: 1 } })
    expect(action!.order).toEqual({
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

  it('shows the name of the organization if it has no reason', async () => {
    const request = await shop.createRequest()
    expect((await dispatch(request.id))[0]!.order.reason).toBe('Demo Shop')
  })

  it("becomes instructions_sent when the network accepts the order, and stores the network's id of it", async () => {
    const request = await shop.createRequest()
    await apply(await dispatch(request.id), { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'instructions_sent', leased_until: null })
    expect(await shop.orders(request.id)).toMatchObject([{ outcome: 'accepted', remote_id: 'SBO1' }])
    expect((await dispatch(request.id))[0]).toMatchObject({ kind: 'check', order: { remote_id: 'SBO1' } })
  })

  it('without send_instructions stays processing_started until it is paid', async () => {
    const request = await shop.createRequest({ send_instructions: false })
    const actions = await dispatch(request.id)
    await apply(actions, { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('processing_started')
    expect(await shop.orders(request.id)).toMatchObject([{ prompt_sent: false }])
    await shop.ingest(shop.paymentReport({ order_reference: actions[0]!.order.reference }))
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → successful'])
  })

  it('is successful when the network reports its order as paid', async () => {
    const request = await shop.createRequest()
    const paid_at = new Date(shop.now().getTime() - 90_000)
    await apply(await dispatch(request.id), { outcome: 'successful', remote_id: 'R1', amount: amount('1500'), paid_at })
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', due_at: null })
    const expected = { remote_transaction_id: 'R1', collection_request: request.id, payment_date: paid_at }
    expect(await shop.collections()).toMatchObject([expected])
    // The callback that follows reports the same payment.
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'R1' }))).toEqual(['known'])
  })

  it('stays open, and is not checked again, when its order was paid with another amount', async () => {
    const request = await shop.createRequest()
    await apply(await dispatch(request.id), { outcome: 'successful', remote_id: 'R1', amount: amount('1499') })
    const expected = { amount: amount('1499'), collection_request: null, payment_date: shop.now() }
    expect(await shop.collections()).toMatchObject([expected])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', leased_until: null, due_at: row.expiry_date })
  })

  it('fails with the message of the network when the network rejects its order', async () => {
    const request = await shop.createRequest()
    await apply(await dispatch(request.id), { outcome: 'failed', reason: 'cancelled', message: 'Wrong PIN' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Wrong PIN', due_at: null })
    const [, event] = await shop.events('collectionrequest.status.changed')
    expect(event!.data).toMatchObject({ status: 'failed', error_message: 'Wrong PIN' })
  })

  it('fails when its account has no receiver number on the network', async () => {
    const account = await begin(shop.db, async (tx) => {
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
    const request = await shop.createRequest({ account })
    expect(await dispatch(request.id)).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({
      status: 'failed',
      error_message: 'The account has no receiver number on the network of this phone.',
    })
  })

  it('only waits for a payment if its network can neither prompt nor register', async () => {
    const request = await shop.createRequest()
    const traits = { can_prompt: false, can_register_expected_payment: false, can_check_order: false }
    expect(await dispatch(request.id, traits)).toEqual([])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ attempt: 0, due_at: row.expiry_date })
    expect(await shop.orders(request.id)).toEqual([])
  })

  it('waits for a callback if its network cannot check orders', async () => {
    const request = await shop.createRequest()
    await apply(await dispatch(request.id), { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(5)
    expect(await dispatch(request.id, { ...TRAITS, can_check_order: false })).toEqual([])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', due_at: row.expiry_date })
  })
})

describe('an order without a final answer', () => {
  it('leaves the request open and is checked after 5 s, 15 s, 1, 5 and 15 minutes, then every hour', async () => {
    for (const outcome of ['unknown', 'accepted'] as const) {
      const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 5 * 3_600_000) })
      const waits: number[] = []
      for (let checks = 0; checks < 8; checks += 1) {
        const [action] = await dispatch(request.id)
        expect(action).toMatchObject({
          kind: checks === 0 ? 'send' : 'check',
          order: { reference: orderReference(request.id, 1) },
        })
        const answer = outcome === 'unknown' ? { outcome, message: 'HTTP 503' } : { outcome, remote_id: 'SBO1' }
        await apply([action!], answer)
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

  it('is checked when the request expires at the latest', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 3_000) })
    await apply(await dispatch(request.id), { outcome: 'unknown', message: 'no answer' })
    expect((await shop.request(request.id)).due_at).toEqual(new Date(shop.now().getTime() + 3_000))
  })

  it('is checked and not sent again when no answer was stored', async () => {
    const request = await shop.createRequest()
    await dispatch(request.id)
    shop.testApp.clock.advance(15)
    expect(await shop.db`select 1 from collection_requests where due_at <= ${shop.now()}`).toHaveLength(1)
    expect(await dispatch(request.id)).toMatchObject([
      { kind: 'check', order: { reference: orderReference(request.id, 1) } },
    ])
    expect(await shop.orders(request.id)).toHaveLength(1)
  })
})

describe('another attempt', () => {
  const expired_prompt = { outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' } as const

  it('prompts again after ten minutes, with a new reference, up to max_attempts times', async () => {
    const request = await shop.createRequest({ max_attempts: 2 })
    for (const attempt of [1, 2, 3]) {
      const [action] = await dispatch(request.id)
      expect(action).toMatchObject({ kind: 'send', order: { reference: orderReference(request.id, attempt) } })
      await apply([action!], { outcome: 'accepted', remote_id: `SBO${attempt}` })
      await apply(await dispatch(request.id), expired_prompt)
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

  it('waits for the retry interval of the request', async () => {
    const request = await shop.createRequest({ retry_interval_minutes: 45 })
    await apply(await dispatch(request.id), expired_prompt)
    expect((await shop.request(request.id)).due_at).toEqual(new Date(shop.now().getTime() + 45 * 60_000))
  })

  it('does not follow with max_attempts 0', async () => {
    const request = await shop.createRequest({ max_attempts: 0 })
    await apply(await dispatch(request.id), expired_prompt)
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Prompt Expired' })
  })

  it('does not follow when the customer or the network has declined', async () => {
    const request = await shop.createRequest({ max_attempts: 3 })
    await apply(await dispatch(request.id), { ...expired_prompt, reason: 'cancelled', message: 'Cancelled By User' })
    expect((await shop.request(request.id)).status).toBe('failed')
  })

  it('does not follow when the request expires first', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })
    await apply(await dispatch(request.id), expired_prompt)
    expect((await shop.request(request.id)).due_at).toEqual(request.expiry_date)
    shop.testApp.clock.advance(60)
    expect(await dispatch(request.id)).toEqual([])
    expect((await shop.request(request.id)).status).toBe('expired')
  })

  it('is not changed by a late answer about an earlier attempt', async () => {
    const request = await shop.createRequest()
    const [first] = await dispatch(request.id)
    await apply([first!], expired_prompt)
    shop.testApp.clock.advance(600)
    await dispatch(request.id)
    await apply([first!], { ...expired_prompt, reason: 'cancelled' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started', attempt: 2 })
    // But a payment fulfils the request, whichever prompt the customer approved.
    await apply([first!], { outcome: 'successful', remote_id: 'R1', amount: amount('1500') })
    expect((await shop.request(request.id)).status).toBe('successful')
  })
})

describe('a repeated answer of the network', () => {
  it('in one batch is a write conflict, so that the answers are applied one by one: one transition, one event', async () => {
    const request = await shop.createRequest()
    const [action] = await dispatch(request.id)
    const declined = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' } as const
    const batch = begin(shop.db, (tx) =>
      applyOrderAnswers(tx, shop.now(), [toAnswer(action!, declined), toAnswer(action!, declined)]),
    )
    await expect(batch).rejects.toThrow(WriteConflict)
    await apply([action!], declined)
    await apply([action!], declined)
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → failed'])
  })

  it('after the request has ended changes nothing', async () => {
    const request = await shop.createRequest()
    const [action] = await dispatch(request.id)
    await shop.ingest(shop.paymentReport({ order_reference: action!.order.reference }))
    await apply([action!], { outcome: 'failed', reason: 'cancelled', message: 'Prompt Expired' })
    await apply([action!], { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('successful')
  })
})

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
    await dispatch(first.id)
    expect(await shop.request(first.id)).toMatchObject({
      status: 'failed',
      error_message: 'The KES account has no funds.',
    })
    await fund(wallet.id, wallet.balance)
    expect(await dispatch(second.id)).toMatchObject([{ kind: 'send' }])
  })
})

describe('expiry', () => {
  it('ends a request at its expiry date, not before', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })
    shop.testApp.clock.advance(59)
    expect(await dispatch(request.id)).toHaveLength(1)
    shop.testApp.clock.advance(1)
    expect(await dispatch(request.id)).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({ status: 'expired', error_message: null, due_at: null })
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → expired'])
  })

  it('and a payment at the same time: only one changes the request, and the money is in the books in both cases', async () => {
    const requests = await Promise.all(
      Array.from({ length: 12 }, () => shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })),
    )
    const before = await shop.wallet()
    shop.testApp.clock.advance(60)
    await Promise.all(
      requests.flatMap(({ id }) => [
        dispatch(id),
        shop.ingest(shop.paymentReport({ order_reference: orderReference(id, 1) })),
      ]),
    )
    expect((await shop.wallet()).balance).toBe(before.balance + 12n * amount('1500'))
    const collections = await shop.collections()
    for (const { id } of requests) {
      const { status, collection } = await shop.request(id)
      expect(['expired', 'successful']).toContain(status)
      expect(await shop.history(id)).toHaveLength(1)
      expect(collections.some((row) => row.collection_request === id && row.id === collection)).toBe(
        status === 'successful',
      )
    }
  })
})

describe('a claim', () => {
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

describe('order references', () => {
  it('are parsed, and other texts are not', () => {
    expect(parseOrderReference(orderReference(123, 2))).toBe(123)
    for (const other of [null, '', '123', 'KR1', 'KR1-', 'XKR1-1', 'KR1-1 ', 'KR1-1000', `KR${'1'.repeat(16)}-1`])
      expect(parseOrderReference(other)).toBeUndefined()
  })

  it('find the order as it was sent', async () => {
    const request = await shop.createRequest()
    const [action] = await dispatch(request.id)
    await apply([action!], { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await findOrderActionByReference(shop.db, action!.order.reference)).toMatchObject({
      request: { id: request.id, attempt: 1 },
      order: { ...action!.order, remote_id: 'SBO1', reason: '' },
    })
    expect(await findOrderActionByReference(shop.db, orderReference(request.id, 2))).toBeUndefined()
    expect(await findOrderActionByReference(shop.db, 'KR999999-1')).toBeUndefined()
    expect(await findOrderActionByReference(shop.db, 'nonsense')).toBeUndefined()
  })
})

/** The first half of the work on one request. */
function dispatch(id: number, traits: NetworkTraits = TRAITS): Promise<OrderAction[]> {
  return begin(shop.db, (tx) => dispatchDueRequests(tx, shop.now(), [id], new Map([[NETWORK.code, traits]])))
}

/** The second half, with one answer for all actions. */
function apply(actions: OrderAction[], answer: OrderActionAnswer['answer']): Promise<void> {
  return begin(shop.db, (tx) =>
    applyOrderAnswers(
      tx,
      shop.now(),
      actions.map((action) => toAnswer(action, answer)),
    ),
  )
}

function toAnswer(action: OrderAction, answer: OrderActionAnswer['answer']): OrderActionAnswer {
  return { action, network: NETWORK, answer }
}

function claim(limit = 100, real = new Date()): Promise<number[]> {
  const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + 15_000) }
  return begin(shop.db, (tx) => claimDueRequests(tx, times, limit))
}

function fund(account: number, change: bigint) {
  return begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account, amount: change, description: '', author: 1 }))
}
