import type { Database, Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../lib/poller.ts'
import { eventsInOrder, readFeedPosition } from './events.ts'
import { unpackData } from './stored-data.ts'

/** An event for followers. `data` is the recorded JSON of its object, byte for byte. */
export interface FeedEvent {
  id: number
  organization: number
  type: string
  data: string
  created: Date
}

/** Events that a follower reads: of an organization after this id, of all types unless `types` is given. */
export interface FollowOptions {
  organization: number
  after: number
  types?: readonly string[]
}

/** A reader that follows the feed of one organization from a given id. */
export interface Follower {
  /** The next events in order; an empty list if none came within `wait_ms`; null after the follower is closed. */
  next(wait_ms: number): Promise<FeedEvent[] | null>
  /** Makes a waiting `next`, or the one that waits next, return an empty list at once. */
  interrupt(): void
  /** Closes the follower. A waiting `next` returns at once. */
  close(): void
}

/** The feed of events for any number of followers in this process. */
export interface EventFeed {
  follow(interest: FollowOptions): Follower
  /** Makes the feed poll soon instead of at its next tick, because there may be new events. */
  wake(): void
  /** Closes all followers. */
  close(): void
}

/** Without a wake, which can be lost, the feed polls at this interval. */
const POLL_INTERVAL_MS = 1_000
/** Two polls are at least this far apart, however often the feed is woken. */
const MIN_POLL_GAP_MS = 50
/** Maximum number of events read or returned at once. */
const MAX_PAGE_EVENTS = 100

/** The newest events of one organization: all after the id `after`, which is undefined before the first poll. */
interface RecentEvents {
  after: number | undefined
  events: FeedEvent[]
  followers: number
}

/** The state that all followers share. */
interface FeedState {
  db: Database
  /** Recent events by organization, while it has followers. */
  recent_events: Map<number, RecentEvents>
  /** The feed has been read up to this id; undefined before the first poll. */
  end: number | undefined
  /** The highest id after which any follower started. */
  latest_start: number
  signal: Signal
}

/**
 * Opens the feed. One poll serves all followers: it reads the end of the feed and, if there are new events, reads them once.
 * The feed polls only while it has followers. It keeps the newest hundred events of each followed organization in memory.
 * A follower that is further behind reads pages from the database at its own speed, so no queue grows for a slow follower.
 * No event is skipped (docs/decisions/0004).
 */
export function createEventFeed(db: Database): EventFeed {
  const state: FeedState = { db, recent_events: new Map(), end: undefined, latest_start: 0, signal: createSignal() }
  const followers = new Set<Follower>()
  const poller = createPoller(() => poll(state, close), { tick_ms: POLL_INTERVAL_MS, pause_ms: MIN_POLL_GAP_MS })

  function close(): void {
    for (const follower of followers) follower.close()
  }

  return {
    wake: poller.wake,
    close,
    follow(options) {
      // The end of the feed that an earlier follower knew is out of date.
      if (followers.size === 0) {
        state.end = undefined
        state.latest_start = 0
      }
      state.latest_start = Math.max(state.latest_start, options.after)
      const follower = createFollower(state, options, () => {
        followers.delete(follower)
        if (followers.size === 0) poller.stop()
      })
      followers.add(follower)
      poller.start()
      return follower
    },
  }
}

/** Reads new events and notifies the followers. Calls `onReset` if the ids of the feed have gone back. */
async function poll(state: FeedState, onReset: () => void): Promise<void> {
  const { db, recent_events, signal } = state
  const { committed, newest } = await readFeedPosition(db)
  // The sandbox was emptied or a backup was restored: the ids that the followers know now mean other events.
  if (newest < Math.max(state.end ?? 0, state.latest_start)) return onReset()
  let end = state.end ?? committed
  state.end = end
  for (const recent of recent_events.values()) recent.after ??= end
  // These reads do not include organizations whose first follower comes later.
  const followed = new Map(recent_events)
  while (end < committed && followed.size > 0) {
    const page = await readNewest(db, [...followed.keys()], end, committed)
    for (const event of page) addRecentEvent(followed.get(event.organization)!, event)
    end = page.length === MAX_PAGE_EVENTS ? page.at(-1)!.id : committed
    state.end = end
    signal.notify()
  }
  signal.notify()
}

function addRecentEvent(recent: RecentEvents, event: FeedEvent): void {
  recent.events.push(event)
  if (recent.events.length > MAX_PAGE_EVENTS) recent.after = recent.events.shift()!.id
}

function createFollower(
  state: FeedState,
  { organization, after, types }: FollowOptions,
  onClose: () => void,
): Follower {
  const { db, recent_events, signal } = state
  const recent = recent_events.get(organization) ?? { after: undefined, events: [], followers: 0 }
  recent_events.set(organization, recent)
  recent.followers += 1
  let position = after
  let closed = false
  let interrupted = false

  /** The events from the position up to `until`, or the first page of them. */
  async function read(until: number): Promise<FeedEvent[]> {
    if (recent.after !== undefined && position >= recent.after) {
      const events = recent.events.filter((event) => event.id > position && event.id <= until)
      position = until
      return types ? events.filter((event) => types.includes(event.type)) : events
    }
    const page = await readPage(db, { organization, after: position, types }, until)
    position = page.length === MAX_PAGE_EVENTS ? page.at(-1)!.id : until
    return page
  }

  return {
    async next(wait_ms) {
      const timeout = startTimeout(wait_ms)
      try {
        for (;;) {
          if (closed) return null
          const { end } = state
          if (end === undefined || position >= end) {
            if (timeout.isOver() || interrupted) {
              interrupted = false
              return []
            }
            await Promise.race([signal.wait(), timeout.over])
            continue
          }
          const events = await read(end)
          if (events.length > 0 && !closed) return events
        }
      } finally {
        timeout.end()
      }
    },
    interrupt() {
      interrupted = true
      signal.notify()
    },
    close() {
      if (closed) return
      closed = true
      recent.followers -= 1
      if (recent.followers === 0 && recent_events.get(organization) === recent) recent_events.delete(organization)
      onClose()
      signal.notify()
    },
  }
}

/**
 * Finds the id of the newest event before a time, or 0: a follower that starts after it reads all events since that
 * time. The query scans back from the newest event, so it reads only rows that the follower reads next.
 */
export async function findLastEventBefore(db: Reader, organization: number, time: Date): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    ${eventsInOrder(sql`id`, { organization, where: sql`created < ${time}`, descending: true, limit: 1 })}`
  return row?.id ?? 0
}

/** The next events of several organizations. */
async function readNewest(db: Reader, organizations: number[], after: number, until: number): Promise<FeedEvent[]> {
  const rows = await db<StoredEvent[]>`
    select ${columns()} from events
    where id > ${after} and id <= ${until} and organization = any(${organizations}::bigint[])
    order by id limit ${MAX_PAGE_EVENTS}`
  return rows.map(toFeedEvent)
}

/** The next events for one follower. */
async function readPage(
  db: Reader,
  { organization, after, types }: FollowOptions,
  until: number,
): Promise<FeedEvent[]> {
  const where = sql`id > ${after} and id <= ${until}`
  const rows = await db<StoredEvent[]>`
    ${eventsInOrder(columns(), { organization, types: types && [...types], where, limit: MAX_PAGE_EVENTS })}`
  return rows.map(toFeedEvent)
}

function columns() {
  return sql`id, organization, type, data, created`
}

type StoredEvent = Omit<FeedEvent, 'data'> & { data: Buffer }

function toFeedEvent({ data, ...event }: StoredEvent): FeedEvent {
  return { ...event, data: unpackData(data) }
}

/** Resolves all open `wait` promises on each `notify`. */
interface Signal {
  notify(): void
  wait(): Promise<void>
}

function createSignal(): Signal {
  let next = Promise.withResolvers<void>()
  return {
    notify() {
      next.resolve()
      next = Promise.withResolvers()
    },
    wait: () => next.promise,
  }
}

function startTimeout(wait_ms: number) {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let is_over = false
  const timer = setTimeout(() => {
    is_over = true
    resolve()
  }, wait_ms)
  return { over, isOver: () => is_over, end: () => clearTimeout(timer) }
}
