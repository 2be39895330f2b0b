import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { begin, beginFrequent, connect, type Database, type Tx } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { openDatabase } from '../test-app.ts'

let db: Database
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, url, close } = await openDatabase())
  await db`create table notes (id bigint primary key, text text not null)`
})
afterAll(() => close())

const MOMENT = new Date('2030-01-15T12:00:00.123Z')

async function read(fragment: ReturnType<typeof sql>): Promise<unknown> {
  const [row] = await db<{ value: unknown }[]>`select ${fragment} as value`
  return row!.value
}

describe('a column arrives as', () => {
  it.each([
    ['a number from int8', sql`9007199254740991::bigint`, 9_007_199_254_740_991],
    ['a number from int4, int2 and oid', sql`array[7::integer, 8::smallint, 9::oid::integer]`, [7, 8, 9]],
    ['a number from float8', sql`'-1e21'::float8`, -1e21],
    ['an amount from numeric', sql`12.5000::numeric(20, 4)`, 125_000n],
    ['a date from timestamptz', sql`'2030-01-15 14:00:00.123+02'::timestamptz`, MOMENT],
    ['a date from date, at midnight of UTC', sql`'2030-01-15'::date`, new Date('2030-01-15T00:00:00Z')],
    ['a boolean', sql`false`, false],
    ['what it holds from json', sql`'{"a":[1,"b",null]}'::json`, { a: [1, 'b', null] }],
    ['what it holds from jsonb', sql`'[{"a":1}]'::jsonb`, [{ a: 1 }]],
    ['bytes from bytea', sql`'\\x00ff'::bytea`, Buffer.from([0, 255])],
    ['text from every other type', sql`interval '1 day 2 hours'`, '1 day 02:00:00'],
    ['null', sql`null::bigint`, null],
    ['numbers from int8[]', sql`array[1, null, 2]::bigint[]`, [1, null, 2]],
    ['amounts from numeric[]', sql`array[0.0001, 2]::numeric[]`, [1n, 20_000n]],
    ['dates from timestamptz[]', sql`array['2030-01-15 12:00:00.123+00']::timestamptz[]`, [MOMENT]],
    [
      'texts from text[]',
      sql`array['', 'NULL', null, 'a,b', '{"x"}', '\\', 'ü']`,
      ['', 'NULL', null, 'a,b', '{"x"}', '\\', 'ü'],
    ],
    ['texts from name[]', sql`array['a', 'b c']::name[]`, ['a', 'b c']],
    ['what they hold from jsonb[]', sql`array['{"a":"\\"b\\""}']::jsonb[]`, [{ a: '"b"' }]],
    ['an empty list', sql`'{}'::text[]`, []],
  ])('%s', async (_, fragment, expected) => {
    expect(await read(fragment)).toEqual(expected)
  })

  it('the same moment that was stored, with microseconds left out', async () => {
    const between = { min: new Date('1000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') }
    const moments = fc.sample(fc.date({ ...between, noInvalidDate: true }), 2_000)
    expect(await read(sql`${moments}::timestamptz[]`)).toEqual(moments)
    expect(await read(sql`'2030-01-15 12:00:00.1+00'::timestamptz`)).toEqual(new Date('2030-01-15T12:00:00.100Z'))
    expect(await read(sql`'2030-01-15 12:00:00.123999+00'::timestamptz`)).toEqual(MOMENT)
  })

  it('an error where a number would not be exact', async () => {
    await expect(read(sql`9007199254740992::bigint`)).rejects.toThrow('9007199254740992')
    await expect(read(sql`array[-9007199254740992]::bigint[]`)).rejects.toThrow('9007199254740992')
    expect(await read(sql`1`)).toBe(1)
  })
})

describe('a parameter is', () => {
  it.each([
    ['a text', sql`${'it\'s "\\"'}::text`, 'it\'s "\\"'],
    ['a whole number', sql`${2 ** 40}::bigint`, 2 ** 40],
    ['a fraction', sql`${0.1}::float8`, 0.1],
    ['an amount', sql`${-125_000n}`, -125_000n],
    ['a date, whose type needs no cast', sql`${MOMENT} - interval '1 hour'`, new Date('2030-01-15T11:00:00.123Z')],
    ['a boolean', sql`not ${false}`, true],
    ['bytes', sql`${Buffer.from([0, 1, 255])}`, Buffer.from([0, 1, 255])],
    ['null', sql`${null}::text`, null],
    ['an object as JSON', sql`${sql.json({ a: 'b"c' })} -> 'a'`, 'b"c'],
    ['a list as JSON', sql`jsonb_array_length(${sql.json([1, [2]])})`, 2],
    ['a text as JSON', sql`${sql.json('a')}`, 'a'],
    ['a list of numbers', sql`${[3, 1]}::bigint[]`, [3, 1]],
    ['a list of texts', sql`${['a"b', '\\', '', 'NULL', null]}::text[]`, ['a"b', '\\', '', 'NULL', null]],
    ['a list of dates', sql`${[MOMENT]}::timestamptz[]`, [MOMENT]],
    ['an empty list', sql`${[]}::text[]`, []],
  ])('%s', async (_, fragment, expected) => {
    expect(await read(fragment)).toEqual(expected)
  })

  it('refused when it is undefined or a promise', async () => {
    const wrong = [undefined, Promise.resolve()] as unknown as string[]
    for (const value of wrong) await expect(db`select ${value}::text as value`).rejects.toThrow(TypeError)
  })
})

