import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import type { Rig } from './rig.ts'
import { type BillSubject, toOrder, type VendParts } from './subject.ts'
import { faults } from './tools.ts'

/** Purchases from the call to their end. */
export function testVends(subject: BillSubject, rig: () => Rig): void {
  const make = (parts: VendParts = subject.order()): ProviderVend => toOrder(parts, rig().far.now())

  it('ends well, once, and the answer to a question is the same', async () => {
    const order = make()
    const first = await rig().vend(order)
    expect(['accepted', 'successful'], inspect(first)).toContain(first.outcome)
    const end = await rig().ask(order)
    expect(end).toMatchObject({ outcome: 'successful', remote_id: expect.stringMatching(/./) })
    if (first.outcome === 'successful') expect(end).toEqual(first)
    expect(await rig().ask({ ...order, remote_id: null })).toEqual(end)
    expect(await rig().far.sold(order)).toBe(1)
  })

  it.runIf(subject.electricity)('sells light with a token of 20 digits, which a question returns again', async () => {
    const order = make(subject.electricity!())
    await rig().vend(order)
    const end = await rig().ask(order)
    expect(end).toMatchObject({ outcome: 'successful', vended: { token: expect.stringMatching(/^\d{20}$/), pins: [] } })
    expect(await rig().ask(order)).toEqual(end)
  })

  it.runIf(subject.pending)('is accepted while it is open, and sold later', async () => {
    const order = make(subject.pending!())
    expect(await rig().vend(order)).toMatchObject({ outcome: 'accepted' })
    expect(await rig().operations.vendStatus(order)).toMatchObject({ outcome: 'accepted' })
    expect(await rig().ask(order)).toMatchObject({ outcome: 'successful' })
    expect(await rig().far.sold(order)).toBe(1)
  })

  it(`repeat is ${subject.driver.traits.repeat}: a second call under one reference`, async () => {
    const order = make()
    const first = await rig().vend(order)
    const second = await rig().vend({ ...order, remote_id: null })
    await rig().ask(order)
    expect(await rig().far.sold(order)).toBe(1)
    if (subject.driver.traits.repeat === 'same-answer') expect(second).toEqual(first)
    else expect(['accepted', 'successful', 'unknown'], inspect(second)).toContain(second.outcome)
  })

  it.runIf(!subject.driver.traits.one_call_at_a_time)('is sold once when it is sent many times at once', async () => {
    const order = make()
    await Promise.all([1, 2, 3, 4].map(() => rig().vend({ ...order })))
    await rig().ask(order)
    expect(await rig().far.sold(order)).toBe(1)
  })

  it(`unseen is ${subject.driver.traits.unseen}: a purchase that never arrived`, async () => {
    const answer = await rig().operations.vendStatus(make())
    expect(answer).toMatchObject({ outcome: subject.driver.traits.unseen === 'certain' ? 'not_found' : 'unknown' })
  })

  it.each(subject.refused.map((one) => [one.name, one] as const))('reports %s as failed', async (_, refused) => {
    const order = make(refused.order())
    const answer = await rig().vend(order)
    const end = answer.outcome === 'accepted' ? await rig().ask(order) : answer
    expect(end).toMatchObject({ outcome: 'failed', reason: refused.reason, message: expect.stringMatching(/./) })
    expect(await rig().far.sold(order)).toBe(0)
  })
}

/** Faults of each kind of call. What is not known stays unknown, and is found out later. */
export function testFaults(subject: BillSubject, rig: () => Rig): void {
  const make = () => toOrder(subject.order(), rig().far.now())
  const cases = faults.flatMap(({ name, answer }) => [
    [`${name}, and it is sold`, { answer, taken: true }] as const,
    [`${name}, and nothing is sold`, { answer, taken: false }] as const,
  ])

  it.each(cases)('to buy: %s', async (_, { answer, taken }) => {
    const order = make()
    rig().tools.fault({ verb: 'vend', taken, answer })
    expect(await rig().vend(order)).toEqual({ outcome: 'unknown', message: expect.stringMatching(/./) })
    await rig().far.advance(subject.driver.traits.in_flight_s)
    expect(await rig().ask(order)).toMatchObject({ outcome: taken ? 'successful' : 'not_found' })
    expect(await rig().far.sold(order)).toBe(taken ? 1 : 0)
  })

  it.each(faults.map(({ name, answer }) => [name, answer] as const))('to ask: %s', async (_, answer) => {
    const order = make()
    await rig().vend(order)
    await rig().ask(order)
    rig().tools.fault({ verb: 'vend status', taken: true, answer })
    expect(await rig().operations.vendStatus(order)).toMatchObject({ outcome: 'unknown' })
    expect(await rig().ask(order)).toMatchObject({ outcome: 'successful' })
  })

  it('returns unknown for all operations, and never throws, when nothing listens', async () => {
    const { operations } = rig().reopen({}, NOBODY)
    const order = make()
    const query = { kind: 'electricity', country: order.country, offer: order.offer, prepaid: true } as const
    const answers = await Promise.all([
      operations.vend(order),
      operations.vendStatus(order),
      operations.balance?.(),
      operations.catalogue?.(),
      operations.accountHolder?.({ ...query, account_number: '04042404048' }),
    ])
    for (const answer of answers) if (answer) expect(answer).toMatchObject({ outcome: 'unknown' })
    for (const result of (await operations.test?.()) ?? [])
      expect(['unknown', 'skipped'], inspect(result)).toContain(result.outcome)
  })
}

/** A base URL without a server: port 2 is privileged and unused. */
const NOBODY = 'http://127.0.0.1:2'
