import { getMessage } from '../messages/message.ts'
import {
  columnLetters,
  FileRefused,
  type SheetCell,
  type SheetFacts,
  type SheetLimits,
  type SheetRow,
} from './sheet.ts'

const UNKNOWN_TEXT = getMessage('files.csv_encoding')
const NO_TEXT = getMessage('files.no_table')
const OPEN_QUOTE = getMessage('files.open_quote')

/**
 * Reads the rows of a CSV file with commas, semicolons, tabs or bars, in UTF-8, UTF-16 or Windows-1252. A line that cannot be read is
 * a row with a problem, and the lines after it are read. It takes time in proportion to the text. @throws FileRefused
 */
export function* readCsv(bytes: Buffer, facts: SheetFacts, limits: SheetLimits): Generator<SheetRow> {
  const { text, encoding } = decode(bytes)
  facts.encoding = encoding
  const { delimiter, start } = findDelimiter(text)
  let number = start > 0 ? 2 : 1
  for (let at = start; at < text.length; number += 1) {
    const { texts, end, problem } = readRecord(text, at, delimiter, limits, number)
    at = end
    if (problem !== undefined) yield { number, cells: [], problem }
    else if (texts.some((cell) => cell !== '')) yield { number, cells: texts.map(toCell) }
  }
}

/** The errors that spreadsheets write into the cells of a CSV file. */
const ERRORS = new Set(['#REF!', '#N/A', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!', '#NULL!'])

function toCell(text: string): SheetCell {
  if (text.startsWith('=')) return { text, kind: 'formula' }
  return ERRORS.has(text) ? { text, kind: 'error' } : { text }
}

/** Reads the record that begins here. In quotes a delimiter and an end of a line are text, and two quotes are one. */
function readRecord(
  text: string,
  start: number,
  delimiter: string,
  { columns, cell_characters }: SheetLimits,
  number: number,
): { texts: string[]; end: number; problem?: string } {
  const texts: string[] = []
  for (let at = start; ; ) {
    const open = beforeQuote(text, at, delimiter)
    const quoted = open === undefined ? { value: '', end: at } : readQuoted(text, open, cell_characters)
    if (!quoted || isStray(text, quoted, delimiter)) return { texts: [], end: afterLine(text, at), problem: OPEN_QUOTE }
    let end = quoted.end
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
    const cell = (quoted.value + text.slice(quoted.end, end)).trim()
    const place = `${columnLetters(texts.length)}${number}`
    if (cell.length > cell_characters)
      throw new FileRefused(getMessage('files.long_cell', { cell: place, max: cell_characters }))
    if (texts.length >= columns && cell !== '')
      throw new FileRefused(getMessage('files.cell_outside', { cell: place, max: columns }))
    if (texts.length < columns) texts.push(cell)
    if (text[end] !== delimiter || end >= text.length) return { texts, end: afterLine(text, end) }
    at = end + 1
  }
}

/** The place of the quotation mark with which a cell begins. Some programs write a blank before it. */
function beforeQuote(text: string, start: number, delimiter: string): number | undefined {
  let at = start
  while (text[at] === ' ' && delimiter !== ' ') at += 1
  return text[at] === '"' ? at : undefined
}

/**
 * True if a quotation mark ends a text of several lines in the middle of another cell: then the first one was never
 * closed.
 */
function isStray(text: string, { value, end }: { value: string; end: number }, delimiter: string): boolean {
  const next = text[end]
  return value.includes('\n') && next !== undefined && next !== delimiter && next !== '\n' && next !== '\r'
}

/** The text in quotes that begins here; undefined if it is not closed within the length of a cell. */
function readQuoted(text: string, start: number, max_length: number): { value: string; end: number } | undefined {
  let value = ''
  for (let at = start + 1; value.length <= max_length; ) {
    const close = text.indexOf('"', at)
    if (close < 0 || close - at > max_length) return undefined
    value += text.slice(at, close)
    if (text[close + 1] !== '"') return { value, end: close + 1 }
    value += '"'
    at = close + 2
  }
  return undefined
}

/** Returns the start of the next line: after a line feed, a carriage return, or both. */
function afterLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
  return text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : Math.min(at + 1, text.length)
}

const DELIMITERS = [',', ';', '\t', '|']
/** Number of characters of a file that decide the separator of its cells. */
const SAMPLE_CHARACTERS = 20_000

/**
 * Finds the separator of the cells: the sign that the line `sep=` names, or the sign that most lines have equally often outside
 * of quotes. Commas between thousands or before decimals are not as regular, even where there are more of them.
 */
function findDelimiter(text: string): { delimiter: string; start: number } {
  const named = /^"?sep=([^\r\n])"?[\r\n]/i.exec(text.slice(0, 20))
  if (named) return { delimiter: named[1]!, start: afterLine(text, 0) }
  const lines = text.slice(0, SAMPLE_CHARACTERS).split(/[\r\n]+/)
  // The last line may be cut off.
  if (text.length > SAMPLE_CHARACTERS && lines.length > 1) lines.pop()
  const unquoted = lines.map((line) => line.replace(/"[^"]*"/g, ''))
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, ...usualCount(delimiter, unquoted) })).sort(
    (one, other) => other.lines - one.lines || other.count - one.count,
  )
  return { delimiter: best!.delimiter, start: 0 }
}

/** Count of a sign in a line, as most lines with it have it, and the number of these lines. */
function usualCount(sign: string, lines: readonly string[]): { lines: number; count: number } {
  const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0)
  const equal = [...Map.groupBy(counts, (count) => count)].map(([count, same]) => ({ count, lines: same.length }))
  return equal.reduce((best, one) => (one.lines > best.lines ? one : best), { lines: 0, count: 0 })
}

type Encoding = NonNullable<SheetFacts['encoding']>

function decode(bytes: Buffer): { text: string; encoding: Encoding } {
  const wide = wideEncoding(bytes)
  const text = wide ? decodeAs(wide, bytes) : decodeAs('utf-8', bytes)
  if (text !== undefined) {
    if (text.includes('\0')) throw new FileRefused(NO_TEXT)
    return { text, encoding: wide ? 'UTF-16' : 'UTF-8' }
  }
  const western = wide || bytes.some((byte) => NO_WESTERN.has(byte)) ? undefined : decodeAs('windows-1252', bytes)
  if (western === undefined) throw new FileRefused(bytes.includes(0) ? NO_TEXT : UNKNOWN_TEXT)
  return { text: western, encoding: 'Windows-1252' }
}

/** Bytes that are no letter in Windows-1252, and that no text has. */
const NO_WESTERN = new Set([0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** UTF-16 by its byte order mark, or without one by the zeros beside Latin letters. */
function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = [...bytes.subarray(0, 64)]
  if (start.length < 8 || start.length % 2 !== 0) return undefined
  const zeros = (rest: number) => start.filter((byte, index) => index % 2 === rest && byte === 0).length
  if (zeros(1) > start.length / 4 && zeros(0) === 0) return 'utf-16le'
  return zeros(0) > start.length / 4 && zeros(1) === 0 ? 'utf-16be' : undefined
}

/** @returns undefined for bytes that are no text of this encoding */
function decodeAs(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
