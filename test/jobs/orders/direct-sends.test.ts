import { afterEach, expect, it, vi } from 'vitest'
import type { NetworkOrder } from '../../../src/core/connections/network-order.ts'
import { collect, type DispatchedRequest } from '../../../src/jobs/collect.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { createOrderCalls } from '../../../src/jobs/orders/order-calls.ts'
import type { OrderCall } from '../../../src/jobs/orders/rules.ts'
import type { Job } from '../../../src/lib/loop.ts'
import { ACCEPTED, type OrderShop, openOrderShop, slotsFor, type TestNetwork } from './order-shop.ts'

/* The process that starts a request sends its order itself, where no other order waits. */

let world: OrderShop
let requests: Job<DispatchedRequest>
let orders: Job<OrderCall>

/** Open a shop whose two jobs share their calls, as in one process. */
async function open(...networks: TestNetwork[]): Promise<void> {
  world = await openOrderShop(...networks)
  const { app } = world.shop.testApp
  const calls = createOrderCalls(app)
  requests = collect(app, calls)
  orders = networkOrders(app, undefined, calls)
}

afterEach(() => world.shop.close())

/** The job of the orders looks, and finds that none is due. */
async function findNothing(): Promise<void> {
  expect(await orders.nextDue()).toBeNull()
}

it('A new order is stored as sent, under a lease, and sent with no further claim', async () => {
  await open({ code: 'sandbox' })
  await findNothing()
  const id = await world.create()
  const started = await requests.claim(100)
  expect(await world.order(id)).toMatchObject({ state: 'sent', sent: world.clock.now(), answered: null })
  expect((await world.order(id)).leased_until!.getTime()).toBeGreaterThan(Date.now())
  expect(world.calls).toEqual([])
  expect(await orders.claim(100)).toEqual([])
  await requests.run(started)
  expect(world.calls).toEqual(['send 1'])
  expect(await world.order(id)).toMatchObject({ state: 'accepted', leased_until: null })
  expect((await world.shop.request(id)).status).toBe('instructions_sent')
})

it('Before a process has looked for waiting orders, all go through the job of the orders', async () => {
  await open({ code: 'sandbox' })
  const id = await world.create()
  await requests.run(await requests.claim(100))
  expect(await world.order(id)).toMatchObject({ state: 'new', sent: null })
  await orders.run(await orders.claim(100))
  expect(world.calls).toEqual(['send 1'])
})

it('An order that waits for a slot is sent before newer ones', async () => {
  let release = () => {}
  const busy = new Promise<void>((resolve) => {
    release = resolve
  })
  await open({
    code: 'slow',
    connection: { slots: slotsFor(1) },
    charge: async () => {
      await busy
      return ACCEPTED
    },
  })
  await findNothing()
  const first = await world.create()
  const sending = requests.run(await requests.claim(100))
  const second = await world.create()
  await requests.run(await requests.claim(100))
  release()
  await sending
  // The slot is free, and the second order waits for it. The third comes after the second.
  const third = await world.create()
  await requests.run(await requests.claim(100))
  const states = async () => Promise.all([first, second, third].map(async (id) => (await world.order(id)).state))
  expect(await states()).toEqual(['accepted', 'new', 'new'])
  const claimed = await orders.claim(1)
  expect(claimed.map(({ order }) => order.collection_request)).toEqual([second])
  await orders.run(claimed)
  await orders.run(await orders.claim(1))
  expect(await states()).toEqual(['accepted', 'accepted', 'accepted'])
  expect(world.calls).toEqual(['send 1', 'send 2', 'send 3'])
  // Nothing waits any more, so the next one is sent at once.
  expect(await orders.claim(1)).toEqual([])
  const fourth = await world.create()
  await requests.run(await requests.claim(100))
  expect(await world.order(fourth)).toMatchObject({ state: 'accepted' })
})

it('A start that a deadlock has undone keeps no slot', async () => {
  await open({ code: 'sandbox', connection: { slots: slotsFor(1) } })
  await findNothing()
  const { db } = world.shop
  const begin = db.begin
  const undoFirst = vi.spyOn(db, 'begin').mockImplementationOnce((opening, work) =>
    begin(opening, async (tx) => {
      await work(tx)
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }),
  )
  const ids = [await world.create(), await world.create()]
  for (const id of ids) {
    await requests.run(await requests.claim(1))
    expect(await world.order(id)).toMatchObject({ state: 'accepted' })
  }
  expect(world.calls).toEqual(['send 1', 'send 2'])
  undoFirst.mockRestore()
})

