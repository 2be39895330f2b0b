import { posix } from 'node:path'
import { getMessage } from '../messages/message.ts'
import {
  columnLetters,
  FileRefused,
  isEmptyCell,
  MAX_MERGED,
  MAX_NAMED,
  refuseMerged,
  type SheetCell,
  type SheetFacts,
  type SheetLimits,
  SheetNotChosen,
  type SheetRow,
} from './sheet.ts'
import { dateOfSerial, isDateFormat } from './xlsx-dates.ts'
import { readWholeXml, readXml } from './xml.ts'
import { openZip, TOO_LARGE, UNREADABLE, type ZipEntries } from './zip.ts'

/** Options for a reader of .xlsx. */
interface XlsxOptions {
  limits: SheetLimits
  /** The name of the sheet to read, where a person has chosen one. */
  sheet: string | undefined
  /** Sheets whose first cells in the first column are these texts explain a template: nobody is asked about them. */
  explained: readonly string[]
}

/** Workbook, with the parts that its first rows need. */
interface Workbook {
  zip: ZipEntries
  limits: SheetLimits
  texts: readonly string[]
  /** True for each style, by its number, whose numbers are dates. */
  dates: readonly boolean[]
  since_1904: boolean
}

interface SheetEntry {
  name: string
  bytes: Buffer
}

/**
 * Reads the rows of a sheet of an .xlsx file, as a person sees them: hidden rows, columns and sheets are left out and stand in the
 * facts. @throws FileRefused, SheetNotChosen
 */
export function* readXlsx(file: Buffer, facts: SheetFacts, options: XlsxOptions): Generator<SheetRow> {
  const zip = openZip(file, options.limits.unpacked_bytes)
  const { sheets, since_1904 } = findSheets(zip)
  const workbook: Workbook = {
    zip,
    limits: options.limits,
    since_1904,
    texts: readTexts(zip.read('xl/sharedStrings.xml'), options.limits),
    dates: readDateStyles(zip.read('xl/styles.xml')),
  }
  facts.hidden_sheets = sheets.filter((one) => one.hidden).map(({ name }) => name.slice(0, MAX_NAME))
  const sheet = chooseSheet(workbook, sheets, facts, options)
  facts.sheet = sheet.name
  yield* readRows(workbook, sheet, facts)
}

const MAX_NAME = 60
const MAX_SHEETS = 200

interface NamedSheet {
  name: string
  hidden: boolean
  path: string
}

/** Finds the sheets in their order in the workbook. `since_1904`: true if days are counted from 1904. */
function findSheets(zip: ZipEntries): { sheets: NamedSheet[]; since_1904: boolean } {
  const book_path = findTarget(zip.read('_rels/.rels'), '', /\/officeDocument$/) ?? 'xl/workbook.xml'
  const book = zip.read(book_path)
  if (!book) throw new FileRefused(UNREADABLE)
  const folder = posix.dirname(book_path)
  const targets = new Map<string, string>()
  const links = zip.read(`${folder}/_rels/${posix.basename(book_path)}.rels`)
  if (links) eachLink(links, folder, ({ id, path }) => targets.set(id, path))
  const sheets: NamedSheet[] = []
  let since_1904 = false
  readWholeXml(book, {
    open(name, attributes) {
      if (name === 'workbookPr') since_1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const path = targets.get(id)
      const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden'
      if (path) sheets.push({ name: attributes.name ?? '', hidden, path })
    },
  })
  if (sheets.length === 0) throw new FileRefused(UNREADABLE)
  if (sheets.length > MAX_SHEETS) throw new FileRefused(TOO_LARGE)
  return { sheets, since_1904 }
}

interface Link {
  id: string
  type: string
  path: string
}

function eachLink(links: Buffer, folder: string, use: (link: Link) => void): void {
  readWholeXml(links, {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return
      const path = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      use({ id: Id, type: Type, path })
    },
  })
}

function findTarget(links: Buffer | undefined, folder: string, type: RegExp): string | undefined {
  let found: string | undefined
  if (links)
    eachLink(links, folder, (link) => {
      if (type.test(link.type)) found ??= link.path
    })
  return found
}

