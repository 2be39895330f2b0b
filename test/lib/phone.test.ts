import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatLocalPhone,
  maskPhone,
  normalizePhoneFilter,
  parseLocalPhone,
  parseNigerianPhone,
  parsePhone,
  parsePhoneOf,
  readKnownPhone,
} from '../../src/lib/phone.ts'

describe('parsePhone', () => {
  it.each([
    '+256772000001',
    '256772000001',
    '00256772000001',
    ' 256772000001',
    '+256 772 000 001',
    '+256-772-000-001',
    '+256 (0) 772/000.001',
    '+256 772 000 001',
  ])('reads "%s"', (text) => {
    expect(parsePhone(text)).toEqual({ number: '+256772000001', country: 'UG' })
  })

  it.each([
    ['+254712345678', 'KE'],
    ['+2348031234567', 'NG'],
    ['+233241234567', 'GH'],
    ['+2250707123456', 'CI'],
    ['+12423570000', 'BS'],
  ])('finds the country of %s', (number, country) => {
    expect(parsePhone(number)).toEqual({ number, country })
  })

  it.each([
    '\u202a+256772000001\u202c',
    '\u200e+256 772 000\u00a0001\ufeff',
    '\u2066256772000001\u2069',
    'tel:+256-772-000-001',
    'TEL: 00256772000001',
    '+25677\u200b200\u00ad0001',
    '２５６７７２００００01',
    '+٢٥٦٧٧٢٠٠٠٠٠١',
    '+۲۵۶772000001',
    '2\ufe0f\u20e35\ufe0f\u20e36772000001',
  ])('reads "%s", which was copied from a chat or another script', (text) => {
    expect(parsePhone(text)).toEqual({ number: '+256772000001', country: 'UG' })
  })

  it.each(['+254110000001', '+254199000001', '+2349171234567', '+256392000001', '+15005550006'])(
    'reads %s: networks have prefixes that libraries do not know',
    (number) => {
      expect(parsePhone(number)?.number).toBe(number)
    },
  )

  it.each(['+25571234567800', '+2332412345670', '+2507811234560', '+2331234567', '+234803123456', '+2348031234'])(
    'refuses %s, which is not as long as a number of a phone there',
    (number) => {
      expect(parsePhone(number)).toBeUndefined()
    },
  )

  it('assigns a possible number of a shared code to the main country', () => {
    expect(parsePhone('+15555555555')).toEqual({ number: '+15555555555', country: 'US' })
  })

  it.each(['+80000000001', '80000000001', '0080000000001', '+800 0000 0001'])(
    'reads "%s" as the test country',
    (text) => {
      expect(parsePhone(text)).toEqual({ number: '+80000000001', country: 'XX' })
    },
  )

  it.each([
    '',
    '+',
    '0772000001',
    '772',
    '+25677200000',
    '+2567720000012',
    '+8000000000',
    '+800000000012',
    '+870773111632',
    '+4900000',
    '+6200100000000000',
    '+999123456789',
    '++256772000001',
    '256+772000001',
    'call +256772000001',
    '+256772FLOWER',
    '+256772000001 ext 5',
    '+256772000001, +254712345678',
    '+254202000000',
    '+256414000001',
    '2547123456780',
    '254712345678.0',
    '256772000001.00',
    '2.54712345678E+11',
    '2,54712345678E+11',
    '+25570000000a',
    '+256772000001\u0000',
  ])('refuses "%s"', (text) => {
    expect(parsePhone(text)).toBeUndefined()
  })

  it('returns the same result for every form of a number, every time', () => {
    const separators = fc.array(fc.constantFrom('', ' ', '-', '.'), { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(fc.nat(9_999_999), separators, fc.constantFrom('+', '00', ''), (serial, between, prefix) => {
        const digits = `25677${String(serial).padStart(7, '0')}`
        const written = prefix + digits.slice(0, 3) + between.map((blank, at) => blank + digits[at + 3]).join('')
        expect(parsePhone(written)).toEqual({ number: `+${digits}`, country: 'UG' })
        expect(parsePhone(written)).toEqual(parsePhone(digits))
      }),
    )
  })

  it('still parses every number after the cache was emptied', () => {
    for (let serial = 0; serial < 10_500; serial += 1) {
      const number = `+25678${String(serial).padStart(7, '0')}`
      expect(parsePhone(number)?.number).toBe(number)
    }
    expect(parsePhone('+256772000001')?.country).toBe('UG')
  })

  it('returns E.164 or undefined, and parses its own result as the same number', () => {
    const codes = fc.constantFrom('1', '7', '39', '44', '49', '52', '54', '55', '225', '233', '234', '254', '256')
    const prefixed = fc.tuple(codes, fc.stringMatching(/^0{0,3}\d{3,11}$/)).map(([code, rest]) => `+${code}${rest}`)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 ]{0,20}$/), prefixed), (text) => {
        const phone = parsePhone(text)
        if (!phone) return
        expect(phone.number).toMatch(/^\+[1-9]\d{6,14}$/)
        expect(phone.country).toMatch(/^[A-Z]{2}$/)
        expect(parsePhone(phone.number)).toEqual(phone)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('maskPhone', () => {
  it('keeps the network and the last two digits', () => {
    expect(maskPhone('+256772000001')).toBe('+25677*****01')
    expect(maskPhone('+80000000109')).toBe('+80000****09')
  })

  it('hides all of a short number', () => {
    expect(maskPhone('+256772')).toBe('*******')
    expect(maskPhone('')).toBe('')
  })
})

describe('normalizePhoneFilter', () => {
  it.each(['+256772000001', '256772000001', ' 256772000001', ' +256772000001 '])(
    'brings "%s" to +256772000001',
    (text) => {
      expect(normalizePhoneFilter(text)).toBe('+256772000001')
    },
  )
})

describe('parseNigerianPhone', () => {
  it('reads the forms that people write', () => {
    for (const text of ['08031234567', '+2348031234567', '2348031234567', '+234 (0)803-123-4567', '0803 123 4567'])
      expect([text, parseNigerianPhone(text)]).toEqual([text, '08031234567'])
  })

  it('refuses other numbers than Nigerian mobile numbers', () => {
    for (const text of [
      '',
      '8031234567',
      '0803123456',
      '080312345678',
      '06031234567',
      '08231234567',
      '+256772000001',
      'x',
    ])
      expect([text, parseNigerianPhone(text)]).toEqual([text, undefined])
  })

  it('reads its own result', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^0[789][01]\d{8}$/), (number) => {
        expect(parseNigerianPhone(number)).toBe(number)
        expect(parseNigerianPhone(`+234${number.slice(1)}`)).toBe(number)
      }),
    )
  })
})

