import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/client.ts'
import type { Order } from '../../../src/networks/contract.ts'
import { behaviourOf, behaviours } from '../../../src/simulator/world/behaviours.ts'
import { sandboxConnection } from '../../connections/fake-connection.ts'
import { bindConnection } from '../../drivers/bound.ts'
import { money, openDatabase, openSimulatorTest, orderFor, SECRET, type SimulatorTest } from '../simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
let harness: SimulatorTest

beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(async () => {
  harness = await openSimulatorTest(db)
})
afterEach(async () => {
  expect(harness.errors).toEqual([])
  await harness.close()
})

const request = (order: Order) => harness.network.charge!(order)
const check = (order: Order) => harness.network.chargeStatus!(order)
const accepted = { outcome: 'accepted', remote_id: expect.stringMatching(/^SBO/) }

/** The callbacks to the business, without the parts that differ from run to run. */
function notifications() {
  return harness.callbacks.map(({ callback: parsed }) => {
    expect(parsed).toMatchObject({ verified: true })
    if (parsed.subject === 'transaction')
      return [parsed.receipt!.status, parsed.receipt!.order_reference, parsed.receipt!.amount]
    if (parsed.subject === 'order' && parsed.answer.outcome === 'failed')
      return [
        'failed',
        'reference' in parsed.order ? parsed.order.reference : null,
        parsed.answer.reason,
        parsed.answer.message,
      ]
    return [parsed.subject]
  })
}

describe('a usual customer', () => {
  it.each(['+80000000002', '+80012345678', '+256772000001', '+254700000000'])(
    'pays a second after a prompt (%s)',
    async (number) => {
      const order = orderFor(number)
      expect(await request(order)).toEqual(accepted)
      await harness.clock.advance(0.9)
      expect(await check(order)).toEqual(accepted)
      expect(notifications()).toEqual([])
      await harness.clock.advance(0.2)
      expect(await check(order)).toEqual({
        outcome: 'successful',
        remote_id: expect.stringMatching(/^SBX/),
        amount: money('1500'),
        name: 'Sandbox Customer',
        paid_at: expect.any(Date),
      })
      expect(notifications()).toEqual([['successful', order.reference, money('1500')]])
    },
  )

  it('also pays when the network only expects the money', async () => {
    const order = orderFor('+80000000002')
    expect(await harness.network.registerExpectedPayment!(order)).toEqual(accepted)
    expect(await harness.simulator.prompts()).toEqual([])
    await harness.clock.advance(1)
    expect(notifications()).toEqual([['successful', order.reference, money('1500')]])
  })

  it.each(['0.0001', '0.5', '999999999999999.9999'])('pays %s to the last digit', async (amount) => {
    const order = orderFor('+80000000002', { amount: money(amount) })
    await request(order)
    await harness.clock.advance(1)
    expect(notifications()).toEqual([['successful', order.reference, money(amount)]])
  })
})

