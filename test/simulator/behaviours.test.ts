import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import type { Order } from '../../src/networks/network.ts'
import { createSandboxNetwork } from '../../src/networks/sandbox.ts'
import { behaviourOf, behaviours } from '../../src/simulator/behaviours.ts'
import { money, openDatabase, openSimulatorTest, orderFor, SECRET, type SimulatorTest } from './simulator-test.ts'

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

const ask = (order: Order) => world.network.requestMoney!(order)
const check = (order: Order) => world.network.checkOrder!(order)
const accepted = { outcome: 'accepted', remote_id: expect.stringMatching(/^SBO/) }

/** What the business was told, without the parts that differ from run to run. */
function told() {
  return world.callbacks.map(({ callback: knock }) => {
    expect(knock).toMatchObject({ verified: true })
    if (knock.subject === 'transaction')
      return [knock.receipt!.status, knock.receipt!.order_reference, knock.receipt!.amount]
    if (knock.subject === 'order' && knock.answer.outcome === 'failed')
      return ['failed', knock.order_reference, knock.answer.reason, knock.answer.message]
    return [knock.subject]
  })
}

describe('a customer like any other', () => {
  it.each(['+80000000002', '+80012345678', '+256772000001', '+254700000000'])(
    'pays a second after a prompt (%s)',
    async (number) => {
      const order = orderFor(number)
      expect(await ask(order)).toEqual(accepted)
      await world.clock.advance(0.9)
      expect(await check(order)).toEqual(accepted)
      expect(told()).toEqual([])
      await world.clock.advance(0.2)
      expect(await check(order)).toEqual({
        outcome: 'successful',
        remote_id: expect.stringMatching(/^SBX/),
        amount: money('1500'),
        name: 'Sandbox Customer',
        paid_at: expect.any(Date),
      })
      expect(told()).toEqual([['successful', order.reference, money('1500')]])
    },
  )

  it('pays just the same when the network only expects the money', async () => {
    const order = orderFor('+80000000002')
    expect(await world.network.registerExpectedPayment!(order)).toEqual(accepted)
    expect(await world.simulator.prompts()).toEqual([])
    await world.clock.advance(1)
    expect(told()).toEqual([['successful', order.reference, money('1500')]])
  })

  it.each(['0.0001', '0.5', '999999999999999.9999'])('pays %s to the last digit', async (amount) => {
    const order = orderFor('+80000000002', { amount: money(amount) })
    await ask(order)
    await world.clock.advance(1)
    expect(told()).toEqual([['successful', order.reference, money(amount)]])
  })
})

