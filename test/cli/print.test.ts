import { describe, expect, it } from 'vitest'
import { printRows, toJson } from '../../src/cli/print.ts'
import { processTerminal } from '../../src/cli/terminal.ts'

function print<Row>(rows: Row[], options: Omit<Parameters<typeof printRows<Row>>[2], 'none'>): string[] {
  const lines: string[] = []
  const terminal = { ...processTerminal(), print: (line = '') => lines.push(line), strong: (text: string) => text }
  printRows(terminal, rows, { none: 'There is none.', ...options })
  return lines
}

describe('a table', () => {
  it('is aligned: texts to the left, numbers to the right, nothing at the ends of lines', () => {
    const rows = [
      { name: 'BXC wallet', balance: '1,000', note: null },
      { name: 'UGX', balance: '-20.5', note: 'x' },
    ]
    const columns = (['name', 'balance', 'note'] as const).map((title) => ({
      title,
      value: (row: (typeof rows)[number]) => row[title],
    }))
    expect(print(rows, { columns })).toEqual([
      'name        balance  note',
      'BXC wallet    1,000',
      'UGX           -20.5  x',
    ])
  })

  it('says so when there is nothing to show, but for machines', () => {
    expect(print([], { columns: [] })).toEqual(['There is none.'])
    expect(print([], { columns: [], json: true })).toEqual(['[]'])
  })
})

describe('JSON', () => {
  it('writes amounts and moments as the interface does', () => {
    const value = {
      balance: 15_005_000n,
      created: new Date('2030-01-15T12:00:00.123Z'),
      deep: [{ at: new Date(0) }],
      none: null,
    }
    expect(JSON.parse(toJson(value))).toEqual({
      balance: '1500.5000',
      created: '2030-01-15T12:00:00Z',
      deep: [{ at: '1970-01-01T00:00:00Z' }],
      none: null,
    })
  })
})
