import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCell, requireCellOf } from '../../src/db/cell.ts'
import { connect, type Database } from '../../src/db/client.ts'
import { prepareDatabase } from '../../src/db/migrate.ts'
import { findDemo, START } from '../sandbox.ts'
import { cloneDatabase } from '../test-app.ts'

/* The database and its cell. */

let database: Awaited<ReturnType<typeof cloneDatabase>>
let owner: Database
beforeAll(async () => {
  database = await cloneDatabase()
  owner = connect(database.url, { connections: 2, application: 'tests', cell: 899 })
})
afterAll(async () => {
  await owner.end({ timeout: 1 })
  await database.drop()
})

const prepare = async (cell?: number) => {
  const service = connect(database.service_url, { connections: 1, application: 'tests' })
  return prepareDatabase(owner, service, {}, cell).finally(() => service.end({ timeout: 1 }))
}

describe('a database', () => {
  it('belongs to no cell before its first id, and to its cell for ever after', async () => {
    expect(await readCell(owner)).toBeUndefined()
    await prepare(899)
    expect(await readCell(owner)).toBe(899)
    await requireCellOf(owner, 899)
    await expect(prepare(0)).rejects.toThrow('The database belongs to cell 899, and CELL is 0.')
    await expect(prepare(3)).rejects.toThrow('Set CELL=899, or DATABASE_URL to the database of cell 3.')
    await expect(requireCellOf(owner, 3)).rejects.toThrow('The database belongs to cell 899')
  })

  it('gives ids of its range alone, and only currencies have the same ids in all cells', async () => {
    const demo = await findDemo(owner, START)
    expect(demo.organization.id).toBe(8_990_000_000_000_001)
    const [currency] = await owner<{ id: number }[]>`select min(id) as id from currencies`
    expect(currency!.id).toBe(1)
    const [range] = await owner<{ least: number; most: number }[]>`
      select min(min_value) as least, max(max_value) as most from pg_sequences
      where sequencename <> 'currencies_id_seq' and sequencename not like 'simulator%'`
    expect(range).toEqual({ least: 8_990_000_000_000_001, most: 8_999_999_999_999_999 })
  })

  it('gives the sequences of later migrations the same range', async () => {
    await owner.unsafe('create table later (id bigint generated always as identity primary key, word text)')
    await prepare()
    const [row] = await owner<{ id: number }[]>`insert into later (word) values ('first') returning id`
    expect(row!.id).toBe(8_990_000_000_000_001)
  })

  it('of cell 0 keeps its sequences as they are, and cannot become another', async () => {
    const other = await cloneDatabase('sandbox')
    const db = connect(other.url, { connections: 2, application: 'tests' })
    try {
      expect(await readCell(db)).toBe(0)
      expect(await prepareDatabase(db, db, {}, 0)).toEqual([])
      await expect(prepareDatabase(db, db, {}, 3)).rejects.toThrow('The database belongs to cell 0, and CELL is 3.')
    } finally {
      await db.end({ timeout: 1 })
      await other.drop()
    }
  })
})
