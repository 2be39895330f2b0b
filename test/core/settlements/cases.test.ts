import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { StoredPurchase } from '../../../src/core/bills/purchases.ts'
import { decideVend } from '../../../src/core/bills/vends/outcomes.ts'
import { decideCharge, learnFromMoney } from '../../../src/core/collections/charges/outcomes.ts'
import type { NetworkOrder } from '../../../src/core/connections/network-order.ts'
import {
  decideOrder,
  type Learnt,
  type OrderAnswer,
  type OrderRules,
  type VendNews,
} from '../../../src/core/connections/order-outcomes.ts'
import { decidePayout } from '../../../src/core/payments/payout-outcomes.ts'
import { ago, NOW, orderRow, purchaseRow, recipientRow, requestRow, vendRow } from './rows.ts'

/* The decisions about orders, against the tables of cases in docs/networks.md. They need no database and no network. */

/** The cells of each case, by its first cell. */
const cases = new Map(
  readFileSync('docs/networks.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Case '))
    .map((line) => line.slice(2, -1).split(' | '))
    .map(([name, ...cells]) => [name!, cells]),
)

/** The last state that a cell names. */
function stateIn(name: string, column: 'money' | 'payment' | 'order'): string | undefined {
  const cell = cases.get(name)![{ money: 0, payment: 1, order: 2 }[column]]!
  return [...cell.matchAll(/`(\w+)`/g)].at(-1)?.[1]
}

const NETWORK = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox' }
const RULES: OrderRules = { repeat: 'same-answer', unseen: 'certain', in_flight_s: 20 }
const paid = (amount = 1_500n): OrderAnswer => ({ outcome: 'successful', remote_id: 'M1', amount })
const refused: OrderAnswer = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' }
const taken_back: OrderAnswer = { outcome: 'reversed', message: 'Taken back' }

describe('a charge:', () => {
  const decide = (
    request: Parameters<typeof requestRow>[0],
    order: Parameters<typeof orderRow>[0],
    answer: OrderAnswer,
  ) => decideCharge(requestRow(request), orderRow(order), { source: 'callback', answer, network: NETWORK }, NOW)

  it.each([
    ['Money for an order whose request has ended', decide({ status: 'expired' }, {}, paid())],
    ['Money from before the end of a request, recorded after it', decide({ status: 'expired' }, {}, paid())],
    ['A charge succeeds after it had failed', decide({ status: 'failed' }, { state: 'failed' }, paid())],
    ['Two attempts of one request are paid', decide({ status: 'successful', attempt: 2 }, { attempt: 2 }, paid())],
    ['The network takes all of it back', decide({ status: 'successful' }, { state: 'successful' }, taken_back)],
    ['The reversal comes before the money', decide({}, { state: 'reversed' }, paid())],
  ] as const)('%s', (name, { after, transition, money }) => {
    expect(after.state).toBe(stateIn(name, 'order'))
    // Only money in the books fulfils a request or reverses it.
    expect(transition).toBeUndefined()
    expect(money?.order_reference).toBe(after.reference)
  })

  it('A charge fails after it had succeeded', ({ task }) => {
    const { after, transition, money } = decide({ status: 'successful' }, { state: 'successful' }, refused)
    expect(after.state).toBe(stateIn(task.name, 'order'))
    expect([transition, money]).toEqual([undefined, undefined])
  })

  it('An earlier attempt is paid while a later one is open', ({ task }) => {
    expect(cases.has(task.name)).toBe(true)
    const { money } = decide({ attempt: 2 }, { attempt: 1 }, paid())
    expect(money).toMatchObject({ order_reference: 'R1', remote_id: 'M1', amount: 1_500n })
  })

  it('Another amount than ordered', ({ task }) => {
    expect(cases.get(task.name)![2]).toBe('closed with the amount')
    const { after, money } = decide({}, {}, paid(2_000n))
    expect([after.state, money!.amount]).toEqual(['successful', 2_000n])
  })

  it('The same report again, in one batch or several processes', ({ task }) => {
    expect(cases.get(task.name)![0]).toBe('once')
    const { money } = decide({}, {}, paid())
    const recorded = { is_closed: true, is_attested: false, collection: 1 }
    expect(learnFromMoney(money!, recorded)).toBeUndefined()
    expect(learnFromMoney(money!, { ...recorded, collection: null })?.answer.outcome).toBe('successful')
    expect(learnFromMoney({ ...money!, status: 'reversed' }, recorded)?.answer.outcome).toBe('reversed')
  })

  it('ends its request only by the word of the network about the newest attempt', () => {
    expect(decide({}, {}, refused).transition?.to).toBe('failed')
    expect(decide({ attempt: 2 }, {}, refused).transition).toBeUndefined()
    const lapsed: OrderAnswer = { ...refused, reason: 'prompt_expired' }
    expect(decide({}, {}, lapsed)).toMatchObject({ due_at: ago(-600), after: { state: 'failed' } })
    expect(decide({ max_attempts: 0 }, {}, lapsed).transition?.to).toBe('failed')
    const accepted: OrderAnswer = { outcome: 'accepted', remote_id: 'O1' }
    expect(decide({ status: 'processing_started' }, {}, accepted).transition?.to).toBe('instructions_sent')
    const unknown: OrderAnswer = { outcome: 'unknown', message: 'HTTP 503' }
    expect(decide({}, {}, unknown).transition).toBeUndefined()
  })
})

