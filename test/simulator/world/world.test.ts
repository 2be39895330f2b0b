import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NotPossible } from '../../../src/simulator/index.ts'
import { type NewCharge, OPENING_BALANCE, type StatementEntry } from '../../../src/simulator/world/world.ts'
import { money, openDatabase } from '../simulator-test.ts'
import { openToy } from '../toy-door.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let toys: Awaited<ReturnType<typeof openToy>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  toys = await openToy(database.db)
})
afterEach(async () => {
  expect(toys.errors).toEqual([])
  await toys.close()
})

const phonenumber = '+256772000002'
const charge = (changes: Partial<NewCharge> = {}): NewCharge => ({
  key: 'c1',
  receiver: '600',
  phonenumber,
  amount: money('1500'),
  currency: 'UGX',
  reason: 'Toys',
  ...changes,
})

async function paidCharge(changes: Partial<NewCharge> = {}) {
  await toys.world.placeCharge(charge(changes))
  await toys.advance(1)
  return (await toys.world.findCharge({ key: changes.key ?? 'c1' }))!
}

describe('an order in the world', () => {
  it('is found by key, reference, id of the network and id of the money, only at its own door', async () => {
    const paid = await paidCharge({ reference: 'KR1', remote_id: 'N1' })
    const names = [{ key: 'c1' }, { reference: 'KR1' }, { remote_id: 'N1' }, { transaction: paid.payment!.remote_id }]
    for (const name of names) {
      expect(await toys.world.findCharge(name)).toEqual(paid)
      expect(await toys.simulator.world('other').findCharge(name)).toBeUndefined()
    }
    expect(await toys.world.findCharge({ reference: 'c1' })).toBeUndefined()
    expect(await toys.world.findCharge({ key: 'a NUL \0' })).toBeUndefined()
    expect(await toys.world.findPayout({ key: 'c1' })).toBeUndefined()
  })

  it('may have the key of an order at another door', async () => {
    const other = toys.simulator.world('other')
    const [first, second] = await Promise.all([toys.world.placeCharge(charge()), other.placeCharge(charge())])
    expect([first, second]).toMatchObject([{ first: true }, { first: true }])
    expect(await other.placeCharge(charge())).toMatchObject({ outcome: 'accepted', first: false })
  })

  it('ends late, stays open, or is paid after it has failed, as its outcome says', async () => {
    await toys.world.placeCharge(charge({ key: 'late', outcome: { ends: 'paid', after_s: 30 } }))
    await toys.world.placeCharge(charge({ key: 'open', outcome: { ends: 'never' } }))
    const failure = { ends: 'failed', reason: 'rejected', paid_after_s: 20 } as const
    await toys.world.placeCharge(charge({ key: 'after-all', outcome: failure }))
    const states = async () =>
      Promise.all(['late', 'open', 'after-all'].map(async (key) => (await toys.world.findCharge({ key }))?.state))
    await toys.advance(10)
    expect(await states()).toEqual(['pending', 'pending', 'failed'])
    await toys.advance(80_000)
    expect(await states()).toEqual(['paid', 'pending', 'paid'])
    expect(await toys.world.findCharge({ key: 'after-all' })).toMatchObject({ failure: null })
  })

  it('expires its prompt when the network says so', async () => {
    await toys.world.placeCharge(charge({ phonenumber: '+256772000109', prompt_s: 60 }))
    await toys.advance(59)
    expect(await toys.world.openPrompts('+256772000109')).toHaveLength(1)
    await toys.advance(1)
    expect(await toys.world.findCharge({ key: 'c1' })).toMatchObject({ failure: { reason: 'prompt_expired' } })
  })

  it('is approved at the named door', async () => {
    const phone = '+256772000109'
    await toys.simulator.world('other').placeCharge(charge({ phonenumber: phone }))
    await toys.world.placeCharge(charge({ phonenumber: phone, reference: 'KR1' }))
    expect(await toys.simulator.prompts(phone)).toMatchObject([
      { door: 'other', reference: 'c1' },
      { door: 'toy-net', reference: 'KR1' },
    ])
    await toys.simulator.approve(phone, undefined, undefined, 'toy-net')
    expect(await toys.world.findCharge({ key: 'c1' })).toMatchObject({ state: 'paid' })
    await expect(toys.simulator.refuse(phone, 'KR1')).rejects.toBeInstanceOf(NotPossible)
    await toys.simulator.refuse(phone, 'c1', 'other')
  })
})

