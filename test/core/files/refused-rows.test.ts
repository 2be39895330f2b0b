import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import writeXlsx from 'write-excel-file/node'
import { readContactFile } from '../../../src/core/contacts/import/columns.ts'
import { cellText, refusedRowsOf } from '../../../src/core/files/refused-rows.ts'
import { readInvoiceFile } from '../../../src/core/invoices/batches/columns.ts'
import { readPaymentFile } from '../../../src/core/payments/bulk/columns.ts'
import { readRequestFile } from '../../../src/core/request-batches/columns.ts'
import { toCsv } from '../../../web/files/csv.ts'
import type { FileTable } from '../../../web/files/file-table.ts'
import writeWorkbook from '../../../web/files/workbook.ts'

const imports = [
  ['contacts', readContactFile, ['Phone', 'Full name', 'Admission No', 'Class', 'Mother phone', 'Bus']],
  ['payments', readPaymentFile, ['MSISDN', 'Recipient', 'Montant', 'Reference', 'Wallet', 'Shift']],
  ['invoices', readInvoiceFile, ['Phone', 'Student', 'Unit price', 'Quantity', 'VAT', 'Due date']],
  ['requests', readRequestFile, ['Simu', 'Jina', 'Kiasi', 'Expiry', 'Reason', 'Instructions']],
] as const

/** Texts that spreadsheets change, or that other files would split. */
const hard = [
  ['+256772000001', 'Zoë "Z" Nakato', '1,500', '28/02/2030', '=1+1', 'Bus 1; Bus 2'],
  ['0772000002', 'two\nlines', '1500.5', '00123', '18', '@home'],
  ['256772000003', "O'Neil, Ann", '2.5E+11', '2030-02-28', '-', '12:30'],
]

/** The ways in which people save a file that they have corrected. */
const ways: [string, (table: FileTable) => Promise<Buffer>][] = [
  ['as it is', async (table) => Buffer.from(`\ufeff${toCsv(table)}`)],
  [
    'by LibreOffice, with semicolons and quotes',
    async (table) => resave(table, { delimiter: ';', quoted_string: true }),
  ],
  ['by Excel, with tabs in UTF-16', async (table) => utf16(resave(table, { delimiter: '\t' }))],
  ['as a workbook', async (table) => Buffer.from(await (await writeWorkbook(table)).arrayBuffer())],
  ['from CSV to a workbook', async (table) => writeXlsx(opened(table).map((row) => row.map(toCell))).toBuffer()],
]

describe.each(imports)('refused rows of a file of %s', (_, read, titles) => {
  it.each(ways)('are read again with all columns when they were saved %s', async (_way, save) => {
    const file = await read({ name: 'first.csv', bytes: Buffer.from(stringify([titles, ...hard], { bom: true })) })
    const refused = refusedRowsOf(file, file.rows.map(toRefused))
    expect(refused.titles).toEqual([...titles, 'row', 'problems'])
    const again = await read({ name: 'again', bytes: await save(refused) })
    expect(again.ignored_columns).toEqual(file.ignored_columns)
    expect(again.rows.map(({ cells }) => textsOf(cells))).toEqual(file.rows.map(({ cells }) => textsOf(cells)))
    // A second refusal has the same columns.
    expect(refusedRowsOf(again, again.rows.map(toRefused)).titles).toEqual(refused.titles)
  })
})

it('cells of a workbook are read again as the same numbers and days', async () => {
  const head = ['Phone', 'Student', 'Unit price', 'Quantity', 'VAT', 'Due date'].map((value) => ({ value }))
  const date = { value: new Date('2030-02-28T00:00:00Z'), format: 'yyyy-mm-dd' }
  const cells = [{ value: 256772000001 }, { value: 'Ann' }, { value: 0.1 + 0.2 }, { value: 1.125 }, { value: 18 }, date]
  const file = await readInvoiceFile({ name: 'first.xlsx', bytes: await writeXlsx([head, cells]).toBuffer() })
  const refused = refusedRowsOf(file, file.rows.map(toRefused))
  expect(refused.rows).toEqual([['256772000001', 'Ann', '0.3', '1.1250', '18', '2030-02-28', '2', 'It is wrong.']])
})

it('any text comes back as it was', async () => {
  const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.trim())
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        cell.filter((text) => !/^'[\d.,=+\-@]/.test(text)),
        { minLength: 1 },
      ),
      async (names) => {
        const rows = names.map((name) => ['+256772000001', name, '5'])
        const table = { titles: ['Phone', 'Name', 'Amount'], rows }
        const { rows: again } = await readPaymentFile({ name: 'a.csv', bytes: Buffer.from(toCsv(table)) })
        expect(again.map(({ cells }) => cells.name?.text ?? '')).toEqual(names)
      },
    ),
    { numRuns: 30 },
  )
})

function toRefused({ number }: { number: number }) {
  return { number, state: 'refused', problems: [{ message: 'It is wrong.' }, { message: 'It is wrong.' }] }
}

function textsOf(cells: Record<string, { text: string } | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, cellText(cell)]))
}

/** The cells that a spreadsheet has after it opened the CSV: what it takes for a number has lost its form. */
function opened(table: FileTable): string[][] {
  const rows: string[][] = parse(toCsv(table), { relax_column_count: true })
  return rows.map((row) => row.map((text) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? shownNumber(Number(text)) : text)))
}

function shownNumber(value: number): string {
  return Math.abs(value) < 1e11 ? String(value) : value.toExponential(5).toUpperCase()
}

function toCell(text: string) {
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { value: text }
}

function resave(table: FileTable, options: { delimiter: string; quoted_string?: boolean }): Buffer {
  return Buffer.from(
    `\ufeff${stringify(opened(table), { ...options, record_delimiter: 'windows', quoted_match: /\n/ })}`,
  )
}

function utf16(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString(), 'utf16le')
}
