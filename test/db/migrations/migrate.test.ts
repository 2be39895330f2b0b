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

/** A migration of one statement, which adds a column to `control_changes`. */
const SAMPLE = '0038_connection-changes.sql'

/** Takes the migration back. */
async function forgetSample(): Promise<void> {
  await db.unsafe(`delete from migrations where name = '${SAMPLE}'; alter table control_changes drop column sealed`)
}

/** A session whose transaction has read the table, as a report or a dump does. */
async function openReader() {
  const reader = connect(url, { connections: 1, application: 'a long report' })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let begun = () => {}
  const has_begun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const done = reader.begin('begin', async (tx) => {
    await tx`select count(*) from control_changes`
    begun()
    await ended
  })
  await has_begun
  return {
    async end() {
      end()
      await done
      await reader.end()
    },
  }
}

describe('a migration of a table that a long transaction reads', () => {
  it('lets writers go on, says what it waits for, and is applied when the transaction ends', async () => {
    await forgetSample()
    const reader = await openReader()
    const waits: MigrationWait[] = []
    const patience = { lock_timeout_ms: 100, more_ms: 0, pause_ms: 50, give_up_ms: 60_000 }
    const done = migrate(db, { waiting: (wait) => waits.push(wait) }, patience)
    const writer = connect(url, { connections: 1, application: 'tests' })
    // Without the time-out these would wait behind the migration until the reader ends, which is never.
    for (let writes = 0; writes < 5 || waits.length < 3; writes += 1) {
      await writer`delete from control_changes where id = ${-1}`
      await sleep(10)
    }
    await reader.end()
    expect(await done).toEqual([SAMPLE])
    await writer.end()
    expect(waits[0]).toMatchObject({ migration: SAMPLE })
    expect(waits.at(-1)!.sessions.join()).toMatch(
      /^\d+ \(a long report, idle in transaction, its transaction began \d+ s ago\)$/,
    )
  })

  it('gives up in the end, and changes nothing', async () => {
    await forgetSample()
    const reader = await openReader()
    const patience = { lock_timeout_ms: 100, more_ms: 0, pause_ms: 50, give_up_ms: 400 }
    await expect(migrate(db, {}, patience)).rejects.toThrow(
      /0038_connection-changes.sql got no lock .*\(a long report, /,
    )
    await reader.end()
    expect(await migrate(db)).toEqual([SAMPLE])
  })
})

describe('processes of another version', () => {
  it('keep a migration from breaking them while they run, if they are of 0.1.0', async () => {
    await forgetSample()
    const earlier = connect(url, { connections: 1, application: 'kusanya' })
    await earlier`select 1`
    await expect(migrate(db)).rejects.toThrow(/one connection of such processes is open \(127.0.0.1\)/)
    await earlier.end()
    expect(await migrate(db)).toEqual([SAMPLE])
  })

  it.each([
    ['widens', "'widen', null"],
    ['narrows what this version does not use', `'narrow', '${SAMPLE}'`],
  ])('may have applied a migration that %s', async (_, values) => {
    await db.unsafe(`insert into migrations (name, kind, needs) values ('9000_later.sql', ${values})`)
    expect(await prepareDatabase(db, db)).toEqual([])
    await db`delete from migrations where name = '9000_later.sql'`
  })

  it.each([
    ['narrows what this version uses', "'narrow', '8999_next.sql'"],
    ['does not say what it does', 'null, null'],
  ])('must not have applied a migration that %s', async (_, values) => {
    await db.unsafe(`insert into migrations (name, kind, needs) values ('9000_later.sql', ${values})`)
    await expect(prepareDatabase(db, db)).rejects.toThrow(
      'The database is newer than this program: it has the migrations 9000_later.sql, with which this version cannot work.',
    )
    await db`delete from migrations where name = '9000_later.sql'`
  })
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
      select statement, lock_timeout from commands where statement not like '%create table if not exists migrations%'`
    expect(commands.length).toBeGreaterThan(100)
    const patient = commands.filter(({ lock_timeout }) => lock_timeout === '0')
    expect(patient.filter(({ statement }) => !isConcurrent(statement))).toEqual([])
  })
})

describe('the text of a migration', () => {
  it('says of which kind it is', () => {
    expect(readKind('-- Outside of a transaction.\n-- Kind: widen\nselect 1')).toEqual({ kind: 'widen', needs: null })
    expect(readKind('-- Kind: narrow; needs 0060_a.sql\nselect 1')).toEqual({ kind: 'narrow', needs: '0060_a.sql' })
    expect(readKind('-- A table.\ncreate table a ();\n-- Kind: widen\n')).toEqual({ kind: null, needs: null })
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
