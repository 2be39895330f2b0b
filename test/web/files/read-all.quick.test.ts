import { describe, expect, it } from 'vitest'
import { readAll } from '../../../web/parts/files/read-all.ts'

/** A list of which rows leave and others join after each page that is read. */
function listOf(rows: { id?: number }[], change: (rows: { id?: number }[]) => { id?: number }[] = (same) => same) {
  let present = rows
  return async (_source: string, query: Record<string, unknown>) => {
    const [limit, offset] = [Number(query.limit), Number(query.offset)]
    const results = present.slice(offset, offset + limit)
    present = change(present)
    return { count: present.length, results }
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
const read = (readPage: ReturnType<typeof listOf>) => readAll<{ id: number }>('/invoices', {}, readPage as never)

describe('the rows of a file', () => {
  it.each([0, 1, 999, 1_000, 1_001, 1_999, 2_000, 4_500])('are all %d of a list', async (count) => {
    expect(await read(listOf(numbered(count)))).toEqual(numbered(count))
  })

  it.each([1, 5, 700, 1_500])('lack none that stay while %d leave after each page', async (leaving) => {
    let present: { id?: number }[] = []
    const left = () => present
    const rows = await read(
      listOf(numbered(5_000), (before) => {
        present = before.slice(leaving)
        return present
      }),
    )
    const ids = rows.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(ids.length)
    expect(left().filter(({ id }) => !ids.includes(id!))).toEqual([])
  })

  it('come once, also when others join the list before them', async () => {
    const joining = (present: { id?: number }[]) => [{ id: -present.length }, ...present]
    const ids = (await read(listOf(numbered(3_000), joining))).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(numbered(3_000).every(({ id }) => ids.includes(id))).toBe(true)
  })

  it('may have no ids', async () => {
    expect(await read(listOf(Array.from({ length: 2_500 }, () => ({}))))).toHaveLength(2_500)
  })
})
