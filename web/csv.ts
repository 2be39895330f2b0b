/**
 * Formats rows as CSV (RFC 4180). The columns are the fields of all rows; nested objects are JSON. A text that a
 * spreadsheet would read as a formula gets a leading apostrophe, except phone numbers with a plus and negative amounts.
 */
export function toCsv(rows: readonly Record<string, unknown>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((name) => toCell(row[name])))]
  return lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
