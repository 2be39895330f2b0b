import { describe, expect, it } from 'vitest'
import { contrastWithWhite, readColor } from '../../../src/core/checkout/colors.ts'
import { readLogoUpload } from '../../../src/core/checkout/logos.ts'
import { readLinkAmount } from '../../../src/core/checkout/new-link.ts'
import { readAnswers } from '../../../src/core/checkout/own-fields.ts'
import { resultStatus, resultUrl } from '../../../src/core/checkout/payment-pages.ts'

describe('the colour of a shop', () => {
  it('is taken if white letters can be read on it', () => {
    expect(readColor(' #0B6E4F ')).toBe('#0b6e4f')
    expect(contrastWithWhite('#000000')).toBeCloseTo(21)
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1)
    // 4.54 and 4.48 by the formula of WCAG.
    expect(readColor('#767676')).toBe('#767676')
    expect(() => readColor('#777777')).toThrow('its contrast is 4.4')
    expect(() => readColor('#ffcc00')).toThrow('White text is not readable')
    expect(() => readColor('red; background: url(x)')).toThrow('Enter a colour')
  })
})

/** The beginning of a PNG with this size. */
function png(width: number, height: number, length = 100): Buffer {
  const bytes = Buffer.alloc(length)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

describe('a logo', () => {
  it('is a PNG, JPEG or WebP by its bytes, whatever was stated', () => {
    const upload = (bytes: Buffer, type = 'image/svg+xml') =>
      readLogoUpload(`data:${type};base64,${bytes.toString('base64')}`)
    expect(upload(png(200, 100)).type).toBe('image/png')
    const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080064006401011100', 'hex')
    expect(upload(jpeg).type).toBe('image/jpeg')
    const webp = Buffer.alloc(40)
    webp.write('RIFF....WEBPVP8X', 'latin1')
    expect(upload(webp).type).toBe('image/webp')
  })

  it('is refused when it is anything else, too large, or has too many pixels', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    )
    expect(() => readLogoUpload(`data:image/png;base64,${svg}`)).toThrow('Upload a PNG')
    expect(() => readLogoUpload('not base64 at all!')).toThrow('Upload a PNG')
    expect(() => readLogoUpload('')).toThrow('Upload a PNG')
    expect(() => readLogoUpload(png(10, 10, 32_769).toString('base64'))).toThrow('32 kB')
    expect(() => readLogoUpload(png(60_000, 60_000).toString('base64'))).toThrow('pixels')
    expect(() => readLogoUpload(png(0, 10).toString('base64'))).toThrow('pixels')
    const cut = Buffer.from('ffd8ffe0ffff', 'hex')
    expect(() => readLogoUpload(cut.toString('base64'))).toThrow('Upload a PNG')
  })
})

describe('the amount of a customer', () => {
  const none = { amount: null, min_amount: null, max_amount: null, amounts: null, currency: 'UGX' }

  it('is the fixed one, whatever the form says', () => {
    expect(readLinkAmount({ ...none, amount: 15_000_000n }, '1')).toEqual({ amount: 15_000_000n })
  })

  it('is within the limits, in the decimals of the currency, with or without separators', () => {
    const open = { ...none, min_amount: 5_000_000n, max_amount: 20_000_000n }
    expect(readLinkAmount(open, '1,500')).toEqual({ amount: 15_000_000n })
    expect(readLinkAmount(open, ' 1 500 ')).toEqual({ amount: 15_000_000n })
    expect(readLinkAmount(open, '')).toEqual({ fault: 'missing' })
    expect(readLinkAmount(open, '499')).toEqual({ fault: 'range' })
    expect(readLinkAmount(open, '2001')).toEqual({ fault: 'range' })
    for (const wrong of ['600.5', '-600', '6e2', '0x300', '1,5', 'many'])
      expect(readLinkAmount(open, wrong)).toEqual({ fault: 'number' })
  })

  it('is one of a list', () => {
    const list = { ...none, amounts: ['1000.0000', '2000.0000'] }
    expect(readLinkAmount(list, '2000')).toEqual({ amount: 20_000_000n })
    expect(readLinkAmount(list, '1500')).toEqual({ fault: 'choice' })
  })
})

it('answers to own fields are checked, and those that were not given are left out', () => {
  const field = { label: 'x', required: false, choices: [] as string[] }
  const fields = [
    { ...field, name: 'note', type: 'text' as const },
    { ...field, name: 'meter', type: 'number' as const, required: true },
    { ...field, name: 'town', type: 'choice' as const, choices: ['Jinja'] },
  ]
  expect(readAnswers(fields, { note: ' ', meter: ' 04042 ', town: 'Jinja' })).toEqual({
    answers: { meter: '04042', town: 'Jinja' },
    faults: {},
  })
  expect(readAnswers(fields, { note: 'x'.repeat(201), meter: ['1'], town: 'Paris' })).toEqual({
    answers: {},
    faults: { note: 'too_long', meter: 'required', town: 'choice' },
  })
})

it('a result is added to the query of the return address, signed', () => {
  const result = {
    payment_link: 3,
    request: 7,
    status: 'paid' as const,
    amount: 15_005_000n,
    currency: 'UGX',
    at: new Date(1_000_500),
  }
  const url = new URL(resultUrl('https://shop.example/thanks?order=9&status=forged#end', 'whsec_test', result))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    order: '9',
    status: 'paid',
    payment_link: '3',
    request: '7',
    amount: '1500.5000',
    currency: 'UGX',
    time: '1000',
    // printf '3|7|paid|1500.5000|UGX|1000' | openssl dgst -sha256 -hmac whsec_test
    signature: '3f7d9a1848caffa82c69a261a1d17eb90b9e426cef29029cb8cabc7db3ca446e',
  })
  expect(['paid', 'reversed', 'ended', 'unclear', 'waiting'].map((state) => resultStatus(state as 'paid'))).toEqual([
    'paid',
    'unpaid',
    'unpaid',
    'unclear',
    'unclear',
  ])
})
