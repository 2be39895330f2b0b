import { expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import {
  amountText,
  moneyText,
  shortAmountText,
  smsMoneyText,
  translateAmount,
  withCurrency,
} from '../../../src/lib/text/amount-texts.ts'
import { languages } from '../../../src/lib/text/languages.ts'
import { readTypedAmount } from '../../../src/lib/typed-amount.ts'

const amount = (text: string) => parseAmount(text)!

it('an amount has the signs of the language, as CLDR says', () => {
  expect(languages.map((language) => moneyText(amount('1250000'), 'UGX', language))).toEqual([
    'UGX 1,250,000',
    'UGX 1,250,000',
    '1\u202f250\u202f000\u00a0UGX',
  ])
  expect(languages.map((language) => amountText(amount('-1500.5'), language))).toEqual([
    '-1,500.50',
    '-1,500.50',
    '-1\u202f500,50',
  ])
  for (const language of languages) {
    const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2 })
    expect(amountText(amount('9876543.21'), language)).toBe(format.format(9_876_543.21))
  }
  expect([shortAmountText(amount('18.5'), 'fr'), shortAmountText(amount('18.5'), 'sw')]).toEqual(['18,5', '18.5'])
})

it('an amount in words has its currency where figures have it', () => {
  expect(withCurrency('mille cinq cents', 'UGX', 'fr')).toBe('mille cinq cents\u00a0UGX')
  expect(withCurrency('one thousand', 'UGX', 'en')).toBe('UGX one thousand')
})

it('an SMS has only signs of its alphabet', () => {
  expect(smsMoneyText(amount('1250000.5'), 'UGX', 'fr')).toBe('1 250 000,50 UGX')
  expect(smsMoneyText(amount('1250000.5'), 'UGX', 'en')).toBe('UGX 1,250,000.50')
})

it('an amount in an English message gets the form of the language, and other values stay', () => {
  const french = (text: string) => translateAmount(text, 'fr')
  expect(french('UGX 1,250,000')).toBe('1\u202f250\u202f000\u00a0UGX')
  expect(['UGX 0', 'KES -500.50', '1,500'].map(french)).toEqual(['0\u00a0UGX', '-500,50\u00a0KES', '1\u202f500'])
  for (const text of ['', '1500', '1.5', 'P-17', 'UGX', 'UGX 1,50', '3, 4', 'UGX 1,500 or KES 5', '2030-01-31'])
    expect(french(text)).toBe(text)
  expect(translateAmount('UGX 1,250.50', 'sw')).toBe('UGX 1,250.50')
})

it('an amount that is copied from a page into a field keeps its value', () => {
  for (const language of languages)
    for (const text of ['0.05', '999', '1500.5', '1250000'])
      expect(readTypedAmount(moneyText(amount(text), 'KES', language), { country: 'KE', currency: 'KES' })).toEqual({
        amount: amount(text),
      })
})
