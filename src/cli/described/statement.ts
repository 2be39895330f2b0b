import { usualTitles } from '../../lib/statements/portal.ts'
import { columnTexts, statementColumns } from '../../lib/statements/statement-line.ts'
import type { DescribedTable } from './table.ts'

/** Describe every column of a statement that the reconciliation reads. */
export function describeStatement(): DescribedTable[] {
  const rows = statementColumns.map((column) => [
    `\`${column}\``,
    usualTitles[column].map((title) => `\`${title}\``).join(', '),
    columnTexts[column],
  ])
  return [{ columns: ['Column', 'Usual titles', 'Meaning'], rows }]
}
