import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { begin, type Database } from '../../../src/db/client.ts'
import { callbacksJob, queueCallbacks } from '../../../src/simulator/world/callbacks.ts'
import { money, openDatabase, openSimulatorTest, SECRET, type SimulatorTest, worldContext } from '../simulator-test.ts'

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

const one = { door: 'sandbox', url: null, body: '{}', about: null, held: false, max_attempts: null }
const queueOne = () => begin(db, (tx) => queueCallbacks(tx, harness.clock.now(), [one]))
const payment = { phonenumber: '+80000000002', amount: money('1500.5'), currency: 'BXC', receiver: '700100' }
const waiting = () =>
  db<{ attempts: number; last_response: string }[]>`select attempts, last_response from simulator_callbacks`

describe('a callback to the business', () => {
  it('is a signed JSON document', async () => {
    const { remote_id } = await harness.simulator.pay({ ...payment, reference: 'Größe 7' })
    await harness.waitUntilIdle()
    const [{ headers, body }] = harness.callbacks as [SimulatorTest['callbacks'][number]]
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-sandbox-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'))
    expect(JSON.parse(body)).toEqual({
      event: 'payment.received',
      transaction: {
        remote_id,
        status: 'successful',
        receiver: '700100',
        phonenumber: '+80000000002',
        amount: '1500.5000',
        reversals: [],
        currency: 'BXC',
        order_reference: null,
        reference: 'Größe 7',
        name: 'Sandbox Customer',
        paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
  })

  it('is repeated, with growing waits, until the answer is 2xx', async () => {
    harness.callbackAnswer.status = 500
    await harness.simulator.pay(payment)
    await harness.waitUntilIdle()
    expect(await waiting()).toEqual([{ attempts: 1, last_response: 'answered 500' }])
    for (const [wait_s, attempts] of [
      [1, 2],
      [2, 3],
      [5, 4],
      [10, 5],
      [30, 6],
    ] as const) {
      await harness.clock.advance(wait_s)
      expect((await waiting())[0]!.attempts).toBe(attempts)
    }
    harness.callbackAnswer.status = 302
    await harness.clock.advance(60)
    expect(await waiting()).toEqual([{ attempts: 7, last_response: 'answered 302' }])
    harness.callbackAnswer.status = 204
    await harness.clock.advance(3_600)
    expect(await waiting()).toEqual([])
    expect(harness.callbacks).toHaveLength(8)
    expect(new Set(harness.callbacks.map((callback) => callback.body)).size).toBe(1)
    await harness.clock.advance(24 * 3_600)
    expect(harness.callbacks).toHaveLength(8)
  })

  it('waits at most an hour between two attempts', async () => {
    harness.callbackAnswer.status = 503
    await harness.simulator.pay(payment)
    await harness.clock.advance(24 * 3_600)
    const before = harness.callbacks.length
    await harness.clock.advance(10 * 3_600)
    expect(harness.callbacks.length - before).toBe(10)
  })

  it('is kept while the business is unreachable', async () => {
    const gone = callbacksJob({ ...worldContext({ now: harness.clock.now, real: () => new Date() }), db })
    await harness.simulator.stop()
    await queueOne()
    await gone.run(await gone.claim(10))
    expect(await waiting()).toEqual([{ attempts: 1, last_response: expect.stringMatching(/ECONNREFUSED/) }])
  })

  it('is repeated when the business hangs up during its answer', async () => {
    harness.callbackAnswer.status = 0
    await harness.simulator.pay(payment)
    await harness.waitUntilIdle()
    expect(await waiting()).toEqual([{ attempts: 1, last_response: 'hung up while answering' }])
    harness.callbackAnswer.status = 200
    await harness.clock.advance(1)
    expect(await waiting()).toEqual([])
  })

  it('is sent by another process when the first one dies with its lease', async () => {
    await harness.simulator.stop()
    let real = new Date()
    const job = callbacksJob({ ...worldContext({ now: harness.clock.now, real: () => real }), db })
    await queueOne()
    expect(await job.claim(10)).toHaveLength(1)
    expect(await job.claim(10)).toHaveLength(0)
    expect(await job.nextDue()).toBeNull()
    real = new Date(real.getTime() + 31_000)
    expect(await job.nextDue()).not.toBeNull()
    expect(await job.claim(10)).toHaveLength(1)
  })
})
