import { inflateRawSync } from 'node:zlib'
import { type AsyncFlateStreamHandler, strFromU8, Unzip, type Zippable, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { Invalid } from '../refusals.ts'
import type { Cell } from './cells.ts'
import { fileError } from './file-error.ts'

/** What a file may be unpacked: ten thousand rows take a tenth of it. More is an attack or a mistake. */
const MAX_UNPACKED_BYTES = 32 * 1_048_576
const MAX_ENTRIES = 500

const UNREADABLE = 'This Excel file cannot be read. Open it in Excel, save it again as .xlsx, or save it as CSV UTF-8.'
const TOO_LARGE = 'This Excel file is too large when it is unpacked. Delete other sheets, pictures and empty rows.'

/** Reads the rows of the first sheet of an .xlsx file. @param most rows that are read at most @throws Invalid */
export async function readXlsx(bytes: Uint8Array, most: number): Promise<Cell[][]> {
  const entries = unpack(bytes)
  const sheet = firstSheet(entries)
  const merged = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z0-9:]{1,30})"/.exec(sheet)?.[1]
  if (merged) throw fileError(`The cells ${merged} are merged. Unmerge them, so that each row has its own cells.`)
  const formulas = findFormulas(sheet)
  const data = await readPacked(entries)
  const first = Number(/<(?:\w+:)?row\s[^<>]*?\br="(\d{1,7})"/.exec(sheet)?.[1] ?? 1)
  const rows = data
    .slice(0, most)
    .map((row, index) => row.map((value, column) => toCell(value, formulas.has(`${letters(column)}${first + index}`))))
  // The library begins with the first row that has cells.
  return [...Array.from({ length: Math.min(first - 1, most) }, () => []), ...rows]
}

/** Unpacks the texts of a file. It counts what it unpacks, because what a file says about its sizes may be wrong. */
function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>()
  let left = MAX_UNPACKED_BYTES
  let count = 0
  const unzip = new Unzip((file) => {
    count += 1
    if (count > MAX_ENTRIES) throw fileError(TOO_LARGE)
    if (!/\.(xml|rels)$/i.test(file.name)) return
    file.ondata = (_error, packed) => {
      const text = file.compression === 0 ? packed : inflate(packed, left)
      left -= text.length
      if (left < 0) throw fileError(TOO_LARGE)
      entries.set(file.name, text)
    }
    file.start()
  })
  unzip.register(Packed)
  try {
    unzip.push(bytes, true)
  } catch (error) {
    throw error instanceof Invalid ? error : fileError(UNREADABLE)
  }
  return entries
}

/** Hands the packed bytes of an entry on as they are: Node unpacks them ten times faster, and with a limit. */
class Packed {
  static readonly compression = 8
  readonly #pieces: Uint8Array[] = []
  declare ondata: AsyncFlateStreamHandler

  push(piece: Uint8Array, final: boolean): void {
    this.#pieces.push(piece.slice())
    if (final) this.ondata(null, Buffer.concat(this.#pieces), true)
  }
}

/** @throws Invalid above the limit */
function inflate(packed: Uint8Array, most: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    throw fileError((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : UNREADABLE)
  }
}

/** The library gets only what was unpacked here. */
async function readPacked(entries: ReadonlyMap<string, Uint8Array>) {
  const packed = zipSync(Object.fromEntries(entries) as Zippable, { level: 0 })
  try {
    return await readSheet(Buffer.from(packed), 1, { parseNumber: (text) => ({ number: text }), trim: false })
  } catch {
    throw fileError(UNREADABLE)
  }
}

/** The XML of the sheet that comes first in the workbook. */
function firstSheet(entries: ReadonlyMap<string, Uint8Array>): string {
  const text = (name: string) => strFromU8(entries.get(name) ?? new Uint8Array())
  const id = /<(?:\w+:)?sheet\s[^<>]*?\br:id="([^"<]+)"/.exec(text('xl/workbook.xml'))?.[1]
  const links = text('xl/_rels/workbook.xml.rels').match(/<Relationship\s[^<>]*>/g) ?? []
  const link = links.find((one) => one.includes(`Id="${id}"`))
  const target = /\bTarget="\/?(?:xl\/)?([^"]+)"/.exec(link ?? '')?.[1]
  const sheet = target && entries.get(`xl/${target}`)
  if (!sheet) throw fileError(UNREADABLE)
  return strFromU8(sheet)
}

/** The places of the cells with formulas, such as `C5`. */
function findFormulas(sheet: string): Set<string> {
  const found = new Set<string>()
  for (const cell of sheet.split(/<(?=(?:\w+:)?c\s)/).slice(1))
    if (/<(?:\w+:)?f[\s>/]/.test(cell.split(/<\/(?:\w+:)?c>/, 1)[0]!)) {
      const place = /\br="([A-Z]+\d+)"/.exec(cell)?.[1]
      if (place) found.add(place)
    }
  return found
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function toCell(value: unknown, is_formula: boolean): Cell {
  if (is_formula) return { text: textOf(value), kind: 'formula' }
  if (value instanceof Date) return { text: value.toISOString().slice(0, 10), kind: 'date' }
  if (typeof value === 'object' && value !== null) return { text: textOf(value), kind: 'number' }
  return { text: textOf(value) }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' && 'number' in value ? String(value.number) : String(value).trim()
}
