import { loadModule } from 'libpg-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { distributionDdl, printDdl } from '../../../scripts/scale/ddl.ts'
import {
  findForeignKeyFaults,
  findKeyFaults,
  findTableFaults,
  impossibleForeignKeys,
  keysWithoutOrganization,
  listForeignKeys,
  listTables,
  listUniqueKeys,
} from '../../../scripts/scale/keys.ts'
import { findDeclaration, openStatements } from '../../../scripts/scale/open-statements.ts'
import { findStatementFaults, oneLine } from '../../../scripts/scale/statements.ts'
import { tables } from '../../../scripts/scale/tables.ts'
import type { Database } from '../../../src/db/client.ts'
import { openDatabase } from '../../test-app.ts'
import { captureStatements, hotPaths } from './story.ts'

/*
 * What keeps the tables fit to be spread over servers by organization (docs/scale.md). A new table, key or statement of a busy
 * path either names its organization or stands in a list of scripts/scale with the reason.
 */

let db: Database
let close: () => Promise<void>
let statements: string[]

beforeAll(async () => {
  await loadModule()
  ;({ db, close } = await openDatabase())
  statements = await captureStatements()
})
afterAll(() => close())

describe('the statements of the busy paths', () => {
  it('are all captured', () => {
    const missing = Object.entries(hotPaths).filter(([, path]) => !statements.some((text) => path.test(oneLine(text))))
    expect(missing.map(([name]) => `The story sends no statement of the path "${name}".`)).toEqual([])
  })

  it('name their organization, or are declared with the reason', () => {
    const faults = statements.flatMap(findStatementFaults).filter((fault) => findDeclaration(fault) === undefined)
    expect(
      faults.map(({ table, statement }) => `Name the organization of ${table}, or declare the statement: ${statement}`),
    ).toEqual([])
  })

  it('are declared only where they still do not name it', () => {
    const used = new Set(
      statements.flatMap(findStatementFaults).map((fault) => {
        const declaration = findDeclaration(fault)!
        return `${declaration.group.name}: ${fault.table}: ${declaration.text}`
      }),
    )
    const declared = openStatements
      .filter(({ by_chance }) => !by_chance)
      .flatMap(({ name, statements: open }) =>
        Object.entries(open).flatMap(([table, texts]) => texts.map((text) => `${name}: ${table}: ${text}`)),
      )
    expect(declared.filter((one) => !used.has(one))).toEqual([])
  })
})

describe('a statement that does not name its organization is found', () => {
  const tablesOf = (text: string) => findStatementFaults(text).map(({ table }) => table)
  it.each([
    ['by its id alone', 'select * from collections where id = $1', ['collections']],
    [
      'in an update',
      'update contacts c set status = $1 from unnest($2::bigint[]) as r(id) where c.id = r.id',
      ['contacts'],
    ],
    ['in a delete', 'delete from mails where id = $1', ['mails']],
    ['in an insert', 'insert into plans (collection_request) values ($1)', ['plans']],
    ['in one side of an or', 'select 1 from payments where organization = $1 or id = $2', ['payments']],
    ['by another comparison', 'select 1 from payments where organization > $1', ['payments']],
    ['in a join', 'select 1 from plans p join payments q on q.id = p.id where p.organization = $1', ['payments']],
    ['in a subquery', 'select 1 from fees where id = any(array(select id from payments for update))', ['payments']],
    ['in a common table expression', 'with x as (select id from receipts) select * from x', ['receipts']],
    [
      'in a lateral join',
      'select 1 from fees f cross join lateral (select from payments p where p.id = f.id) p',
      ['payments'],
    ],
  ])('%s', (_, text, found) => expect(tablesOf(text)).toEqual(found))

  it.each([
    ['with one organization', 'select 1 from payments where organization = $1 and id = $2'],
    ['with several', 'select 1 from payments p where p.organization = any($1::bigint[])'],
    ['with pairs', 'select 1 from payments where (organization, id) = ($1, $2)'],
    ['in a join', 'update plans p set due_at = null from rows r where r.id = p.id and p.organization = r.organization'],
    ['as a column', 'insert into plans (organization, id) select 1, 2'],
    ['as a name of its own', 'with payments as (select 1 as id) select * from payments'],
    ['for tables that are copied', 'select 1 from currencies'],
  ])('and one that names it is not: %s', (_, text) => expect(tablesOf(text)).toEqual([]))

  it('also when it joins the statements of the story', () => {
    const planted = [...statements, 'select * from collections where phonenumber = $1']
    const faults = planted.flatMap(findStatementFaults).filter((fault) => findDeclaration(fault) === undefined)
    expect(faults).toEqual([{ table: 'collections', statement: 'select * from collections where phonenumber = $1' }])
  })
})

describe('the schema', () => {
  it('has every table in the list once, and every unique key and foreign key is one that can be kept or is declared', async () => {
    expect(findTableFaults(await listTables(db))).toEqual([])
    expect(findKeyFaults(await listUniqueKeys(db))).toEqual([])
    expect(findForeignKeyFaults(await listForeignKeys(db))).toEqual([])
  })

  it('cannot get a table, a unique key or a foreign key that is not declared', async () => {
    const { plans: _, ...others } = tables
    expect(findTableFaults(await listTables(db), others)).toEqual(['Say in scripts/scale/tables.ts where plans is.'])
    expect(findTableFaults([])).toContain('scripts/scale/tables.ts names plans, which is no table.')
    const key = { table: 'contacts', columns: ['email'], index: 'x', constraint: null, definition: '' }
    expect(findKeyFaults([...(await listUniqueKeys(db)), key], keysWithoutOrganization)).toEqual([
      'The unique key contacts(email) does not contain the organization, and keysWithoutOrganization says no reason.',
    ])
    const lost = {
      table: 'contacts',
      columns: ['session'],
      to: 'sessions',
      to_columns: ['id'],
      name: 'x',
      definition: '',
    }
    expect(findForeignKeyFaults([...(await listForeignKeys(db)), lost], impossibleForeignKeys)).toEqual([
      'The foreign key contacts(session) → sessions leads to another server, and impossibleForeignKeys says nothing of it.',
    ])
  })

  it('becomes DDL in which every table has one place', async () => {
    const ddl = printDdl(await distributionDdl(db))
    for (const [table, { kind }] of Object.entries(tables)) {
      const places = [`create_distributed_table('${table}'`, `create_reference_table('${table}'`, `-- ${table}: `]
      const expected = { distributed: [1, 0, 0], reference: [0, 1, 0], local: [0, 0, 1] }[kind]
      expect([table, ...places.map((place) => ddl.split(place).length - 1)]).toEqual([table, ...expected])
    }
    expect(ddl).toContain('-- no longer unique over all organizations')
  })

  it('becomes DDL that runs, apart from what the functions of Citus do', async () => {
    const parts = await distributionDdl(db)
    await db.unsafe(`
      create function create_reference_table(text) returns void language sql return null;
      create function create_distributed_table(text, text, colocate_with text) returns void language sql return null`)
    await db.unsafe(printDdl(parts))
    const keys = await listUniqueKeys(db)
    // What contains the organization now needs no declaration any more.
    expect(findKeyFaults(keys, {})).toEqual([])
    const columns = (name: string) => keys.find(({ index }) => index === name)?.columns
    expect(columns('transfers_pkey')).toEqual(['organization', 'id'])
  })
})