describe('a payout or refund:', () => {
  const decide = (
    recipient: Parameters<typeof recipientRow>[0],
    order: Parameters<typeof orderRow>[0],
    answer: OrderAnswer,
    learnt: Partial<Learnt> = {},
  ) => {
    const row = orderRow({ kind: 'payout', collection_request: null, payment_recipient: 1, ...order })
    return decidePayout(recipientRow(recipient), row, { source: 'status', rules: RULES, answer, ...learnt }, [], NOW)
  }
  const unknown: OrderAnswer = { outcome: 'unknown', message: 'HTTP 503' }
  const failed = [{ state: 'error' }, { state: 'failed' }] as const
  const complete = [{ state: 'complete' }, { state: 'successful' }] as const
  const refund = { kind: 'refund' } as const

  it.each([
    ['A payout succeeds after it had failed', decide(...failed, paid()), 'retake'],
    ['It succeeds after a failure, with another amount', decide(...failed, paid(2_000n)), null],
    ['The network takes all of it back, before or after its success', decide({}, {}, taken_back), 'release'],
    ['The network takes all of it back, before or after its success', decide(...complete, taken_back), null],
    [
      'Its success is reported after the reversal',
      decide({ state: 'error', reversed: true }, { state: 'reversed' }, paid()),
      undefined,
    ],
    [
      'A refund succeeds after it was refused',
      decide({ state: 'error' }, { ...refund, state: 'failed' }, paid()),
      'retake',
    ],
    ['A refund is reversed', decide({ state: 'complete' }, { ...refund, state: 'successful' }, taken_back), null],
  ] as const)('%s', (name, { after, change }, money) => {
    expect(after.state).toBe(stateIn(name, 'order'))
    expect(change?.money).toBe(money)
  })

  it('A refund is refused', ({ task }) => {
    const { after, change } = decide({}, refund, refused)
    expect(cases.get(task.name)![2]).toContain(`\`${after.state}\``)
    expect([change!.money, change!.after.state]).toEqual(['release', stateIn(task.name, 'payment')])
  })

  it.each(['It succeeds with another amount while open', 'A refund without an answer'])('%s', (name) => {
    const { learnt, after, change } = decide({}, {}, name.startsWith('It') ? paid(2_000n) : unknown)
    expect(learnt.answer.outcome).toBe(stateIn(name, 'order'))
    expect([after.state, after.due_at! > NOW, change!.money]).toEqual(['sent', true, null])
  })

  it('No answer for a long time', ({ task }) => {
    const { change } = decide({}, { network_calls: 20 }, unknown)
    expect([change!.money, change!.after.state]).toEqual([null, stateIn(task.name, 'payment')])
  })

  it('A part comes back', ({ task }) => {
    const part = { remote_id: 'P1', amount: 500n }
    const { change } = decide(...complete, { ...paid(), reversals: [part] } as OrderAnswer)
    expect(change!.reversal).toEqual({ parts: [part], rest: 0n, whole: false })
    expect(change!.after.state).toBe(stateIn(task.name, 'payment'))
  })
})

