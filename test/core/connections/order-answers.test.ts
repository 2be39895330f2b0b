import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnswerInRow } from '../../../src/core/connections/network-order.ts'
import {
  findOrderByRemoteId,
  listOrderAnswers,
  type NetworkOrder,
  type OrderAnswer,
} from '../../../src/core/connections/network-orders.ts'
import { addAnswer } from '../../../src/core/connections/order-answers.ts'
import { answer, sendOrder } from '../charges.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

const NOW = new Date('2030-01-15T12:00:00.123Z')

/** Add answers one after the other, each a second after the last. */
function addAll(answers: readonly OrderAnswer[]): readonly AnswerInRow[] {
  return answers.reduce<readonly AnswerInRow[]>(
    (kept, one, index) => addAnswer(kept, { source: 'status', answer: one }, new Date(NOW.getTime() + index * 1_000)),
    [],
  )
}

describe('the answers in the row of an order', () => {
  it('are read with all that they say, oldest first', async () => {
    const order = await sendOrder(shop, (await shop.createRequest()).id)
    const refused = {
      outcome: 'failed',
      reason: 'insufficient_funds',
      message: 'Too "little"\nmoney\ud800',
      code: '1',
    } as const
    const paid = { outcome: 'successful', remote_id: 'R1', amount: amount('1500.25') } as const
    const said: [OrderAnswer, 'reply' | 'callback' | 'status'][] = [
      [{ outcome: 'accepted', remote_id: 'SBO1' }, 'reply'],
      [refused, 'status'],
      [paid, 'callback'],
    ]
    for (const [one, source] of said) await answer(shop, order, one, { source })
    const nothing = { remote_id: null, amount: null, code: null, message: null, reason: null }
    const each = { ...nothing, network_order: order.id, at: shop.now() }
    expect(await listOrderAnswers(shop.db, [order.id])).toEqual([
      { ...each, number: 1, source: 'reply', outcome: 'accepted', remote_id: 'SBO1' },
      {
        ...each,
        number: 2,
        source: 'status',
        outcome: 'failed',
        code: '1',
        message: 'Too "little"\nmoney\ufffd',
        reason: 'insufficient_funds',
      },
      { ...each, number: 3, source: 'callback', outcome: 'successful', remote_id: 'R1', amount: amount('1500.25') },
    ])
  })

  it('grow only when the outcome changes, and not by what says nothing about the order', () => {
    const unknown = { outcome: 'unknown', message: 'No answer.' } as const
    const answers = addAll([
      unknown,
      { ...unknown, message: 'Another.' },
      { outcome: 'asked' },
      { outcome: 'not_found' },
    ])
    expect(answers).toEqual([
      [1, NOW.getTime(), 'status', 'unknown', null, null, null, 'No answer.'],
      [2, NOW.getTime() + 3_000, 'status', 'not_found'],
    ])
  })

  it('do not grow without bound: the first ten and the newest ten stay, and their numbers tell how many are left out', () => {
    const by_turns = Array.from(
      { length: 1_000 },
      (_, index): OrderAnswer => (index % 2 ? { outcome: 'not_found' } : { outcome: 'accepted', remote_id: 'SBO1' }),
    )
    const answers = addAll(by_turns)
    const first = Array.from({ length: 10 }, (_, index) => index + 1)
    expect(answers.map(([number]) => number)).toEqual([...first, ...first.map((number) => number + 990)])
    expect(answers.at(-1)).toEqual([1_000, NOW.getTime() + 999_000, 'status', 'not_found'])
  })

  it('are all there when many are settled at the same time', async () => {
    const order = await sendOrder(shop, (await shop.createRequest()).id)
    const outcomes = ['accepted', 'not_found', 'unknown'] as const
    const toAnswer = (outcome: (typeof outcomes)[number]): OrderAnswer =>
      outcome === 'accepted'
        ? { outcome, remote_id: 'SBO1' }
        : outcome === 'unknown'
          ? { outcome, message: '?' }
          : { outcome }
    await Promise.all(outcomes.map((outcome) => answer(shop, order, toAnswer(outcome))))
    const stored = await listOrderAnswers(shop.db, [order.id])
    expect(stored.map(({ outcome }) => outcome).toSorted()).toEqual(outcomes.toSorted())
    expect(stored.map(({ number }) => number)).toEqual([1, 2, 3])
  })
})

describe("the network's id of an order", () => {
  const find = async (id: string, to?: 'network' | 'biller') =>
    (await findOrderByRemoteId(shop.db, 'sandbox', id, to))?.id
  const rows = () => shop.db`select remote_id, network_order from network_order_remote_ids`
  let order: NetworkOrder
  beforeEach(async () => {
    order = await sendOrder(shop, (await shop.createRequest()).id)
  })

  it('finds it, as the network last said it', async () => {
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    expect([await find('SBO1'), await find('SBO1', 'biller'), await find('SBO2')]).toEqual([
      order.id,
      undefined,
      undefined,
    ])
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO2' })
    expect([await find('SBO1'), await find('SBO2')]).toEqual([undefined, order.id])
    expect(await rows()).toEqual([{ remote_id: 'SBO2', network_order: order.id }])
  })

  it('finds the newest of several', async () => {
    const other = await sendOrder(shop, (await shop.createRequest()).id)
    for (const one of [other, order]) await answer(shop, one, { outcome: 'accepted', remote_id: 'SBO1' })
    expect(await find('SBO1')).toBe(other.id)
    expect(await findOrderByRemoteId(shop.db, 'elsewhere', 'SBO1')).toBeUndefined()
  })

  it('that is our reference finds it without a row of its own', async () => {
    expect(await find(order.reference)).toBeUndefined()
    await answer(shop, order, { outcome: 'accepted', remote_id: order.reference })
    expect(await find(order.reference)).toBe(order.id)
    expect(await rows()).toEqual([])
    await answer(shop, order, { outcome: 'accepted', remote_id: 'SBO1' })
    expect([await find(order.reference), await find('SBO1')]).toEqual([undefined, order.id])
  })
})