describe('parseLocalPhone', () => {
  it.each([
    ['0772 000 001', 'UG', '+256772000001'],
    ['772000001', 'UG', '+256772000001'],
    ['256772000001', 'UG', '+256772000001'],
    ['+254 712 345 678', 'UG', '+254712345678'],
    ['0712 345678', 'KE', '+254712345678'],
    ['0803 123 4567', 'NG', '+2348031234567'],
    ['0000 0003', 'XX', '+80000000003'],
    ['+800 0000 0003', 'XX', '+80000000003'],
  ])('reads "%s" in %s', (text, country, number) => {
    expect(parseLocalPhone(text, country)?.number).toBe(number)
  })

  it.each(['', '12', '0772', 'abc', '0772000001<script>', '9'.repeat(50)])('refuses "%s"', (text) => {
    expect(parseLocalPhone(text, 'UG')).toBeUndefined()
  })
})

describe('formatLocalPhone', () => {
  it.each([
    ['+256772000001', 'UG', '0772 000001'],
    ['+256772000001', 'KE', '+256 772 000001'],
    ['+80000000003', 'XX', '00000003'],
  ])('writes %s in %s', (number, country, text) => {
    expect(formatLocalPhone(number, country)).toBe(text)
  })
})

describe('readKnownPhone', () => {
  it('reads a line that was stored as a phone, and no text', () => {
    expect(readKnownPhone('+254202000000')).toEqual({ number: '+254202000000', country: 'KE' })
    expect(readKnownPhone('0772000001')).toBeUndefined()
    expect(readKnownPhone('somebody')).toBeUndefined()
  })
})

describe('parsePhoneOf', () => {
  it.each(['0712 345 678', '\u202a0712345678\u202c', 'tel:+254712345678', '٠٧١٢٣٤٥٦٧٨'])(
    'reads "%s" in Kenya',
    (text) => {
      expect(parsePhoneOf('KE', text)).toBe('+254712345678')
    },
  )

  it.each(['254712345678.0', '07123456780', '0202000000', '+256772000001'])('refuses "%s" in Kenya', (text) => {
    expect(parsePhoneOf('KE', text)).toBeUndefined()
  })
})
