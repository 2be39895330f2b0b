/** A page of a list, as the service answers it. */
interface List<Row> {
  count: number
  results: readonly Row[]
}

/** The rows that a list shows while newer ones wait. */
export interface LiveRows<Row> {
  rows: Row[]
  /** Number of new rows that are not shown yet. */
  added: number
}

/**
 * Update the shown rows, each in its place. New rows are counted but not added, so that none moves under a person's
 * finger.
 * @param found the service's present rows of the same page, or of a longer one with the same beginning
 */
export function mergeRows<Row extends { id: number | string }>(
  shown: List<Row>,
  found: List<Row>,
  is_first_page: boolean,
): LiveRows<Row> {
  const fresh = new Map(found.results.map((row) => [row.id, row]))
  const known = new Set(shown.results.map(({ id }) => id))
  // Rows below all known ones have moved up, because others no longer match the filters.
  const last_known = found.results.findLastIndex(({ id }) => known.has(id))
  const above = last_known === -1 ? found.results : found.results.slice(0, last_known)
  const unknown = is_first_page ? above.filter(({ id }) => !known.has(id)).length : 0
  return {
    rows: shown.results.map((row) => fresh.get(row.id) ?? row),
    added: Math.max(unknown, found.count - shown.count, 0),
  }
}
