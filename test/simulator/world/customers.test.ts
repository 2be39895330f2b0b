import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { begin, type Database } from '../../../src/db/client.ts'
import type { NetworkTransaction } from '../../../src/networks/contract.ts'
import { NotPossible } from '../../../src/simulator/index.ts'
import {
  createTestSimulator,
  money,
  openDatabase,
  openSimulatorTest,
  orderFor,
  type SimulatorTest,
} from '../simulator-test.ts'

const PHONE = '+80000000109'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
let world: SimulatorTest

beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(async () => {
  world = await openSimulatorTest(db)
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const receipts = () =>
  world.callbacks.flatMap(({ callback: parsed }) => (parsed.subject === 'transaction' ? [parsed.receipt] : []))
const failures = () =>
  world.callbacks.flatMap(({ callback: parsed }) => (parsed.subject === 'order' ? [parsed.answer] : []))

describe('a person at a simulated phone', () => {
  it('sees the prompts, oldest first, until they are answered', async () => {
    const orders = [
      orderFor(PHONE),
      orderFor(PHONE, { amount: money('7.5'), reason: 'Bus' }),
      orderFor('+256772000109'),
    ]
    for (const order of orders) {
      await world.network.charge!(order)
      await world.clock.advance(1)
    }
    const { reference, receiver, amount, currency, reason } = orders[0]!
    expect((await world.simulator.prompts())[0]).toEqual({
      door: 'sandbox',
      reference,
      receiver,
      amount,
      currency,
      reason,
      phonenumber: PHONE,
      created: expect.any(Date),
    })
    const waiting = async (phone?: string) => (await world.simulator.prompts(phone)).map((prompt) => prompt.reference)
    expect(await waiting()).toEqual(orders.map((order) => order.reference))
    expect(await waiting(PHONE)).toEqual([orders[0]!.reference, orders[1]!.reference])
    await world.simulator.approve(PHONE)
    await world.simulator.refuse('+256772000109')
    expect(await waiting()).toEqual([orders[1]!.reference])
  })

  it('approves the oldest prompt', async () => {
    const [first, second] = [orderFor(PHONE), orderFor(PHONE)]
    await world.network.charge!(first)
    await world.clock.advance(1)
    await world.network.charge!(second)
    await world.simulator.approve(PHONE)
    await world.waitUntilIdle()
    expect(receipts()).toMatchObject([{ status: 'successful', order_reference: first.reference, amount: first.amount }])
    expect(await world.network.chargeStatus!(second)).toMatchObject({ outcome: 'accepted' })
  })

  it('approves with the right PIN, and fails the order with a wrong one', async () => {
    for (const pin of ['1234', '0000']) {
      await world.network.charge!(orderFor(PHONE))
      await world.simulator.approve(PHONE, pin)
    }
    await world.waitUntilIdle()
    expect(receipts()).toHaveLength(1)
    expect(failures()).toEqual([
      { outcome: 'failed', reason: 'wrong_pin', message: 'The customer entered a wrong PIN.' },
    ])
  })

  it('refuses a prompt', async () => {
    const order = orderFor(PHONE)
    await world.network.charge!(order)
    await world.simulator.refuse(PHONE)
    const refused = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' }
    expect(await world.network.chargeStatus!(order)).toEqual(refused)
    await world.waitUntilIdle()
    expect(failures()).toEqual([refused])
  })

  it('can answer for customers who would not, or not yet, answer by themselves', async () => {
    for (const phone of ['+80000000009', '+80000000103']) {
      await world.network.charge!(orderFor(phone))
      await world.simulator.approve(phone)
    }
    await world.clock.advance(60)
    expect(receipts()).toHaveLength(2)
  })

  it('cannot answer without an open prompt', async () => {
    const nothing = `No prompt waits on the phone ${PHONE}.`
    await expect(world.simulator.approve(PHONE)).rejects.toThrow(new NotPossible(nothing))
    await expect(world.simulator.refuse(PHONE)).rejects.toBeInstanceOf(NotPossible)
    await world.network.registerExpectedPayment!(orderFor(PHONE))
    await expect(world.simulator.approve(PHONE)).rejects.toThrow(nothing)
    await world.network.charge!(orderFor(PHONE))
    await world.simulator.approve(PHONE)
    await expect(world.simulator.approve(PHONE)).rejects.toThrow(nothing)
    await world.network.charge!(orderFor(PHONE))
    await world.clock.advance(301)
    await expect(world.simulator.approve(PHONE)).rejects.toThrow(nothing)
  })

  it('answers a prompt once, also when many press the button at the same time', async () => {
    await world.network.charge!(orderFor(PHONE))
    const other = createTestSimulator(db, { now: world.clock.now })
    const presses = [1, 2, 3].flatMap(() => [world.simulator.approve(PHONE), other.refuse(PHONE)])
    const results = await Promise.allSettled(presses)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    await world.clock.advance(0)
    expect(world.callbacks).toHaveLength(1)
  })

  it('makes an unrequested payment, with and without a typed reference', async () => {
    const payment = { phonenumber: '+80000000002', amount: money('20.25'), currency: 'BXC', receiver: '700100' }
    const { remote_id } = await world.simulator.pay({ ...payment, reference: '17' })
    await world.simulator.pay(payment)
    await world.waitUntilIdle()
    const receipt: NetworkTransaction = {
      ...payment,
      remote_id,
      status: 'successful',
      reversals: [],
      order_reference: null,
      reference: '17',
      name: 'Sandbox Customer',
      paid_at: expect.any(Date),
    }
    expect(receipts()).toHaveLength(2)
    expect(receipts()).toContainEqual(receipt)
    expect(receipts()).toContainEqual({ ...receipt, remote_id: expect.not.stringMatching(remote_id), reference: null })
    expect(await world.network.transaction!({ remote_id })).toEqual({ outcome: 'found', receipt })
  })

  it('asks the business before it accepts an unrequested payment, and accepts it without an answer', async () => {
    const payment = { phonenumber: PHONE, amount: money('20.25'), currency: 'BXC', receiver: '700100' }
    world.verdict.says = 'reject'
    const refused = await world.simulator.pay({ ...payment, reference: '17' })
    await world.waitUntilIdle()
    expect(world.validationRequests).toEqual([{ ...payment, remote_id: refused.remote_id, reference: '17' }])
    expect(receipts()).toEqual([])
    expect(await world.network.transaction!({ remote_id: refused.remote_id })).toEqual({ outcome: 'not_found' })

    world.verdict.status = 503
    const accepted = await world.simulator.pay(payment)
    await world.waitUntilIdle()
    expect(receipts()).toMatchObject([{ remote_id: accepted.remote_id, reference: null }])
  })

  it.each(['+80000000104', '+80000000106', '+80000000108'])(
    'sends money unasked exactly once from %s',
    async (phonenumber) => {
      await world.simulator.pay({ phonenumber, amount: money('5'), currency: 'BXC', receiver: '700100' })
      await world.clock.advance(60)
      expect(receipts()).toMatchObject([{ status: 'successful', amount: money('5') }])
    },
  )

  it.each([
    ['amount', { amount: 0n }],
    ['amount', { amount: 10n ** 20n }],
    ['phonenumber', { phonenumber: 'mine' }],
    ['currency', { currency: '$' }],
    ['receiver', { receiver: '' }],
    ['reference', { reference: '\0' }],
  ])('cannot pay with an invalid %s', async (field, changes) => {
    const payment = { phonenumber: PHONE, amount: 1n, currency: 'BXC', receiver: '700100', ...changes }
    await expect(world.simulator.pay(payment)).rejects.toThrow(NotPossible)
    await expect(world.simulator.pay(payment)).rejects.toThrow(field)
  })
})

describe('the simulator', () => {
  it('runs in several processes without doing anything twice', async () => {
    const others = [world, world].map((same) =>
      createTestSimulator(db, { now: same.clock.now, callback_url: () => 'http://127.0.0.1:2/' }),
    )
    for (const other of others) other.start()
    const orders = Array.from({ length: 300 }, () => orderFor('+80000000002'))
    await Promise.all(orders.map((order) => world.network.charge!(order)))
    await Promise.all([world.clock.advance(1), ...others.map((other) => other.wake())])
    for (const other of others) await other.stop()
    // The other processes could not deliver their callbacks, so these are repeated.
    await world.clock.advance(60)
    const paid = receipts().map((receipt) => receipt!.order_reference)
    expect(paid.sort()).toEqual(orders.map((order) => order.reference).sort())
    expect(await db`select from simulator_transactions`).toHaveLength(300)
  })

  it('reports when it does something next', async () => {
    expect(await world.simulator.nextDue()).toBeNull()
    const requested_at_ms = world.clock.now().getTime()
    await world.network.charge!(orderFor('+80000000103'))
    const due = (await world.simulator.nextDue())!.getTime()
    expect(due - requested_at_ms).toBeGreaterThanOrEqual(10_000)
    expect(due - requested_at_ms).toBeLessThan(11_000)
    await world.clock.advance(11)
    expect(await world.simulator.nextDue()).toBeNull()
  })

  it('is empty after a reset and never reuses a remote id', async () => {
    const order = orderFor('+80000000002')
    const first = await world.network.charge!(order)
    await world.clock.advance(1)
    const paid = await world.network.chargeStatus!(order)
    await begin(db, (tx) => world.simulator.reset(tx))
    expect(await world.network.chargeStatus!(order)).toEqual({ outcome: 'not_found' })
    expect(await world.simulator.nextDue()).toBeNull()
    const second = await world.network.charge!(order)
    await world.clock.advance(1)
    const again = await world.network.chargeStatus!(order)
    const ids = [first, paid, second, again].map((answer) => 'remote_id' in answer && answer.remote_id)
    expect(new Set(ids).size).toBe(4)
  })
})