/** The sheet that was chosen, or the only one that a person sees. */
function chooseSheet(
  workbook: Workbook,
  all: readonly NamedSheet[],
  facts: SheetFacts,
  { sheet: chosen, explained }: XlsxOptions,
): SheetEntry {
  const visible = all.filter(({ hidden }) => !hidden)
  if (visible.length === 0) throw new FileRefused(getMessage('files.all_hidden'))
  const open = (sheet: NamedSheet): SheetEntry => {
    const bytes = workbook.zip.read(sheet.path)
    if (!bytes) throw new FileRefused(UNREADABLE)
    return { name: sheet.name.slice(0, MAX_NAME), bytes }
  }
  if (visible.length === 1 && chosen === undefined) {
    facts.sheets = [visible[0]!.name.slice(0, MAX_NAME)]
    return open(visible[0]!)
  }
  const filled = visible.map(open).filter((sheet) => hasRows(workbook, sheet, explained))
  facts.sheets = filled.map(({ name }) => name)
  const [only] = filled
  if (chosen !== undefined) {
    const found = filled.find(({ name }) => name === chosen.slice(0, MAX_NAME))
    if (!found) throw new FileRefused(getMessage('files.no_such_sheet', { sheet: chosen.slice(0, MAX_NAME) }))
    return found
  }
  if (!only) throw new FileRefused(getMessage('files.empty'))
  if (filled.length > 1) throw new SheetNotChosen(facts.sheets)
  return only
}

/** True if a sheet has cells besides those that explain a template. */
function hasRows(workbook: Workbook, sheet: SheetEntry, explained: readonly string[]): boolean {
  const first: string[] = []
  for (const { cells } of readRows(workbook, sheet, emptyFacts('xlsx'))) {
    first.push(cells[0]?.text ?? '')
    if (explained.length === 0 || first.at(-1) !== explained[first.length - 1]) return true
    if (first.length >= explained.length) return false
  }
  return first.length > 0
}

/** Facts of an unread file. */
export function emptyFacts(format: SheetFacts['format']): SheetFacts {
  const hidden = { hidden_sheets: [], hidden_rows: [], hidden_row_count: 0, hidden_columns: [] }
  return { format, encoding: null, sheet: null, sheets: [], merged_cells: [], ...hidden }
}

/** The texts that cells share. */
function readTexts(bytes: Buffer | undefined, { cell_characters }: SheetLimits): string[] {
  const texts: string[] = []
  if (!bytes) return texts
  let parts: string[] = []
  let length = 0
  let is_text = false
  let phonetic = 0
  readWholeXml(bytes, {
    open(name) {
      if (name === 'si') [parts, length] = [[], 0]
      if (name === 'rPh') phonetic += 1
      is_text = name === 't' && phonetic === 0
    },
    text(text) {
      if (!is_text) return
      length += text.length
      // Longer than any cell may be: it counts as too long where it is used.
      if (length <= cell_characters + text.length) parts.push(text)
    },
    close(name) {
      if (name === 't') is_text = false
      if (name === 'rPh') phonetic -= 1
      if (name === 'si') texts.push(parts.length === 1 ? parts[0]! : parts.join(''))
      if (texts.length > MAX_TEXTS) throw new FileRefused(TOO_LARGE)
    },
  })
  return texts
}

const MAX_TEXTS = 500_000
/** Excel has fewer than 65,500 in one file. */
const MAX_STYLES = 65_536

const MANY_STYLES = getMessage('files.many_styles')

/** Reads for each style, by its number, true if its numbers are dates. */
function readDateStyles(bytes: Buffer | undefined): boolean[] {
  const styles: boolean[] = []
  if (!bytes) return styles
  const formats = new Map<number, string>()
  let in_cells = false
  readWholeXml(bytes, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode.slice(0, 255))
      if (name === 'cellXfs') in_cells = true
      if (name === 'xf' && in_cells) styles.push(isDateFormat(Number(numFmtId), formats.get(Number(numFmtId))))
      if (formats.size > MAX_STYLES || styles.length > MAX_STYLES) throw new FileRefused(MANY_STYLES)
    },
    close(name) {
      if (name === 'cellXfs') in_cells = false
    },
  })
  return styles
}

interface OpenCell {
  column: number
  type: string
  style: number
  value: string
  inline: string
  has_formula: boolean
}

/** Reads the rows of a sheet while its XML is read. */
function* readRows(workbook: Workbook, { bytes }: SheetEntry, facts: SheetFacts): Generator<SheetRow> {
  const reader = new RowReader(workbook, facts)
  for (const _ of readXml(bytes, reader)) yield* reader.take()
  yield* reader.take()
}

/** Makes rows of the XML of a sheet. */
class RowReader {
  readonly #workbook: Workbook
  readonly #facts: SheetFacts
  readonly #hidden: [first: number, last: number][] = []
  readonly #left_out = new Set<number>()
  #rows: SheetRow[] = []
  #last_row = 0
  #row: { number: number; is_hidden: boolean; cells: SheetCell[] } | undefined
  #next_column = 0
  #cell: OpenCell | undefined
  #part: 'value' | 'inline' | undefined
  #phonetic = 0

  constructor(workbook: Workbook, facts: SheetFacts) {
    this.#workbook = workbook
    this.#facts = facts
  }

