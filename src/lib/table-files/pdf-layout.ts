import { displayAmount } from '../money.ts'
import type { Weight } from '../pdf/fonts.ts'
import { showableText } from '../pdf/scripts.ts'
import { countryDay } from '../text/country-dates.ts'
import type { Language } from '../text/languages.ts'
import { isoDay } from '../text/time-zones.ts'
import { zonedTimestamp } from '../text/zoned-times.ts'
import type { CellKind, RunningBalance, TableCell, TableColumn, TableRow } from './table.ts'
import { tableWords } from './words.ts'

/** Content of a table for the layout of its pages. */
export interface TableContent {
  columns: readonly TableColumn[]
  rows: readonly TableRow[]
  totals: readonly TableRow[]
  balance?: RunningBalance | undefined
  zone: string
  country: string | null
  language?: Language | undefined
}

/** Space for the table on a page. Heights are those below the head of the first page, and of each other one. */
interface PageSpace {
  width: number
  first_height: number
  other_height: number
}

/** Measures a text of one line in a font of size 1. */
export type Measure = (text: string, weight: Weight) => number

/** Line of a page. `cells` has the lines of each cell. */
export interface LaidRow {
  kind: 'titles' | 'row' | 'balance' | 'total'
  cells: string[][]
  height: number
}

export interface TableLayout {
  font_size: number
  widths: number[]
  pages: LaidRow[][]
}

export const CELL_PADDING = { x: 4, y: 1.5 }
export const LINE_HEIGHT = 1.22
const FONT_SIZES = [7.2, 6.8, 6.4, 6, 5.6, 5.2]
/** The largest parts of the width that a word, and a text in one line, may claim for their column. */
const MAX_WORD = 0.25
const MAX_TEXT = 0.4

/** True for numbers, amounts and times: they stand in one line, whatever it takes. */
const isNumber = (kind: CellKind) => kind !== 'text' && kind !== 'code'

/**
 * Lays a table out on pages. No word and no number is broken, unless a word alone takes a quarter of the width. With a
 * running balance, each page begins and ends with it.
 */
export function layOutTable(content: TableContent, space: PageSpace, measure: Measure): TableLayout {
  const cached = rememberWidths(measure)
  const cells = (row: TableRow) => content.columns.map((_, index) => cellText(row[index] ?? null, content))
  const titles = content.columns.map(({ title }) => title)
  const { balance } = content
  const { brought_forward, carried_forward } = tableWords[content.language ?? 'en']
  const labels = [brought_forward, carried_forward].map((label) =>
    content.columns.map(({ name }) => (name === balance?.label ? label : '')),
  )
  const texts = { rows: content.rows.map(cells), totals: content.totals.map(cells), titles, labels }
  const { font_size, widths } = chooseWidths(content.columns, texts, space.width, cached)
  const lay = (kind: LaidRow['kind'], row: readonly string[]): LaidRow => {
    const weight = kind === 'row' ? 'regular' : 'bold'
    const wide = (text: string) => cached(text, weight) * font_size
    const max_lines = Math.floor((space.first_height / 2 - 2 * CELL_PADDING.y) / (font_size * LINE_HEIGHT))
    const laid = row.map((text, index) =>
      cutLines(wrapText(text, widths[index]! - 2 * CELL_PADDING.x, wide), Math.max(1, max_lines)),
    )
    const lines = Math.max(1, ...laid.map(({ length }) => length))
    return { kind, cells: laid, height: lines * font_size * LINE_HEIGHT + 2 * CELL_PADDING.y }
  }
  return { font_size, widths, pages: fillPages(content, texts, space, lay) }
}

type Texts = Record<'rows' | 'totals' | 'labels', string[][]> & { titles: string[] }

function fillPages(
  { columns, rows, balance, language = 'en' }: TableContent,
  texts: Texts,
  space: PageSpace,
  lay: (kind: LaidRow['kind'], row: readonly string[]) => LaidRow,
): LaidRow[][] {
  const words = tableWords[language]
  const titles = lay('titles', texts.titles)
  const at = columns.findIndex(({ name }) => name === balance?.column)
  const label = columns.findIndex(({ name }) => name === balance?.label)
  const balanceRow = (name: string, index: number) =>
    lay(
      'balance',
      columns.map((_, column) => (column === at ? texts.rows[index]![at]! : column === label ? name : '')),
    )
  const carried = (index: number) => balanceRow(words.carried_forward, index)
  const reserved = balance && rows.length > 0 ? carried(0).height : 0
  const pages: LaidRow[][] = [[titles]]
  let left = space.first_height - titles.height
  const place = (row: LaidRow, last: number) => {
    const page = pages.at(-1)!
    if (row.height + (row.kind === 'total' ? 0 : reserved) > left && page.length > 1) {
      if (balance && last >= 0) page.push(carried(last))
      const start = [titles, ...(balance && last >= 0 ? [balanceRow(words.brought_forward, last)] : [])]
      pages.push([...start, row])
      left = space.other_height - [...start, row].reduce((sum, { height }) => sum + height, 0)
      return
    }
    page.push(row)
    left -= row.height
  }
  for (const [index, row] of texts.rows.entries())
    place(lay(balance && index === 0 ? 'balance' : 'row', row), index - 1)
  for (const row of texts.totals) place(lay('total', row), rows.length - 1)
  return pages
}

