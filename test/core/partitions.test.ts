import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NewEvent, recordEvents } from '../../src/core/events/events.ts'
import {
  isLockTimeout,
  maintainPartitions,
  type PartitionedTable,
  partitionedTables,
} from '../../src/core/partitions.ts'
import { begin } from '../../src/db/client.ts'
import { emptyDatabase } from '../../src/db/empty-database.ts'
import { sql } from '../../src/db/sql.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** A Tuesday. The migrations have made partitions for a time that lies before. */
const NOW = new Date('2030-01-15T12:00:00Z')
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS)
const EVENTS = partitionedTables[0]!

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
beforeEach(async () => {
  await emptyDatabase(testApp.db)
})
afterAll(() => testApp.close())

const keep = (now: Date, family = EVENTS, kept_days = 30) =>
  begin(testApp.db, (tx) => maintainPartitions(tx, now, family, kept_days))

function record(at: Date, name = 'any'): Promise<void> {
  const event: NewEvent = { organization: 1, type: 'contact.created', data: { name }, author: 1 }
  return begin(testApp.db, (tx) => recordEvents(tx, at, [event]))
}

/** Another program locks a table, until the function that this returns is called. */
async function hold(table: string, mode: 'access share' | 'share update exclusive'): Promise<() => Promise<void>> {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
  const work = begin(testApp.db, async (tx) => {
    await tx.unsafe(`lock table ${table} in ${mode} mode`)
    hasBegun()
    await done
  })
  await Promise.race([begun, work])
  return async () => {
    finish()
    await work
  }
}

/** The partitions of events of weeks of 2030 by month and day. */
const names = (...weeks: string[]) => weeks.map((week) => `events_2030${week}`)

/** The partitions of a table by name, and how many rows lie in each. */
async function partitions(table = EVENTS.table): Promise<Record<string, number>> {
  const names = await testApp.db<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  const counts = await Promise.all(
    names.map(async ({ name }) => {
      const [row] = await testApp.db<{ count: number }[]>`select count(*) from ${sql.identifier(name)}`
      return [name, row!.count]
    }),
  )
  return Object.fromEntries(counts)
}

describe('the partitions of a table', () => {
  it.each(partitionedTables)(
    'of $table exist for this week and the next, and are created once',
    async (family: PartitionedTable) => {
      for (let time = 0; time < 2; time += 1) {
        await keep(NOW, family)
        expect(Object.keys(await partitions(family.table))).toEqual([
          `${family.table}_20300114`,
          `${family.table}_20300121`,
          `${family.table}_default`,
        ])
      }
    },
  )

  it('are also created for given times whose rows are kept, before there are rows', async () => {
    const times = [days(-8), days(-35), days(-80)]
    await begin(testApp.db, (tx) => maintainPartitions(tx, NOW, EVENTS, 30, times))
    const weeks = ['events_20291210', 'events_20300107', 'events_20300114', 'events_20300121']
    expect(Object.keys(await partitions())).toEqual([...weeks, 'events_default'])
    await record(days(-8))
    expect(await partitions()).toMatchObject({ events_20300107: 1, events_default: 0 })
  })

  it('are maintained by one process at a time', async () => {
    await Promise.all([keep(NOW), keep(NOW), keep(NOW)])
    expect(Object.keys(await partitions())).toHaveLength(3)
  })

  it('take the rows of the default one after a jump of the clock', async () => {
    await record(NOW)
    await record(days(7))
    await record(days(90))
    expect(await partitions()).toEqual({ events_default: 3 })
    await keep(NOW)
    const made = { events_20300114: 1, events_20300121: 1, events_20300415: 1, events_default: 0 }
    expect(await partitions()).toEqual(made)
    await record(days(1))
    await record(days(45))
    expect(await partitions()).toEqual({ ...made, events_20300114: 2, events_default: 1 })
    await keep(days(90))
    // Ended rows have gone at the same time, from the default partition, too.
    expect(await partitions()).toEqual({ events_20300415: 1, events_20300422: 0, events_default: 0 })
  })

  it('are dropped when all their rows have been kept for thirty days, and not earlier', async () => {
    await keep(NOW)
    await record(NOW, 'first')
    const ends = new Date('2030-01-21T00:00:00Z').getTime()
    await keep(new Date(ends + 30 * DAY_MS - 1))
    expect(await partitions()).toMatchObject({ events_20300114: 1 })
    await keep(new Date(ends + 30 * DAY_MS))
    expect(await partitions()).not.toHaveProperty('events_20300114')
    expect(await testApp.db`select 1 from events`).toEqual([])
  })

  it('are wider with longer retention, so that there are never many', async () => {
    for (let day = 0; day < 800; day += 7) await keep(days(day), EVENTS, 365)
    expect(Object.keys(await partitions()).length).toBeLessThan(15)
    for (let day = 800; day < 900; day += 7) await keep(days(day), EVENTS, 30)
    expect(Object.keys(await partitions()).length).toBeLessThan(15)
    await record(days(897))
    expect(await partitions()).toMatchObject({ events_default: 0 })
  })

  it('are created beside those of another time, when a sandbox starts again', async () => {
    await keep(days(90))
    await emptyDatabase(testApp.db)
    expect(await partitions()).toEqual({ events_default: 0 })
    await keep(NOW)
    expect(Object.keys(await partitions())).toContain('events_20300114')
  })

  it('are created and dropped while a vacuum is at work in another one', async () => {
    await keep(NOW)
    await keep(days(30))
    expect(Object.keys(await partitions())).toEqual([...names('0114', '0121', '0211', '0218'), 'events_default'])
    const finish = await hold('events_20300218', 'share update exclusive')
    await keep(days(37))
    await finish()
    expect(Object.keys(await partitions())).toEqual([...names('0121', '0211', '0218', '0225'), 'events_default'])
  })

  it('wait for a table in use, and do not block other transactions for long', async () => {
    const finish = await hold('events', 'access share')
    const busy = await keep(NOW).catch((error: unknown) => error)
    expect(isLockTimeout(busy)).toBe(true)
    expect(isLockTimeout(new Error('something else'))).toBe(false)
    await record(NOW)
    await finish()
    await keep(NOW)
    expect(await partitions()).toMatchObject({ events_20300114: 1 })
  })
})
