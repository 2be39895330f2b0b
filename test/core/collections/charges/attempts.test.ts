import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dispatchDueRequests, readWantedCharges } from '../../../../src/core/collections/charges/attempts.ts'
import { lockRequests } from '../../../../src/core/collections/orders.ts'
import { findOrderByRemoteId, listOrderAnswers } from '../../../../src/core/connections/network-orders.ts'
import { createAccount, fundAccount } from '../../../../src/core/ledger/accounts.ts'
import { settle } from '../../../../src/core/settlements/settle.ts'
import { begin } from '../../../../src/db/client.ts'
import { WriteConflict } from '../../../../src/lib/batches/write-conflict.ts'
import { answer, chargeConnections, claimOrders, dispatch, RULES, sendOrder, toChargeAnswer } from '../../charges.ts'
import { amount, openShop, PHONE, type Shop } from '../../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('a due request', () => {
  it('becomes processing_started and stores its order, which is due at once', async () => {
    const request = await shop.createRequest({ reason: 'School fees' })
    await dispatch(shop, request.id)
    const [order] = await shop.orders(request.id)
    expect(order).toMatchObject({
      kind: 'charge',
      connection: 'sandbox',
      attempt: 1,
      receiver: shop.receiver(),
      phonenumber: PHONE,
      amount: amount('1500'),
      currency: 'BXC',
      reason: 'School fees',
      prompt: true,
      state: 'new',
      remote_id: null,
      sent: null,
      due_at: shop.now(),
    })
    expect(order!.reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', attempt: 1, due_at: row.expiry_date, leased_until: null })
    expect(await shop.history(request.id)).toEqual(['pending → processing_started'])
  })

  it('returns an order with a lease as it is stored', async () => {
    const request = await shop.createRequest({ send_instructions: false })
    const lease_end = new Date(Date.now() + 15_000)
    const orders = await begin(shop.db, async (tx) => {
      const due = await lockRequests(tx, [request.id])
      const locked = due.map((row) => ({ ...row, due_at: shop.now() }))
      return dispatchDueRequests(tx, shop.now(), locked, chargeConnections(), () => ({ lease_end, rules: RULES }))
    })
    const [stored] = await shop.orders(request.id)
    expect(stored).toMatchObject({ state: 'sent', prompt: false, leased_until: lease_end, sent: shop.now() })
    // It is due for its first status query.
    expect(stored!.due_at).toEqual(new Date(shop.now().getTime() + 5_000))
    expect(orders).toEqual([{ ...stored, was: 'new' }])
  })

  it('shows the name of the organization if it has no reason', async () => {
    const request = await shop.createRequest()
    expect((await sendOrder(shop, request.id)).reason).toBe('Demo Shop')
  })

  it("becomes instructions_sent when the network accepts the order, and stores the network's id of it", async () => {
    const request = await shop.createRequest()
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'instructions_sent', leased_until: null })
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'accepted', remote_id: 'SBO1', leased_until: null }])
    expect(await findOrderByRemoteId(shop.db, 'sandbox', 'SBO1')).toMatchObject({ id: order.id })
  })

  it('without send_instructions stays processing_started until it is paid', async () => {
    const request = await shop.createRequest({ send_instructions: false })
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('processing_started')
    expect(await shop.orders(request.id)).toMatchObject([{ prompt: false }])
    await shop.ingest(shop.paymentReport({ order_reference: order.reference }))
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → successful'])
  })

  it('is successful when the network reports its order as paid', async () => {
    const request = await shop.createRequest()
    const paid_at = new Date(shop.now().getTime() - 90_000)
    const paid = { outcome: 'successful', remote_id: 'R1', amount: amount('1500'), paid_at } as const
    await answer(shop, await sendOrder(shop, request.id), paid)
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', due_at: null })
    const expected = { remote_transaction_id: 'R1', collection_request: request.id, payment_date: paid_at }
    expect(await shop.collections()).toMatchObject([expected])
    expect(await shop.orders(request.id)).toMatchObject([
      { state: 'successful', remote_transaction_id: 'R1', due_at: null },
    ])
    // The callback that follows reports the same payment.
    expect(await shop.ingest(shop.paymentReport({ remote_id: 'R1' }))).toEqual(['known'])
  })

  it('stays open, and its order is closed, when its order was paid with another amount', async () => {
    const request = await shop.createRequest()
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, { outcome: 'successful', remote_id: 'R1', amount: amount('1499') })
    const expected = {
      amount: amount('1499'),
      collection_request: null,
      network_order: order.id,
      payment_date: shop.now(),
    }
    expect(await shop.collections()).toMatchObject([expected])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'processing_started', leased_until: null, due_at: row.expiry_date })
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful', due_at: null }])
  })

  it('fails with the message of the network when the network rejects its order', async () => {
    const request = await shop.createRequest()
    const refused = { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN', code: 'E7' } as const
    await answer(shop, await sendOrder(shop, request.id), refused)
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Wrong PIN', due_at: null })
    expect(await shop.orders(request.id)).toMatchObject([
      { state: 'failed', failure_reason: 'wrong_pin', code: 'E7', due_at: null },
    ])
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
    await dispatch(shop, request.id)
    expect(await shop.orders(request.id)).toEqual([])
    expect(await shop.request(request.id)).toMatchObject({
      status: 'failed',
      error_message: 'The account has no receiver number on the network of this phone.',
    })
  })

  it('only waits for a payment if its network can neither prompt nor register', async () => {
    const request = await shop.createRequest()
    const unable = { can_prompt: false, can_register_expected_payment: false, can_ask: false }
    await dispatch(shop, request.id, chargeConnections(unable))
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ attempt: 0, due_at: row.expiry_date })
    expect(await shop.orders(request.id)).toEqual([])
  })

  it('takes the connection that is chosen for it, and its receiver there', async () => {
    await shop.db`insert into connections (slug, driver, environment, callback_secret, state, created, modified)
      values ('other', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now()) on conflict do nothing`
    const { account } = await shop.request((await shop.createRequest()).id)
    await shop.db`insert into connection_places (connection, number, account, currency) values ('other', '4711', ${account}, 'BXC')
      on conflict do nothing`
    const request = await shop.createRequest()
    const seen: string[][] = []
    const other = chargeConnections({ slug: 'other', code: 'other-network', reference: 'ascii-12' })
    await dispatch(shop, request.id, {
      ...other,
      choose(row, slugs) {
        seen.push([...slugs].toSorted())
        return other.choose(row, slugs)
      },
    })
    expect(seen).toEqual([['other', 'sandbox']])
    expect(await shop.orders(request.id)).toMatchObject([
      { connection: 'other', receiver: '4711', reference: expect.stringMatching(/^[0-9A-Z]{12}$/) },
    ])
    expect(await shop.request(request.id)).toMatchObject({ connection: 'other', network: 'other-network' })
  })
})

