import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Table, TableRow } from '../../../src/lib/table-files/table.ts'
import { tableFile } from '../../../src/lib/table-files/table-file.ts'
import { MAX_XLSX_ROWS } from '../../../src/lib/table-files/xlsx-file.ts'

const ROW: TableRow = [
  new Date('2030-01-31T21:30:00Z'),
  '+256772000001',
  '=HYPERLINK("x")',
  15_005_000n,
  7,
  '2030-01-31',
]

function table(chunks: Iterable<TableRow[]>, totals: TableRow[] = []): Table {
  return {
    name: 'statement',
    title: 'Statement of Main',
    organization: 'Shop',
    facts: [['Period', 'January']],
    columns: [
      { name: 'time', title: 'Time', kind: 'time' },
      { name: 'phone', title: 'Phone', kind: 'code' },
      { name: 'note', title: 'Note', kind: 'text' },
      { name: 'amount', title: 'Amount', kind: 'amount' },
      { name: 'count', title: 'Count', kind: 'count' },
      { name: 'day', title: 'Day', kind: 'day' },
    ],
    chunks: (async function* () {
      yield* chunks
    })(),
    totals: () => totals,
    zone: 'Africa/Kampala',
    created: new Date('2030-02-01T00:00:00Z'),
  }
}

describe('a table as CSV', () => {
  it('has ISO times of its zone, plain amounts, and texts that a spreadsheet neither runs nor counts', async () => {
    let text = ''
    for await (const chunk of (await tableFile(table([[ROW]]), 'csv')) as AsyncIterable<string>) text += chunk
    expect(text).toBe(
      '\ufefftime,phone,note,amount,count,day\r\n' +
        `2030-02-01T00:30:00+03:00,'+256772000001,"'=HYPERLINK(""x"")",1500.5000,7,2030-01-31\r\n`,
    )
  })

  it('is written as fast as it is read, so that a million rows need no more memory than a thousand', async () => {
    let made = 0
    function* chunks() {
      for (; made < 1_000; made += 1) yield Array.from({ length: 1_000 }, () => ROW)
    }
    const lines = ((await tableFile(table(chunks()), 'csv')) as AsyncIterable<string>)[Symbol.asyncIterator]()
    for (let index = 0; index < 5; index += 1) await lines.next()
    // Five pieces were taken, of which the mark and the names of the columns are two.
    expect(made).toBeLessThanOrEqual(3)
    await lines.return?.()
  })
})

describe('a table as workbook', () => {
  it('has numbers, dates as the clocks of its zone show them, texts, and bold totals', async () => {
    const bytes = (await tableFile(table([[ROW]], [[null, null, 'Total', 15_005_000n, 7, null]]), 'xlsx')) as Buffer
    const files = unzipSync(bytes)
    const read = (name: string) => Buffer.from(files[name]!).toString()
    const sheet = read('xl/worksheets/sheet1.xml')
    expect(sheet).toMatch(/<c r="D2"[^>]*><v>1500.5<\/v>/)
    expect(sheet).toMatch(/<c r="E2"[^>]*><v>7<\/v>/)
    // 47515 is 1 February 2030, half an hour after midnight.
    expect(sheet).toMatch(/<c r="A2"[^>]*><v>47515.0208333/)
    expect(sheet).toMatch(/<c r="F2"[^>]*><v>47514<\/v>/)
    expect(sheet).not.toContain('<f>')
    expect(sheet).toMatch(/<c r="B2"[^>]*t="s"/)
    expect(read('xl/sharedStrings.xml')).toContain('=HYPERLINK')
    expect(sheet).toMatch(/<c r="D3" s="\d+"><v>1500.5<\/v>/)
  })

  it('refuses more rows than it holds', async () => {
    const rows = [Array.from({ length: MAX_XLSX_ROWS + 1 }, () => ROW)]
    await expect(tableFile(table(rows), 'xlsx')).rejects.toThrow(`A workbook holds at most ${MAX_XLSX_ROWS} rows.`)
    await expect(tableFile(table(rows), 'pdf')).rejects.toThrow('A PDF holds at most 5000 rows.')
  })
})

describe('a table as PDF', () => {
  it('has pages with the head of the columns, and is the same each time', async () => {
    const rows = () => table([Array.from({ length: 60 }, () => ROW)])
    const [one, other] = (await Promise.all([tableFile(rows(), 'pdf'), tableFile(rows(), 'pdf')])) as [Buffer, Buffer]
    expect(one.subarray(0, 5).toString()).toBe('%PDF-')
    expect(one.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1)
    expect(one.equals(other)).toBe(true)
  })
})