describe('customers with special numbers', () => {
  it.each([
    ['+80000000001', 'cancelled', 'Cancelled By User'],
    ['+80000000101', 'insufficient_funds', 'Insufficient Funds'],
    ['+80000000102', 'wrong_pin', 'The customer entered a wrong PIN.'],
    ['+256772000101', 'insufficient_funds', 'Insufficient Funds'],
  ])('%s refuses: %s', async (number, reason, message) => {
    const order = orderFor(number)
    expect(await request(order)).toEqual(accepted)
    await harness.clock.advance(1)
    expect(await check(order)).toEqual({ outcome: 'failed', reason, message })
    expect(notifications()).toEqual([['failed', order.reference, reason, message]])
  })

  it('+80000000001 refuses without a prompt too', async () => {
    const order = orderFor('+80000000001')
    await harness.network.registerExpectedPayment!(order)
    await harness.clock.advance(1)
    expect(notifications()).toEqual([['failed', order.reference, 'cancelled', 'Cancelled By User']])
  })

  it('+80000000009 never does anything, until the network gives up', async () => {
    const order = orderFor('+80000000009')
    await request(order)
    await harness.clock.advance(24 * 3_600)
    expect(await check(order)).toEqual(accepted)
    expect(notifications()).toEqual([])
    await harness.clock.advance(3_601)
    expect(await check(order)).toMatchObject({ outcome: 'failed', reason: 'prompt_expired' })
  })

  it('…000103 pays after 10 seconds', async () => {
    const order = orderFor('+80000000103')
    await request(order)
    await harness.clock.advance(9.5)
    expect(notifications()).toEqual([])
    await harness.clock.advance(0.5)
    expect(notifications()).toEqual([['successful', order.reference, money('1500')]])
  })

  it('…000104 pays although the network never answers, and only a check shows it', async () => {
    // Only the first call has a short time limit.
    const short_adapter = bindConnection(sandboxConnection({ url: () => harness.url, secret: SECRET, timeout_s: 2 }))
    const order = orderFor('+80000000104')
    expect(await short_adapter.charge!(order)).toMatchObject({ outcome: 'unknown' })
    expect(await request(order)).toEqual(accepted)
    await harness.clock.advance(1)
    expect(await check(order)).toMatchObject({ outcome: 'successful', amount: money('1500') })
    expect(notifications()).toEqual([])
  })

  it('…000105 is not known to the network until the third call', async () => {
    const order = orderFor('+80000000105')
    for (let call = 1; call <= 2; call += 1) {
      expect(await request(order)).toMatchObject({ outcome: 'unknown' })
      await harness.clock.advance(5)
      expect(await check(order)).toEqual({ outcome: 'not_found' })
    }
    expect(await request(order)).toEqual(accepted)
    await harness.clock.advance(1)
    expect(notifications()).toEqual([['successful', order.reference, money('1500')]])
  })

  it('…000106 pays once and the business gets three callbacks', async () => {
    const order = orderFor('+80000000106')
    await request(order)
    await harness.clock.advance(1)
    expect(notifications()).toEqual(Array(3).fill(['successful', order.reference, money('1500')]))
    expect(new Set(harness.callbacks.map((callback) => callback.body)).size).toBe(1)
  })

  it.each([
    ['1500', '1499'],
    ['1', '2'],
    ['0.0001', '1.0001'],
    ['999999999999999.9999', '999999999999998.9999'],
  ])('…000107 asked for %s pays %s', async (requested, paid) => {
    const order = orderFor('+80000000107', { amount: money(requested) })
    await request(order)
    await harness.clock.advance(1)
    expect(notifications()).toEqual([['successful', order.reference, money(paid)]])
    expect(await check(order)).toMatchObject({ outcome: 'successful', amount: money(paid) })
  })

  it('…000108 pays and gets the money back 10 seconds later', async () => {
    const order = orderFor('+80000000108')
    await request(order)
    await harness.clock.advance(10.5)
    expect(notifications()).toEqual([['successful', order.reference, money('1500')]])
    await harness.clock.advance(1)
    expect(notifications().slice(1)).toEqual([['reversed', order.reference, money('1500')]])
    const answer = await check(order)
    if (answer.outcome !== 'successful') throw new Error('The order was paid, although the payment was reversed later.')
    expect(await harness.network.transaction!({ remote_id: answer.remote_id! })).toMatchObject({
      outcome: 'found',
      receipt: { status: 'reversed' },
    })
  })

  it('…000109 waits for a person until the prompt expires after 5 minutes', async () => {
    const order = orderFor('+80000000109')
    await request(order)
    await harness.clock.advance(299)
    expect(await check(order)).toEqual(accepted)
    await harness.clock.advance(2)
    expect(notifications()).toEqual([['failed', order.reference, 'prompt_expired', 'Prompt Expired']])
  })

  it('…000109 waits for ever without a prompt', async () => {
    const order = orderFor('+80000000109')
    await harness.network.registerExpectedPayment!(order)
    await harness.clock.advance(24 * 3_600)
    expect(await check(order)).toEqual(accepted)
  })

  it('…000110 misses the first prompt and pays after the second, every time', async () => {
    for (let time = 1; time <= 2; time += 1) {
      harness.callbacks.length = 0
      const first = orderFor('+80000000110')
      await request(first)
      await harness.clock.advance(59)
      expect(await check(first)).toEqual(accepted)
      await harness.clock.advance(2)
      const second = orderFor('+80000000110')
      await request(second)
      await harness.clock.advance(1)
      expect(notifications()).toEqual([
        ['failed', first.reference, 'prompt_expired', 'Prompt Expired'],
        ['successful', second.reference, money('1500')],
      ])
    }
  })

  it('…000110 does not count a different prompt, or a repeated one, as the second', async () => {
    const first = orderFor('+80000000110')
    await request(first)
    await harness.clock.advance(61)
    await request(first)
    const others = [{ amount: money('7') }, { receiver: '700200' }, { currency: 'UGX' }]
    for (const changes of others) await request(orderFor('+80000000110', changes))
    await harness.clock.advance(61)
    expect(notifications().map(([outcome]) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })
})

describe('the table of behaviours', () => {
  it('has only whole numbers and last six digits', () => {
    for (const key of Object.keys(behaviours)) expect(key).toMatch(/^(\+800\d{8}|\d{6})$/)
  })

  it('applies last six digits in every country, and whole numbers exactly', () => {
    expect(behaviourOf('+256772000106').callback_count).toBe(3)
    expect(behaviourOf('+256772000001').action).toBe('pay')
    expect(behaviourOf('+80000000001').action).toBe('refuse')
  })

  it('has a reason for every refusal', () => {
    for (const { action, refusal } of Object.values(behaviours)) if (action === 'refuse') expect(refusal).toBeTruthy()
  })
})
