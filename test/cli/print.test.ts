import { describe, expect, it } from 'vitest'
import type { Columns } from '../../src/actions/lists/list.ts'
import { printRows, toJson } from '../../src/cli/print.ts'
import { processTerminal } from '../../src/cli/terminal.ts'

function print<Row>(rows: Row[], columns: Columns<Row>, options: { json?: boolean } = {}): string[] {
  const lines: string[] = []
  const terminal = { ...processTerminal(), print: (line = '') => lines.push(line), strong: (text: string) => text }
  printRows(terminal, rows, { none: 'There are no rows.', columns, ...options })
  return lines
}

describe('a table', () => {
  it('aligns text to the left and numbers to the right, without trailing spaces', () => {
    const rows = [
      { name: 'BXC wallet', balance: '1,000', note: null },
      { name: 'UGX', balance: '-20.5', note: 'x' },
    ]
    expect(print(rows, { name: 'name', balance: 'balance', note: (row) => row.note })).toEqual([
      'name        balance  note',
      'BXC wallet    1,000',
      'UGX           -20.5  x',
    ])
  })

  it('shows amounts with separators and times to the minute', () => {
    const rows = [{ amount: 15_000_000n, created: new Date('2030-01-15T12:00:59Z') }]
    expect(print(rows, { amount: 'amount', 'created (UTC)': 'created' })).toEqual([
      'amount  created (UTC)',
      ' 1,500  2030-01-15 12:00',
    ])
  })

  it('prints a sentence instead of an empty table, and an empty array as JSON', () => {
    expect(print([], {})).toEqual(['There are no rows.'])
    expect(print([], {}, { json: true })).toEqual(['[]'])
  })
})

describe('JSON', () => {
  it('writes amounts and times as the interface does', () => {
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
