import { describe, expect, it } from 'vitest'
import type { OrderKind, PayoutCheck } from '../../../src/networks/contract.ts'
import type { AnyOrder, Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, newPayout, newRefund, ORDER_KINDS, traitsOf } from './subject.ts'

/** Make an order of a kind. A refund needs a charge that was paid, by the phone to which the money goes back. */
export async function makeOrder(
  subject: ConformanceSubject,
  rig: Rig,
  kind: OrderKind,
  phonenumber: string,
): Promise<AnyOrder> {
  if (kind === 'charge') return newOrder(subject, phonenumber)
  if (kind === 'payout') return newPayout(subject, phonenumber)
  const charge = newOrder(subject, phonenumber)
  await rig.send('charge', charge)
  await rig.advance(subject.ends_after_s ?? 2)
  const paid = await rig.ask('charge', charge)
  const reported = rig.callbacksOf(charge).flatMap(({ parsed }) => {
    if (parsed?.subject === 'transaction') return [parsed.remote_id]
    return parsed?.subject === 'order' && parsed.answer.outcome === 'successful' ? [parsed.answer.remote_id] : []
  })
  const transaction = (paid.outcome === 'successful' && paid.remote_id) || reported.find((id) => id !== undefined)
  if (!transaction) throw new Error(`A charge to ${phonenumber} has no money to refund: ${JSON.stringify(paid)}`)
  return newRefund(subject, charge, transaction)
}

/** The states of orders, from placing to the end. */
export function testOrders(subject: ConformanceSubject, rig: () => Rig, kinds: readonly OrderKind[]): void {
  for (const kind of ORDER_KINDS.filter((one) => kinds.includes(one)))
    describe(`a ${kind}`, () => {
      testEnds(subject, rig, kind)
      testOpen(subject, rig, kind)
    })
}

const ordinary = ({ place }: ConformanceSubject) => place.phone('000002')

/** Expect the network's first answer about an order that will end well. */
function expectTaken(answer: PayoutCheck): void {
  expect(['accepted', 'successful'], JSON.stringify(answer)).toContain(answer.outcome)
}

function testEnds(subject: ConformanceSubject, rig: () => Rig, kind: OrderKind): void {
  const ends_after_s = subject.ends_after_s ?? 2

  it('succeeds with the amount that was ordered, and its callbacks name the same money', async () => {
    const order = await makeOrder(subject, rig(), kind, ordinary(subject))
    expectTaken(await rig().send(kind, order))
    await rig().advance(ends_after_s)
    const ended = await rig().ask(kind, order)
    expect(ended).toMatchObject({ outcome: 'successful' })
    if (ended.outcome !== 'successful') return
    if (ended.amount !== undefined) expect(ended.amount).toBe(order.amount)
    expectSameMoney(rig(), order, ended)
    if (traitsOf(subject, kind).callbacks !== 'none' && subject.reports?.[kind] !== false)
      expect(rig().callbacksOf(order).length, 'callbacks about the order').toBeGreaterThan(0)
  })

  for (const { phonenumber, reason, code } of subject.failing[kind] ?? [])
    it(`fails with ${reason}${code === undefined ? '' : ` (${code})`} for ${phonenumber}`, async () => {
      const payable = kind === 'refund' ? ordinary(subject) : phonenumber
      const order = await makeOrder(subject, rig(), kind, payable)
      order.phonenumber = phonenumber
      const first = await rig().send(kind, order)
      await rig().advance(ends_after_s)
      const ended = first.outcome === 'failed' ? first : await rig().ask(kind, order)
      // The words of networks differ, and some speak of an initiator. Callers and customers read the same of each.
      const words = reason === 'wrong_pin' && { message: 'The customer entered a wrong PIN.' }
      expect(ended).toMatchObject({ outcome: 'failed', reason, ...(code !== undefined && { code }), ...words })
      expect(ended).toHaveProperty('message', expect.stringMatching(/./))
    })
}

/** Callbacks and status must agree on the id and the amount of the money, as far as both say it. */
function expectSameMoney(rig: Rig, order: AnyOrder, ended: Extract<PayoutCheck, { outcome: 'successful' }>): void {
  for (const { parsed } of rig.callbacksOf(order)) {
    const money =
      parsed?.subject === 'transaction'
        ? parsed.receipt
        : parsed?.subject === 'order' && parsed.answer.outcome === 'successful'
          ? parsed.answer
          : null
    if (money?.remote_id !== undefined && ended.remote_id !== undefined) expect(money.remote_id).toBe(ended.remote_id)
    if (money?.amount !== undefined && ended.amount !== undefined) expect(money.amount).toBe(ended.amount)
  }
}

function testOpen(subject: ConformanceSubject, rig: () => Rig, kind: OrderKind): void {
  if (kind === 'refund') return

  // Money for the silent number stays open, and the prompt on the other one waits for a person.
  const phone = kind === 'payout' ? (subject.silent_payee ?? '') : subject.place.phone('000109')
  it.skipIf(phone === '')('stays open without an answer', async () => {
    const order = await makeOrder(subject, rig(), kind, phone)
    expectTaken(await rig().send(kind, order))
    await rig().advance(20)
    expect(await rig().ask(kind, order)).toMatchObject({ outcome: 'accepted' })
    if (kind === 'charge') await rig().simulator.refuse(phone)
  })

  it('ends late', async () => {
    const order = await makeOrder(subject, rig(), kind, subject.place.phone('000103'))
    expectTaken(await rig().send(kind, order))
    await rig().advance(5)
    expect(await rig().ask(kind, order)).toMatchObject({ outcome: 'accepted' })
    await rig().advance(30)
    expect(await rig().ask(kind, order)).toMatchObject({ outcome: 'successful' })
  })

  if (!subject.sees_reversals?.includes(kind)) return

  it('is taken back', async () => {
    const order = await makeOrder(subject, rig(), kind, subject.place.phone('000108'))
    await rig().send(kind, order)
    await rig().advance(30)
    const ended = await rig().ask(kind, order)
    if (kind === 'payout') expect(ended).toMatchObject({ outcome: 'reversed' })
    else {
      const money = await rig().operations.transaction!({ remote_id: (ended as { remote_id: string }).remote_id })
      expect(money).toMatchObject({ outcome: 'found', receipt: { status: 'reversed' } })
    }
  })
}
