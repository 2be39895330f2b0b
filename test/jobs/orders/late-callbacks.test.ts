import { afterEach, describe, expect, it } from 'vitest'
import { createCallbackWriter } from '../../../src/api/callbacks.ts'
import { readReceivedCallback } from '../../../src/api/raw-callbacks.ts'
import type { ParsedCallback } from '../../../src/networks/callbacks.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { type OrderShop, openOrderShop } from './order-shop.ts'

/** So many late callbacks show that the service is late. */
const MANY = 10

let world: OrderShop
afterEach(() => world.shop.close())

/** The callback of a paid order, as a network sends it that is asked before. */
async function report(reference: string): Promise<void> {
  const { app } = world.shop.testApp
  const network = app.connections.find('sandbox')!
  await createCallbackWriter(app)(readReceivedCallback(network, rawCallback({ body: reference })))
}

function readCallback({ body: reference }: { body: string }): ParsedCallback {
  const { network: _, ...receipt } = world.shop.paymentReport({ order_reference: reference, remote_id: reference })
  return { subject: 'transaction', remote_id: reference, verified: true, receipt: { ...receipt, name: null } }
}

describe('callbacks that come after the answers about their orders', () => {
  it('are recorded once, and the next order is asked about later', async () => {
    let is_paid = true
    world = await openOrderShop({
      code: 'sandbox',
      readCallback,
      chargeStatus: async ({ reference }) =>
        is_paid ? { outcome: 'successful', remote_id: reference } : { outcome: 'accepted', remote_id: reference },
    })
    const requests: number[] = []
    for (let count = 0; count < MANY; count += 1) requests.push(await world.start())
    await world.work()
    await world.advance(5)
    const orders = await Promise.all(requests.map((id) => world.order(id)))
    expect(orders.map(({ state }) => state)).toEqual(Array(MANY).fill('successful'))
    for (const { reference } of orders) await report(reference)
    expect(await world.shop.collections()).toHaveLength(MANY)

    is_paid = false
    const next = await world.start()
    await world.work()
    const calls = world.calls.length
    await world.advance(14)
    expect(world.calls).toHaveLength(calls)
    await world.advance(1)
    expect(world.calls.slice(calls)).toEqual([`ask ${MANY + 1}`])
    // After that the usual waits apply.
    expect(await world.order(next)).toMatchObject({ state: 'accepted' })
  })

  it('do not delay the question where they come in time', async () => {
    world = await openOrderShop({ code: 'sandbox', readCallback })
    for (let count = 0; count < MANY; count += 1) {
      const id = await world.start()
      await world.work()
      await report((await world.order(id)).reference)
    }
    expect(await world.shop.collections()).toHaveLength(MANY)
    await world.start()
    await world.work()
    await world.advance(5)
    expect(world.calls.at(-1)).toBe(`ask ${MANY + 1}`)
  })
})