describe('another attempt', () => {
  const expired_prompt = { outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' } as const

  it('prompts again after ten minutes, with a new reference, up to max_attempts times', async () => {
    const request = await shop.createRequest({ max_attempts: 2 })
    for (const attempt of [1, 2, 3]) {
      const order = await sendOrder(shop, request.id)
      expect(order).toMatchObject({ was: 'new', attempt })
      await answer(shop, order, { outcome: 'accepted', remote_id: `SBO${attempt}` })
      await answer(shop, order, expired_prompt)
      if (attempt === 3) break
      expect(await shop.request(request.id)).toMatchObject({
        status: 'instructions_sent',
        error_message: null,
        due_at: new Date(shop.now().getTime() + 600_000),
      })
      shop.testApp.clock.advance(600)
      // The old order is asked about once more before the customer gets another prompt.
      await dispatch(shop, request.id)
      expect(await shop.orders(request.id)).toHaveLength(attempt)
      const [asked] = await claimOrders(shop)
      expect(asked).toMatchObject({ id: order.id, was: 'failed' })
      await answer(shop, asked!, expired_prompt)
      expect((await shop.request(request.id)).due_at).toEqual(shop.now())
    }
    expect(await shop.request(request.id)).toMatchObject({
      status: 'failed',
      error_message: 'Prompt Expired',
      attempt: 3,
    })
    expect(new Set((await shop.orders(request.id)).map(({ reference }) => reference)).size).toBe(3)
  })

  it('follows at once where the network cannot be asked', async () => {
    const request = await shop.createRequest()
    await answer(shop, await sendOrder(shop, request.id), expired_prompt)
    shop.testApp.clock.advance(600)
    await dispatch(shop, request.id, chargeConnections({ can_ask: false }))
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'failed' }, { state: 'new', attempt: 2 }])
  })

  it('waits for the retry interval of the request', async () => {
    const request = await shop.createRequest({ retry_interval_minutes: 45 })
    await answer(shop, await sendOrder(shop, request.id), expired_prompt)
    expect((await shop.request(request.id)).due_at).toEqual(new Date(shop.now().getTime() + 45 * 60_000))
  })

  it('does not follow with max_attempts 0', async () => {
    const request = await shop.createRequest({ max_attempts: 0 })
    await answer(shop, await sendOrder(shop, request.id), expired_prompt)
    expect(await shop.request(request.id)).toMatchObject({ status: 'failed', error_message: 'Prompt Expired' })
  })

  it('does not follow when the customer or the network has declined', async () => {
    const request = await shop.createRequest({ max_attempts: 3 })
    const declined = { ...expired_prompt, reason: 'cancelled', message: 'Cancelled By User' } as const
    await answer(shop, await sendOrder(shop, request.id), declined)
    expect((await shop.request(request.id)).status).toBe('failed')
  })

  it('does not follow when the request expires first', async () => {
    const request = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 60_000) })
    await answer(shop, await sendOrder(shop, request.id), expired_prompt)
    expect((await shop.request(request.id)).due_at).toEqual(request.expiry_date)
    shop.testApp.clock.advance(60)
    await dispatch(shop, request.id)
    expect(await shop.orders(request.id)).toHaveLength(1)
    expect((await shop.request(request.id)).status).toBe('expired')
  })

  it('is not changed by a late answer about an earlier attempt', async () => {
    const request = await shop.createRequest()
    const first = await sendOrder(shop, request.id)
    await answer(shop, first, expired_prompt)
    shop.testApp.clock.advance(600)
    await dispatch(shop, request.id, chargeConnections({ can_ask: false }))
    await answer(shop, first, { ...expired_prompt, reason: 'cancelled' })
    expect(await shop.request(request.id)).toMatchObject({ status: 'processing_started', attempt: 2 })
    // But a payment fulfils the request, whichever prompt the customer approved.
    await answer(shop, first, { outcome: 'successful', remote_id: 'R1', amount: amount('1500') })
    expect((await shop.request(request.id)).status).toBe('successful')
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful' }, { state: 'new' }])
  })
})

