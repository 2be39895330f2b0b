import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { openDatabase } from '../test-app.ts'

/* A process goes on while a later version migrates its database: its connections have prepared statements already. */

let db: Database
let owner: Database
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openDatabase()
  owner = opened.db
  close = opened.close
  db = connect(opened.url, { connections: 2, application: 'tests' })
  await owner.unsafe(`
    create table notes (id bigint generated always as identity primary key, text text not null);
    insert into notes (text) select 'Note ' || n from generate_series(1, 20) as n`)
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await close()
})

const statements: Record<string, () => Promise<unknown>> = {
  'select *': () => db`select * from notes where id = ${1}`,
  'a column and *': () => db`select 1 as one, * from notes where id = ${1}`,
  'select t.*': () => db`select n.id as number, n.* from notes n where id = ${1}`,
  'select distinct *': () => db`select distinct * from notes where id = ${1}`,
  'all columns of a part, which has all of the table': () =>
    db`with found as (select * from notes where id = ${1}) select * from found`,
  'all columns of a part, which names its own': () =>
    begin(
      db,
      (tx) => tx`
        with wanted as materialized (select * from unnest(${[1]}::bigint[]) as w(id)),
        changed as (update notes n set text = 'Part' from wanted w where n.id = w.id returning n.id)
        select * from changed order by id`,
    ),
  'columns by name': () => db`select id, text from notes where id = ${1}`,
  'update returning *': () => begin(db, (tx) => tx`update notes set text = ${'New'} where id = ${1} returning *`),
  'insert returning *': () => begin(db, (tx) => tx`insert into notes (text) values (${'Another'}) returning *`),
  'a lock in a transaction': () =>
    begin(db, async (tx) => {
      const [row] = await tx<{ id: number }[]>`select * from notes where id = ${1} for update`
      return tx`update notes set text = 'Locked' where id = ${row!.id}`
    }),
}

it.each(Object.entries(statements))('%s goes on when a column is added', async (name, run) => {
  // Both connections know the statement.
  for (let index = 0; index < 4; index += 1) await Promise.all([run(), run()])
  await owner.unsafe(`alter table notes add column "${name}" text`)
  await Promise.all([run(), run(), run(), run()])
})

it('shows no caller a schema that changes under load', async () => {
  let stopped = false
  const failures: unknown[] = []
  let answered = 0
  const callers = Array.from({ length: 6 }, async () => {
    while (!stopped) {
      for (const run of Object.values(statements))
        await run().then(
          () => {
            answered += 1
          },
          (error) => failures.push(error),
        )
      await sleep(0)
    }
  })
  for (let index = 0; index < 10; index += 1) {
    const before = answered
    await owner.unsafe(`alter table notes add column column_${index} integer not null default 0`)
    while (answered < before + 20 && failures.length === 0) await sleep(5)
  }
  stopped = true
  await Promise.all(callers)
  expect(failures).toEqual([])
})
