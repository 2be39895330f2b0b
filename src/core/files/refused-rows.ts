import { z } from 'zod'
import { expandNumber } from '../../lib/sheets/expand-number.ts'
import type { Cell } from './cells.ts'
import type { RowFile } from './row-file.ts'
import { REFUSAL_COLUMNS } from './titles.ts'

/** Refused rows of a file with all columns of the file, for correction and another upload. */
export const RefusedRows = z.object({
  /** Titles of the file in its order, then `row` and `problems`. */
  titles: z.array(z.string()),
  /** Texts of each row, one for each title. */
  rows: z.array(z.array(z.string())),
})
export type RefusedRows = z.output<typeof RefusedRows>

/** A refused row: its number in the file, where the first line is 1, its texts, and the reasons. */
interface Refused {
  number: number
  cells: readonly string[]
  problems: readonly { message: string }[]
}

/** Return refused rows as a file. Each reason stands once. */
export function refusedFile(titles: readonly string[], refused: readonly Refused[]): RefusedRows {
  return {
    titles: [...titles, ...REFUSAL_COLUMNS],
    rows: refused.map(({ number, cells, problems }) => {
      const reasons = new Set(problems.map(({ message }) => message))
      return [...cells, String(number), [...reasons].join(' ')]
    }),
  }
}

/** Return the refused rows of a checked file as they stand in it, without the columns of an earlier refusal. */
export function refusedRowsOf(
  { titles, whole }: Pick<RowFile<string>, 'titles' | 'whole'>,
  checked: readonly (Omit<Refused, 'cells'> & { state: string })[],
): RefusedRows {
  const kept = [...titles.keys()].filter((index) => !REFUSAL_COLUMNS.includes(titles[index]!))
  const refused = checked.filter(({ state }) => state === 'refused')
  return refusedFile(
    kept.map((index) => titles[index]!),
    refused.map(({ number, problems }) => ({
      number,
      problems,
      cells: kept.map((index) => cellText(whole.get(number)?.[index])),
    })),
  )
}

/** Return the text of a cell that is read as the cell is, from any kind of file. */
export function cellText(cell: Cell | undefined): string {
  if (!cell) return ''
  if (cell.kind === 'date') return cell.text.slice(0, 10)
  if (cell.kind !== 'number') return cell.text
  const digits = expandNumber(cell.text)
  // Three decimals look like thousands in some countries.
  return /\.\d{3}$/.test(digits) ? `${digits}0` : digits
}
