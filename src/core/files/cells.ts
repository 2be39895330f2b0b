import type { SheetCell } from '../../lib/sheets/sheet.ts'

/** Cell of a file, as it is stored. */
export type Cell = SheetCell

/** The cells of one row, by column. A missing one is empty. */
export type Cells<Column extends string> = Partial<Record<Column, Cell>>
