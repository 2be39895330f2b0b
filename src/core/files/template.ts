import { type FileColumns, templateColumns } from './titles.ts'

/** An empty file. The CSV begins with a byte order mark, without which Excel does not read UTF-8. */
export function csvTemplate<Column extends string>(columns: FileColumns<Column>): string {
  const titles = templateColumns(columns).map((column) => columns.titles[column])
  return `\ufeff${titles.join(',')}\r\n`
}

/** Layout of the Excel template of a kind of file. */
export interface Workbook<Column extends string> {
  /** The name of the sheet for the rows. */
  sheet: string
  /** The widths of the columns, in characters. */
  widths: Readonly<Partial<Record<Column, number>>>
  /** Content of each column, for the second sheet. */
  explanations: Readonly<Partial<Record<Column, string>>>
}

const USUAL_WIDTH = 20

/** Rows of the template whose cells are text already, so that Excel keeps zeros and plus signs. */
const PREPARED_ROWS = 500

/** An empty file as .xlsx, with an explanation of its columns on a second sheet. */
export async function xlsxTemplate<Column extends string>(
  columns: FileColumns<Column>,
  { sheet, widths, explanations }: Workbook<Column>,
): Promise<Buffer> {
  const { default: writeXlsx } = await import('write-excel-file/node')
  const names = templateColumns(columns)
  const head = names.map((column) => ({ value: columns.titles[column], fontWeight: 'bold' as const }))
  const text = names.map(() => ({ value: '', type: String, format: '@' }))
  const lines = names.map((column) => [
    { value: columns.titles[column] },
    { value: explanations[column] ?? '', wrap: true },
  ])
  return writeXlsx([
    {
      sheet,
      data: [head, ...Array.from({ length: PREPARED_ROWS }, () => text)],
      columns: names.map((column) => ({ width: widths[column] ?? USUAL_WIDTH })),
    },
    { sheet: 'Columns', data: lines, columns: [{ width: 16 }, { width: 90 }] },
  ]).toBuffer()
}
