import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { maintainPartitions, partitionedTables } from '../../../src/core/partitions.ts'
import { begin, connect, type Database } from '../../../src/db/client.ts'
import { runsOutside, statementsOf } from '../../../src/db/migration-files.ts'
import { databaseUrl } from '../../postgres.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const SPLIT = '0023_callbacks-and-unassigned-payments.sql'
const ATTACH = '0024_attach-earlier-callbacks.sql'

let admin: Database
let db: Database
const name = `test_${randomUUID().replaceAll('-', '')}`

beforeAll(async () => {
  const { url } = inject('postgres')
  admin = connect(url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${name}`)
  db = connect(databaseUrl(url, name), { connections: 3, application: 'tests' })
  for (const file of await files((one) => one < SPLIT)) await apply(file)
})
afterAll(async () => {
  await db.end()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

async function files(filter: (name: string) => boolean): Promise<string[]> {
  return (await readdir(FOLDER)).sort().filter(filter)
}

async function apply(file: string): Promise<void> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  for (const part of runsOutside(text) ? statementsOf(text) : [text]) await db.unsafe(part)
}

const places = async () =>
  Object.fromEntries(
    (
      await db<{ id: number; place: string }[]>`
        select id, tableoid::regclass::text as place from callbacks order by id`
    ).map(({ id, place }) => [id, place]),
  )

/** Applies a migration, and returns what PostgreSQL says about it. */
async function applyWithNotices(file: string): Promise<string[]> {
  const client = new pg.Client(databaseUrl(inject('postgres').url, name))
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  await client.connect()
  await client.query('set client_min_messages = debug1')
  await client.query(await readFile(new URL(file, FOLDER), 'utf8'))
  await client.end()
  return notices
}

it('keeps the callbacks of earlier versions, and checks none of them while others wait', async () => {
  // A sandbox whose clock is ahead.
  await db.unsafe(`
    insert into flags values ('clock_offset_ms', '8640000000');
    insert into callbacks (network, received, headers, body, verified, state, note, attempts, due_at) values
      ('sandbox', now() - interval '400 days', '{"a":"b"}', 'one', true, 'settled', null, 0, null),
      ('sandbox', now(), '{}', 'two', false, 'ignored', 'nonsense', 1, null),
      ('sandbox', now(), '{}', 'three', false, 'waiting', null, 1, now()),
      ('sandbox', now() + interval '90 days', '{}', 'four', false, 'settled', null, 2, null)`)
  await apply(SPLIT)
  // What waits goes on at once. A callback that arrives now has the next id.
  expect(await places()).toEqual({ 3: 'callbacks_open' })
  const [arrived] = await db<{ id: number }[]>`
    insert into callbacks (network, received, headers, body, verified, state)
    values ('sandbox', now(), '{}', 'five', true, 'failed') returning id`
  expect(arrived!.id).toBe(5)

  const notices = await applyWithNotices(ATTACH)
  expect(notices).toContainEqual(expect.stringMatching(/callbacks_earlier" is implied by existing constraints/))
  expect(notices.filter((notice) => /building index "callbacks_earlier_(?!key)/.test(notice))).toEqual([])
  expect(await places()).toEqual({
    1: 'callbacks_earlier',
    2: 'callbacks_earlier',
    3: 'callbacks_open',
    4: 'callbacks_earlier',
    5: 'callbacks_open',
  })
  const [one] = await db`select body, headers, verified, state, note from callbacks where id = 1`
  expect(one).toEqual({ body: 'one', headers: { a: 'b' }, verified: true, state: 'settled', note: null })

  for (const file of await files((one) => one > ATTACH)) await apply(file)
  // They leave with the partition, and what is not done stays.
  const table = partitionedTables.find((one) => one.table === 'callbacks_ended')!
  const later = new Date(Date.now() + 300 * 86_400_000)
  await begin(db, (tx) => maintainPartitions(tx, later, table, 90))
  expect(await places()).toEqual({ 3: 'callbacks_open', 5: 'callbacks_open' })
})