/** Chooses the largest size of letters in which all words and numbers have room, and the widths of the columns. */
function chooseWidths(
  columns: readonly TableColumn[],
  { rows, totals, titles, labels }: Texts,
  width: number,
  measure: Measure,
): { font_size: number; widths: number[] } {
  const needs = columns.map(({ kind }, index) => {
    const need = { word: 0, text: 0 }
    const count = (text: string, weight: Weight) => {
      for (const line of text.split('\n')) {
        need.text = Math.max(need.text, measure(line, weight))
        for (const word of line.split(' ')) need.word = Math.max(need.word, measure(word, weight))
      }
    }
    count(titles[index]!, 'bold')
    for (const row of rows) count(row[index]!, 'regular')
    for (const row of [...totals, ...labels]) count(row[index]!, 'bold')
    return { ...need, is_number: isNumber(kind) }
  })
  for (const font_size of FONT_SIZES) {
    const min = needs.map(({ word, is_number }) => inColumn(word * font_size, is_number ? 1 : MAX_WORD, width))
    const wanted = needs.map(({ text }, index) => Math.max(min[index]!, inColumn(text * font_size, MAX_TEXT, width)))
    const room = width - sumOf(min)
    if (room < 0 && font_size !== FONT_SIZES.at(-1)) continue
    const more = wanted.map((one, index) => one - min[index]!)
    if (room >= sumOf(more)) {
      const shares = columns.map(({ kind, width: weight = 1 }) => (kind === 'text' ? 3 : 1) * weight)
      const part = (room - sumOf(more)) / sumOf(shares)
      return { font_size, widths: wanted.map((one, index) => one + shares[index]! * part) }
    }
    const part = room < 0 ? 0 : room / sumOf(more)
    const widths = min.map((one, index) => one + more[index]! * part)
    const scale = width / sumOf(widths)
    return { font_size, widths: scale < 1 ? widths.map((one) => one * scale) : widths }
  }
  throw new Error('There is no size of letters.')
}

function inColumn(text_width: number, max_part: number, width: number): number {
  return Math.min(text_width, max_part * width) + 2 * CELL_PADDING.x + 0.01
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

/**
 * Breaks a text into lines at blanks only. A word is broken only if it is wider than a line.
 * @param measure width of a text of one line
 */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ').flatMap((one) => breakWord(one, width, measure))) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && measure(longer) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}

function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  if (measure(word) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const letter of word) {
    if (part !== '' && measure(part + letter) > width) {
      parts.push(part)
      part = letter
    } else part += letter
  }
  return [...parts, part]
}

function cutLines(lines: string[], max: number): string[] {
  return lines.length > max ? [...lines.slice(0, max - 1), `${lines[max - 1]}…`] : lines
}

/** Remember widths: most words of a table occur many times. */
function rememberWidths(measure: Measure): Measure {
  const known = { regular: new Map<string, number>(), bold: new Map<string, number>() }
  return (text, weight) => {
    let width = known[weight].get(text)
    if (width === undefined) {
      width = measure(text, weight)
      known[weight].set(text, width)
    }
    return width
  }
}

/** A cell as people of the country read it. Blanks within a time do not break. */
function cellText(cell: TableCell, { zone, country }: Pick<TableContent, 'zone' | 'country'>): string {
  if (cell === null) return ''
  if (typeof cell === 'bigint') return displayAmount(cell)
  if (cell instanceof Date) return timeText(cell, zone, country).replace(' ', '\u00a0')
  const text = showableText(String(cell).replaceAll(/[\r\t]/g, ' ')).trim()
  return isoDay(text) === undefined ? text : countryDay(text, country)
}

/** A time of a table in the form of a country: `31/01/2030 15:00:00`. */
export function timeText(at: Date, zone: string, country: string | null): string {
  const [day = '', clock = ''] = zonedTimestamp(at, zone).slice(0, 19).split('T')
  return `${countryDay(day, country)} ${clock}`
}
