import { api, type List, type Query } from '../../api.ts'

const PAGE_SIZE = 1_000
/** The maximum number of rows in a file. */
export const MAX_ROWS = 50_000

type ReadPage = (source: string, query: Query) => Promise<List<object>>

/**
 * Read all rows of a list that match the filters, each once. Rows may join the list and leave it meanwhile, as open invoices do when
 * they are paid: so each page begins with the last row of the page before, and where that is gone, earlier.
 */
export async function readAll<Row>(source: string, filters: Query, readPage: ReadPage = api.get): Promise<Row[]> {
  const rows: object[] = []
  const ids = new Set<unknown>()
  for (let offset = 0; ; ) {
    // Oldest first, so that new rows come at the end and do not shift the pages.
    const { results } = await readPage(source, { ...filters, ordering: 'id', limit: PAGE_SIZE, offset })
    const has_ids = ids.size > 0
    if (has_ids && offset > 0 && !ids.has(idOf(results[0]))) {
      offset = Math.max(0, offset - PAGE_SIZE + 1)
      continue
    }
    const fresh = results.filter((row) => !ids.has(idOf(row)))
    rows.push(...fresh)
    for (const id of fresh.map(idOf)) if (id !== undefined) ids.add(id)
    if (results.length < PAGE_SIZE || rows.length >= MAX_ROWS) return rows.slice(0, MAX_ROWS) as Row[]
    offset += ids.size > 0 ? results.length - 1 : results.length
  }
}

/** Rows without an id are only counted. */
function idOf(row: object | undefined): unknown {
  return row && 'id' in row ? row.id : undefined
}
