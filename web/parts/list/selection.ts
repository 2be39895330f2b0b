import { useState } from 'react'

type Id = number | string

/** The rows that are selected, over all pages of a list. */
export interface Selection<Row> {
  rows: Row[]
  has(row: Row): boolean
  set(rows: readonly Row[], selected: boolean): void
  clear(): void
}

/** Rows stay selected on other pages. Other filters select other rows, so they end the selection. @param filters as a text */
export function useSelection<Row extends { id: Id }>(filters: string): Selection<Row> {
  const [state, setState] = useState<{ filters: string; rows: ReadonlyMap<Id, Row> }>({ filters, rows: new Map() })
  const current: ReadonlyMap<Id, Row> = state.filters === filters ? state.rows : new Map()
  return {
    rows: [...current.values()],
    has: (row) => current.has(row.id),
    set(rows, selected) {
      const next = new Map(current)
      for (const row of rows) {
        if (selected) next.set(row.id, row)
        else next.delete(row.id)
      }
      setState({ filters, rows: next })
    },
    clear: () => setState({ filters, rows: new Map() }),
  }
}
