import type { ReactNode } from 'react'

/** A column of a table: on a phone, a line of each card. */
export interface DataColumn<Row> {
  title: string
  value: (row: Row) => ReactNode
  align?: 'right'
  /** True for the state of the object, which cards show first. */
  status?: boolean
  /** Place in a card of two lines: the large amount, a note on the second line, or a line of its own below. */
  card?: 'amount' | 'note' | 'line'
}

/** Return true if the cards of these columns have two lines: some say what stands there. */
export function hasTwoLines<Row>(columns: readonly DataColumn<Row>[]): boolean {
  return columns.some(({ card }) => card === 'amount' || card === 'note')
}

/** Sign for a cell without a value. */
export const NO_VALUE = '—'

/** Cell of a column in a saved file. Amounts are numbers there, with a column for their currency. */
export type ColumnCell =
  | string
  | number
  | null
  | undefined
  | { amount: string | null; currency: string | null }
  | { time: string | null | undefined }
  | { day: string | null }

/** A column of a list: on a phone, a line of each card, or a part of its two lines. */
export interface Column<Row> extends DataColumn<Row> {
  /** The field that a click on the title sorts by, if the list supports it. */
  ordering?: string
  /** Name in the address. People can hide it; a column without a name, and the first one, are always shown. */
  name?: string
  /** True for a column that a list does not show before people choose it. */
  rare?: true
  /** Cell in a saved file, if `value` is no text. False for a column of buttons, which a file does not have. */
  file?: ((row: Row) => ColumnCell) | false
  /** Columns that a saved file has after this one, such as the phone number below a name. */
  beside?: readonly {
    title: string
    file: (row: Row) => string | number | null | undefined | { time: string | null }
  }[]
}

/** The columns that a list shows before people choose: all but the rare ones, or those of a card of two lines on a phone. */
export function defaultColumns<Row>(columns: readonly Column<Row>[], cards: boolean): readonly Column<Row>[] {
  if (!cards || !hasTwoLines(columns)) return columns.filter(({ rare }) => !rare)
  return columns.filter(({ name, card, status }, index) => index === 0 || name === undefined || card || status)
}

/**
 * The columns that an address or the browser asks for, in the order of the page. Unknown names are left out.
 * @param usual the columns without such a choice
 */
export function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: string | undefined,
  usual: readonly Column<Row>[] = columns,
): Column<Row>[] {
  if (!chosen) return [...usual]
  const names = chosen.split(',')
  return columns.filter(({ name }, index) => index === 0 || name === undefined || names.includes(name))
}

/** Return the address's value after a column was shown or hidden; undefined if the usual columns are shown. */
export function toggleColumn<Row>(
  columns: readonly Column<Row>[],
  shown: readonly Column<Row>[],
  toggled: Column<Row>,
  usual: readonly Column<Row>[] = columns,
): string | undefined {
  const next = columns.filter((column) => (column === toggled ? !shown.includes(column) : shown.includes(column)))
  if (next.length === usual.length && next.every((column) => usual.includes(column))) return undefined
  return next.flatMap(({ name }) => name ?? []).join(',')
}
