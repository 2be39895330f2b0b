import { expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { readTypedAmount } from '../../../src/lib/typed-amount.ts'
import { toInput } from '../../../web/parts/fields/to-input.ts'

it.each(['0.0000', '1500.0000', '1.1250', '12.5000', '999.9990', '0.1250', '1234.5670', '7.1234'])(
  'an amount of %s in a field is read as the same amount in every country',
  (amount) => {
    for (const country of ['UG', 'KE', 'NG', 'RW', 'BI', 'SN', 'TN', 'LY', null])
      expect([country, readTypedAmount(toInput(amount), { country })]).toEqual([
        country,
        { amount: parseAmount(amount) },
      ])
  },
)

it('no amount is an empty field', () => {
  expect([undefined, null, ''].map(toInput)).toEqual(['', '', ''])
})
