import { afterEach, describe, expect, it } from 'vitest'
import { listOrderAnswers } from '../../../src/core/connections/network-orders.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { eventually } from '../../test-app.ts'
import { ACCEPTED, copyOrders, type OrderShop, openOrderShop, SILENCE, slotsFor } from './order-shop.ts'

/*
 * The job with networks that are slow, silent or broken. test/core tests what answers do to requests, order-rules.test.ts
 * what the traits of a network allow, and test/api/sandbox-numbers.test.ts all of it with the simulated network.
 */

let world: OrderShop
afterEach(() => world.shop.close())

const statusOf = async (id: number) => (await world.shop.request(id)).status

describe('the job of the orders', () => {
  it('writes that an order is sent before it calls the network, outside of transactions', async () => {
    const seen: unknown[] = []
    world = await openOrderShop({
      code: 'sandbox',
      charge: async ({ reference }) => {
        const { db } = world.shop
        seen.push(...(await db`select state, sent from network_orders where reference = ${reference}`))
        seen.push(
          ...(await db`select count(*) from collection_requests where id = any(
          array(select id from collection_requests for update skip locked))`),
        )
        return ACCEPTED
      },
    })
    const id = await world.start()
    await world.work()
    expect(seen).toEqual([{ state: 'sent', sent: world.shop.now() }, { count: 1 }])
    expect(await statusOf(id)).toBe('instructions_sent')
  })

  it('is not delayed by a connector that throws, and counts its answer as unknown', async () => {
    world = await openOrderShop({
      code: 'sandbox',
      charge: async ({ phonenumber }) => {
        if (phonenumber.endsWith('66')) throw new Error('a bug in the connector')
        return ACCEPTED
      },
    })
    const [normal, broken] = [await world.start(), await world.start('sandbox', { phonenumber: '+80000000066' })]
    await world.work()
    expect(await statusOf(normal)).toBe('instructions_sent')
    expect(await world.order(broken)).toMatchObject({
      state: 'sent',
      message: 'The connector to this provider failed.',
    })
    await world.advance(5)
    expect(await statusOf(broken)).toBe('instructions_sent')
  })

  it('asks about an order until the end, also after its request has expired, and records money that comes late', async () => {
    let paid = false
    world = await openOrderShop({
      code: 'sandbox',
      chargeStatus: async () => (paid ? { outcome: 'successful', remote_id: 'LATE' } : ACCEPTED),
    })
    const id = await world.start()
    await world.work()
    for (let hours = 0; hours < 30; hours += 1) await world.advance(3_600)
    expect(await statusOf(id)).toBe('expired')
    const before = world.calls.length
    for (let hours = 0; hours < 10; hours += 1) await world.advance(3_600)
    expect(world.calls.length - before).toBe(10)
    paid = true
    await world.advance(3_600)
    const order = await world.order(id)
    expect(order).toMatchObject({ state: 'successful', due_at: null, remote_transaction_id: 'LATE' })
    expect(await world.shop.collections()).toMatchObject([
      { collection_request: null, network_order: order.id, status: 'successful' },
    ])
    expect(await world.shop.events('collection.received')).toHaveLength(1)
    const said = await listOrderAnswers(world.shop.db, [order.id])
    expect(said.map(({ outcome, source }) => [outcome, source])).toEqual([
      ['accepted', 'reply'],
      ['successful', 'status'],
    ])
  })

  it('does not send an order whose request has ended meanwhile', async () => {
    world = await openOrderShop({ code: 'sandbox' })
    const id = await world.start()
    await world.shop.ingest(world.shop.paymentReport())
    await world.work()
    expect(world.calls).toEqual([])
    expect(await world.order(id)).toMatchObject({ state: 'not_sent', sent: null, due_at: null })
  })

  it('sends nothing new over a paused connection, and goes on asking about what is open', async () => {
    const connection: { state: 'active' | 'paused' } = { state: 'active' }
    world = await openOrderShop({ code: 'sandbox' })
    const open = world.shop.testApp.app.connections.find('sandbox')! as typeof connection
    await world.start()
    await world.work()
    open.state = 'paused'
    await world.start()
    await world.advance(5)
    expect(world.calls).toEqual(['send 1', 'ask 1'])
    open.state = 'active'
    await world.work()
    expect(world.calls).toEqual(['send 1', 'ask 1', 'send 2'])
  })

  it('takes another connection for the next attempt while the first one is paused', async () => {
    const failed = { outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' } as const
    world = await openOrderShop(
      { code: 'first', charge: async () => failed, chargeStatus: async () => failed },
      { code: 'second' },
    )
    const id = await world.start('first')
    await world.work()
    const first = world.shop.testApp.app.connections.find('first')! as { state: 'active' | 'paused' }
    first.state = 'paused'
    await world.advance(600)
    expect(await world.shop.orders(id)).toMatchObject([
      { connection: 'first', state: 'failed' },
      { connection: 'second', state: 'accepted', attempt: 2 },
    ])
    expect(await world.shop.request(id)).toMatchObject({ connection: 'second', network: 'second' })
  })
})

describe('a process that is killed', () => {
  it('between claim and call leaves an order that is asked about first, and sent when it certainly did not arrive', async () => {
    world = await openOrderShop({ code: 'sandbox', chargeStatus: async () => ({ outcome: 'not_found' }) })
    const id = await world.start()
    expect(await world.orders.claim(10)).toHaveLength(1)
    expect(await world.orders.claim(10)).toEqual([])
    world.passRealTime(16)
    await world.work()
    expect(world.calls).toEqual(['ask 1'])
    await world.advance(5)
    await world.advance(15)
    expect(world.calls.slice(-2)).toEqual(['ask 1', 'send 1'])
    expect(await statusOf(id)).toBe('instructions_sent')
  })

  it('between call and answer leaves an order that is asked about', async () => {
    let killed = true
    world = await openOrderShop({
      code: 'sandbox',
      charge: () => (killed ? new Promise(() => {}) : Promise.resolve(ACCEPTED)),
    })
    const id = await world.start()
    void world.orders.run(await world.orders.claim(10))
    await eventually('the call', async () => world.calls.length === 1 || undefined)
    killed = false
    world.passRealTime(16)
    await world.work()
    expect(world.calls).toEqual(['send 1', 'ask 1'])
    expect(await statusOf(id)).toBe('instructions_sent')
  })

  it('and comes back after its lease sends nothing', async () => {
    world = await openOrderShop({ code: 'sandbox' })
    await world.start()
    const late = await world.orders.claim(10)
    world.passRealTime(16)
    await world.orders.run(late)
    expect(world.calls).toEqual([])
  })
})

describe('two processes', () => {
  it('send each order once', async () => {
    world = await openOrderShop({ code: 'sandbox' })
    for (let n = 0; n < 30; n += 1) await world.start()
    const other = networkOrders(world.shop.testApp.app)
    const run = async (job: typeof other) => {
      for (let idle = 0; idle < 3; ) {
        const calls = await job.claim(7)
        if (calls.length === 0) idle += 1
        await job.run(calls)
      }
    }
    await Promise.all([run(world.orders), run(other)])
    expect(world.calls.toSorted()).toEqual(Array.from({ length: 30 }, (_, n) => `send ${n + 1}`).toSorted())
  })
})

describe('a slow network', () => {
  it('delays neither the others nor its own other orders, and has no more calls than its slots', async () => {
    const hanging: string[] = []
    world = await openOrderShop(
      {
        code: 'slow',
        connection: { slots: slotsFor(5) },
        charge: ({ reference, phonenumber }) => {
          if (phonenumber.endsWith('99')) return Promise.resolve(ACCEPTED)
          hanging.push(reference)
          return new Promise(() => {})
        },
      },
      { code: 'quick' },
      { code: 'other' },
    )
    const served = await world.start('slow', { phonenumber: '+80000000099' })
    for (let n = 0; n < 8; n += 1) await world.start('slow')
    const requests = [await world.start('quick'), await world.start('other')]
    void world.orders.run(await world.orders.claim(100))
    await eventually('the answers of the others', async () => {
      const statuses = await Promise.all([served, ...requests].map(statusOf))
      return statuses.every((status) => status === 'instructions_sent') || undefined
    })
    expect(hanging).toHaveLength(4)
    // A slot is free again. The rest of the slow network's orders wait, and the others go on.
    void world.orders.run(await world.orders.claim(100))
    await eventually('the last slot', async () => hanging.length === 5 || undefined)
    const third = await world.start('quick')
    const calls = await world.orders.claim(100)
    expect(calls.map(({ order }) => order.connection)).toEqual(['quick'])
    await world.orders.run(calls)
    expect(await statusOf(third)).toBe('instructions_sent')
    expect(hanging).toHaveLength(5)
    // Due orders wait for a slot, so that there is nothing to claim now.
    expect(await world.orders.nextDue()).not.toEqual(world.shop.now())
  })
})

describe('many orders of one organization', () => {
  it('do not delay the order of another', async () => {
    world = await openOrderShop({ code: 'sandbox' })
    const id = await world.start()
    await copyOrders(world.shop, id, 20_000, world.shop.organization + 1_000)
    await copyOrders(world.shop, id, 3, world.shop.organization + 2_000)
    const claimed = await world.orders.claim(10)
    const organizations = claimed.map(({ order }) => order.organization - world.shop.organization)
    expect(organizations.filter((one) => one === 0)).toHaveLength(1)
    // The copies have no requests, so they are not wanted and were closed in the claim.
    const taken = await world.shop.db<{ organization: number; count: number }[]>`
      select organization, count(*) from network_orders where state = 'not_sent' group by 1 order by 1`
    expect(taken.map(({ count }) => count)).toEqual([6, 3])
    await world.orders.run(claimed)
    expect(await statusOf(id)).toBe('instructions_sent')
    await world.shop.db`delete from network_orders where reference like 'COPY%'`
  })
})

it('asks about an order whose callback was lost within a minute, for the first eight minutes, and then in vain without an end', async () => {
  world = await openOrderShop({ code: 'sandbox', charge: async () => SILENCE, chargeStatus: async () => SILENCE })
  const id = await world.start()
  await world.work()
  for (const wait_s of [5, 15, ...Array<number>(8).fill(60), 300, 900, 3_600, 3_600]) {
    const { due_at } = await world.order(id)
    expect(due_at!.getTime() - world.shop.now().getTime()).toBe(wait_s * 1_000)
    await world.advance(wait_s)
  }
  expect(world.calls.filter((call) => call.startsWith('send'))).toHaveLength(1)
  expect(await world.shop.request(id)).toMatchObject({ status: 'processing_started', error_message: null })
})
