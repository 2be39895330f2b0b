import type { LiveEvent, LiveListener } from './hub.ts'
import { concerns, followsRules, isUnsettled, serviceKeys, topicOf } from './topics.ts'

/** Data that a page shows now. */
export interface ShownQuery {
  /** The same for the same data, whatever reads it. */
  hash: string
  key: readonly unknown[]
  data: unknown
  /** Read it again. */
  refresh(): void
}

/** Events of one transaction come together, so the first read waits for them. */
const GATHER_MS = 300
/** Minimum time between two reads of the same data, despite any number of events. */
const GAP_MS = 1_000
/** Times after which the results of jobs that an event caused are read. */
const SETTLE_MS = [3_000, 10_000] as const
/** Interval of reads: of everything without the stream, and with it only of data that changes without events. */
export const SLOW_POLL_MS = 10_000
/** Time after which a closed stream counts as interrupted. A restart of the service is shorter. */
export const INTERRUPTED_MS = 4_000

/** The planned reads of one query. */
interface Plan {
  last_ms: number
  next?: { at_ms: number; timer: Timer }
  settling: Timer[]
}
type Timer = ReturnType<typeof setTimeout>

/** Plan the reads of shown data, and make them unless the window is hidden. */
function createReads(shown: () => Iterable<ShownQuery>, isHidden: () => boolean) {
  const plans = new Map<string, Plan>()

  function read(hash: string, plan: Plan): void {
    plan.next = undefined
    if (isHidden()) return
    plan.last_ms = Date.now()
    for (const query of shown()) if (query.hash === hash) query.refresh()
  }

  function readSoon({ hash, key }: ShownQuery, delay_ms: number): void {
    const plan = plans.get(hash) ?? { last_ms: 0, settling: [] }
    plans.set(hash, plan)
    const at_ms = Math.max(Date.now() + delay_ms, plan.last_ms + (topicOf(key)?.gap_ms ?? GAP_MS))
    if (plan.next && plan.next.at_ms <= at_ms) return
    clearTimeout(plan.next?.timer)
    plan.next = { at_ms, timer: setTimeout(() => read(hash, plan), at_ms - Date.now()) }
  }

  return {
    /** Read the matching queries, soon and once. */
    readWhere(matches: (query: ShownQuery) => boolean): void {
      for (const query of shown()) if (matches(query)) readSoon(query, GATHER_MS)
    },
    /** Read the results of jobs that an event caused. */
    settle(query: ShownQuery): void {
      const plan = plans.get(query.hash)
      if (!plan) return
      for (const timer of plan.settling) clearTimeout(timer)
      plan.settling = SETTLE_MS.map((ms) => setTimeout(() => readSoon(query, 0), ms))
    },
    close(): void {
      for (const { next, settling } of plans.values()) {
        clearTimeout(next?.timer)
        for (const timer of settling) clearTimeout(timer)
      }
    },
  }
}

/**
 * Read shown data again when the stream says that it may have changed, and not otherwise.
 * @param shown the queries of the page
 * @param isHidden whether the window is hidden: then nothing is read
 * @returns the listener for the stream, and a function that ends all reads
 */
export function createUpdates(shown: () => Iterable<ShownQuery>, isHidden: () => boolean) {
  const reads = createReads(shown, isHidden)
  let open = false
  let interrupted: Timer | undefined

  function onTick(): void {
    if (isHidden()) return
    reads.readWhere(({ key, data }) => {
      if (!open) return isLive(key)
      const topic = topicOf(key)
      return topic !== undefined && (topic.slow === true || isUnsettled(data, topic))
    })
  }
  const ticks = setInterval(onTick, SLOW_POLL_MS)

  const listener: LiveListener = {
    onState(now_open) {
      open = now_open
      clearTimeout(interrupted)
      // The first read shows whether the service or only the stream is away, and whether the session has ended.
      if (!open) interrupted = setTimeout(onTick, INTERRUPTED_MS)
    },
    onOpen: () => reads.readWhere(({ key }) => isLive(key)),
    onService: () => reads.readWhere(({ key }) => isAboutService(key)),
    onRules: () => reads.readWhere(({ key }) => followsRules(key)),
    onEvent(event: LiveEvent) {
      reads.readWhere(({ key }) => concerns(key, event))
      for (const query of shown()) if (concerns(query.key, event) && topicOf(query.key)?.settles) reads.settle(query)
    },
  }
  return {
    listener,
    close() {
      clearInterval(ticks)
      clearTimeout(interrupted)
      reads.close()
    },
  }
}

function isLive(key: readonly unknown[]): boolean {
  return topicOf(key) !== undefined || isAboutService(key)
}

function isAboutService([name]: readonly unknown[]): boolean {
  return serviceKeys.includes(String(name))
}
