import { z } from 'zod'
import { expandNumber } from '../../lib/sheets/expand-number.ts'
import type { Cell } from './cells.ts'
import type { RowFile } from './row-file.ts'

/** Refused rows of a file with all columns of the file, for correction and another upload. */
export const RefusedRows = z.object({
  /** Titles of the file, in its order. */
  titles: z.array(z.string()),
  rows: z.array(
    z.object({
      /** Number of the row in the file, where the first line is 1. */
      number: z.int(),
      /** Texts of the file, one for each title. */
      cells: z.array(z.string()),
      /** Reasons of the refusal, in sentences. */
      problems: z.string(),
    }),
  ),
})
export type RefusedRows = z.output<typeof RefusedRows>

/** Columns that a file of refused rows has after those of the uploaded file. The imports do not read them. */
export const refusalTitles = ['row', 'problems'] as const

interface Checked {
  number: number
  state: string
  problems: readonly { message: string }[]
}

/** Return the refused rows of a checked file as they stand in it. Columns of an earlier refusal are left out. */
export function refusedRowsOf(
  file: Pick<RowFile<string>, 'titles' | 'whole'>,
  checked: readonly Checked[],
): RefusedRows {
  const kept = [...file.titles.entries()].filter(([, title]) => !refusalTitles.some((one) => one === title))
  return {
    titles: kept.map(([, title]) => title),
    rows: checked
      .filter(({ state }) => state === 'refused')
      .map(({ number, problems }) => ({
        number,
        cells: kept.map(([index]) => cellText(file.whole.get(number)?.[index])),
        problems: problemText(problems),
      })),
  }
}

/** Join the reasons of a refusal, each once. */
export function problemText(problems: readonly { message: string }[]): string {
  return [...new Set(problems.map(({ message }) => message))].join(' ')
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
