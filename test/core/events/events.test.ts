import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findEvent, listEvents, type NewEvent, recordEvents, reserveEvents } from '../../../src/core/events/events.ts'
import { begin, type Database, type Tx } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const NOW = new Date('2030-01-15T12:00:00.750Z')
const ALL = { limit: 1_000, offset: 0, descending: false }

let testApp: TestApp
let db: Database

beforeAll(async () => {
  testApp = await buildTestApp()
  db = testApp.db
})
beforeEach(() => db`delete from events`)
afterAll(() => testApp.close())

describe('the feed of events', () => {
  it('shows the recorded events in order, with each object as it was', async () => {
    await record('first', 'second')
    const { rows, count } = await listEvents(db, testApp.organization, {}, ALL)
    expect(count).toBe(2)
    expect(rows.map((event) => event.data)).toEqual([{ name: 'first' }, { name: 'second' }])
    expect(rows[0]).toMatchObject({
      organization: testApp.organization,
      type: 'contact.created',
      created: new Date('2030-01-15T12:00:00Z'),
      modified: new Date('2030-01-15T12:00:00Z'),
      updated_by: null,
    })
  })

  it('can be filtered by type, has pages, and is counted exactly', async () => {
    await record('a', 'b', 'c')
    await begin(db, (tx) => recordEvents(tx, NOW, [{ ...event('d'), type: 'collection.received' }]))
    const page = { limit: 2, offset: 1, descending: true }
    const { rows, count } = await listEvents(db, testApp.organization, { type: 'contact.created' }, page)
    expect(count).toBe(3)
    expect(rows.map((row) => row.data)).toEqual([{ name: 'b' }, { name: 'a' }])
    expect(await listEvents(db, testApp.organization, { type: 'no.such.type' }, ALL)).toEqual({ rows: [], count: 0 })
  })

  it('does not show the events of another organization', async () => {
    await record('mine')
    expect((await listEvents(db, testApp.organization + 1, {}, ALL)).count).toBe(0)
  })

  it('hides a committed event while an earlier one is not committed, alone and in the list', async () => {
    const slow = await openTransaction()
    await slow.record('early')
    await record('late')
    expect(await names()).toEqual([])
    const [late] = await db<{ id: number }[]>`select max(id) as id from events`
    expect(await findEvent(db, late!.id)).toBeUndefined()
    await slow.commit()
    expect(await names()).toEqual(['early', 'late'])
    expect((await findEvent(db, late!.id))?.data).toEqual({ name: 'late' })
  })

  it('continues after an earlier transaction was rolled back', async () => {
    const slow = await openTransaction()
    await slow.record('never')
    await record('late')
    await slow.rollBack()
    expect(await names()).toEqual(['late'])
  })

  it('also waits for a transaction that has drawn its ids and written no event yet', async () => {
    const slow = await openTransaction()
    await slow.takeId()
    await record('late')
    expect(await names()).toEqual([])
    await slow.rollBack()
    expect(await names()).toEqual(['late'])
  })
})

describe('a reader that follows the feed', () => {
  it('sees each event exactly once, in any order of commits', async () => {
    // Each lane records some events; `keys` is the order in which the lanes write and then end.
    const lane = fc.record({ events: fc.integer({ min: 1, max: 3 }), commits: fc.boolean() })
    const world = fc.array(lane, { minLength: 2, maxLength: 5 }).chain((lanes) =>
      fc.record({
        lanes: fc.constant(lanes),
        ends: fc.shuffledSubarray([...lanes.keys()], { minLength: lanes.length, maxLength: lanes.length }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(world, async ({ lanes, ends }) => {
        await db`delete from events`
        const open = await Promise.all(lanes.map(() => openTransaction()))
        const seen: number[] = []
        const follow = async () => {
          const { rows } = await listEvents(db, testApp.organization, {}, ALL)
          const fresh = rows.filter((row) => row.id > (seen.at(-1) ?? 0))
          // An event that was missing when a later one was shown must never appear afterwards: that would be skipping.
          expect(rows.length - fresh.length).toBe(seen.length)
          seen.push(...fresh.map((row) => row.id))
        }
        const max_events = Math.max(...lanes.map((one) => one.events))
        for (let round = 0; round < max_events; round += 1)
          for (const [index, one] of lanes.entries()) if (round < one.events) await open[index]!.record(`${index}`)
        for (const index of ends) {
          await follow()
          await (lanes[index]!.commits ? open[index]!.commit() : open[index]!.rollBack())
        }
        await follow()
        const committed = lanes.filter((one) => one.commits).reduce((sum, one) => sum + one.events, 0)
        expect(seen).toHaveLength(committed)
      }),
      { numRuns: 25 },
    )
  })
})

describe('with many concurrent writers', () => {
  it('the feed only grows at its end', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
    let writing = true
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        for (let round = 0; round < 30; round += 1) {
          await begin(db, async (tx) => {
            if (lane % 2 === 0) await tx`select pg_current_xact_id()`
            await pause()
            await recordEvents(tx, NOW, [event(`${lane}`), event(`${lane}`)])
            await pause()
          })
        }
      }),
    ).finally(() => {
      writing = false
    })
    const seen = new Set<number>()
    const gaps: number[] = []
    while (writing || seen.size < 360) {
      const newest = Math.max(0, ...seen)
      const { rows } = await listEvents(db, testApp.organization, {}, ALL)
      gaps.push(...rows.map((row) => row.id).filter((id) => id < newest && !seen.has(id)))
      for (const row of rows) seen.add(row.id)
    }
    await writers
    expect(gaps).toEqual([])
    expect(seen.size).toBe(360)
  })
})

function event(name: string): NewEvent {
  return { organization: testApp.organization, type: 'contact.created', data: { name }, author: 1 }
}

function record(...all: string[]): Promise<void> {
  return begin(db, (tx) => recordEvents(tx, NOW, all.map(event)))
}

async function names(): Promise<unknown[]> {
  const { rows } = await listEvents(db, testApp.organization, {}, ALL)
  return rows.map((row) => row.data.name)
}

/** A transaction that stays open until `end` is called. */
async function openTransaction() {
  let end: (commits: boolean) => void
  let tx: Tx
  const ended = new Promise<boolean>((resolve) => {
    end = resolve
  })
  const ready = Promise.withResolvers<void>()
  const done = begin(db, async (mine) => {
    tx = mine
    ready.resolve()
    if (!(await ended)) throw new Error('rolled back')
  }).catch((error: Error) => {
    if (error.message !== 'rolled back') throw error
  })
  await ready.promise
  return {
    record: (name: string) => recordEvents(tx, NOW, [event(name)]),
    takeId: () => reserveEvents(tx, 1),
    commit: () => [end(true), done][1] as Promise<void>,
    rollBack: () => [end(false), done][1] as Promise<void>,
  }
}
