import { afterEach, expect, it } from 'vitest'
import type { ParsedCallback } from '../../../src/networks/callbacks.ts'
import type { Order } from '../../../src/networks/contract.ts'
import type { FaultBody } from '../../../src/simulator/faults.ts'
import type { ReceivedCallback, Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, traitsOf } from './subject.ts'

/** Test callbacks: regular ones, and broken ones. */
export function testCallbacks(subject: ConformanceSubject, rig: () => Rig): void {
  const { callbacks } = traitsOf(subject, 'charge')
  if (callbacks === 'none' || subject.reports?.charge === false) return
  const fault = (kind: FaultBody['kind'], seconds?: number) =>
    rig().simulator.faults.add({ door: subject.door.code, kind, ...(seconds !== undefined && { seconds }) })
  const ends_after_s = subject.ends_after_s ?? 2
  afterEach(() => rig().simulator.faults.clear())

  /** Send a charge, and return it with all callbacks that came until its end. */
  async function charge(last_digits: string, wait_s = ends_after_s) {
    const before = rig().callbacks.length
    const order = newOrder(subject, subject.place.phone(last_digits))
    await rig().send('charge', order)
    await rig().advance(wait_s)
    return { order, received: rig().callbacks.slice(before) }
  }
  const isPaid = async (order: Order) => (await rig().ask('charge', order)).outcome === 'successful'

  testTimes(rig, { fault, charge, isPaid, ends_after_s })
  testForms(rig, charge)

  it('with a wrong signature is never verified', async () => {
    const failing = subject.failing.charge?.[0]
    if (!failing) return
    fault('forged')
    const before = rig().callbacks.length
    const order = newOrder(subject, failing.phonenumber)
    await rig().send('charge', order)
    await rig().advance(ends_after_s)
    for (const { parsed } of rig().callbacks.slice(before)) expectUnverified(parsed)
    expect(await rig().ask('charge', order)).toMatchObject({ outcome: 'failed' })
  })

  it('that is unsigned is never verified', async () => {
    if (callbacks !== 'unsigned') return
    const { received } = await charge('000002')
    for (const { parsed } of received) expectUnverified(parsed)
  })

  it('with another verb has the same meaning', async () => {
    for (const verb of ['put', 'post'] as const) {
      fault(verb)
      const { order, received } = await charge('000002')
      expect(received[0]?.raw.method).toBe(verb.toUpperCase())
      expect(rig().callbacksOf(order).length, verb).toBeGreaterThan(0)
    }
  })

  it.each(['other_amount', 'other_currency', 'other_receiver', 'other_order'] as const)(
    'with %s is reported as it came, or is not verified',
    async (kind) => {
      fault(kind)
      const { order, received } = await charge('000002')
      for (const { parsed } of received) expectNoFalseMoney(parsed, order, kind)
      expect(await isPaid(order)).toBe(true)
    },
  )
}

interface Means {
  fault(kind: FaultBody['kind'], seconds?: number): void
  charge(last_digits: string, wait_s?: number): Promise<{ order: Order; received: ReceivedCallback[] }>
  isPaid(order: Order): Promise<boolean>
  ends_after_s: number
}

/** Test the answers to requests that are no callbacks. */
function testForms(rig: () => Rig, charge: Means['charge']): void {
  it('is answered', async () => {
    const { received } = await charge('000002')
    const reply = rig().operations.callbackReply?.(received[0]!.raw)
    if (reply) expect(reply.status).toBeLessThan(300)
  })

  it('may be anything else', () => {
    for (const body of ['', '{}', 'null', '[]', '0', '"x"', '<xml/>', '{"a":', '\u0000', '{"__proto__":{"x":1}}']) {
      const raw = { method: 'POST', path: '', query: '', headers: {}, body, address: null }
      const parsed = rig().operations.readCallback!(raw)
      if (parsed.subject !== 'unrecognized') expectUnverified(parsed)
    }
  })
}

/** Test the times and repetitions of callbacks. */
function testTimes(rig: () => Rig, { fault, charge, isPaid, ends_after_s }: Means): void {
  it('that comes once names its order', async () => {
    const { order, received } = await charge('000002')
    expect(received.length).toBeGreaterThan(0)
    expect(rig().callbacksOf(order).length).toBeGreaterThan(0)
  })

  it('that never comes is not needed', async () => {
    fault('never')
    const { order, received } = await charge('000002')
    expect(received).toEqual([])
    expect(await isPaid(order)).toBe(true)
  })

  it('that comes twice has the same meaning twice', async () => {
    fault('twice')
    const { received } = await charge('000002')
    const [first, second] = received
    expect(received.length % 2).toBe(0)
    expect(second?.parsed).toEqual(first?.parsed)
  })

  it('that comes late changes nothing', async () => {
    fault('late', 40)
    const { order, received } = await charge('000002')
    expect(received).toEqual([])
    const before = await rig().ask('charge', order)
    await rig().advance(45)
    expect(rig().callbacksOf(order).length).toBeGreaterThan(0)
    expect(await rig().ask('charge', order)).toEqual(before)
  })

  it('that comes after the next one changes nothing', async () => {
    fault('out_of_order')
    const { order } = await charge('000108', 30 + ends_after_s)
    const first = await rig().ask('charge', order)
    await rig().advance(3_700)
    expect(await rig().ask('charge', order)).toEqual(first)
  })
}

function expectUnverified(parsed: ParsedCallback | undefined): void {
  if (!parsed) return
  expect(parsed.verified ?? false, JSON.stringify(parsed, writeBigint)).toBe(false)
  if (parsed.subject === 'transaction') expect(parsed.receipt).toBeNull()
}

/** A callback that lies about the money must say so in what the driver returns, or must not be verified. */
function expectNoFalseMoney(parsed: ParsedCallback | undefined, order: Order, kind: string): void {
  if (!parsed || parsed.subject === 'unrecognized' || !parsed.verified) return
  const text = JSON.stringify(parsed, writeBigint)
  if (parsed.subject === 'transaction' && parsed.receipt) {
    const { receipt } = parsed
    if (kind === 'other_amount') expect(receipt.amount).not.toBe(order.amount)
    if (kind === 'other_currency') expect(receipt.currency).not.toBe(order.currency)
    if (kind === 'other_receiver') expect(receipt.receiver).not.toBe(order.receiver)
    if (kind === 'other_order') expect(receipt.order_reference).not.toBe(order.reference)
  } else if (parsed.subject === 'order' && parsed.answer.outcome === 'successful') {
    const is_same = 'reference' in parsed.order && parsed.order.reference === order.reference && kind === 'other_order'
    expect(is_same, text).toBe(false)
    if (kind === 'other_amount') expect(parsed.answer.amount, text).not.toBe(order.amount)
  }
}

function writeBigint(_: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
