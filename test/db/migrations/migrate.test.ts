import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect, type Database } from '../../../src/db/client.ts'
import { type MigrationWait, migrate, prepareDatabase } from '../../../src/db/migrate.ts'
import { isConcurrent, readKind, statementsOf } from '../../../src/db/migration-files.ts'
import { databaseUrl } from '../../postgres.ts'
import { openDatabase } from '../../test-app.ts'

let db: Database
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, url, close } = await openDatabase())
})
afterAll(() => close())

/** A migration whose tables no other table refers to. It refers to `organizations`, and so locks it against writers. */
const SAMPLE = '0014_reconciliation.sql'

/** Take the migration back. */
async function forgetSample(): Promise<void> {
  await db.unsafe(
    `delete from migrations where name = '${SAMPLE}'; drop table reconciliation_findings, reconciliation_runs`,
  )
}

/** A session whose transaction has written to the table, as an import does. */
async function openWriter() {
  const session = connect(url, { connections: 1, application: 'a long import' })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let begun = () => {}
  const has_begun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const done = session.begin('begin', async (tx) => {
    await tx`delete from organizations where id = ${-1}`
    begun()
    await ended
  })
  await has_begun
  return {
    async end() {
      end()
      await done
      await session.end()
    },
  }
}

describe('a migration of a table that a long transaction writes', () => {
  it('lets writers go on, says what it waits for, and is applied when the transaction ends', async () => {
    await forgetSample()
    const long = await openWriter()
    const waits: MigrationWait[] = []
    const patience = { lock_timeout_ms: 100, more_ms: 0, pause_ms: 50, give_up_ms: 60_000 }
    const done = migrate(db, { waiting: (wait) => waits.push(wait) }, patience)
    const writer = connect(url, { connections: 1, application: 'tests' })
    // Without the time-out these would wait behind the migration until the long transaction ends, which is never.
    for (let writes = 0; writes < 5 || waits.length < 3; writes += 1) {
      await writer`delete from organizations where id = ${-1}`
      await sleep(10)
    }
    await long.end()
    expect(await done).toEqual([SAMPLE])
    await writer.end()
    expect(waits[0]).toMatchObject({ migration: SAMPLE })
    expect(waits.at(-1)!.sessions.join()).toMatch(
      /^\d+ \(a long import, idle in transaction, its transaction began \d+ s ago\)$/,
    )
  })

  it('gives up in the end, and changes nothing', async () => {
    await forgetSample()
    const long = await openWriter()
    const patience = { lock_timeout_ms: 100, more_ms: 0, pause_ms: 50, give_up_ms: 400 }
    await expect(migrate(db, {}, patience)).rejects.toThrow(/0014_reconciliation.sql got no lock .*\(a long import, /)
    await long.end()
    expect(await migrate(db)).toEqual([SAMPLE])
  })
})

describe('processes of another version', () => {
  it.each([
    ['widens', "'widen', null"],
    ['narrows what this version does not use', `'narrow', '${SAMPLE}'`],
  ])('may have applied a migration that %s', async (_, values) => {
    await db.unsafe(`insert into migrations (name, kind, needs) values ('9000_later.sql', ${values})`)
    expect(await prepareDatabase(db, db)).toEqual([])
    await db`delete from migrations where name = '9000_later.sql'`
  })

  it.each([['narrows what this version uses', "'narrow', '8999_next.sql'"]])(
    'must not have applied a migration that %s',
    async (_, values) => {
      await db.unsafe(`insert into migrations (name, kind, needs) values ('9000_later.sql', ${values})`)
      await expect(prepareDatabase(db, db)).rejects.toThrow(
        'The database is newer than this program: it has the migrations 9000_later.sql, with which this version cannot work.',
      )
      await db`delete from migrations where name = '9000_later.sql'`
    },
  )
})

describe('all migrations', () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  let admin: Database
  let empty: Database
  beforeAll(async () => {
    const { url: server } = inject('postgres')
    admin = connect(server, { connections: 1, application: 'tests' })
    await admin.unsafe(`create database ${name}`)
    empty = connect(databaseUrl(server, name), { connections: 2, application: 'tests' })
  })
  afterAll(async () => {
    await empty.end()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  })

  it('wait for their locks only for a short time', async () => {
    await empty.unsafe(`
      create table commands (tag text, statement text, lock_timeout text);
      create function note_command() returns event_trigger language plpgsql as $$
      begin insert into public.commands values (tg_tag, current_query(), current_setting('lock_timeout')); end $$;
      create event trigger note_commands on ddl_command_start when tag in ('ALTER TABLE', 'CREATE TABLE', 'CREATE TRIGGER')
        execute function note_command()`)
    await migrate(empty)
    const commands = await empty<{ statement: string; lock_timeout: string }[]>`
      select statement, lock_timeout from commands where statement not like '%create table migrations%'`
    expect(commands.length).toBeGreaterThan(100)
    const patient = commands.filter(({ lock_timeout }) => lock_timeout === '0')
    expect(patient.filter(({ statement }) => !isConcurrent(statement))).toEqual([])
  })
})

describe('the text of a migration', () => {
  it('says of which kind it is', () => {
    expect(readKind('-- Outside of a transaction.\n-- Kind: widen\nselect 1')).toEqual({ kind: 'widen', needs: null })
    expect(readKind('-- Kind: narrow; needs 0060_a.sql\nselect 1')).toEqual({ kind: 'narrow', needs: '0060_a.sql' })
    expect(() => readKind('-- A table.\ncreate table a ();\n-- Kind: widen\n')).toThrow('"-- Kind: " must be')
    expect(() => readKind('-- Kind: wide\n')).toThrow('"-- Kind: wide" must be')
  })

  it('is split into statements, and not within a body', () => {
    const text = '-- One; two;\nselect 1;\ndo $$ begin\n  perform 1;\n  perform 2;\nend $$;\nselect 3;\n'
    expect(statementsOf(text).map((one) => one.trim())).toEqual([
      'select 1',
      'do $$ begin\n  perform 1;\n  perform 2;\nend $$',
      'select 3',
    ])
  })
})
