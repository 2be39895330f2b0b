import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lateTables } from '../../../src/core/cells/changed-rows.ts'
import { fencedTables, listColumns, selfReferringTables } from '../../../src/core/cells/move-rows.ts'
import { movedTables, stayingTables } from '../../../src/core/cells/moved-tables.ts'
import type { Database } from '../../../src/db/client.ts'
import { openDatabase } from '../../test-app.ts'

/* The tables of a move, compared with those of the database. */

let db: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openDatabase())
})
afterAll(() => close?.())

const isSimulated = (table: string) => table.startsWith('simulator_')

describe('the tables of a move', () => {
  it('are all tables of the database, each of which moves or stays', async () => {
    const found = await db<{ table: string }[]>`
      select relname as table from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`
    const tables = found.map(({ table }) => table).filter((table) => !isSimulated(table))
    expect([...Object.keys(movedTables), ...Object.keys(stayingTables)].sort()).toEqual(tables.sort())
  })

  it('move with every column that names an organization, or say why they stay', async () => {
    const found = await db<{ table: string }[]>`
      select table_name as table from information_schema.columns c join pg_class t on t.relname = c.table_name
      where c.table_schema = current_schema() and column_name = 'organization' and t.relkind in ('r', 'p') and not t.relispartition`
    const without = found.map(({ table }) => table).filter((table) => !fencedTables.includes(table))
    expect(without.sort()).toEqual([
      'audit_log',
      'collection_request_counts',
      'departed_codes',
      'departed_places',
      'organization_moves',
      'sessions',
      'sms_months',
    ])
  })

  it('have keys by which changed rows are found', async () => {
    for (const table of Object.keys(movedTables)) {
      const columns = await listColumns(db, table)
      expect([table, columns.some(({ is_key }) => is_key)]).toEqual([table, true])
    }
  })

  it('come after those to which they refer, so that their rows can be inserted', async () => {
    const order = Object.keys(movedTables)
    const keys = await db<{ table: string; refers_to: string }[]>`
      select c.relname as table, p.relname as refers_to from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and c.oid <> p.oid`
    const between = keys.filter(({ table, refers_to }) => order.includes(table) && order.includes(refers_to))
    expect(between.length).toBeGreaterThan(80)
    const wrong = between.filter(({ table, refers_to }) => order.indexOf(table) < order.indexOf(refers_to))
    expect(wrong).toEqual([])
    // Rows that are copied before the hold refer to none that come in it.
    expect(order).toEqual(expect.arrayContaining([...lateTables]))
    const early = between.filter(({ table }) => !lateTables.includes(table))
    expect(early.filter(({ refers_to }) => lateTables.includes(refers_to))).toEqual([])
    const within = await db<{ table: string }[]>`
      select c.relname as table from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.confrelid = c.oid order by 1`
    expect(within.map(({ table }) => table)).toEqual(selfReferringTables)
  })
})
