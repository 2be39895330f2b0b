import type { Cell, Columns } from '../actions/lists/list.ts'
import { displayAmount, formatAmount } from '../lib/money.ts'
import { showControls, showControlsInJson } from '../lib/text/controls.ts'
import { formatTimestamp } from '../lib/time.ts'
import type { Terminal } from './terminal.ts'

/**
 * Print rows as an aligned table, or as JSON with `json`. Columns that hold only numbers are aligned to the right.
 * `none` is printed instead of an empty table.
 */
export function printRows<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  options: { columns: Columns<NoInfer<Row>>; none: string; json?: boolean },
): void {
  if (options.json) terminal.print(toJson(rows))
  else if (rows.length === 0) terminal.print(options.none)
  else for (const line of alignColumns(terminal, rows, options.columns)) terminal.print(line)
}

/** Print the result of a command: as text, or as JSON with `json`. */
export function printResult(terminal: Terminal, result: unknown, options: { text: string; json?: boolean }): void {
  terminal.print(options.json ? toJson(result) : options.text)
}

/** Format JSON as the interface does: amounts with four decimals, times to the second. @param indent 0 for one line */
export function toJson(value: unknown, indent = 2): string {
  return showControlsInJson(JSON.stringify(value, toJsonValue, indent))
}

/** JSON.stringify passes dates to a replacer as text, so the original value is read from its object. */
function toJsonValue(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const original = this[name]
  if (original instanceof Date) return formatTimestamp(original)
  return typeof value === 'bigint' ? formatAmount(value) : value
}

function alignColumns<Row>(terminal: Terminal, rows: readonly Row[], columns: Columns<Row>): string[] {
  const titles = Object.keys(columns)
  const values = Object.values(columns)
  const lines = rows.map((row) =>
    values.map((value) => formatCell(typeof value === 'function' ? value(row) : (row[value] as Cell | undefined))),
  )
  const widths = titles.map((title, index) => Math.max(title.length, ...lines.map((line) => line[index]!.length)))
  const isNumeric = titles.map((_, index) => lines.every((line) => /^-?[\d,.]*$/.test(line[index]!)))
  const align = (line: string[]) =>
    line
      .map((cell, index) => (isNumeric[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd()
  return [terminal.strong(align(titles)), ...lines.map(align)]
}

function formatCell(cell: Cell | undefined): string {
  if (typeof cell === 'bigint') return displayAmount(cell)
  return cell instanceof Date ? formatShortTime(cell) : showControls(String(cell ?? ''))
}

/** A time as tables show it: to the minute, in UTC. */
function formatShortTime(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ')
}
