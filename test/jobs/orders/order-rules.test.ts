import { afterEach, describe, expect, it } from 'vitest'
import type { OrderAnswer, OrderCheck, PrepareAnswer } from '../../../src/networks/contract.ts'
import { ACCEPTED, type OrderShop, openOrderShop, SILENCE } from './order-shop.ts'

/* Steps with an order that the traits of a network allow. */

let world: OrderShop
afterEach(() => world.shop.close())

const DAY_S = 24 * 60 * 60
const sendsOf = (calls: readonly string[]) => calls.filter((call) => call.startsWith('send')).length

describe('an order that the network does not know', () => {
  it('is sent again under the same reference only when it can no longer be on its way', async () => {
    const answers: OrderAnswer[] = [SILENCE, ACCEPTED]
    world = await openOrderShop({
      code: 'sandbox',
      traits: { in_flight_s: 100 },
      charge: async () => answers.shift()!,
      chargeStatus: async () => ({ outcome: 'not_found' }),
    })
    const id = await world.start()
    await world.work()
    const { reference } = await world.order(id)
    for (const seconds of [5, 15, 60]) await world.advance(seconds)
    expect(sendsOf(world.calls)).toBe(1)
    await world.advance(300)
    expect(world.calls).toEqual(['send 1', 'ask 1', 'ask 1', 'ask 1', 'ask 1', 'send 1'])
    expect(await world.order(id)).toMatchObject({ reference, state: 'accepted', attempt: 1 })
  })

  it('is not sent again where that is never certain', async () => {
    world = await openOrderShop({
      code: 'sandbox',
      traits: { unseen: 'never-certain' },
      charge: async () => SILENCE,
      chargeStatus: async () => ({ outcome: 'not_found' }),
    })
    const id = await world.start()
    await world.work()
    for (const seconds of [5, 15, 60, 300, 900, 3_600, 2 * DAY_S, DAY_S]) await world.advance(seconds)
    expect(sendsOf(world.calls)).toBe(1)
    const order = await world.order(id)
    expect(order).toMatchObject({ state: 'sent', message: 'The network does not know this order yet.' })
    expect(order.due_at).not.toBeNull()
  })

  it('is not sent again where a second one charges again, and needs a person', async () => {
    world = await openOrderShop({
      code: 'sandbox',
      traits: { repeat: 'charges-again' },
      charge: async () => SILENCE,
      chargeStatus: async () => ({ outcome: 'not_found' }),
    })
    const id = await world.start()
    await world.work()
    for (const seconds of [5, 15, 60, 300]) await world.advance(seconds)
    expect(sendsOf(world.calls)).toBe(1)
    expect((await world.order(id)).attention).toMatch(/charges again/)
  })

  it('is not sent again when the network had accepted it once', async () => {
    let answer: OrderCheck = ACCEPTED
    world = await openOrderShop({ code: 'sandbox', chargeStatus: async () => answer })
    const id = await world.start()
    await world.work()
    answer = { outcome: 'not_found' }
    for (const seconds of [5, 15, 60, 300]) await world.advance(seconds)
    expect(sendsOf(world.calls)).toBe(1)
    expect(await world.order(id)).toMatchObject({ state: 'accepted' })
  })

  it('is closed when its request has ended', async () => {
    let answer: OrderCheck = SILENCE
    world = await openOrderShop({ code: 'sandbox', charge: async () => SILENCE, chargeStatus: async () => answer })
    const id = await world.start()
    await world.work()
    await world.shop.ingest(world.shop.paymentReport())
    answer = { outcome: 'not_found' }
    await world.advance(5)
    await world.advance(300)
    expect(sendsOf(world.calls)).toBe(1)
    expect(await world.order(id)).toMatchObject({ state: 'not_sent', due_at: null })
  })
})

describe('a network that is asked by its own id', () => {
  it('is not asked before it has given one; a callback can end the order, and after a day a person must', async () => {
    world = await openOrderShop({
      code: 'sandbox',
      traits: { asked_by: 'remote_id', unseen: 'never-certain' },
      charge: async () => SILENCE,
    })
    const [id, told] = [await world.start(), await world.start()]
    await world.work()
    for (const seconds of [5, 15, 60, 3_600]) await world.advance(seconds)
    expect(world.calls).toEqual(['send 1', 'send 2'])
    await world.shop.ingest(world.shop.paymentReport({ order_reference: (await world.order(told)).reference }))
    await world.advance(DAY_S)
    expect(await world.order(told)).toMatchObject({ state: 'successful', attention: null, due_at: null })
    const order = await world.order(id)
    expect(order).toMatchObject({ state: 'sent', attention: expect.stringMatching(/person/) })
    expect(order.due_at).not.toBeNull()
    expect(world.calls).toHaveLength(2)
  })
})

describe('a network that answers questions by callback', () => {
  it('is asked by its own schedule, and the order waits', async () => {
    const { reference: _, ...asked } = { reference: '', outcome: 'asked' as const }
    world = await openOrderShop({
      code: 'sandbox',
      traits: { answers: 'by-callback', status_waits_s: [30, 90] },
      chargeStatus: async () => asked,
    })
    const id = await world.start()
    await world.work()
    for (const wait_s of [30, 90, 90, 90]) {
      expect((await world.order(id)).due_at!.getTime() - world.shop.now().getTime()).toBe(wait_s * 1_000)
      await world.advance(wait_s)
    }
    expect(world.calls).toEqual(['send 1', 'ask 1', 'ask 1', 'ask 1', 'ask 1'])
    for (let days = 0; days < 2; days += 1) await world.advance(DAY_S)
    // From the second day on it is asked once an hour.
    expect((await world.order(id)).due_at!.getTime() - world.shop.now().getTime()).toBe(3_600_000)
    expect((await world.shop.request(id)).status).toBe('expired')
  })
})

describe('a network that makes the id of an order first', () => {
  const prepared: PrepareAnswer = { outcome: 'prepared', remote_id: 'INTENT-1' }

  it('gets the order with its id, which is stored before', async () => {
    const seen: unknown[] = []
    world = await openOrderShop({
      code: 'sandbox',
      prepare: async () => prepared,
      charge: async ({ remote_id, reference }) => {
        const { db } = world.shop
        seen.push(remote_id, ...(await db`select remote_id, state from network_orders where reference = ${reference}`))
        return { outcome: 'accepted', remote_id: 'INTENT-1' }
      },
    })
    const id = await world.start()
    await world.work()
    expect(world.calls).toEqual(['prepare 1', 'send 1'])
    expect(seen).toEqual(['INTENT-1', { remote_id: 'INTENT-1', state: 'sent' }])
    expect(await world.order(id)).toMatchObject({ state: 'accepted' })
  })

  it('is prepared again without an answer, and nothing is sent meanwhile', async () => {
    const answers: PrepareAnswer[] = [SILENCE, prepared]
    world = await openOrderShop({ code: 'sandbox', prepare: async () => answers.shift()! })
    const id = await world.start()
    await world.work()
    expect(await world.order(id)).toMatchObject({ state: 'new', sent: null })
    await world.advance(5)
    expect(world.calls).toEqual(['prepare 1', 'prepare 1', 'send 1'])
  })

  it('is not prepared again by a process that continues after a crash', async () => {
    world = await openOrderShop({ code: 'sandbox', prepare: async () => prepared })
    await world.start()
    // Prepared, and killed before the order was sent.
    await world.orders.run(await world.orders.claim(1))
    await world.work()
    expect(world.calls).toEqual(['prepare 1', 'send 1'])
  })
})
