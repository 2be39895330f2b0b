import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scenarios } from '../../src/billers/biller.ts'
import type { Database } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { createSales, type Sell } from '../../src/simulator/biller-sales.ts'
import { billerBehaviourOf, scenarioOf } from '../../src/simulator/biller-scenarios.ts'
import { showVend, type VendBody } from '../../src/simulator/biller-wire.ts'
import { generateToken, tenthsOfKwhFor } from '../../src/simulator/world/electricity.ts'
import { buildVend } from '../billers/orders.ts'
import { openDatabase } from './simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
let sell: Sell
beforeAll(async () => {
  database = await openDatabase()
  db = database.db
  sell = createSales(db, () => NOW)
})
afterAll(() => database.drop())

const NOW = new Date('2030-01-15T12:00:00Z')
const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000)

function order(changes: Partial<VendBody> = {}): VendBody {
  const { details, ...vend } = buildVend()
  return { ...vend, prepaid: details.prepaid!, tariff: details.tariff!, pin_value: null, pins: null, ...changes }
}

async function sold(body: VendBody) {
  const answer = await sell(body)
  if (answer.outcome !== 'accepted') throw new Error('The reference belongs to another order.')
  return answer.vend
}

describe('scenarios of the simulated biller', () => {
  it('match the contract, by name and by phone number', () => {
    for (const [index, scenario] of scenarios.entries()) {
      expect(scenarioOf(scenario, '08031234567')).toBe(scenario)
      expect(scenarioOf(null, `08031000${201 + index}`)).toBe(scenario)
    }
  })

  it('are success for every other phone number', () => {
    for (const phone of ['08031234567', '08031000200', '08031000212', '08031001201', ''])
      expect(scenarioOf(null, phone)).toBe('success')
    expect(billerBehaviourOf('nothing like it')).toMatchObject({
      accepts_sale: true,
      answer_mode: 'normal',
      refusal: null,
    })
  })
})

describe('tokens', () => {
  it('are twenty digits below 2^66', () => {
    const tokens = Array.from({ length: 500 }, generateToken)
    for (const token of tokens) {
      expect(token).toMatch(/^\d{20}$/)
      expect(BigInt(token)).toBeLessThan(2n ** 66n)
    }
    expect(new Set(tokens).size).toBe(500)
  })

  it('are worth what the amount buys after tax, and never more', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 8n }), (amount, tariff) => {
        const tenths = tenthsOfKwhFor(amount, tariff)
        expect(tenths * tariff * 1_075n).toBeLessThanOrEqual(amount * 10_000n)
        expect((tenths + 1n) * tariff * 1_075n).toBeGreaterThan(amount * 10_000n)
      }),
    )
  })
})

describe('selling', () => {
  it('happens once for a reference, also with many orders at once', async () => {
    const body = order()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => sell(body)))
    expect(answers.filter((answer) => answer.outcome === 'accepted' && answer.first)).toHaveLength(1)
    const tokens = answers.map((answer) => answer.outcome === 'accepted' && answer.vend.vended?.token)
    expect(new Set(tokens).size).toBe(1)
    expect(await sell({ ...body, amount: 1n })).toEqual({ outcome: 'conflict' })
  })

  it('refuses another order with the same reference that comes at the same time, and sells the others', async () => {
    const body = order()
    const other = order()
    const answers = await Promise.all([body, { ...body, amount: 1n }, other].map(sell))
    expect(answers).toMatchObject([
      { outcome: 'accepted', first: true, vend: { reference: body.reference, amount: body.amount } },
      { outcome: 'conflict' },
      { outcome: 'accepted', first: true, vend: { reference: other.reference } },
    ])
  })

  it('gives the old meter its new keys once, also with many orders at once', async () => {
    const orders = Array.from({ length: 4 }, () => order({ account_number: '04223568280' }))
    const goods = (await Promise.all(orders.map(sold))).map(({ vended }) => vended!)
    expect(goods.filter(({ more }) => 'resetToken' in more)).toHaveLength(1)
    expect(new Set(goods.map(({ token }) => token)).size).toBe(4)
    expect((await sold(order({ account_number: '04223568280' }))).vended!.more).not.toHaveProperty('resetToken')
  })

  it('sells every pin under the reference of its order', async () => {
    const pins = { kind: 'epin', service_type: 'glo', account_number: '', prepaid: null, tariff: null } as const
    const orders = [1, 2].map((count) => order({ ...pins, pin_value: parseAmount('100')!, pins: count }))
    await Promise.all(orders.map(sold))
    for (const [index, { reference }] of orders.entries())
      expect(await db`select from simulator_pins where vend = ${reference}`).toHaveLength(index + 1)
  })

  it('shows neither token nor refusal before the sale is settled', async () => {
    const later = await sold(order({ scenario: 'pending-success' }))
    expect(showVend(later, seconds(4))).toMatchObject({ state: 'pending', vended: null, refusal: null })
    expect(showVend(later, seconds(5))).toMatchObject({ state: 'vended', vended: { token: later.vended!.token } })
    const refused = await sold(order({ scenario: 'pending-failure' }))
    expect(showVend(refused, seconds(4))).toMatchObject({ state: 'pending', refusal: null })
    expect(showVend(refused, seconds(5))).toMatchObject({ state: 'refused', refusal: { reason: 'declined' } })
  })

  it('hides a later token in all members of the answer', async () => {
    const later = await sold(order({ scenario: 'token-later' }))
    const shown = showVend(later, seconds(4))
    expect(shown).toMatchObject({ state: 'vended', vended: { token: null } })
    expect(JSON.stringify(shown)).not.toContain(later.vended!.token)
    expect(showVend(later, seconds(5)).vended?.token).toBe(later.vended!.token)
  })

  it('refuses an account number without a holder', async () => {
    expect(await sold(order({ account_number: '00012345674' }))).toMatchObject({
      state: 'refused',
      refusal: 'account_not_found',
    })
    expect(await sold(order({ kind: 'airtime', account_number: '00012345674', prepaid: null }))).toMatchObject({
      state: 'vended',
    })
  })

  it('splits the amount of a token into power and tax without a remainder', async () => {
    const { vended } = await sold(order({ amount: 20_000_000n }))
    const { standardTokenAmount, standardTokenTax } = vended!.raw_output as Record<string, number>
    expect([standardTokenAmount, standardTokenTax]).toEqual([1_860.46, 139.54])
  })
})
