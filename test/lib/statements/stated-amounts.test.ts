import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { readCurrency, readStatedAmount } from '../../../src/lib/statements/stated-amounts.ts'

/** The amounts of texts, as a plain decimal; undefined for a text that is refused. */
function expectAmounts(amounts: Record<string, string | undefined>) {
  const read = Object.fromEntries(Object.keys(amounts).map((text) => [text, readStatedAmount(text)?.amount]))
  const expected = Object.entries(amounts).map(([text, amount]) => [text, amount && parseAmount(amount)])
  expect(read).toEqual(Object.fromEntries(expected))
}

describe('an amount of a statement', () => {
  it('has its thousands in the manner of England, France, Germany, Switzerland and India', () => {
    expectAmounts({
      '1,500,000.50': '1500000.5',
      '1 500 000,50': '1500000.5',
      '1\u202f500,5': '1500.5',
      '1.500.000,50': '1500000.5',
      "1'500.00": '1500',
      '1’500.00': '1500',
      '1,50,000.50': '150000.5',
      '10,00,000': '1000000',
    })
  })

  it('is refused where its signs do not agree, or leave two readings', () => {
    const refused = ['1.500', '1.234,500', '1.500,000', '1 234,500', '1,234 567', '0,500', '12,500,00', '1,5000', '"1']
    expectAmounts(Object.fromEntries(refused.map((text) => [text, undefined])))
  })

  it('is below zero in brackets, with a minus at either end, and as a debit', () => {
    const debits = ['(500)', '( 500.00 )', '-500', '- 500', '500-', '500.00 -', '−500', '(-500)']
    const marked = [
      '500 DR',
      '500DR',
      '500.00Dr',
      '500 Dr.',
      'DR 500',
      'Dr. 500',
      'KES 500 DR',
      'KES (500)',
      '(KES 500)',
    ]
    expectAmounts(Object.fromEntries([...debits, ...marked].map((text) => [text, '-500'])))
    expectAmounts({ '500 CR': '500', '500Cr.': '500', 'CR 500': '500', '+500': '500' })
  })

  it('has the code of its currency, and no code for a mark that several have', () => {
    const codeOf = (text: string) => readStatedAmount(text)?.currency
    const coded = ['KES 500', '500KES', 'Ksh500', 'Kshs. 500', 'USh 500', '500 TShs', 'Frw 500', '-XAF 500']
    expect(coded.map(codeOf)).toEqual(['KES', 'KES', 'KES', 'KES', 'UGX', 'TZS', 'RWF', 'XAF'])
    const marked = ['Shs 500', '500 F CFA', '500 FCFA', 'CFA 500', '500 F', 'GHC 500', '₦500', '500/=']
    expect(marked.map(codeOf)).toEqual(marked.map(() => null))
    for (const text of ['KES 500 UGX', '500 shillings', 'five', 'KES', '', '()', 'a b c d 500'])
      expect(readStatedAmount(text), text).toBeUndefined()
  })

  it('has its currency in a column of its own', () => {
    expect(['ugx', ' Ksh ', 'F CFA', 'FCFA', ''].map(readCurrency)).toEqual(['UGX', 'KES', null, null, null])
    expect(readCurrency('Euro')).toBe('EURO')
  })
})
