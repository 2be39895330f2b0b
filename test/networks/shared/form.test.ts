import { describe, expect, it } from 'vitest'
import { toNationalNumber } from '../../../src/networks/shared/form.ts'

describe('phones', () => {
  it('takes the calling code away, and no zero of the number', () => {
    expect(toNationalNumber('+256752000001', '256')).toBe('752000001')
    expect(toNationalNumber('+242055000001', '242')).toBe('055000001')
    expect(toNationalNumber('+254752000001', '256')).toBe(undefined)
  })
})