  /** The rows that have ended since it was asked last. */
  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'col':
        this.#openColumns(attributes)
        return
      case 'row':
        this.#openRow(attributes)
        return
      case 'c':
        this.#openCell(attributes)
        return
      case 'f':
        if (this.#cell) this.#cell.has_formula = true
        return
      case 'v':
        this.#part = 'value'
        return
      case 'rPh':
        this.#phonetic += 1
        return
      case 't':
        this.#part = this.#phonetic === 0 ? 'inline' : undefined
        return
      case 'mergeCell':
        this.#facts.merged_cells.push((attributes.ref ?? '').slice(0, 30))
        if (this.#facts.merged_cells.length > MAX_MERGED) refuseMerged(this.#facts.merged_cells)
    }
  }

  text(text: string): void {
    if (!this.#cell || !this.#part) return
    this.#cell[this.#part] += text
    if (this.#cell[this.#part].length > this.#workbook.limits.cell_characters) this.#refuseLongCell()
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#part = undefined
    if (name === 'rPh') this.#phonetic -= 1
    if (name === 'c') this.#closeCell()
    if (name === 'row') this.#closeRow()
  }

  #openColumns({ min, max, hidden, width }: Readonly<Record<string, string>>): void {
    if (isTrue(hidden) || Number(width) === 0) this.#hidden.push([Number(min) - 1, Number(max) - 1])
    if (this.#hidden.length > this.#workbook.limits.columns) throw new FileRefused(UNREADABLE)
  }

  #openRow({ r, hidden, ht }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.#last_row + 1 : Number(r)
    if (!(number > this.#last_row)) throw new FileRefused(UNREADABLE)
    this.#last_row = number
    this.#next_column = 0
    const is_hidden = isTrue(hidden) || (ht !== undefined && Number(ht) === 0)
    this.#row = { number, is_hidden, cells: [] }
  }

  #openCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    const column = r === undefined ? this.#next_column : columnOf(r)
    if (!this.#row || column < this.#next_column) throw new FileRefused(UNREADABLE)
    this.#next_column = column + 1
    this.#cell = { column, type: t, style: Number(s), value: '', inline: '', has_formula: false }
  }

  #closeCell(): void {
    const cell = this.#cell!
    this.#cell = undefined
    const read = this.#readCell(cell)
    if (isEmptyCell(read)) return
    const { number, cells, is_hidden } = this.#row!
    const { columns, cell_characters } = this.#workbook.limits
    if (cell.column >= columns)
      throw new FileRefused(
        getMessage('files.cell_outside', { cell: `${columnLetters(cell.column)}${number}`, max: columns }),
      )
    if (read.text.length > cell_characters) {
      this.#cell = cell
      this.#refuseLongCell()
    }
    if (this.#hidden.some(([first, last]) => cell.column >= first && cell.column <= last)) {
      if (!is_hidden) this.#left_out.add(cell.column)
      return
    }
    while (cells.length < cell.column) cells.push({ text: '' })
    cells.push(read)
  }

  #readCell({ type, style, value, inline, has_formula }: OpenCell): SheetCell {
    const { texts, dates, since_1904 } = this.#workbook
    const text = type === 's' ? (texts[Number(value)] ?? '') : type === 'inlineStr' ? inline : value
    if (type === 'e') return { text: text.trim(), kind: 'error' }
    if (has_formula) return { text: text.trim(), kind: 'formula' }
    if (type === 'd') return { text: text.replace('T', ' ').slice(0, 19), kind: 'date' }
    if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE' }
    if (type !== 'n' || value === '') return { text: text.trim() }
    if (dates[style]) return { text: dateOfSerial(Number(value), since_1904) ?? value, kind: 'date' }
    return { text: value.trim(), kind: 'number' }
  }

  #closeRow(): void {
    const { number, cells, is_hidden } = this.#row!
    this.#row = undefined
    this.#facts.hidden_columns = [...this.#left_out].map(columnLetters).slice(0, MAX_NAMED)
    if (cells.length === 0) return
    if (!is_hidden) {
      this.#rows.push({ number, cells })
      return
    }
    this.#facts.hidden_row_count += 1
    if (this.#facts.hidden_rows.length < MAX_NAMED) this.#facts.hidden_rows.push(number)
  }

  #refuseLongCell(): never {
    const place = `${columnLetters(this.#cell!.column)}${this.#row?.number ?? ''}`
    throw new FileRefused(
      getMessage('files.long_excel_cell', { cell: place, max: this.#workbook.limits.cell_characters }),
    )
  }
}

/** The column of a place such as `C5`, from 0. */
function columnOf(place: string): number {
  let column = 0
  for (let at = 0; at < place.length && at < 4; at += 1) {
    const code = place.charCodeAt(at)
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column - 1
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
