import { csvLines } from '../lib/csv.ts'
import { type Amount, formatAmount } from '../lib/money.ts'
import { formatTimestamp } from '../lib/time.ts'
import type { StatementEntry } from './world/world.ts'

const COLUMNS = [
  'remote_id',
  'status',
  'amount',
  'currency',
  'phonenumber',
  'receiver',
  'order_reference',
  'reference',
  'name',
  'reversal_of',
  'paid_at',
] as const

/** The lines of a statement as CSV, after the names of the columns. Money that was sent is a negative amount. */
export async function* statementLines(chunks: AsyncIterable<readonly StatementEntry[]>): AsyncGenerator<string> {
  yield csvLines([COLUMNS])
  for await (const rows of chunks)
    for (const row of rows) yield csvLines([COLUMNS.map((column) => toCell(row[column]))])
}

function toCell(value: string | Amount | Date | null): string | null {
  if (typeof value === 'bigint') return formatAmount(value)
  return value instanceof Date ? formatTimestamp(value) : value
}