describe('a repeated answer of the network', () => {
  it('in one batch is a write conflict, so that the answers are applied one by one: one transition, one event', async () => {
    const request = await shop.createRequest()
    const order = await sendOrder(shop, request.id)
    const declined = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' } as const
    const twice = [toChargeAnswer(shop, order, declined), toChargeAnswer(shop, order, declined)]
    await expect(begin(shop.db, (tx) => settle(tx, shop.now(), twice))).rejects.toThrow(WriteConflict)
    await answer(shop, order, declined)
    await answer(shop, order, declined)
    expect(await shop.history(request.id)).toEqual(['pending → processing_started', 'processing_started → failed'])
    expect(await listOrderAnswers(shop.db, [order.id])).toMatchObject([{ outcome: 'failed' }])
  })

  it('after the request has ended changes nothing', async () => {
    const request = await shop.createRequest()
    const order = await sendOrder(shop, request.id)
    await shop.ingest(shop.paymentReport({ order_reference: order.reference }))
    await answer(shop, order, { outcome: 'failed', reason: 'cancelled', message: 'Prompt Expired' })
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    expect((await shop.request(request.id)).status).toBe('successful')
    expect(await shop.orders(request.id)).toMatchObject([{ state: 'successful', due_at: null }])
    // The network's answer is kept all the same.
    expect((await listOrderAnswers(shop.db, [order.id])).map(({ outcome }) => outcome)).toEqual([
      'successful',
      'failed',
      'accepted',
    ])
  })
})

describe('an order that was not sent yet', () => {
  it('is wanted while its request is open and has no newer order', async () => {
    const request = await shop.createRequest()
    await dispatch(shop, request.id)
    const [order] = await shop.orders(request.id)
    expect(await readWantedCharges(shop.db, [order!])).toEqual(new Set([order!.id]))
    expect(await readWantedCharges(shop.db, [{ ...order!, attempt: 0 }])).toEqual(new Set())
    await shop.ingest(shop.paymentReport())
    expect(await readWantedCharges(shop.db, [order!])).toEqual(new Set())
  })
})
