import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../web/csv.ts'

describe('a list as CSV', () => {
  it('has a column for each field of objects, nothing for null, and no JSON', () => {
    const rows = [
      {
        id: 1,
        note: null,
        phone_nos: [
          { amount: '5.0000', error: null },
          { amount: '6.0000', error: 'No' },
        ],
      },
      { id: 2, metadata: { order: '7' }, contact: { first_name: 'Jane' } },
    ]
    expect(toCsv(rows)).toBe(
      'id,note,phone_nos,metadata.order,contact.first_name\r\n' +
        '1,,"amount 5.0000; amount 6.0000, error No",,\r\n2,,,7,Jane\r\n',
    )
  })

  it('escapes formulas of spreadsheets, keeps phone numbers as texts, and does not change amounts', () => {
    expect(toCsv([{ a: '=1+1', b: '@x', phonenumber: '+256772000001', d: '-12.5000', e: '＝1', f: '-2+3' }])).toBe(
      "a,b,phonenumber,d,e,f\r\n'=1+1,'@x,'+256772000001,-12.5000,'＝1,'-2+3\r\n",
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
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}
