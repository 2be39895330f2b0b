import { describe, expect, it } from 'vitest'
import { readSheet } from '../../../src/lib/sheets/read-sheet.ts'
import {
  FileRefused,
  type SheetFacts,
  SheetNotChosen,
  type SheetRow,
  uploadLimits,
} from '../../../src/lib/sheets/sheet.ts'
import { textRow, workbookOf } from './workbook.ts'

async function read(file: Buffer | string, options: { sheet?: string; explained?: string[] } = {}) {
  const rows: SheetRow[] = []
  let facts: SheetFacts | undefined
  for await (const chunk of readSheet(Buffer.from(file), { limits: uploadLimits, ...options })) {
    rows.push(...chunk.rows)
    facts = chunk.facts
  }
  return { rows, texts: rows.map(({ number, cells }) => [number, ...cells.map(({ text }) => text)]), facts: facts! }
}

describe('a workbook', () => {
  it('is read as a person sees it: hidden rows, columns and sheets are left out and named', async () => {
    const rows = [
      textRow(1, ['Phone', 'Secret', 'Amount']),
      textRow(2, ['1', 'x', '5']),
      textRow(3, ['2', 'x', '6'], 'hidden="1"'),
      textRow(4, ['3', 'x', '7'], 'ht="0" customHeight="1"'),
      textRow(5, ['4', '', '8']),
    ]
    const before = '<cols><col min="2" max="2" width="9" hidden="1"/></cols>'
    const file = workbookOf({
      sheets: [
        { name: 'Old', state: 'veryHidden', rows: textRow(1, ['a']) },
        { name: 'Pay', before, rows: rows.join('') },
      ],
    })
    const { texts, facts } = await read(file)
    expect(texts).toEqual([
      [1, 'Phone', '', 'Amount'],
      [2, '1', '', '5'],
      [5, '4', '', '8'],
    ])
    expect(facts).toMatchObject({
      sheet: 'Pay',
      hidden_sheets: ['Old'],
      hidden_rows: [3, 4],
      hidden_row_count: 2,
      hidden_columns: ['B'],
    })
  })

  it('has one empty cell, however far to the right its rows go', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `<row><c r="IV${index + 1}"><v>1</v></c></row>`)
    const read_rows = (await read(workbookOf({ sheets: [{ rows: rows.join('') }] }))).rows
    const empty = read_rows.flatMap(({ cells }) => cells.filter(({ text }) => text === ''))
    expect(empty).toHaveLength(2_550)
    expect(new Set(empty).size).toBe(1)
  })

  it('with several sheets is asked about, unless one is empty or explains a template', async () => {
    const sheets = [
      { name: 'March', rows: textRow(1, ['a']) },
      { name: 'April', rows: textRow(1, ['b']) },
      { name: 'Empty' },
    ]
    const file = workbookOf({ sheets })
    await expect(read(file)).rejects.toThrow(new SheetNotChosen(['March', 'April']))
    expect((await read(file, { sheet: 'April' })).texts).toEqual([[1, 'b']])
    await expect(read(file, { sheet: 'May' })).rejects.toThrow('no visible sheet "May"')
    const template = workbookOf({
      sheets: [
        { rows: textRow(1, ['a']) },
        { name: 'Columns', rows: textRow(1, ['Phone', 'The phone.']) + textRow(2, ['Amount', 'Digits.']) },
      ],
    })
    expect((await read(template, { explained: ['Phone', 'Amount'] })).texts).toEqual([[1, 'a']])
  })

  it('has cells of every kind', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0&quot;d&quot;"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/></cellXfs></styleSheet>`
    const shared = '<sst><si><r><t>Zo</t></r><r><t>ë</t></r><rPh><t>no</t></rPh></si></sst>'
    const cells =
      '<c t="s"><v>0</v></c><c><v>2.5E+3</v></c><c s="1"><v>46354.75</v></c><c s="2"><v>46354</v></c><c s="3"><v>7</v></c>' +
      '<c><f>A1</f><v>5</v></c><c><f>A1</f></c><c t="e"><f>A1</f><v>#REF!</v></c><c t="b"><v>1</v></c><c t="d"><v>2026-11-28T12:00:00</v></c>'
    const file = workbookOf({
      sheets: [{ rows: `<row>${cells}</row>` }],
      parts: { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': shared },
    })
    expect((await read(file)).rows[0]!.cells).toEqual([
      { text: 'Zoë' },
      { text: '2.5E+3', kind: 'number' },
      { text: '2026-11-28 18:00:00', kind: 'date' },
      { text: '2026-11-28', kind: 'date' },
      { text: '7', kind: 'number' },
      { text: '5', kind: 'formula' },
      { text: '', kind: 'formula' },
      { text: '#REF!', kind: 'error' },
      { text: 'TRUE' },
      { text: '2026-11-28 12:00:00', kind: 'date' },
    ])
  })

  it('is refused when all its sheets are hidden', async () => {
    const file = workbookOf({ sheets: [{ state: 'hidden', rows: textRow(1, ['a']) }] })
    await expect(read(file)).rejects.toThrow('All sheets of this Excel file are hidden')
  })
})

