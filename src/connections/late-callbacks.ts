import { type EventLog, logEvent } from '../lib/log-events.ts'
import type { Connection } from './connection.ts'

/*
 * Delays of status queries. When a service falls behind, after a pause or under load, callbacks reach it after the
 * status queries about their orders. An answer then settles each order, and its callback is wasted work that keeps the
 * service late. So it delays its queries for a while: callbacks come first again, and most queries are not needed.
 */

/** Number of callbacks of a connection that must come after the answers about their orders, within LATE_WITHIN_MS. */
const LATE_CALLBACKS = 10
const LATE_WITHIN_MS = 10_000
/** Duration for which first queries are delayed, after each such case. */
const POSTPONED_FOR_MS = 60_000
/** Minimum time between an order and its first query while callbacks come late. */
const LATE_WAIT_S = 15
/** Minimum time for which an answer is remembered. Later callbacks say nothing about the present load. */
const REMEMBERED_MS = 60_000

/** The service, as far as it is needed here. */
interface Service {
  clock: { real(): Date }
  log: EventLog
}

interface Pace {
  /** References of orders that answers to status queries have ended: those since `rotated_ms`, and those before. */
  answered: Set<string>
  answered_before: Set<string>
  rotated_ms: number
  late: number
  late_since_ms: number
  postponed_until_ms: number
}

const paces = new WeakMap<Connection, Pace>()

/** Remember an order that the answer to a query has ended. Times come from the real clock, as the load does. */
export function noteAnsweredQuery({ clock }: Service, connection: Connection, reference: string): void {
  const now_ms = clock.real().getTime()
  const pace = paceOf(connection, now_ms)
  if (now_ms - pace.rotated_ms > REMEMBERED_MS) {
    pace.answered_before = now_ms - pace.rotated_ms > 2 * REMEMBERED_MS ? new Set() : pace.answered
    pace.answered = new Set()
    pace.rotated_ms = now_ms
  }
  pace.answered.add(reference)
}

/**
 * Note a callback about an order. When many come late, status queries for new orders wait from now on, which the log
 * says.
 */
export function noteCallback({ clock, log }: Service, connection: Connection, reference: string): void {
  const pace = paces.get(connection)
  // The same callback again says nothing new.
  if (!pace || !(pace.answered.delete(reference) || pace.answered_before.delete(reference))) return
  const now_ms = clock.real().getTime()
  if (now_ms - pace.late_since_ms > LATE_WITHIN_MS) {
    pace.late = 0
    pace.late_since_ms = now_ms
  }
  pace.late += 1
  if (pace.late < LATE_CALLBACKS) return
  if (pace.postponed_until_ms <= now_ms)
    logEvent(log, 'questions_postponed', { connection: connection.slug, seconds: LATE_WAIT_S })
  pace.postponed_until_ms = now_ms + POSTPONED_FOR_MS
}

/** Return the minimum seconds between an order of this connection and its first query. */
export function leastWaitSeconds({ clock }: Service, connection: Connection): number {
  return (paces.get(connection)?.postponed_until_ms ?? 0) > clock.real().getTime() ? LATE_WAIT_S : 0
}

function paceOf(connection: Connection, now_ms: number): Pace {
  const known = paces.get(connection)
  if (known) return known
  const pace: Pace = {
    answered: new Set(),
    answered_before: new Set(),
    rotated_ms: now_ms,
    late: 0,
    late_since_ms: now_ms,
    postponed_until_ms: 0,
  }
  paces.set(connection, pace)
  return pace
}
