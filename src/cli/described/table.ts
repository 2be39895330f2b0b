import type { Terminal } from '../terminal.ts'

/** A table of the documentation that is made from the code. Its cells are Markdown, whose links begin at docs/operating. */
export interface DescribedTable {
  heading?: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Write tables as Markdown, with their headings. */
export function toMarkdown(tables: readonly DescribedTable[]): string {
  return tables
    .map(({ heading, ...table }) => [...(heading ? [`## ${heading}`] : []), ...grid(table)])
    .flatMap(paragraph)
    .join('\n')
}

function grid({ columns, rows }: Pick<DescribedTable, 'columns' | 'rows'>): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [[line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')]
}

/** Each part with an empty line after it. */
const paragraph = (parts: readonly string[]) => parts.flatMap((part) => [part, ''])

/** Print tables for people: each row as its first cell, with the others below. */
export function printTables(terminal: Terminal, tables: readonly DescribedTable[]): void {
  for (const { heading, columns, rows } of tables) {
    if (heading) terminal.print(`${terminal.strong(heading)}\n`)
    for (const [first, ...others] of rows) {
      terminal.print(terminal.strong(plain(first!).replaceAll('`', '')))
      for (const [index, cell] of others.entries())
        if (cell !== '') terminal.print(`  ${columns[index + 1]}: ${plain(cell)}`)
      terminal.print()
    }
  }
}

/** Take the addresses of links away, which lead nowhere in a terminal. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
}