describe('a CSV file', () => {
  it('is read in the encodings of spreadsheets', async () => {
    const text = 'name;amount\r\nZoë;5\r\n'
    const files: [Buffer, string][] = [
      [Buffer.from(text), 'UTF-8'],
      [Buffer.from(`\ufeff${text}`), 'UTF-8'],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
      [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'UTF-16'],
      [Buffer.from(text, 'utf16le'), 'UTF-16'],
      [Buffer.from(text, 'latin1'), 'Windows-1252'],
    ]
    for (const [file, encoding] of files) {
      const { texts, facts } = await read(file)
      expect([facts.encoding, ...texts]).toEqual([encoding, [1, 'name', 'amount'], [2, 'Zoë', '5']])
    }
  })

  it('has the separator that it names, or that is there most', async () => {
    expect((await read('sep=|\na,b|c\n')).texts).toEqual([[2, 'a,b', 'c']])
    expect((await read('A title, with a comma\nid;amount\n1;"2,5;"\n2;3\n')).texts[2]).toEqual([3, '1', '2,5;'])
  })

  it('has the most regular separator, whatever stands in its amounts and texts', async () => {
    const last = async (text: string) => (await read(text)).texts.at(-1)
    const tabs = 'id\tdate\tamount\nA\t1\t1,500,000.00 of 12,500,000.00\nB\t1\t1,500,000.00 of 2,500,000.00\n'
    expect(await last(tabs)).toEqual([3, 'B', '1', '1,500,000.00 of 2,500,000.00'])
    expect(await last('id;fee\nA;1,5, 2,5\nB;1,5, paid, in full\n')).toEqual([3, 'B', '1,5, paid, in full'])
    expect(await last('A shop for 5" pipes\nid;amount\nA;1500\n')).toEqual([3, 'A', '1500'])
    expect(await last('name,note\nAnn,a;b\nBen,a;b;c\nEve,\n')).toEqual([4, 'Eve', ''])
    expect(await last('id,amount\n')).toEqual([1, 'id', 'amount'])
  })

  it('has a quotation mark after a blank at the beginning of a cell', async () => {
    expect((await read('id, amount, name\nA, "1,500.00", "Ann, B" \n')).texts.at(-1)).toEqual([
      2,
      'A',
      '1,500.00',
      'Ann, B',
    ])
    expect((await read('id,name\nA, "Ann\nB,Ben\n')).rows.map(({ problem }) => problem !== undefined)).toEqual([
      false,
      true,
      false,
    ])
  })

  it('is read on after a line with an open quotation mark', async () => {
    const { rows } = await read('a,b\n1,"two ""2"""\n"3\n4,x "y" z\n')
    expect(rows).toEqual([
      { number: 1, cells: [{ text: 'a' }, { text: 'b' }] },
      { number: 2, cells: [{ text: '1' }, { text: 'two "2"' }] },
      { number: 3, cells: [], problem: 'a quotation mark is opened in this line and not closed' },
      { number: 4, cells: [{ text: '4' }, { text: 'x "y" z' }] },
    ])
  })
})

it('two files are read at a time, and a file that nobody reads to its end leaves its place', async () => {
  const file = Buffer.from(`a,b\n${'1,2\n'.repeat(9_000)}`)
  for (let index = 0; index < 5; index += 1)
    for await (const { rows } of readSheet(file, { limits: uploadLimits })) {
      expect(rows[0]!.number).toBe(1)
      break
    }
  const counts = await Promise.all(Array.from({ length: 4 }, async () => (await read(file)).rows.length))
  expect(counts).toEqual([9_001, 9_001, 9_001, 9_001])
})

it('a file that takes too long or too much memory is refused in words', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => textRow(index + 1, ['1', '2', '3'])).join('')
  const file = workbookOf({ sheets: [{ rows }] })
  const first = (limits: typeof uploadLimits) => readSheet(file, { limits }).next()
  await expect(first({ ...uploadLimits, time_ms: 0 })).rejects.toThrow(/takes too long/)
  await expect(first({ ...uploadLimits, memory_mb: 4 })).rejects.toThrow(FileRefused)
})

it.each([
  ['levels', '<a>'.repeat(2_000_000)],
  ['attributes', `<worksheet ${Array.from({ length: 300_000 }, (_, at) => `a${at}=""`).join(' ')}/>`],
])('a workbook with endless %s is refused before it takes memory', async (_, xml) => {
  const file = workbookOf({ sheets: [{ xml }] })
  const reading = readSheet(file, { limits: { ...uploadLimits, memory_mb: 64 } }).next()
  await expect(reading).rejects.toThrow('cannot be read')
})
