import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect, type Database } from '../../../src/db/client.ts'
import { listMigrations, readMigration, runsOutside, statementsOf } from '../../../src/db/migration-files.ts'
import { databaseUrl } from '../../postgres.ts'
import { listReleases, readRelease } from '../../releases/fixtures.ts'
import { openDatabase } from '../../test-app.ts'
import { tryMigration } from './migration-rules.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
  await db.unsafe("insert into flags (name, value) select 'rule ' || n, '' from generate_series(1, 10) as n")
})
afterAll(() => close())

const WIDEN = '-- Kind: widen\n'
const OUTSIDE = '-- Outside of a transaction.\n'

describe('a migration', () => {
  it.each([
    [
      'a table',
      `${WIDEN}create table new_things (id bigint primary key, organization bigint not null references organizations);`,
    ],
    ['a column that may be empty', `${WIDEN}alter table flags add column note text;`],
    ['a column with a value for all rows', `${WIDEN}alter table flags add column count integer not null default 0;`],
    ['an index, built while others write', `${OUTSIDE}${WIDEN}create index concurrently flags_note on flags (note);\n`],
    [
      'a constraint that is checked later',
      `${OUTSIDE}${WIDEN}alter table flags add constraint flags_count_check check (count >= 0) not valid;\nalter table flags validate constraint flags_count_check;\n`,
    ],
  ])('may add %s', async (_, text) => {
    expect(await tryMigration(db, text, [])).toEqual([])
  })

  it('may take away what the last release does not use, and no widening one may', async () => {
    const drop = 'alter table flags drop column note;'
    expect(await tryMigration(db, `-- Kind: narrow; needs 0056_a.sql\n${drop}`, ['0056_a.sql'])).toEqual([])
    await db.unsafe('alter table flags add column note text')
    expect(await tryMigration(db, `-- Kind: narrow; needs 0057_a.sql\n${drop}`, ['0056_a.sql'])).toEqual([
      'It needs 0057_a.sql, which the last release does not have: that release may still use what is removed.',
    ])
    await db.unsafe('alter table flags add column note text')
    expect(await tryMigration(db, WIDEN + drop, [])).toEqual(['It takes the column flags.note away.'])
  })

  it.each([
    ['alter table flags rename column count to number', 'It takes the column flags.count away.'],
    ['alter table new_things rename to things', 'It takes the table new_things away.'],
    ['alter table flags alter column number type bigint', 'It writes all rows of flags anew.'],
    ['alter table flags add column stamp uuid default gen_random_uuid()', 'It writes all rows of flags anew.'],
    ['create index flags_value on flags (value)', 'It builds the index flags_value while others cannot write.'],
    [
      'alter table flags add constraint flags_value_check check (value is not null)',
      'It checks all rows for flags_value_check of flags; add it `not valid`, and validate it outside of a transaction.',
    ],
    [
      'alter table things add column wanted text not null',
      'It wants a value in things.wanted, which the version before does not write.',
    ],
    [
      'alter table flags add column a text; alter table things add column b text',
      'It locks flags, things in one transaction; lock one table in each.',
    ],
  ])('must not %s', async (statement, fault) => {
    expect(await tryMigration(db, `${WIDEN}${statement};`, [])).toContain(fault)
  })
})

describe('the migrations of this version', () => {
  it('keep the rules', async () => {
    const files = await listMigrations()
    const released = migrationsOfLastRelease()
    const later = files.filter((name) => !released.includes(name))
    const { url } = inject('postgres')
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const admin = connect(url, { connections: 1, application: 'tests' })
    await admin.unsafe(`create database ${name}`)
    const empty = connect(databaseUrl(url, name), { connections: 1, application: 'tests' })
    const faults: Record<string, string[]> = {}
    for (const file of files) {
      const text = await readMigration(file)
      if (later.includes(file)) faults[file] = await tryMigration(empty, text, released)
      else for (const part of runsOutside(text) ? statementsOf(text) : [text]) await empty.unsafe(part)
    }
    await empty.end()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
    expect(faults).toEqual(Object.fromEntries(later.map((file) => [file, []])))
  })
})

/** The dump of a release has the texts of its migrations, each below its name. */
function migrationsOfLastRelease(): string[] {
  const { dump } = readRelease(listReleases().at(-1)!)
  return [...dump.matchAll(/^-- (\d{4}_[a-z0-9-]+\.sql)$/gm)].map(([, name]) => name!)
}
