import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../web/csv.ts'

describe('a list as CSV', () => {
  it('has the fields of all rows, objects as JSON, and nothing for null', () => {
    const rows = [
      { id: 1, note: null },
      { id: 2, metadata: { order: '7' } },
    ]
    expect(toCsv(rows)).toBe('id,note,metadata\r\n1,,\r\n2,,"{""order"":""7""}"\r\n')
  })

  it('escapes formulas of spreadsheets, and does not change phone numbers and amounts', () => {
    expect(toCsv([{ a: '=1+1', b: '@x', c: '+256772000001', d: '-12.5000' }])).toBe(
      "a,b,c,d\r\n'=1+1,'@x,+256772000001,-12.5000\r\n",
    )
  })

  it('parses back to the same rows', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: fc.string(), two: fc.string() }), { minLength: 1 }), (rows) => {
        const escaped = rows.map(({ one, two }) => [one, two].map(asShown))
        expect(parse(toCsv(rows), { record_delimiter: '\r\n' })).toEqual([['one', 'two'], ...escaped])
      }),
    )
  })
})

function asShown(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text) ? `'${text}` : text
}