describe('a refund in the world', () => {
  it('gives back a payment once, and never more than was paid', async () => {
    const { payment } = await paidCharge()
    const refund = (key: string, amount?: bigint) =>
      toys.world.placeRefund({ key, payment: payment!.remote_id, reason: 'Back', ...(amount && { amount }) })
    expect(await refund('r0', money('1500.0001'))).toEqual({ outcome: 'impossible', reason: 'amount_too_large' })
    const results = await Promise.all(['r1', 'r2', 'r3'].map((key) => refund(key, money('700'))))
    expect(results.map((result) => result.outcome).sort()).toEqual(['accepted', 'accepted', 'impossible'])
    expect(await refund('r4')).toMatchObject({ outcome: 'accepted', first: true, order: { amount: money('100') } })
    expect(await refund('r4')).toMatchObject({ outcome: 'accepted', first: false })
    expect(await refund('r4', money('1'))).toMatchObject({ outcome: 'conflict' })
    expect(await refund('r5')).toMatchObject({ outcome: 'impossible' })
    await toys.advance(1)
    expect(await toys.world.findRefund({ key: 'r4' })).toMatchObject({ state: 'paid', kind: 'refund', phonenumber })
    expect(await toys.world.findPayment(payment!.remote_id)).toMatchObject({ refunded: money('1500') })
    expect(await toys.world.balance('600', 'UGX')).toBe(OPENING_BALANCE)
  })

  it('leaves the money for another refund when it fails', async () => {
    const { payment } = await paidCharge()
    const refund = { key: 'r1', payment: payment!.remote_id, reason: 'Back' }
    await toys.world.placeRefund({ ...refund, outcome: { ends: 'failed', reason: 'insufficient_funds' } })
    await toys.advance(1)
    expect(await toys.world.findRefund({ key: 'r1' })).toMatchObject({ failure: { reason: 'insufficient_funds' } })
    expect(await toys.world.placeRefund({ ...refund, key: 'r2' })).toMatchObject({ outcome: 'accepted' })
  })

  it("is impossible for unknown money, another door's money, reversed money, or another currency", async () => {
    const { payment } = await paidCharge({ outcome: { ends: 'paid', reversed_after_s: 5 } })
    const refund = { key: 'r1', payment: payment!.remote_id, reason: 'Back' }
    const unknown = { outcome: 'impossible', reason: 'payment_not_found' }
    expect(await toys.world.placeRefund({ ...refund, payment: 'X' })).toEqual(unknown)
    expect(await toys.simulator.world('other').placeRefund(refund)).toEqual(unknown)
    expect(await toys.world.placeRefund({ ...refund, currency: 'KES' })).toMatchObject({ reason: 'wrong_currency' })
    await toys.advance(5)
    expect(await toys.world.placeRefund(refund)).toMatchObject({ reason: 'payment_reversed' })
  })
})

describe('the money of a number', () => {
  it('is the incoming money less outgoing and reversed money', async () => {
    await paidCharge()
    await paidCharge({ key: 'c2', outcome: { ends: 'paid', reversed_after_s: 1 } })
    await paidCharge({ key: 'c3', phonenumber: '+256772000112', amount: money('100') })
    await toys.world.placePayout({
      key: 'p1',
      sender: '600',
      phonenumber,
      amount: money('40'),
      currency: 'UGX',
      reason: 'Pay',
    })
    await toys.advance(10)
    expect(await toys.world.balance('600', 'UGX')).toBe(OPENING_BALANCE + money('1500') + money('70') - money('40'))
    expect(await toys.world.balance('600', 'KES')).toBe(OPENING_BALANCE)
    const entries: StatementEntry[] = []
    for await (const chunk of toys.world.statement({ number: '600' })) entries.push(...chunk)
    expect(entries.map(({ amount, status }) => [amount, status])).toEqual(
      expect.arrayContaining([
        [money('1500'), 'successful'],
        [money('1500'), 'reversed'],
        [money('100'), 'successful'],
        [-money('30'), 'successful'],
        [-money('40'), 'successful'],
      ]),
    )
    expect(entries).toHaveLength(5)
    const [last] = entries.slice(-1)
    const later: StatementEntry[] = []
    for await (const chunk of toys.world.statement({ from: last!.paid_at })) later.push(...chunk)
    expect(later).toEqual([last])
    for await (const chunk of toys.simulator.world('other').statement({})) expect(chunk).toEqual([])
  })
})
