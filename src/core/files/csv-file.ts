import { CsvError, parse } from 'csv-parse/sync'
import type { Cell } from './cells.ts'
import { fileError } from './file-error.ts'

const NOT_UTF8 =
  'The text of this file is not in UTF-8, so letters would be lost. In Excel, save it as "CSV UTF-8 (Comma delimited)".'

/** Reads the rows of a CSV file with commas, semicolons or tabs. @param most rows that are read at most @throws Invalid */
export function readCsv(bytes: Uint8Array, most: number): Cell[][] {
  const text = decode(bytes)
  try {
    const records = parse(text, { delimiter: delimiterOf(text), relax_column_count: true, to: most }) as string[][]
    return records.map((record) => record.map(toCell))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw fileError(`This is not a CSV file that can be read: ${error.message}`)
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw fileError(NOT_UTF8)
  }
  if (text.includes('\0')) throw fileError('This is no CSV file and no Excel file (.xlsx).')
  return text
}

/** The sign between the titles: the one that is there most. */
function delimiterOf(text: string): string {
  const titles =
    text
      .slice(0, 2_000)
      .split(/\r?\n/)
      .find((line) => line.trim()) ?? ''
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: titles.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]!.sign
}

function toCell(text: string): Cell {
  const plain = text.trim()
  return plain.startsWith('=') ? { text: plain, kind: 'formula' } : { text: plain }
}