it('An order whose process is killed before the call is asked about after its lease, and never sent unasked', async () => {
  await open({ code: 'sandbox' })
  await findNothing()
  await world.create()
  await requests.claim(100)
  await world.advance(5)
  expect(world.calls).toEqual([])
  world.passRealTime(60)
  await orders.run(await orders.claim(100))
  expect(world.calls).toEqual(['ask 1'])
})

it('The answer to a new order changes no column of an index, so that it writes the row of the order alone', async () => {
  await open({ code: 'sandbox', charge: async () => ({ outcome: 'accepted', remote_id: 'N1' }) })
  await findNothing()
  const id = await world.create()
  const started = await requests.claim(100)
  const before = await indexedValues(id)
  expect(before).toMatchObject({ collection_request: id, due_at: expect.any(Date), attention: null })
  await requests.run(started)
  expect(await world.order(id)).toMatchObject({ state: 'accepted', remote_id: 'N1' })
  expect(await indexedValues(id)).toEqual(before)
})

/** Read the values of the order of a request in the columns of indexes, and of the conditions of indexes. */
async function indexedValues(request: number): Promise<Partial<NetworkOrder>> {
  const columns = await world.shop.db<{ name: keyof NetworkOrder }[]>`
    select attname as name from pg_attribute a where attrelid = 'network_orders'::regclass and exists (
      select from pg_index i where indrelid = a.attrelid and (a.attnum = any(indkey) or exists (
        select from pg_depend where objid = i.indexrelid and refobjid = a.attrelid and refobjsubid = a.attnum)))`
  const order = await world.order(request)
  return Object.fromEntries(columns.map(({ name }) => [name, order[name]]))
}

it('A process that comes back after its lease sends nothing', async () => {
  await open({ code: 'sandbox' })
  await findNothing()
  await world.create()
  const started = await requests.claim(100)
  world.passRealTime(60)
  await requests.run(started)
  expect(world.calls).toEqual([])
})

it.each([
  ['its connection is paused', { connection: { state: 'paused' } }],
  ['its network makes its id in a call of its own', { prepare: async () => ({ outcome: 'prepared', remote_id: 'P' }) }],
] as [string, Partial<TestNetwork>][])('An order waits for the job of the orders when %s', async (_, network) => {
  await open({ code: 'sandbox', ...network })
  await findNothing()
  const id = await world.create()
  await requests.run(await requests.claim(100))
  expect(await world.order(id)).toMatchObject({ state: 'new' })
})

it('A start that fails gives its slot back, and leaves its request to a later turn', async () => {
  await open({ code: 'sandbox', connection: { slots: slotsFor(1) } })
  await findNothing()
  const { db } = world.shop
  await db`alter table network_orders add constraint refused check (phonenumber <> '+80000000099')`
  const refused = await world.create('sandbox', { phonenumber: '+80000000099' })
  const other = await world.create()
  await expect(requests.claim(1)).rejects.toThrow('refused')
  expect((await world.shop.request(refused)).status).toBe('pending')
  await requests.run(await requests.claim(1))
  expect(await world.order(other)).toMatchObject({ state: 'accepted' })
  expect(await requests.claim(1)).toEqual([])
  await db`alter table network_orders drop constraint refused`
  world.passRealTime(16)
  await requests.run(await requests.claim(1))
  expect(await world.order(refused)).toMatchObject({ state: 'accepted' })
})

it('A start that always fails keeps no other request of its group waiting', async () => {
  await open({ code: 'sandbox' })
  await findNothing()
  await world.shop.db`alter table network_orders add constraint refused check (phonenumber <> '+80000000099')`
  const before = await world.create()
  const refused = await world.create('sandbox', { phonenumber: '+80000000099' })
  const after = await world.create()
  await expect(requests.claim(100)).rejects.toThrow('refused')
  await requests.run(await requests.claim(100))
  await expect(requests.claim(100)).rejects.toThrow('refused')
  const together = await world.create()
  await requests.run(await requests.claim(100))
  const last = await requests.claim(100)
  expect(last).toMatchObject([{ request: together }])
  await requests.run(last)
  for (const id of [before, after, together]) expect(await world.order(id)).toMatchObject({ state: 'accepted' })
  expect((await world.shop.request(refused)).status).toBe('pending')
})
