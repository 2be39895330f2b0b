import type { Database, Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../lib/poller.ts'
import { readFeedPosition } from './events.ts'

/** An event as it is told to others: its object is the JSON that was recorded, byte for byte. */
export interface FeedEvent {
  id: number
  organization: number
  type: string
  data: string
  created: Date
}

/** What one follower wants to hear: the events of an organization after this id; of all types unless some are named. */
export interface FollowOptions {
  organization: number
  after: number
  types?: readonly string[]
}

/** Somebody who follows the feed of one organization from a place in it. */
export interface Follower {
  /** The next events in their order; none when none came for `wait_ms`; null when the following has ended. */
  next(wait_ms: number): Promise<FeedEvent[] | null>
  /** Ends the following. Whoever waits for events is told at once. */
  close(): void
}

/** The feed of events for any number of followers in this process. */
export interface EventFeed {
  follow(interest: FollowOptions): Follower
  /** Something may have happened: look soon instead of at the next tick. */
  wake(): void
  /** Ends all following. */
  close(): void
}

/** Without a wake, which may be lost, the feed looks this often. */
const POLL_INTERVAL_MS = 1_000
/** However often it is woken, two looks are this far apart. */
const MIN_POLL_GAP_MS = 50
/** The most events that are read, or handed over, at once. */
const MAX_PAGE_EVENTS = 100

/** The newest events of one organization: all that came after `from`, which is undefined until the feed has looked. */
interface RecentEvents {
  after: number | undefined
  events: FeedEvent[]
  followers: number
}

/** What the followers share. */
interface FeedState {
  db: Database
  /** By organization, as long as somebody follows it. */
  recent_events: Map<number, RecentEvents>
  /** The feed is known up to here; undefined before the first look. */
  end: number | undefined
  /** The furthest place that any of the followers began at. */
  latest_start: number
  signal: Signal
}

/**
 * Opens the feed. Its followers share one look at the database: where the feed ends and, when it has grown, one read for
 * all of them. It looks while there are followers, and not otherwise. The newest hundred events of each organization that
 * is followed are kept at hand; who is further behind reads pages from the database at a pace of its own, so that nothing
 * gathers for a follower who is slow. Nothing is skipped (docs/decisions/0004).
 */
export function createEventFeed(db: Database): EventFeed {
  const shared: FeedState = { db, recent_events: new Map(), end: undefined, latest_start: 0, signal: createSignal() }
  const followers = new Set<Follower>()
  const watch = createPoller(() => poll(shared, close), { tick_ms: POLL_INTERVAL_MS, pause_ms: MIN_POLL_GAP_MS })

  function close(): void {
    for (const follower of followers) follower.close()
  }

  return {
    wake: watch.wake,
    close,
    follow(interest) {
      // Where the feed ended when somebody last followed it is long ago.
      if (followers.size === 0) Object.assign(shared, { end: undefined, begun: 0 })
      shared.latest_start = Math.max(shared.latest_start, interest.after)
      const follower = createFollower(shared, interest, () => {
        followers.delete(follower)
        if (followers.size === 0) watch.stop()
      })
      followers.add(follower)
      watch.start()
      return follower
    },
  }
}

/** Brings the tails up to date and rings the bell. `begunAnew` is called when this is no longer the feed that it was. */
async function poll(shared: FeedState, begunAnew: () => void): Promise<void> {
  const { db, recent_events: tails, signal: bell } = shared
  const { committed: settled, newest } = await readFeedPosition(db)
  // The sandbox was emptied, or a backup was restored: what the followers have seen is not what is there.
  if (newest < Math.max(shared.end ?? 0, shared.latest_start)) return begunAnew()
  let end = shared.end ?? settled
  shared.end = end
  for (const tail of tails.values()) tail.after ??= end
  // Whoever joins from now on is not in these reads.
  const known = new Map(tails)
  while (end < settled && known.size > 0) {
    const page = await readNewest(db, [...known.keys()], end, settled)
    for (const event of page) addRecentEvent(known.get(event.organization)!, event)
    end = page.length === MAX_PAGE_EVENTS ? page.at(-1)!.id : settled
    shared.end = end
    bell.notify()
  }
  bell.notify()
}

function addRecentEvent(tail: RecentEvents, event: FeedEvent): void {
  tail.events.push(event)
  if (tail.events.length > MAX_PAGE_EVENTS) tail.after = tail.events.shift()!.id
}

function createFollower(
  shared: FeedState,
  { organization, after, types }: FollowOptions,
  onClose: () => void,
): Follower {
  const { db, recent_events: tails, signal: bell } = shared
  const tail = tails.get(organization) ?? { after: undefined, events: [], followers: 0 }
  tails.set(organization, tail)
  tail.followers += 1
  let position = after
  let closed = false

  /** What lies between the position and the end of the feed, or the first page of it. */
  async function read(until: number): Promise<FeedEvent[]> {
    if (tail.after !== undefined && position >= tail.after) {
      const events = tail.events.filter((event) => event.id > position && event.id <= until)
      position = until
      return types ? events.filter((event) => types.includes(event.type)) : events
    }
    const page = await readPage(db, { organization, after: position, types }, until)
    position = page.length === MAX_PAGE_EVENTS ? page.at(-1)!.id : until
    return page
  }

  return {
    async next(wait_ms) {
      const patience = startTimeout(wait_ms)
      try {
        for (;;) {
          if (closed) return null
          const { end } = shared
          if (end === undefined || position >= end) {
            if (patience.isOver()) return []
            await Promise.race([bell.wait(), patience.over])
            continue
          }
          const events = await read(end)
          if (events.length > 0 && !closed) return events
        }
      } finally {
        patience.end()
      }
    },
    close() {
      if (closed) return
      closed = true
      tail.followers -= 1
      if (tail.followers === 0 && tails.get(organization) === tail) tails.delete(organization)
      onClose()
      bell.notify()
    },
  }
}

/**
 * Where to begin for who wants what happened since a moment: the id of the newest event before it, or 0. It walks back
 * from the newest, so that it looks at what will be read anyway.
 */
export async function findLastEventBefore(db: Reader, organization: number, moment: Date): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    select id from events where organization = ${organization} and created < ${moment} order by id desc limit 1`
  return row?.id ?? 0
}

/** What is new to several organizations at once. */
async function readNewest(db: Reader, organizations: number[], after: number, until: number): Promise<FeedEvent[]> {
  const rows = await db<FeedEvent[]>`
    select ${columns()} from events
    where id > ${after} and id <= ${until} and organization = any(${organizations}::bigint[])
    order by id limit ${MAX_PAGE_EVENTS}`
  return [...rows]
}

/** What one follower has not seen yet. */
async function readPage(
  db: Reader,
  { organization, after, types }: FollowOptions,
  until: number,
): Promise<FeedEvent[]> {
  const rows = await db<FeedEvent[]>`
    select ${columns()} from events
    where organization = ${organization} and id > ${after} and id <= ${until}
      and ${types === undefined ? sql.always : sql`type = any(${[...types]}::text[])`}
    order by id limit ${MAX_PAGE_EVENTS}`
  return [...rows]
}

function columns() {
  return sql`id, organization, type, data::text as data, created`
}

/** Wakes all who wait for its next ring. */
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
