import { describe, expect, it } from 'vitest'
import { readPdfTable } from '../../../src/lib/table-files/pdf-file.ts'
import { type LaidRow, layOutTable, type TableContent } from '../../../src/lib/table-files/pdf-layout.ts'
import type { TableRow } from '../../../src/lib/table-files/table.ts'
import { dayOfStatement } from './day-of-statement.ts'

/** About the page of a statement, and letters of one width. */
const SPACE = { width: 782, first_height: 385, other_height: 514 }
const measure = (text: string, weight: string) => text.length * (weight === 'bold' ? 0.6 : 0.55)

const layOut = (content: TableContent) => layOutTable(content, SPACE, measure)
const heightOf = (page: readonly LaidRow[]) => page.reduce((sum, { height }) => sum + height, 0)

describe('the pages of a statement of 300 lines', async () => {
  const table = await readPdfTable(dayOfStatement(300))
  const { pages, widths, font_size } = layOut(table)

  it('are about eight, in letters that one can read, within the page', () => {
    expect(pages.length).toBeGreaterThanOrEqual(7)
    expect(pages.length).toBeLessThanOrEqual(9)
    expect(font_size).toBeGreaterThanOrEqual(6.4)
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(SPACE.width + 0.5)
    for (const [index, page] of pages.entries())
      expect(heightOf(page)).toBeLessThanOrEqual(index === 0 ? SPACE.first_height : SPACE.other_height)
  })

  it('begin with the titles and the opening balance, and end with the closing one, which the next page opens with', () => {
    const balances = pages.map((page) => ({ opening: page[1]!, closing: page.at(-1)! }))
    for (const page of pages) expect(page[0]!.kind).toBe('titles')
    for (const { opening, closing } of balances) {
      expect(opening.cells[2]!.join(' ')).toMatch(/^Opening balance/)
      expect(closing.cells[2]!.join(' ')).toMatch(/^Closing balance/)
    }
    for (const [index, { opening }] of balances.slice(1).entries())
      expect(opening.cells[7]).toEqual(balances[index]!.closing.cells[7])
    expect(balances[0]!.opening.cells[7]).toEqual(['1,250,000'])
    // A page that ends with a balance has it from its own last line.
    for (const page of pages.slice(0, -1)) expect(page.at(-1)!.cells[7]).toEqual(page.at(-2)!.cells[7])
  })

  it('have each line once, in their order, with all words and numbers whole', () => {
    const lines = pages.flat().filter(({ kind }) => kind === 'row')
    expect(lines).toHaveLength(300)
    for (const [index, { cells }] of lines.entries()) {
      const row = table.rows[index + 1]!
      expect(cells[2]!.join(' ')).toBe(row[2])
      expect(cells[3]!.join(' ')).toBe(row[3])
      for (const column of [0, 1, 4, 5, 6, 7]) expect(cells[column]).toHaveLength(1)
    }
    expect(lines[0]!.cells[0]).toEqual(['28/11/2030\u00a000:00:00'])
  })
})

describe('a table on pages', () => {
  const columns = [
    { name: 'reference', title: 'Reference', kind: 'code' },
    { name: 'note', title: 'Note', kind: 'text' },
    { name: 'amount', title: 'Amount', kind: 'amount' },
  ] as const
  const content = (rows: TableRow[]): TableContent => ({ columns, rows, totals: [], zone: 'UTC', country: null })

  it('does not break a reference at its hyphens, nor an amount, however long the note is', () => {
    const reference = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
    const amount = 123_456_789_012_345_6789n
    const { pages } = layOut(content([[reference, 'paid in twice '.repeat(40), amount]]))
    const row = pages[0]!.at(-1)!
    expect(row.cells[0]).toEqual([reference])
    expect(row.cells[2]).toEqual(['123,456,789,012,345.6789'])
    expect(row.cells[1]!.length).toBeGreaterThan(3)
    for (const line of row.cells[1]!) expect(line).toMatch(/^(paid|in|twice)( (paid|in|twice))*$/)
  })

  it('breaks a word that alone is wider than a quarter of the page, and keeps all its letters', () => {
    const word = 'x'.repeat(2_000)
    const { pages, widths } = layOut(content([['R1', word, 1n]]))
    const cell = pages[0]!.at(-1)!.cells[1]!
    expect(cell.length).toBeGreaterThan(1)
    expect(cell.join('')).toBe(word)
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(SPACE.width + 0.5)
  })

  it('cuts a text that would fill more than half a page, and says so by its last sign', () => {
    const { pages } = layOut(content([['R1', 'word '.repeat(20_000), 1n]]))
    expect(pages).toHaveLength(1)
    expect(pages[0]!.at(-1)!.cells[1]!.at(-1)).toMatch(/…$/)
  })

  it('has the titles only, where there are no rows', () => {
    expect(layOut(content([])).pages.map((page) => page.map(({ kind }) => kind))).toEqual([['titles']])
  })
})
