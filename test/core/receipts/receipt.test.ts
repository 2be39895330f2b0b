import { describe, expect, it } from 'vitest'
import { answersOf, keptAmount, payerName, type ReceiptRow, receiptState } from '../../../src/core/receipts/receipt.ts'
import { chooseSend } from '../../../src/core/receipts/sending.ts'
import { receiptMail, receiptSms } from '../../../src/core/receipts/words.ts'
import { countParts } from '../../../src/lib/sms-text.ts'

const at = new Date('2030-01-15T12:00:00Z')
const RECEIPT: ReceiptRow = {
  id: 1,
  organization: 1,
  time_zone: 'Africa/Kampala',
  country: null,
  number: 12,
  code: 'abcdefghijklmnopqrstuvwx',
  issuer: 'Demo Shop',
  collection: 3,
  collection_request: 4,
  amount: 15_000_000n,
  reversed_amount: 0n,
  refunded_amount: 0n,
  currency: 'UGX',
  phonenumber: '+256772000001',
  reason: 'Fees',
  invoice: null,
  reference: null,
  remote_transaction_id: 'TX1',
  payment_date: at,
  created: at,
  modified: at,
  link_fields: null,
  metadata: null,
  contact: { first_name: 'Jane', last_name: 'Contact', email: null, number: 'P5-0012', erased: false },
}
const base_url = 'https://pay.example.com/'

describe('a receipt', () => {
  it('says how much of the money is left, never less than nothing', () => {
    const states = [
      [0n, 0n],
      [5_000_000n, 0n],
      [5_000_000n, 10_000_000n],
      [15_000_000n, 5_000_000n],
    ].map(([reversed_amount, refunded_amount]) => {
      const row = { ...RECEIPT, reversed_amount: reversed_amount!, refunded_amount: refunded_amount! }
      return [receiptState(row), keptAmount(row)]
    })
    expect(states).toEqual([
      ['paid', 15_000_000n],
      ['partly_returned', 10_000_000n],
      ['returned', 0n],
      ['returned', 0n],
    ])
  })

  it('names the person only if the shop knows the name and asked for the money itself', () => {
    expect(payerName(RECEIPT)).toBe('Jane')
    expect(payerName({ ...RECEIPT, contact: { ...RECEIPT.contact, erased: true } })).toBe('')
    const link_fields = [
      { name: 'pupil', label: 'Pupil' },
      { name: 'class', label: 'Class' },
    ]
    const by_link = { ...RECEIPT, link_fields, metadata: { pupil: 'Ada', class: 3, other: 'x' } }
    expect(payerName(by_link)).toBe('')
    expect(answersOf(by_link)).toEqual([['Pupil', 'Ada']])
  })

  it('goes by one SMS in each language, and by a mail with both addresses', () => {
    for (const language of ['en', 'sw', 'fr'] as const) {
      const text = receiptSms(RECEIPT, language, base_url)
      expect(text).toContain(language === 'fr' ? '1 500 UGX' : 'UGX 1,500')
      expect(text).toContain('https://pay.example.com/r/abcdefghijklmnopqrstuvwx')
      expect(countParts(`${text} -Powered by Kusanya`)).toMatchObject({ encoding: 'gsm', parts: 1 })
      const { subject, body } = receiptMail(RECEIPT, language, base_url)
      expect(subject).toContain('R-000012')
      expect(body).toContain(language === 'fr' ? '1\u202f500\u00a0UGX' : 'UGX 1,500')
      expect(body).toContain('https://pay.example.com/pay/receipts/abcdefghijklmnopqrstuvwx.pdf\n')
    }
  })

  it('goes by e-mail where an address is given, and not without a mail server', () => {
    const options = { language: 'en' as const, base_url, has_mail: true }
    expect(chooseSend(RECEIPT, {}, options)).toMatchObject({ channel: 'sms', recipient: '+256772000001' })
    expect(chooseSend(RECEIPT, { email: 'a@b.ug' }, options)).toMatchObject({ channel: 'email', recipient: 'a@b.ug' })
    const choose =
      (body: object, has_mail = true) =>
      () =>
        chooseSend(RECEIPT, body, { ...options, has_mail })
    expect(choose({ email: 'a@b.ug' }, false)).toThrow('no mail server')
    expect(choose({ channel: 'email' })).toThrow('no e-mail address')
    expect(choose({ channel: 'sms', email: 'a@b.ug' })).toThrow('phone that paid')
  })
})
