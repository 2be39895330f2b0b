import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Reader } from '../../src/db/client.ts'
import { type Fragment, sql, toStatement } from '../../src/db/sql.ts'
import { column, declaredTables, insert, type Row, table } from '../../src/db/table.ts'
import { openDatabase } from '../test-app.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
  for (const file of globSync('src/**/*.ts'))
    if (/= table\(/.test(readFileSync(file, 'utf8'))) await import(/* @vite-ignore */ `../../${file}`)
})
afterAll(() => close())

const shapes = table('shapes', {
  id: column.id(),
  integer: column.integer(),
  smallint: column.smallint(),
  double: column.double(),
  amount: column.numeric(),
  text: column.text(),
  note: column.text().nullable(),
  is_sent: column.boolean(),
  at: column.timestamptz(),
  day: column.date(),
  kept: column.json<object>(),
  object: column.jsonb<object>(),
  bytes: column.bytea(),
  words: column.texts(),
  numbers: column.integers(),
  state: column.text().default('new'),
  ended: column.timestamptz().later(),
})

const ITEM = {
  integer: 7,
  smallint: -1,
  double: 0.25,
  amount: 15_000_001n,
  text: 'a "quoted", {braced} \\ name',
  is_sent: true,
  at: new Date('2030-01-15T12:00:00.123Z'),
  day: new Date('2030-01-15'),
  kept: { 'b"': [1], a: null },
  object: { a: '\\' },
  bytes: Buffer.from([0, 92, 255]),
  words: ['a', 'b, "c"'],
  numbers: [],
}

/**
 * The tables that no file declares: a migration or a trigger fills them, a statement copies their rows from other tables, or one
 * statement writes two tables by turns.
 */
const UNDECLARED = `
  approval_notices audit_anchors audit_chain bill_approval_notices bill_approvals bill_catalogue_syncs bill_offers
  callbacks collection_request_counts countries currencies departed_codes departed_places networks order_attestations
  organization_moves payment_approvals sms_requeued unassigned_payment_reversals
`

/** A column as a declaration and the database have it. */
interface Described {
  type: string
  is_nullable: boolean
  initial: unknown
  is_generated: boolean
}

describe('an insert', () => {
  it('keeps every type of column exactly, in one row and in several', async () => {
    await inShapes(async (session) => {
      const items = [ITEM, { ...ITEM, words: [], numbers: [1, 2, 3], integer: 8 }]
      const stored = await session<Row<typeof shapes>[]>`
        ${insert(shapes, items, { note: ({ integer }, index) => `${integer}, ${index}` })} returning ${shapes.columns}`
      expect(stored).toEqual([
        { ...items[0], id: 1, note: '7, 0', state: 'new', ended: null },
        { ...items[1], id: 2, note: '8, 1', state: 'new', ended: null },
      ])
    })
  })

  it('takes values for all rows, SQL, and columns with a default', async () => {
    await inShapes(async (session) => {
      const { integer, ...shared } = ITEM
      const given = { ...shared, note: null, smallint: sql`2 + ${3}`, id: () => 5, state: 'old', ended: ITEM.at }
      const stored = await session<Row<typeof shapes>[]>`
        ${insert(shapes, [{ integer }], given)} returning ${shapes.columnsOf('shapes')}`
      expect(stored).toEqual([{ ...ITEM, note: null, smallint: 5, id: 5, state: 'old', ended: ITEM.at }])
    })
  })

  it('has the same text for each number of items, so that it stays prepared', () => {
    const text = (items: (typeof ITEM)[]) => toStatement(insert(shapes, items, { note: 'a' })).text
    expect(text([])).toBe(text([ITEM, ITEM]))
  })

  it('updates the row that exists, under a short name of the table', async () => {
    await inShapes(async (session) => {
      await session`create unique index on shapes (integer)`
      await session`${insert(shapes, [ITEM], { note: null })}`
      const [row] = await session<Row<typeof shapes>[]>`
        ${insert(shapes.as('s'), [{ ...ITEM, text: 'new', smallint: 4 }], { note: null })}
        ${shapes.replace(['text'], ['integer'])}, smallint = s.smallint + excluded.smallint returning ${shapes.columns}`
      expect(row).toMatchObject({ id: 1, text: 'new', smallint: 3 })
    })
  })

  it('inserts nothing without items', async () => {
    await inShapes(async (session) => {
      expect(await session`${insert(shapes, [] as (typeof ITEM)[], { note: null })} returning id`).toEqual([])
    })
  })
})

describe('the columns of a table', () => {
  it('are listed whole, and in part', () => {
    const text = ({ columns }: { columns: Fragment }) => columns.text
    expect(text(shapes)).toBe(`${text(shapes.omit('ended'))}, "ended"`)
    expect(text(shapes.pick('at', 'id'))).toBe('"at", "id"')
    expect(shapes.columnsOf('s').text).toContain('s."id", s."integer", ')
  })
})

describe('the declared tables', () => {
  it('are the tables of the database', async () => {
    const stored = await readTables()
    expect([...stored.keys()].filter((name) => !declaredTables.has(name)).sort()).toEqual(
      UNDECLARED.trim().split(/\s+/),
    )
  })

  it('have the columns, types, defaults and keys of the database', async () => {
    const stored = await readTables()
    for (const [name, { list }] of declaredTables) {
      if (name === shapes.name) continue
      const columns = list.map(([column, { type, is_nullable, initial, from }]) => [
        column,
        { type, is_nullable, initial, is_generated: from === 'database' },
      ])
      const key = list.flatMap(([column, { is_key }]) => (is_key ? [column] : []))
      expect({ name, key, ...Object.fromEntries(columns) }).toEqual({ name, ...stored.get(name) })
    }
  })
})

/** Runs work on a connection with an empty table of shapes. */
async function inShapes(work: (session: Reader) => Promise<void>): Promise<void> {
  const session = await db.reserve('maintenance')
  const columns = shapes.list.map(
    ([name, { type, is_nullable, from }]) =>
      `"${name}" ${type} ${from === 'database' ? 'generated always as identity' : is_nullable ? '' : 'not null'} ${name === 'state' ? "default 'new'" : ''}`,
  )
  try {
    await session.unsafe(`create temporary table shapes (${columns.join(', ')})`)
    await work(session)
  } finally {
    session.release()
  }
}

/** The tables of the database as a declaration has them: columns by name, and `key`. */
async function readTables(): Promise<Map<string, Record<string, unknown>>> {
  const columns = await db<(Described & { table: string; column: string })[]>`
    select c.relname as table, a.attname as column,
      replace(replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'), ' without time zone', '') as type,
      not a.attnotnull as is_nullable, pg_get_expr(d.adbin, d.adrelid) as initial,
      a.attidentity <> '' or a.attgenerated <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like '%(%', false) as is_generated
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  const keys = await db<{ table: string; key: string[] }[]>`
    select i.indrelid::regclass::text as table, array(
      select a.attname from unnest(i.indkey) with ordinality k(number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place)::text[] as key
    from pg_index i where i.indisprimary`
  const tables = new Map<string, Record<string, unknown>>()
  for (const { table, column, type, is_nullable, initial, is_generated } of columns) {
    const value = is_generated || initial === null ? undefined : await readConstant(`(${initial})::${type}`)
    const described = { key: keys.find((one) => one.table === table)?.key ?? [], ...tables.get(table) }
    tables.set(table, { ...described, [column]: { type, is_nullable, initial: value, is_generated } })
  }
  return tables
}

async function readConstant(expression: string): Promise<unknown> {
  const [row] = await db.unsafe<{ value: unknown }[]>(`select ${expression} as value`)
  return row!.value
}
