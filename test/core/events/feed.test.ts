import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NewEvent, readFeedPosition, recordEvents } from '../../../src/core/events/events.ts'
import {
  createEventFeed,
  type EventFeed,
  type FeedEvent,
  type Follower,
  findLastEventBefore,
} from '../../../src/core/events/feed.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const NOW = new Date('2030-01-15T12:00:00Z')

let testApp: TestApp
let db: Database
let feed: EventFeed
let statements: number

beforeAll(async () => {
  testApp = await buildTestApp()
  db = testApp.db
})
beforeEach(() => {
  statements = 0
  feed = createEventFeed(counting(db))
})
afterEach(() => feed.close())
afterAll(() => testApp.close())

describe('a follower of the feed', () => {
  it('gets the first event of all', async () => {
    const follower = await fromNow()
    await record(['first'])
    expect(namesOf(await take(follower, 1))).toEqual(['first'])
  })

  it('gets the events after its start, in order, with the recorded JSON', async () => {
    await record(['before'])
    const follower = await fromNow()
    await record(['one', 'two'])
    const events = await take(follower, 2)
    expect(events.map((event) => event.data)).toEqual(['{"name":"one"}', '{"name":"two"}'])
    expect(events[0]).toMatchObject({ organization: testApp.organization, type: 'contact.created', created: NOW })
    expect(events[1]!.id).toBe(events[0]!.id + 1)
  })

  it('gets no events of other organizations or of types that it did not choose', async () => {
    const { committed: after } = await readFeedPosition(db)
    const follower = feed.follow({ organization: testApp.organization, after, types: ['collection.received'] })
    await record(['unwanted'])
    await record(['foreign'], { organization: testApp.organization + 1, type: 'collection.received' })
    await record(['wanted'], { type: 'collection.received' })
    expect(namesOf(await take(follower, 1))).toEqual(['wanted'])
  })

  it('gets an empty list if no event comes while it waits', async () => {
    expect(await (await fromNow()).next(20)).toEqual([])
  })

  it('gets no event after one that is not committed yet', async () => {
    const follower = await fromNow()
    const written = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = begin(db, async (tx) => {
      await recordEvents(tx, NOW, [eventOf('early')])
      written.resolve()
      await goOn.promise
    })
    await written.promise
    await record(['late'])
    feed.wake()
    expect(await follower.next(300)).toEqual([])
    goOn.resolve()
    await slow
    expect(namesOf(await take(follower, 2))).toEqual(['early', 'late'])
  })

  it('reads from the database if it is further behind than the memory of the feed', async () => {
    const slow = await fromNow()
    const quick = await fromNow()
    const names = Array.from({ length: 250 }, (_, index) => `${index}`)
    for (let at = 0; at < names.length; at += 50) {
      await record(names.slice(at, at + 50))
      await take(quick, 50)
    }
    expect(namesOf(await take(slow, 250))).toEqual(names)
  })

  it('gets null when it is closed, and when the feed is closed', async () => {
    const [one, other] = [await fromNow(), await fromNow()]
    const waiting = [one.next(60_000), other.next(60_000)]
    one.close()
    expect(await waiting[0]).toBeNull()
    feed.close()
    expect(await waiting[1]).toBeNull()
    expect(await one.next(0)).toBeNull()
  })

  it('is closed when the database was emptied, because its position is not valid any more', async () => {
    const follower = await fromNow()
    await record(['old'])
    await take(follower, 1)
    const { newest } = await readFeedPosition(db)
    await db`select setval('events_id_seq', 1, false)`
    feed.wake()
    expect(await follower.next(20_000)).toBeNull()
    await db`select setval('events_id_seq', ${newest})`
  })

  it('is closed also if the database was emptied before the first poll', async () => {
    await record(['old'])
    const { newest } = await readFeedPosition(db)
    await db`select setval('events_id_seq', 1, false)`
    const follower = feed.follow({ organization: 1, after: newest })
    expect(await follower.next(20_000)).toBeNull()
    await db`select setval('events_id_seq', ${newest})`
  })
})

describe('many followers', () => {
  it('need no more statements than one follower', async () => {
    const followers = await Promise.all(Array.from({ length: 50 }, fromNow))
    // Until the feed has looked for the first time, each of them reads for itself.
    await record(['first'])
    await Promise.all(followers.map((follower) => take(follower, 1)))
    const before = statements
    for (const name of ['a', 'b', 'c']) {
      await record([name])
      feed.wake()
      const all = await Promise.all(followers.map((follower) => take(follower, 1)))
      for (const events of all) expect(namesOf(events)).toEqual([name])
    }
    // Two for each event, and one for every second that a slow machine takes over it.
    expect(statements - before).toBeLessThan(25)
  })

  it('need no statements after they are closed', async () => {
    const follower = await fromNow()
    await follower.next(50)
    follower.close()
    const before = statements
    feed.wake()
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(statements).toBe(before)
  })
})

describe('the last event before a time', () => {
  it('is the newest event that was created earlier', async () => {
    await record(['early'])
    const { newest } = await readFeedPosition(db)
    const later = new Date(NOW.getTime() + 60_000)
    await begin(db, (tx) => recordEvents(tx, later, [eventOf('late')]))
    expect(await findLastEventBefore(db, testApp.organization, later)).toBe(newest)
    expect(await findLastEventBefore(db, testApp.organization, new Date('2020-01-01T00:00:00Z'))).toBe(0)
  })
})

function eventOf(name: string, changes: Partial<NewEvent> = {}): NewEvent {
  return { organization: testApp.organization, type: 'contact.created', data: { name }, author: 1, ...changes }
}

async function record(names: string[], changes?: Partial<NewEvent>): Promise<void> {
  const events = names.map((name) => eventOf(name, changes))
  await begin(db, (tx) => recordEvents(tx, NOW, events))
  feed.wake()
}

async function fromNow(): Promise<Follower> {
  const { committed: after } = await readFeedPosition(db)
  return feed.follow({ organization: testApp.organization, after })
}

/** The next so many events of a follower, over as many waits as they take. */
async function take(follower: Follower, count: number): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  while (events.length < count) {
    const more = await follower.next(20_000)
    if (!more || more.length === 0) throw new Error(`Only ${events.length} of ${count} events came.`)
    events.push(...more)
  }
  return events
}

function namesOf(events: readonly FeedEvent[]): string[] {
  return events.map((event) => JSON.parse(event.data).name)
}

/** The database, with a count of the statements that are sent to it. */
function counting(real: Database): Database {
  return new Proxy(real, {
    apply(target, self, query: Parameters<Database>) {
      const text = (query[0] as unknown as { raw?: string[] }).raw?.join(' ') ?? ''
      if (/^\s*select/.test(text)) statements += 1
      return Reflect.apply(target, self, query)
    },
  })
}