describe('customers with a number of their own', () => {
  it.each([
    ['+80000000001', 'cancelled', 'Cancelled By User'],
    ['+80000000101', 'insufficient_funds', 'Insufficient Funds'],
    ['+80000000102', 'wrong_pin', 'Wrong PIN'],
    ['+256772000101', 'insufficient_funds', 'Insufficient Funds'],
  ])('%s refuses: %s', async (number, reason, message) => {
    const order = orderFor(number)
    expect(await ask(order)).toEqual(accepted)
    await world.clock.advance(1)
    expect(await check(order)).toEqual({ outcome: 'failed', reason, message })
    expect(told()).toEqual([['failed', order.reference, reason, message]])
  })

  it('+80000000001 refuses without a prompt too', async () => {
    const order = orderFor('+80000000001')
    await world.network.registerExpectedPayment!(order)
    await world.clock.advance(1)
    expect(told()).toEqual([['failed', order.reference, 'cancelled', 'Cancelled By User']])
  })

  it('+80000000009 never does anything', async () => {
    const order = orderFor('+80000000009')
    await ask(order)
    await world.clock.advance(30 * 24 * 3_600)
    expect(await check(order)).toEqual(accepted)
    expect(told()).toEqual([])
  })

  it('…000103 pays after 10 seconds', async () => {
    const order = orderFor('+80000000103')
    await ask(order)
    await world.clock.advance(9.5)
    expect(told()).toEqual([])
    await world.clock.advance(0.5)
    expect(told()).toEqual([['successful', order.reference, money('1500')]])
  })

  it('…000104 is paid although the network never answered, and only asking brings it to light', async () => {
    // Only the first call is given up; all others have the time that they need.
    const impatient = createSandboxNetwork({ url: () => world.url, secret: SECRET, timeout_ms: 2_000 })
    const order = orderFor('+80000000104')
    expect(await impatient.requestMoney!(order)).toMatchObject({ outcome: 'unknown' })
    expect(await ask(order)).toEqual(accepted)
    await world.clock.advance(1)
    expect(await check(order)).toMatchObject({ outcome: 'successful', amount: money('1500') })
    expect(told()).toEqual([])
  })

  it('…000105 is not known to the network until the third call', async () => {
    const order = orderFor('+80000000105')
    for (let call = 1; call <= 2; call += 1) {
      expect(await ask(order)).toMatchObject({ outcome: 'unknown' })
      await world.clock.advance(5)
      expect(await check(order)).toEqual({ outcome: 'not_found' })
    }
    expect(await ask(order)).toEqual(accepted)
    await world.clock.advance(1)
    expect(told()).toEqual([['successful', order.reference, money('1500')]])
  })

  it('…000106 pays once and the business is told three times', async () => {
    const order = orderFor('+80000000106')
    await ask(order)
    await world.clock.advance(1)
    expect(told()).toEqual(Array(3).fill(['successful', order.reference, money('1500')]))
    expect(new Set(world.callbacks.map((callback) => callback.body)).size).toBe(1)
  })

  it.each([
    ['1500', '1499'],
    ['1', '2'],
    ['0.0001', '1.0001'],
    ['999999999999999.9999', '999999999999998.9999'],
  ])('…000107 asked for %s pays %s', async (asked, paid) => {
    const order = orderFor('+80000000107', { amount: money(asked) })
    await ask(order)
    await world.clock.advance(1)
    expect(told()).toEqual([['successful', order.reference, money(paid)]])
    expect(await check(order)).toMatchObject({ outcome: 'successful', amount: money(paid) })
  })

  it('…000108 pays and gets the money back 10 seconds later', async () => {
    const order = orderFor('+80000000108')
    await ask(order)
    await world.clock.advance(10.5)
    expect(told()).toEqual([['successful', order.reference, money('1500')]])
    await world.clock.advance(1)
    expect(told().slice(1)).toEqual([['reversed', order.reference, money('1500')]])
    const answer = await check(order)
    if (answer.outcome !== 'successful') throw new Error('The order was paid, whatever became of the money.')
    expect(await world.network.findTransaction!(answer.remote_id)).toMatchObject({
      outcome: 'found',
      receipt: { status: 'reversed' },
    })
  })

  it('…000109 waits for a person until the prompt lapses after 5 minutes', async () => {
    const order = orderFor('+80000000109')
    await ask(order)
    await world.clock.advance(299)
    expect(await check(order)).toEqual(accepted)
    await world.clock.advance(2)
    expect(told()).toEqual([['failed', order.reference, 'prompt_expired', 'Prompt Expired']])
  })

  it('…000109 waits for ever where there is no prompt that could lapse', async () => {
    const order = orderFor('+80000000109')
    await world.network.registerExpectedPayment!(order)
    await world.clock.advance(24 * 3_600)
    expect(await check(order)).toEqual(accepted)
  })

  it('…000110 misses the first prompt and pays after the second, every time anew', async () => {
    for (let time = 1; time <= 2; time += 1) {
      world.callbacks.length = 0
      const first = orderFor('+80000000110')
      await ask(first)
      await world.clock.advance(59)
      expect(await check(first)).toEqual(accepted)
      await world.clock.advance(2)
      const second = orderFor('+80000000110')
      await ask(second)
      await world.clock.advance(1)
      expect(told()).toEqual([
        ['failed', first.reference, 'prompt_expired', 'Prompt Expired'],
        ['successful', second.reference, money('1500')],
      ])
    }
  })

  it('…000110 does not take a prompt for something else, or the same one again, for the second', async () => {
    const first = orderFor('+80000000110')
    await ask(first)
    await world.clock.advance(61)
    await ask(first)
    const others = [{ amount: money('7') }, { receiver: '700200' }, { currency: 'UGX' }]
    for (const changes of others) await ask(orderFor('+80000000110', changes))
    await world.clock.advance(61)
    expect(told().map(([outcome]) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })
})

describe('the table of behaviours', () => {
  it('names whole numbers and last six digits only', () => {
    for (const key of Object.keys(behaviours)) expect(key).toMatch(/^(\+800\d{8}|\d{6})$/)
  })

  it('goes by the last six digits whatever the country, and the whole number only where it says so', () => {
    expect(behaviourOf('+256772000106').callback_count).toBe(3)
    expect(behaviourOf('+256772000001').action).toBe('pay')
    expect(behaviourOf('+80000000001').action).toBe('refuse')
  })

  it('gives a reason to everybody who refuses', () => {
    for (const { action: does, refusal } of Object.values(behaviours))
      if (does === 'refuse') expect(refusal).toBeTruthy()
  })
})
