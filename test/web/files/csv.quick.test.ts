import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { zonedTimestamp } from '../../../src/lib/text/zoned-times.ts'
import { toCsv } from '../../../web/files/csv.ts'
import { fieldsTable } from '../../../web/files/file-table.ts'
import writeWorkbook from '../../../web/files/workbook.ts'
import { showTimesIn } from '../../../web/format.ts'

afterEach(() => showTimesIn(undefined))

const fieldsCsv = (rows: Record<string, unknown>[]) => toCsv(fieldsTable(rows))

describe('all fields of a list as CSV', () => {
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
    expect(fieldsCsv(rows)).toBe(
      'id,note,phone_nos,metadata.order,contact.first_name\r\n' +
        '1,,"amount 5.0000; amount 6.0000, error No",,\r\n2,,,7,Jane\r\n',
    )
  })

  it('escapes formulas of spreadsheets, keeps phone numbers as texts, and does not change amounts', () => {
    expect(fieldsCsv([{ a: '=1+1', b: '@x', phonenumber: '+256772000001', d: '-12.5000', e: '＝1', f: '-2+3' }])).toBe(
      "a,b,phonenumber,d,e,f\r\n'=1+1,'@x,'+256772000001,-12.5000,'＝1,'-2+3\r\n",
    )
  })

  it('opens settings that are a text, and leaves what a person has typed', () => {
    const rows = [
      { subscription_settings: '{"months":"1,2","end_date":null}', reason: '[]', note: '{"a":1}', tags: ['[1]'] },
    ]
    expect(fieldsTable(rows)).toMatchObject({
      titles: ['subscription_settings.months', 'subscription_settings.end_date', 'reason', 'note', 'tags'],
      rows: [['1,2', null, '[]', '{"a":1}', '[1]']],
    })
  })

  it('has times in the time zone of the organization, and typed text unchanged', () => {
    showTimesIn('Africa/Kampala')
    const rows = [
      { created: '2030-01-31T22:30:00Z', expiry_date: '2030-01-31 12:00:00.000000+00:00', reason: '2030-01-31 12:00' },
      { created: null, expiry_date: '', reason: '2030-01-31T12:00:00Z is too late' },
    ]
    expect(fieldsCsv(rows)).toBe(
      'created,expiry_date,reason\r\n2030-02-01T01:30:00+03:00,2030-01-31T15:00:00+03:00,2030-01-31 12:00\r\n' +
        ',,2030-01-31T12:00:00Z is too late\r\n',
    )
  })

  it('writes each time as reports and statements do, even where the clocks change', () => {
    const zones = fc.constantFrom('UTC', 'Africa/Nairobi', 'Africa/Casablanca', 'Africa/Cairo', 'Asia/Kathmandu')
    const times = fc.date({ min: new Date('2001-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(zones, times, (zone, at) => {
        showTimesIn(zone)
        expect(fieldsCsv([{ at: at.toISOString() }])).toBe(`at\r\n${zonedTimestamp(at, zone)}\r\n`)
      }),
    )
  })

  it('parses back to the same rows', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: fc.string(), two: fc.string() }), { minLength: 1 }), (rows) => {
        const escaped = rows.map(({ one, two }) => [one, two].map(asShown))
        expect(parse(fieldsCsv(rows), { record_delimiter: '\r\n' })).toEqual([['one', 'two'], ...escaped])
      }),
    )
  })
})

describe('a list as a workbook', () => {
  it('has times in the time zone of the organization', async () => {
    showTimesIn('Africa/Lagos')
    const file = await writeWorkbook(fieldsTable([{ id: 1, created: '2030-01-31T23:30:00Z', amount: '1500.5000' }]))
    const files = unzipSync(new Uint8Array(await file.arrayBuffer()))
    const sheet = Buffer.from(files['xl/worksheets/sheet1.xml']!).toString()
    // 47515 is 1 February 2030, half an hour after midnight.
    expect(sheet).toMatch(/<c r="B2"[^>]*><v>47515.0208333/)
    expect(sheet).toMatch(/<c r="C2"[^>]*><v>1500.5<\/v>/)
  })
})

const DIGITS = /^[+-]?[.,]?\d[\d.,:/\s-]*(e[+-]?\d+)?$/i
const KEPT = /^(-?(0|[1-9]\d{0,10})(\.\d{1,4})?$|\d{4}-\d\d-\d\d($|[T ]))/

function asShown(text: string): string {
  return (/^[=+\-@\t\r\n＝＋－＠]/.test(text) || DIGITS.test(text)) && !KEPT.test(text) ? `'${text}` : text
}
