import { describe, expect, it } from 'vitest'
import { payerList, splitPayers, tagList } from '../../../src/core/contacts/customer-fields.ts'

describe('payers as people write them', () => {
  it.each([
    ['Grace Nakato +256 772 000001', 'Grace Nakato', '+256 772 000001'],
    ['+256772000001', '', '+256772000001'],
    ['Mother: 0772-000001', 'Mother', '0772-000001'],
    ['Uncle (London) +44 7700 900123', 'Uncle (London)', '+44 7700 900123'],
    ['Bus 2 driver ٠٧٧٢٠٠٠٠٠١', 'Bus 2 driver', '٠٧٧٢٠٠٠٠٠١'],
  ])('%s', (text, name, phone_number) => expect(splitPayers(text)).toEqual([{ name, phone_number }]))

  it('are several with semicolons or lines between them, and what has no number is named', () => {
    expect(splitPayers('Grace +256772000001; \n Father 0772000002\n')).toHaveLength(2)
    expect(payerList.safeParse('Grace').error?.issues).toMatchObject([
      { message: 'Enter a valid phone number (e.g. +256772000001).' },
    ])
  })

  it('are read in time that grows with the text alone', () => {
    expect(splitPayers('1 '.repeat(50_000))).toHaveLength(1)
  })
})

describe('tags', () => {
  it('are a list, a JSON text of one, or a text with commas, without blanks and each once', () => {
    for (const given of [['P5 ', ' p5', 'Bus   2'], '["P5","p5","Bus 2"]', 'P5, p5; Bus 2,,'])
      expect(tagList.parse(given)).toEqual(['P5', 'Bus 2'])
  })

  it('are refused at once if they are very many, as payers are', () => {
    for (const given of [',0'.repeat(500_000), Array.from({ length: 1_001 }, () => 'P5')])
      expect(tagList.safeParse(given).error?.issues).toMatchObject([{ message: 'A contact has at most 20 tags.' }])
    const payers = '+256772000001;'.repeat(70_000)
    expect(payerList.safeParse(payers).error?.issues).toMatchObject([{ message: 'A contact has at most 10 payers.' }])
  })
})
