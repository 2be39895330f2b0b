import { formatAmount } from '../lib/money.ts'
import { formatTimestamp } from '../lib/time.ts'
import type { Terminal } from './terminal.ts'

/** One column of a table. Numbers stand to the right. */
export interface Column<Row> {
  title: string
  value(row: Row): string | number | null
}

/** Writes rows as an aligned table or, for machines, as JSON. `none` says what an empty list means. */
export function printRows<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  options: { columns: Column<Row>[]; none: string; json?: boolean },
): void {
  if (options.json) terminal.print(toJson(rows))
  else if (rows.length === 0) terminal.print(options.none)
  else for (const line of alignColumns(terminal, rows, options.columns)) terminal.print(line)
}

/** Writes what a command has made: as sentences or, for machines, as JSON. */
export function printResult(terminal: Terminal, made: unknown, options: { text: string; json?: boolean }): void {
  terminal.print(options.json ? toJson(made) : options.text)
}

/** Writes JSON as the interface does: amounts with four decimals, moments to the second. @param indent 0 for one line */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, toJsonValue, indent)
}

/** Dates have become texts by the time that a replacer sees them, so they are looked up in their object. */
function toJsonValue(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const original = this[name]
  if (original instanceof Date) return formatTimestamp(original)
  return typeof value === 'bigint' ? formatAmount(value) : value
}

function alignColumns<Row>(terminal: Terminal, rows: readonly Row[], columns: Column<Row>[]): string[] {
  const cells = rows.map((row) => columns.map((column) => column.value(row)))
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((line) => formatCell(line[index]!).length)),
  )
  const isNumeric = columns.map((_, index) => cells.every((line) => /^-?[\d,.]*$/.test(formatCell(line[index]!))))
  const align = (line: (string | number | null)[]) =>
    line
      .map((cell, index) => {
        const text = formatCell(cell)
        return isNumeric[index] ? text.padStart(widths[index]!) : text.padEnd(widths[index]!)
      })
      .join('  ')
      .trimEnd()
  return [terminal.strong(align(columns.map((column) => column.title))), ...cells.map(align)]
}

function formatCell(cell: string | number | null): string {
  return cell === null ? '' : String(cell)
}

/** A moment as tables show it: to the minute, in UTC. */
export function formatShortTime(moment: Date | null): string {
  return moment ? moment.toISOString().slice(0, 16).replace('T', ' ') : ''
}
