import type { App } from '../../../src/app.ts'
import type { Slots } from '../../../src/connections/tools/index.ts'
import type { NetworkOrder } from '../../../src/core/connections/network-orders.ts'
import { begin } from '../../../src/db/client.ts'
import type { DriverTools } from '../../../src/drivers/contract.ts'
import { collect } from '../../../src/jobs/collect.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import type { Order, OrderAnswer } from '../../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection, storePlace } from '../../connections/fake-connection.ts'
import { openShop, type Shop } from '../../core/shop.ts'
import { type TestClock, testClock } from '../../test-app.ts'

/** A shop with networks of a test, whose jobs run when the test says so. */
export interface OrderShop {
  shop: Shop
  clock: TestClock
  /** Calls in order: `send 1`, `ask 1`; the number counts the called orders. */
  calls: string[]
  orders: ReturnType<typeof networkOrders>
  /** Make a request to the phone of a network, which is due, and return its id. */
  create(network?: string, changes?: Parameters<Shop['createRequest']>[0]): Promise<number>
  /**
   * Make a request to the phone of a network, start it, and return its id. Its order waits for the job of the orders.
   */
  start(network?: string, changes?: Parameters<Shop['createRequest']>[0]): Promise<number>
  /** Do the due work of requests and order until there is none. */
  work(): Promise<void>
  /** Move the clock and work. */
  advance(seconds: number): Promise<void>
  /** The newest order of a request. */
  order(request: number): Promise<NetworkOrder>
  /** Move the real clock, on which leases run. */
  passRealTime(seconds: number): void
}

/** As many slots as this, without a limit for the rate. */
export function slotsFor(count: number): Slots {
  let used = 0
  return {
    tryAcquire() {
      if (used >= count) return undefined
      used += 1
      let released = false
      return () => {
        if (!released) used -= 1
        released = true
      }
    },
    nextFree: () => (used < count ? 0 : 50),
    state: () => 'healthy',
  }
}

/** A network that accepts every order and whose orders stay open, with these changes. Its calls are recorded. */
export type TestNetwork = Partial<FakeNetwork> & { code: string }

export const ACCEPTED: OrderAnswer = { outcome: 'accepted', remote_id: 'P1' }
export const SILENCE = { outcome: 'unknown', message: 'no answer' } as const

export async function openOrderShop(...networks: TestNetwork[]): Promise<OrderShop> {
  let ahead_ms = 0
  const clock = testClock(undefined, () => new Date(Date.now() + ahead_ms))
  const calls: string[] = []
  const references: string[] = []
  const record = (verb: string, { reference }: Order) => {
    if (!references.includes(reference)) references.push(reference)
    calls.push(`${verb} ${references.indexOf(reference) + 1}`)
  }
  const connections = networks.map((network) => fakeConnection(recordCalls(network, record)))
  const shop = await openShop({ clock, overrides: { connections } })
  const { account } = await shop.request((await shop.createRequest()).id)
  await shop.clear()
  for (const { slug } of connections)
    if (slug !== 'sandbox') await storePlace(shop.db, { connection: slug, number: `7${slug.length}`, account })
  const { app } = shop.testApp
  const orders = networkOrders(app)
  const work = () => workUntilIdle(app, orders)
  const create: OrderShop['create'] = async (network = networks[0]!.code, changes = {}) => {
    const { slug, code, name } = connections.find((one) => one.slug === network)!
    return (await shop.createRequest({ network: { slug, code, name }, ...changes })).id
  }
  return {
    shop,
    clock,
    calls,
    orders,
    work,
    create,
    async start(network, changes) {
      const id = await create(network, changes)
      await workOnRequests(app)
      return id
    },
    async advance(seconds) {
      clock.advance(seconds)
      await work()
    },
    order: async (request) => (await shop.orders(request)).at(-1)!,
    passRealTime(seconds) {
      ahead_ms += seconds * 1_000
    },
  }
}

function recordCalls(network: TestNetwork, record: (verb: string, order: Order) => void): FakeNetwork {
  const { charge = async () => ACCEPTED, chargeStatus = async () => ACCEPTED, prepare, ...rest } = network
  return {
    name: network.code,
    limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
    ...rest,
    charge(order, tools) {
      record('send', order)
      return charge(order, tools)
    },
    chargeStatus(order, tools) {
      record('ask', order)
      return chargeStatus(order, tools)
    },
    ...(prepare && {
      prepare(order: Order, tools: DriverTools) {
        record('prepare', order)
        return prepare(order, tools)
      },
    }),
  }
}

async function workOnRequests(app: App): Promise<number> {
  const job = collect(app)
  const ids = await job.claim(100)
  if (ids.length > 0) await job.run(ids)
  return ids.length
}

async function workUntilIdle(app: App, orders: ReturnType<typeof networkOrders>): Promise<void> {
  for (;;) {
    const requests = await workOnRequests(app)
    const calls = await orders.claim(100)
    if (calls.length > 0) await orders.run(calls)
    if (requests + calls.length === 0) return
  }
}

/** Store copies of an order of a request, each of its own request and all due at once. */
export async function copyOrders(shop: Shop, request: number, count: number, organization: number): Promise<void> {
  await begin(
    shop.db,
    (tx) => tx`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created, due_at)
      select 'COPY' || ${organization}::text || '-' || n, kind, connection, ${organization}, 1000000 * ${organization}::bigint + n, attempt, receiver,
        phonenumber, amount, currency, reason, 'new', created, due_at - interval '1 minute'
      from network_orders cross join generate_series(1, ${count}::integer) n where collection_request = ${request}`,
  )
}
