import { csvFile } from './csv-file.ts'
import { pdfFile } from './pdf-file.ts'
import type { Table, TableFormat } from './table.ts'
import { xlsxFile } from './xlsx-file.ts'

export const tableMediaTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

/** Tells a spreadsheet that the text is UTF-8; without it Excel shows "é" as "Ã©". */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * The bytes of a table as a file. CSV comes in chunks, so that it may have any length; the others come whole.
 * @throws TooManyRows before the first byte
 */
export async function tableFile(table: Table, format: TableFormat): Promise<AsyncIterable<string> | Buffer> {
  if (format === 'xlsx') return xlsxFile(table)
  if (format === 'pdf') return pdfFile(table)
  return csvChunks(table)
}

async function* csvChunks(table: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  yield* csvFile(table)
}
