import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  calculateFee,
  type Fee,
  type FeeRates,
  listFees,
  readFeeRates,
  removeFee,
  setFee,
} from '../../../src/core/ledger/fees.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const free: FeeRates = { fixed: 0n, percent: 0n, min_fee: 0n, max_fee: null }

describe('a fee', () => {
  it('is zero without rates', () => {
    expect(calculateFee(undefined, amount('1000'), 'UGX')).toBe(0n)
    expect(calculateFee(free, amount('1000'), 'UGX')).toBe(0n)
  })

  it('is the sum of the fixed part and the percentage', () => {
    expect(calculateFee({ ...free, fixed: amount('5'), percent: amount('1.5') }, amount('1000'), 'KES')).toBe(
      amount('20'),
    )
  })

  it.each([
    ['UGX', '150', '2'],
    ['UGX', '149.9999', '1'],
    ['KES', '100.5', '1.01'],
    ['KES', '100.49', '1'],
    ['BXC', '0.5', '0.01'],
    ['BXC', '0.4999', '0'],
  ])('rounds half up to the decimals of %s: one percent of %s is %s', (currency, of, fee) => {
    expect(calculateFee({ ...free, percent: amount('1') }, amount(of), currency)).toBe(amount(fee))
  })

  it('is never less than the minimum fee nor more than the maximum fee', () => {
    const rates = { ...free, percent: amount('2'), min_fee: amount('10'), max_fee: amount('50') }
    expect(calculateFee(rates, amount('100'), 'UGX')).toBe(amount('10'))
    expect(calculateFee(rates, amount('1000'), 'UGX')).toBe(amount('20'))
    expect(calculateFee(rates, amount('9000'), 'UGX')).toBe(amount('50'))
  })

  it('grows with the amount and is always rounded to the currency', () => {
    const sum = fc.bigInt({ min: 0n, max: 10n ** 15n })
    fc.assert(
      fc.property(sum, sum, fc.bigInt({ min: 0n, max: 1_000_000n }), sum, (one, other, percent, fixed) => {
        const rates = { ...free, fixed, percent }
        const [less, more] = one < other ? [one, other] : [other, one]
        const fees = [calculateFee(rates, less, 'UGX'), calculateFee(rates, more, 'UGX')]
        expect(fees[0]).toBeLessThanOrEqual(fees[1]!)
        expect(fees[0]! % 10_000n).toBe(0n)
      }),
    )
  })
})

describe('the schedule of fees', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())
  const set = (changes: Partial<Fee>) =>
    begin(shop.db, (tx) =>
      setFee(tx, shop.now(), {
        ...free,
        organization: shop.organization,
        kind: 'payment',
        currency: 'BXC',
        network: null,
        ...changes,
      }),
    )
  const read = async (network: string, currency = 'BXC') =>
    (await readFeeRates(shop.db, [{ organization: shop.organization, kind: 'payment', currency, network }]))[0]

  it('prefers the rates of the network, and uses no rates of other networks', async () => {
    const general = await set({ fixed: amount('1') })
    const special = await set({ fixed: amount('2'), network: 'sandbox' })
    expect(await read('sandbox')).toEqual(special)
    expect(await read('elsewhere')).toEqual(general)
    expect(await read('sandbox', 'UGX')).toBeUndefined()
    await begin(shop.db, (tx) => removeFee(tx, special.id))
    expect(await read('sandbox')).toEqual(general)
  })

  it('replaces an earlier fee', async () => {
    const first = await set({ percent: amount('1') })
    const second = await set({ percent: amount('2.5'), max_fee: amount('100') })
    expect(second.id).toBe(first.id)
    expect(await listFees(shop.db, shop.organization)).toEqual([second])
  })

  it('refuses invalid fees', async () => {
    await expect(set({ min_fee: amount('5'), max_fee: amount('4') })).rejects.toThrow(
      'max_fee: The maximum fee must not be less',
    )
    await expect(set({ percent: amount('101') })).rejects.toThrow('percent: It must be from 0 to 100.')
    await expect(set({ fixed: amount('-1') })).rejects.toThrow('fixed: It must not be below zero.')
    await expect(set({ currency: 'XYZ' })).rejects.toThrow('currency: "XYZ" is not a valid choice.')
    await expect(begin(shop.db, (tx) => removeFee(tx, 999))).rejects.toThrow('There is no fee 999.')
  })
})
