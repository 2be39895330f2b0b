import type { ReactNode } from 'react'

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

/** A column of a list: on a phone, a line of each card. */
export interface Column<Row> {
  title: string
  value: (row: Row) => ReactNode
  align?: 'right'
  /** The field that a click on the title sorts by, if the list supports it. */
  ordering?: string
  /** Name in the address. People can hide it; a column without a name, and the first one, are always shown. */
  name?: string
  /** True for the state of the object, which cards show first. */
  status?: boolean
  /** Cell in a saved file, if `value` is no text. False for a column of buttons, which a file does not have. */
  file?: ((row: Row) => ColumnCell) | false
  /** Columns that a saved file has after this one, such as the phone number below a name. */
  beside?: readonly {
    title: string
    file: (row: Row) => string | number | null | undefined | { time: string | null }
  }[]
}

/** The columns that an address or the browser asks for, in the order of the page. Unknown names are left out. */
export function chooseColumns<Row>(columns: readonly Column<Row>[], chosen: string | undefined): Column<Row>[] {
  if (!chosen) return [...columns]
  const names = chosen.split(',')
  return columns.filter(({ name }, index) => index === 0 || name === undefined || names.includes(name))
}

/** Return the address's value after a column was shown or hidden; undefined if all columns are shown. */
export function toggleColumn<Row>(
  columns: readonly Column<Row>[],
  shown: readonly Column<Row>[],
  toggled: Column<Row>,
): string | undefined {
  const next = columns.filter((column) => (column === toggled ? !shown.includes(column) : shown.includes(column)))
  if (next.length === columns.length) return undefined
  return next.flatMap(({ name }) => name ?? []).join(',')
}
