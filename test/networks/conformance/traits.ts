import { expect, it } from 'vitest'
import { secretNames, settingFields } from '../../../src/drivers/settings.ts'
import type { AnyOrder, Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, newPayout, ORDER_KINDS, traitsOf } from './subject.ts'

/** Test the facts that a driver states about its network, before any call. */
export function testDeclaration(subject: ConformanceSubject): void {
  const { driver, door } = subject

  it('has the code of its simulated network, fit for addresses', () => {
    expect(driver.code).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(driver.code).not.toMatch(/mpesa|m-pesa|safaricom|exec?|cmd|sql|query/)
    expect(door.code).toBe(driver.code)
  })

  it('describes its settings, and knows which are secret', () => {
    const fields = settingFields(driver)
    for (const { title, help } of fields) {
      expect(title).toMatch(/\S/)
      expect(help).toMatch(/\S/)
    }
    expect(secretNames(driver).length).toBeGreaterThan(0)
    for (const field of fields) if (field.secret) expect(field.example).toBeUndefined()
  })

  it('has limits that its own decimals allow', () => {
    expect(driver.places.length).toBeGreaterThan(0)
    for (const { limits, payout_limits = limits } of driver.places)
      for (const { decimals, min, max } of [limits, payout_limits]) {
        const step = 10n ** BigInt(4 - decimals)
        expect([min % step, max % step, min > 0n, max >= min]).toEqual([0n, 0n, true, true])
      }
  })

  it('serves the hosts of its environment from the door', () => {
    const { hosts } = driver.environments[subject.environment]!
    expect(Object.keys(door.hosts).sort()).toEqual(Object.keys(hosts).sort())
  })

  it('has times that fit together', () => {
    for (const kind of ORDER_KINDS) {
      const { call_s, in_flight_s, prompt_s } = traitsOf(subject, kind)
      expect([call_s > 0, in_flight_s >= 0, prompt_s > 0]).toEqual([true, true, true])
    }
  })
}

/** The operations that come in pairs. */
export function testPairs(rig: () => Rig): void {
  it('has a status for each order that it sends, and an answer for each validation that it reads', () => {
    const { operations } = rig()
    expect(Boolean(operations.chargeStatus)).toBe(Boolean(operations.charge ?? operations.registerExpectedPayment))
    expect(Boolean(operations.payoutStatus)).toBe(Boolean(operations.payout))
    expect(Boolean(operations.refundStatus)).toBe(Boolean(operations.refund))
    expect(Boolean(operations.answerValidation)).toBe(Boolean(operations.readValidation))
  })
}

/** Each trait against what the simulated network does. */
export function testTraits(subject: ConformanceSubject, rig: () => Rig, kind: 'charge' | 'payout'): void {
  const traits = traitsOf(subject, kind)
  const ends_after_s = subject.ends_after_s ?? 2
  const make = () => {
    const phone = subject.place.phone('000002')
    return kind === 'charge' ? newOrder(subject, phone) : newPayout(subject, phone)
  }
  const { currency, receiver } = subject.place
  const balance = () => rig().simulator.world(subject.door.code).balance(receiver, currency)

  it(`repeat is ${traits.repeat}: a second call under one reference`, async () => {
    const order = make()
    const before = await balance()
    const first = await rig().send(kind, order)
    expect(first).toMatchObject({ outcome: 'accepted' })
    const second = await rig().send(kind, { ...order, remote_id: null })
    await rig().advance(ends_after_s * 2)
    const moved = (await balance()) - before
    const times = (moved < 0n ? -moved : moved) / order.amount
    if (traits.repeat === 'charges-again') {
      // A second order, unless the network has refused it for a reason of its own.
      expect(times).toBe(second.outcome === 'accepted' || second.outcome === 'successful' ? 2n : 1n)
      return
    }
    expect(times).toBe(1n)
    if (traits.repeat === 'same-answer') expect(second).toEqual(first)
    else expect(['accepted', 'unknown', 'successful'], JSON.stringify(second)).toContain(second.outcome)
  })

  it(`unseen is ${traits.unseen}: an order that never arrived`, async () => {
    const order = make()
    order.remote_id = traits.asked_by === 'remote_id' ? order.reference : null
    const answer = await rig().ask(kind, order)
    expect(answer.outcome).toBe(traits.unseen === 'certain' ? 'not_found' : answer.outcome)
    expect(['not_found', 'unknown', 'accepted'], JSON.stringify(answer)).toContain(answer.outcome)
  })

  it(`asked_by is ${traits.asked_by}: a question with it alone`, async () => {
    const order = make()
    await rig().send(kind, order)
    await rig().advance(ends_after_s)
    const asked: AnyOrder = traits.asked_by === 'reference' ? { ...order, remote_id: null } : order
    expect(await rig().ask(kind, asked)).toMatchObject({ outcome: 'successful' })
  })

  it.runIf(traits.asked_by === 'remote_id')('a question without the id of the network is unknown', async () => {
    const answer = await rig().ask(kind, { ...make(), remote_id: null })
    expect(['unknown', 'not_found'], JSON.stringify(answer)).toContain(answer.outcome)
  })
}
