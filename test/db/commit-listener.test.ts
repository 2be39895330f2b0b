import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { begin, type CommitListener, connect, type Database } from '../../src/db/client.ts'
import { openDatabase } from '../test-app.ts'

/* Notes of transactions about themselves, for the log and the traces. */

let wants = true
let heard: Parameters<CommitListener['committed']>[] = []
const listener: CommitListener = { wants: () => wants, committed: (...told) => void heard.push(told) }

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
beforeAll(async () => {
  database = await openDatabase()
  db = connect(database.url, { connections: 2, application: 'tests', listener })
})
beforeEach(() => {
  wants = true
  heard = []
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await database.close()
})

it('what a transaction has noted is told once it is committed, and not before', async () => {
  const before = Date.now()
  await begin(db, async (tx) => {
    tx.facts!.add('one')
    tx.facts!.add('two')
    await tx`select 1`
    expect(heard).toEqual([])
  })
  const [[facts, { began_ms, ended_ms }]] = heard as [(typeof heard)[0]]
  expect(facts.map(({ fact }) => fact)).toEqual(['one', 'two'])
  const times = [before, began_ms, ...facts.map(({ at_ms }) => at_ms), ended_ms]
  expect(times.toSorted((a, b) => a - b)).toEqual(times)
  expect(heard.length).toBe(1)
})

it('what was rolled back is not told', async () => {
  const failing = begin(db, async (tx) => {
    tx.facts!.add('never')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const refused = begin(db, async (tx) => {
    tx.facts!.add('never')
    await tx`select 1 / 0`.catch(() => {})
  })
  await expect(refused).rejects.toThrow('division by zero')
  expect(heard).toEqual([])
})

it('a transaction without facts tells nothing', async () => {
  await begin(db, (tx) => tx`select 1`)
  expect(heard).toEqual([])
})

it('keeps no list while nothing wants to know', async () => {
  wants = false
  expect(await begin(db, async (tx) => tx.facts)).toBeUndefined()
  expect(await begin(database.db, async (tx) => tx.facts)).toBeUndefined()
})
