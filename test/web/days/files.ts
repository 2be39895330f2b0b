import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Amount, parseAmount } from '../../../src/lib/money.ts'
import { readSheet } from '../../../src/lib/sheets/read-sheet.ts'
import { type SheetNotChosen, type SheetRow, uploadLimits } from '../../../src/lib/sheets/sheet.ts'

/* Files that the console saves, and their contents. */

/** The file that a click saves. */
export async function saved(page: Page, link: Locator): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return readFile(await file.path())
}

type Entry = 'CSV' | 'Excel (XLSX)' | 'PDF' | 'Columns shown (CSV)'

/** The file of an entry of a download menu, which a phone folds with the other actions of a page. */
export async function download(page: Page, entry: Entry, button = 'Download'): Promise<Buffer> {
  const menu = page.getByRole('button', { name: button, exact: true })
  const more = page.getByRole('button', { name: 'More actions' })
  await menu.or(more).first().waitFor()
  if ((await menu.count()) === 0) await more.click()
  await menu.click()
  return saved(page, page.getByRole('menuitem', { name: entry, exact: true }))
}

export const readCsv = (file: Buffer): Record<string, string>[] => parse(file, { bom: true, columns: true })

/** The text of all pages of a PDF. */
export async function readPdf(file: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(file)
  const pages = Array.from({ length: document.getPageCount() }, (_, index) => document.getPage(index).getText())
  document.destroy()
  library.destroy()
  return pages.join('\n')
}

/** The rows of the statement in a workbook, by the names of the columns of a CSV file. Another sheet says what it is. */
export async function readWorkbook(file: Buffer): Promise<Record<string, string>[]> {
  const { sheets } = (await readSheet(file, { limits: uploadLimits })
    .next()
    .catch((error: unknown) => error)) as SheetNotChosen
  const sheet = sheets.find((name) => name.startsWith('Statement of'))!
  const rows: SheetRow[] = []
  for await (const chunk of readSheet(file, { limits: uploadLimits, sheet })) rows.push(...chunk.rows)
  const [head, ...cells] = rows.map((row) => row.cells)
  const titles = { description: 'Description', money_in: 'Money in', money_out: 'Money out', balance: 'Balance' }
  const columns = Object.entries(titles).map(
    ([name, title]) => [name, head!.findIndex(({ text }) => text === title)] as const,
  )
  return cells.map((row) => Object.fromEntries(columns.map(([name, index]) => [name, row[index]?.text ?? ''])))
}

/** Add up a statement: its opening balance, the sum of all lines, and the closing balance that it states. */
export function sumUp(rows: Record<string, string>[]) {
  const amount = (row: Record<string, string>, name: string): Amount => (row[name] ? parseAmount(row[name])! : 0n)
  const [first, last] = [rows[0]!, rows.at(-1)!]
  expect([first.description, last.description]).toEqual(['Opening balance', 'Closing balance'])
  const lines = rows.slice(1, -1)
  const opening = amount(first, 'balance')
  const moved = lines.reduce((all, row) => all + amount(row, 'money_in') - amount(row, 'money_out'), 0n)
  return { opening, moved, closing: amount(last, 'balance'), lines: lines.length }
}