describe('a bill:', () => {
  const goods = { token: '1', amount_of_power: null, pins: [], provider_message: '', raw_output: null, more: {} }
  const sold = { outcome: 'successful', remote_id: 'B1', vended: goods } as const
  const refuse = (reason: 'declined' | 'out_of_stock') => ({ outcome: 'failed', reason, message: 'No' }) as const
  const decide = (answer: VendNews, purchase: Partial<StoredPurchase> = {}, order: Partial<NetworkOrder> = {}) => {
    const before = vendRow(order)
    return decideVend(purchaseRow(purchase), before, { order: before, source: 'status', answer }, NOW)
  }
  const unknown = { outcome: 'unknown', message: 'HTTP 503' } as const
  const not_found = (final: boolean) => ({ outcome: 'not_found', final }) as const

  it.each([
    ['The provider did not sell, for a reason about the customer', decide(refuse('declined'))],
    ['The provider did not sell, for a reason about itself', decide(refuse('out_of_stock'))],
    ['It does not know the purchase, while that may be on its way', decide(not_found(false))],
    ['It does not know the purchase, after that', decide(not_found(true))],
    ['It does not know the purchase, where `not_found` proves nothing', decide(not_found(false))],
    ['The provider does not say what happened', decide(unknown)],
    ['Prepaid electricity is sold, and its token is not known', decide({ ...sold, vended: { ...goods, token: null } })],
  ] as const)('%s', (name, { purchase, after, may_move }) => {
    expect(purchase!.status).toBe(stateIn(name, 'payment'))
    expect(after.state).toBe(stateIn(name, 'order'))
    expect([after.due_at === null, after.closed !== null]).toEqual(Array(2).fill(purchase!.status === 'failed'))
    // Another provider may only sell what this one certainly did not.
    expect(may_move).toBe(cases.get(name)![1]!.startsWith('the next provider'))
  })

  it('A second final answer', ({ task }) => {
    expect(cases.get(task.name)![1]).toBe('unchanged')
    for (const answer of [refuse('declined'), sold]) {
      const { before, after, purchase, late } = decide(answer, { status: 'success' }, { state: 'successful' })
      expect([after, purchase, late]).toEqual([before, undefined, null])
    }
  })

  it('It was sold after it had failed', ({ task }) => {
    const { after, purchase, late } = decide(sold, { status: 'failed' }, { state: 'failed' })
    expect([after.state, purchase, late]).toEqual([stateIn(task.name, 'order'), undefined, 'failed'])
  })

  it('It was sold after it had moved to another provider', ({ task }) => {
    expect(cases.get(task.name)![1]).toBe('goes on')
    const { after, purchase, late } = decide(sold, { attempt: 2 }, { state: 'failed' })
    expect([after.state, purchase, late]).toEqual([stateIn(task.name, 'order'), undefined, 'moved'])
    expect(decide(refuse('declined'), { attempt: 2 }, { state: 'failed' })).toMatchObject({ late: null })
  })
})

describe('an order that the network does not know:', () => {
  const decide = (order: Partial<NetworkOrder>, rules: Partial<OrderRules>, asked_at = NOW, is_wanted = true) => {
    const answer = { outcome: 'not_found' } as const
    const learnt: Learnt = { source: 'status', answer, rules: { ...RULES, ...rules }, asked_at }
    return decideOrder(orderRow(order), learnt, NOW, is_wanted).after
  }
  it.each([
    [
      'Within the time that an order may be on its way (`in_flight_s`, and the time of a call)',
      decide({}, {}, ago(50)),
      'sent',
    ],
    ['After this time', decide({}, {}), 'new'],
    ['After it, where `not_found` proves nothing', decide({}, { unseen: 'never-certain' }), 'sent'],
    ['After it, where a second call makes a second order', decide({}, { repeat: 'charges-again' }), 'sent'],
    ['After the network had accepted it', decide({ state: 'accepted' }, {}), 'accepted'],
    ['After its request has ended', decide({}, {}, NOW, false), 'not_sent'],
    ['The question is older than the second sending', decide({ sent: ago(5) }, {}, ago(10)), 'sent'],
  ] as const)('%s', (name, { state, reference, attention }, expected) => {
    const [what_happens, person = ''] = cases.get(name)!
    expect([state, reference]).toEqual([expected, 'R1'])
    expect(state === 'new').toBe(what_happens!.includes('it is sent again'))
    expect(attention !== null).toBe(person.includes('attention'))
  })

  it('is never sent again by a source that knows no rules of its network', () => {
    const learnt: Learnt = { source: 'callback', answer: { outcome: 'not_found' }, asked_at: NOW }
    expect(decideOrder(orderRow(), learnt, NOW).after.state).toBe('sent')
  })
})
