import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortenReason } from '../../../src/core/collections/sms.ts'

describe('a reason in an SMS', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['123456789012345678901', '12345678901234567...'],
    ['Fees for the month of May', 'Fees for the mont...'],
    ['Rent of the big house', 'Rent of the big h...'],
    [' 1234567890123456 89012 ', '1234567890123456...'],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦...'],
    ['', ''],
  ])('%j becomes %j', (reason, short) => {
    expect(shortenReason(reason)).toBe(short)
  })

  it('has at most 20 characters, all of them whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (reason) => {
        const short = shortenReason(reason)
        expect([...short].length).toBeLessThanOrEqual(20)
        expect(short.isWellFormed()).toBe(true)
        if ([...reason.trim()].length <= 20) expect(short).toBe(reason.trim())
      }),
    )
  })
})
