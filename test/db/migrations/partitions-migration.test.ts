import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { listAttempts, listDeliveries } from '../../../src/core/events/deliveries.ts'
import { connect, type Database } from '../../../src/db/client.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { databaseUrl } from '../../postgres.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const PARTITIONS = '0008_partitions.sql'

let admin: Database
let db: Database
const name = `test_${randomUUID().replaceAll('-', '')}`

beforeAll(async () => {
  const { url } = inject('postgres')
  admin = connect(url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${name}`)
  db = connect(databaseUrl(url, name), { connections: 3, application: 'tests' })
})
afterAll(async () => {
  await db.end()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

it('keeps existing events, waiting and ended deliveries, and attempts', async () => {
  await db`create table migrations (name text primary key, applied timestamptz not null default now())`
  for (const file of (await readdir(FOLDER)).sort().filter((one) => one < PARTITIONS)) {
    await db.unsafe(await readFile(new URL(file, FOLDER), 'utf8'))
    await db`insert into migrations (name) values (${file})`
  }
  // A sandbox whose clock was ahead: what it has written lies in the future.
  await db.unsafe(`
    insert into switches values ('clock_offset_ms', '8640000000');
    insert into users (kind, name, created) values ('system', 'shop', now());
    insert into organizations (name, service_user, created, modified) values ('Shop', 1, now(), now());
    insert into webhooks (organization, "user", event, target, token, secret, created, updated)
    values (1, 1, 'contact.created', 'https://shop.example/', 't', 's', now(), now());
    insert into events select id, 1, 'contact.created', '{}', now() + interval '100 days', 1, now() from generate_series(1, 3) id;
    insert into webhook_deliveries (webhook, event, body, state, attempts, created, ended, due_at) values
      (1, 1, '{"a":1}', 'failed', 10, now(), now() + interval '100 days', null),
      (1, 2, '{"a":2}', 'waiting', 1, now(), null, now()),
      (1, 3, '{"a":3}', 'waiting', 0, now(), null, now());
    insert into webhook_attempts (webhook, event, attempt, at, duration_ms, status, failure, request_headers) values
      (1, 1, 10, now(), 5, 500, 'status', '{}'), (1, 2, 1, now(), 5, null, 'timeout', '{}')`)

  expect(await migrate(db)).toContain(PARTITIONS)
  expect(await db`select id from events order by id`).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  const listed = await listDeliveries(db, 1, {}, 10)
  expect(listed.map(({ event, state, last_failure }) => [event, state, last_failure])).toEqual([
    [3, 'waiting', null],
    [2, 'waiting', 'timeout'],
    [1, 'failed', '500'],
  ])
  expect(await listAttempts(db, 1, 1)).toMatchObject([{ attempt: 10, replay: false, status: 500 }])
  const places = await db<{ place: string }[]>`
    select distinct tableoid::regclass::text as place from webhook_deliveries
    union all select distinct tableoid::regclass::text from events
    union all select distinct tableoid::regclass::text from webhook_attempts`
  expect(places.map(({ place }) => place).sort()).toEqual([
    'events_earlier',
    'webhook_attempts_earlier',
    'webhook_deliveries_earlier',
    'webhook_deliveries_waiting',
  ])
})