describe('a statement', () => {
  it('holds pieces of SQL, nested and joined, with values before, in and after them', async () => {
    const condition = sql.join([sql.always, sql`id > ${1}`, sql`id < any(${[4, 2]}::integer[])`], ' and ')
    expect(
      await db`
      select ${'before'} as a, ${sql.identifier('n.id')}, ${'after'} as b
      from generate_series(1, 9) as ${sql.identifier('n')}(id) where ${condition} and ${condition} ${sql.empty}`,
    ).toEqual([
      { a: 'before', id: 2, b: 'after' },
      { a: 'before', id: 3, b: 'after' },
    ])
  })

  it('quotes names, however they are written', async () => {
    const [row] = await db`select 1 as ${sql.identifier('a"b')}, 2 as ${sql.identifier('User')}`
    expect(row).toEqual({ 'a"b': 1, User: 2 })
  })

  it('says how many rows it changed', async () => {
    await begin(db, async (tx) => {
      expect((await tx`insert into notes (id, text) values (1, 'a'), (2, 'b')`).count).toBe(2)
      expect((await tx`update notes set text = 'c' where id = 1 returning id`).count).toBe(1)
      expect((await tx`delete from notes`).count).toBe(2)
    })
  })

  it('runs as text with several commands, and gives the rows of the last', async () => {
    expect(await db.unsafe('select 1 as one; select 2 as two union all select 3 order by 1')).toEqual([
      { two: 2 },
      { two: 3 },
    ])
  })

  it('is prepared once on a connection, under a name that its text gives', async () => {
    await begin(db, async (tx) => {
      for (const id of [1, 2, 3]) await tx`select ${id}::bigint as prepared_once`
      const prepared = await tx`select statement from pg_prepared_statements where statement like '%prepared_once'`
      expect(prepared).toEqual([{ statement: 'select $1::bigint as prepared_once' }])
    })
  })

  it('is prepared, too, if only parts of it that name their columns are read whole', async () => {
    await begin(db, async (tx) => {
      await tx`with w as materialized (select * from unnest(${[1]}::bigint[]) as w(id)), kept as (select id from w) select * from kept`
      await tx`with whole as (select * from notes) select * from whole`
      const prepared = await tx<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement ~ '^with (w|whole) as'`
      expect(prepared.map(({ statement }) => statement)).toEqual([expect.stringContaining('from kept')])
    })
  })

  it('keeps its plan in a transaction of frequent work, and is planned each time in others', async () => {
    const own = connect(url, { connections: 1, application: 'tests' })
    const read = (tx: Tx) => tx`select text as kept_plan from notes where id = ${1}`
    const plans = () => own<{ generic: number; custom: number }[]>`
      select generic_plans::integer as generic, custom_plans::integer as custom from pg_prepared_statements
      where statement like 'select text as kept_plan%'`
    for (let again = 0; again < 3; again += 1) await beginFrequent(own, read)
    for (let again = 0; again < 2; again += 1) await begin(own, read)
    expect(await plans()).toEqual([{ generic: 3, custom: 2 }])
    expect(await own`show enable_seqscan`).toEqual([{ enable_seqscan: 'on' }])
    await own.end()
  })

  it('stands in the error, without its values, when PostgreSQL refuses it', async () => {
    const refused = db`
      select nothing
      where ${'secret'} = 'x'`
    await expect(refused).rejects.toMatchObject({
      code: '42703',
      message: 'column "nothing" does not exist',
      statement: "select nothing where $1 = 'x'",
    })
  })

  it('works again after the table that it reads was changed', async () => {
    const list = () => db`select * from notes`
    await begin(db, (tx) => tx`insert into notes (id, text) values (1, 'a')`)
    await Promise.all([list(), list(), list(), list()])
    await begin(db, (tx) => tx`alter table notes add column more integer`)
    // Each connection that had prepared the statement is replaced by another.
    await vi.waitFor(async () => expect(await list()).toEqual([{ id: 1, text: 'a', more: null }]), 120_000)
    for (let again = 0; again < 5; again += 1) await list()
  })
})
