import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import type { Payout } from '../../../src/networks/contract.ts'
import { openDatabase, openSimulatorTest, type SimulatorTest } from '../simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let world: SimulatorTest
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  world = await openSimulatorTest(database.db)
})
afterEach(() => world.close())

let last = 0

function payout(changes: Partial<Payout> = {}): Payout {
  last += 1
  return {
    reference: `KP${last}`,
    kind: 'money',
    sender: '100001',
    phonenumber: '+80000000003',
    amount: parseAmount('100')!,
    currency: 'BXC',
    reason: 'Wages',
    remote_id: null,
    ...changes,
  }
}

const send = (one: Payout) => world.network.payout!(one)
const check = (one: Payout) => world.network.payoutStatus!(one)

describe('a payout of the simulated network', () => {
  it('arrives a second later, with one signed callback', async () => {
    const one = payout()
    const accepted = await send(one)
    expect(accepted).toEqual({ outcome: 'accepted', remote_id: expect.any(String) })
    expect(await check(one)).toEqual(accepted)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    const paid = { outcome: 'successful', remote_id: expect.any(String), amount: one.amount }
    expect(await check(one)).toEqual(paid)
    expect(world.callbacks.map(({ callback }) => callback)).toEqual([
      { subject: 'order', order: { reference: one.reference }, verified: true, answer: paid },
    ])
  })

  it('is sent once, also when it is requested many times', async () => {
    const one = payout({ kind: 'airtime' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(one)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    expect(await send(one)).toMatchObject({ outcome: 'successful' })
    const [{ count }] =
      (await database.db`select count(*) from simulator_payouts where reference = ${one.reference}`) as [
        { count: number },
      ]
    expect(count).toBe(1)
  })

  it('is refused when its reference belongs to another payout', async () => {
    const one = payout()
    await send(one)
    expect(await send({ ...one, amount: parseAmount('101')! })).toMatchObject({ outcome: 'unknown' })
  })

  it.each([
    ['+80000000001', 'payee_not_found', 'Phone number is not registered'],
    ['+80000000101', 'insufficient_funds', 'Insufficient Funds'],
  ])('to %s fails: %s', async (phonenumber, reason, message) => {
    const one = payout({ phonenumber })
    await send(one)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    expect(await check(one)).toEqual({ outcome: 'failed', reason, message })
    expect(world.callbacks).toHaveLength(1)
  })

  it('to one number is refused twice with 503 and is not found before it is accepted', async () => {
    const one = payout({ phonenumber: '+80000000105' })
    expect(await send(one)).toMatchObject({ outcome: 'unknown' })
    expect(await check(one)).toEqual({ outcome: 'not_found' })
    expect(await send(one)).toMatchObject({ outcome: 'unknown' })
    expect(await send(one)).toMatchObject({ outcome: 'accepted' })
  })

  it('to one number is reversed ten seconds after its arrival, with a callback', async () => {
    const one = payout({ phonenumber: '+80000000108' })
    await send(one)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'successful' })
    await world.clock.advance(10)
    await world.waitUntilIdle()
    const reversed = { outcome: 'reversed', message: 'The network has taken the money back.' }
    expect(await check(one)).toEqual(reversed)
    expect(world.callbacks.at(-1)!.callback).toMatchObject({
      order: { reference: one.reference },
      verified: true,
      answer: reversed,
    })
  })

  it('to one number stays open for ever', async () => {
    const one = payout({ phonenumber: '+80000000009' })
    await send(one)
    await world.clock.advance(100_000)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'accepted' })
  })

  it('fails for certain only when it is not valid', async () => {
    expect(await send(payout({ sender: '' }))).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  })

  it('to one number arrives ten seconds after it has failed, with a callback for both', async () => {
    const one = payout({ phonenumber: '+80000000111' })
    await send(one)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    await world.clock.advance(10)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'successful', amount: one.amount })
    expect(world.callbacks.map(({ callback }) => callback)).toMatchObject([
      { answer: { outcome: 'failed' } },
      { answer: { outcome: 'successful' } },
    ])
  })

  it('to one number is unknown for ten seconds, although it is carried out', async () => {
    const one = payout({ phonenumber: '+80000000114' })
    expect(await send(one)).toMatchObject({ outcome: 'unknown' })
    await world.clock.advance(9)
    await world.waitUntilIdle()
    expect(await check(one)).toEqual({ outcome: 'not_found' })
    await world.clock.advance(2)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'successful' })
  })

  it('to one number is taken back in parts, each with its own id, and then completely', async () => {
    const one = payout({ phonenumber: '+80000000113' })
    await send(one)
    await world.clock.advance(1)
    await world.waitUntilIdle()
    const parts: unknown[] = []
    for (const _ of [1, 2]) {
      await world.clock.advance(10)
      await world.waitUntilIdle()
      const answer = await check(one)
      parts.push(answer.outcome === 'successful' && answer.reversals)
    }
    const part = (value: string) => ({ remote_id: expect.stringMatching(/^SBR/), amount: parseAmount(value) })
    expect(parts).toEqual([[part('30')], [part('30'), part('20')]])
    await world.clock.advance(10)
    await world.waitUntilIdle()
    expect(await check(one)).toMatchObject({ outcome: 'reversed' })
    expect(world.callbacks).toHaveLength(4)
  })
})
