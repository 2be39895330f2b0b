import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLines } from '../../src/lib/csv.ts'

describe('CSV', () => {
  it('has commas, CRLF, and quotes where they are needed', () => {
    const rows = [
      ['id', 'reason'],
      [1, 'plain'],
      [2, 'a, "b"\nc'],
      [3, null],
    ]
    expect(csvLines(rows)).toBe('id,reason\r\n1,plain\r\n2,"a, ""b""\nc"\r\n3,\r\n')
  })

  it('keeps together cells that a spreadsheet of another country would split', () => {
    const cells = ['a;b', ';=1+1', 'a\tb', 'a', -1.5]
    const line = '"a;b",";=1+1","a\tb",a,-1.5\r\n'
    expect(csvLines([cells])).toBe(line)
    expect(parse(csvLines([['x;=1+1']]), { delimiter: ';' })).toEqual([['x;=1+1']])
  })

  it('puts an apostrophe before texts that a spreadsheet would run as formulas, and leaves numbers unchanged', () => {
    const formulas = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '＝1']
    expect(parse(csvLines([formulas]))).toEqual([formulas.map((text) => `'${text}`)])
    const numbers = ['+256772000001', '-1500.0000', '+1', '12']
    expect(csvLines([numbers])).toBe(`${numbers.join(',')}\r\n`)
  })

  it('reads back any text unchanged', () => {
    const unit = fc.constantFrom('a', '"', ',', ';', '\r', '\n', ' ', 'é', '😀', '=')
    const text = fc.string({ unit, maxLength: 8 }).filter((one) => !/^[=\r\n]/.test(one))
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }), (rows) => {
        expect(parse(csvLines(rows), { record_delimiter: '\r\n', skip_empty_lines: false })).toEqual(rows)
      }),
    )
  })
})
