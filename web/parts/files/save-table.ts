import { toCsv } from '../../files/csv.ts'
import type { FileTable } from '../../files/file-table.ts'
import { saveFile } from './save-file.ts'

/** Kinds of files that the console writes. */
export type SavedFormat = 'csv' | 'xlsx'

/** Let the browser save a table. @param name without its ending */
export async function saveTable(name: string, table: FileTable, format: SavedFormat): Promise<void> {
  saveFile(`${name}.${format}`, format === 'csv' ? csvBlob(table) : await workbook(table))
}

/** Make a CSV file. The mark at the beginning tells a spreadsheet that the text is UTF-8. */
function csvBlob(table: FileTable): Blob {
  return new Blob(['\ufeff', toCsv(table)], { type: 'text/csv;charset=utf-8' })
}

/** The library for workbooks is loaded when the first one is written. */
async function workbook(table: FileTable): Promise<Blob> {
  const { default: writeWorkbook } = await import('../../files/workbook.ts')
  return writeWorkbook(table)
}
