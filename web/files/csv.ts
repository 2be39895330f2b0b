import { offsetTimestamp } from '../../src/lib/text/offset-times.ts'
import { readTime, wallClock } from '../format.ts'
import type { FileCell, FileTable } from './file-table.ts'

/**
 * Format a table as CSV (RFC 4180) for a spreadsheet. A text gets a leading apostrophe if a spreadsheet would change it:
 * a phone number, or what looks like a formula (OWASP, "CSV Injection"). The imports read it without the apostrophe.
 */
export function toCsv({ titles, rows, offsets = false }: FileTable): string {
  const lines = [titles.map(keepText), ...rows.map((cells) => cells.map((cell) => toText(cell, offsets)))]
  return lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

function toText(cell: FileCell, offsets: boolean): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'object') return typeof cell === 'string' ? keepText(cell) : String(cell)
  if ('amount' in cell) return cell.amount ?? ''
  if ('day' in cell) return cell.day ?? ''
  return cell.time ? timeText(cell.time, offsets) : ''
}

/** Format a time in the time zone of the organization: `2030-01-31T15:00:00+03:00`, or `2030-01-31 15:00:00`. */
function timeText(wire: string, offsets: boolean): string {
  const time = readTime(wire)
  if (!time) return wire
  if (offsets) return offsetTimestamp(time, wallClock(time))
  return wallClock(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** The characters that start a formula, including full-width forms, and tabs and line ends, which may precede one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
/** Digits that a spreadsheet reads as a number, a date or a time. */
const NUMERIC = /^[+-]?[.,]?\d[\d.,:/\s-]*(e[+-]?\d+)?$/i
/** Numbers that a spreadsheet keeps, and days. */
const KEPT = /^(-?(0|[1-9]\d{0,10})(\.\d{1,4})?$|\d{4}-\d\d-\d\d($|[T ]))/

function keepText(text: string): string {
  return (FORMULA.test(text) || NUMERIC.test(text)) && !KEPT.test(text) ? `'${text}` : text
}

/** Quote a text that would be split: spreadsheets of some countries split at semicolons. */
function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
