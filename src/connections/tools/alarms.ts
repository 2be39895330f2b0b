import type { ConnectionAlarm } from '../../core/connections/connection-health.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { toStorableText } from '../../lib/storable-text.ts'

/** Something that only the operator can repair, to be stored. */
export type NewAlarm = ConnectionAlarm & { connection: string }

interface AlarmsOptions {
  connection: string
  real: () => Date
  log: EventLog
  /** Called for each alarm that counts, also for those that are not logged again. */
  onAlarm: (alarm: NewAlarm) => void
}

/** The same message is logged once in this time. */
const LOG_AGAIN_MS = 3_600_000
/** Maximum messages per hour. A driver with changing texts in its alarms must not fill log and database. */
const MAX_MESSAGES = 100
const MAX_LENGTH = 500

/** Create the alarm of one connection: it logs each message at most once an hour and hands each alarm on. */
export function createAlarm({ connection, real, log, onAlarm }: AlarmsOptions): (message: string) => void {
  /** Time at which each message was logged, oldest first. */
  const logged_ms = new Map<string, number>()
  return (text) => {
    const message = toStorableText(text).slice(0, MAX_LENGTH)
    const now = real()
    for (const [earlier, at_ms] of logged_ms)
      if (now.getTime() - at_ms >= LOG_AGAIN_MS) logged_ms.delete(earlier)
      else break
    if (!logged_ms.has(message)) {
      if (logged_ms.size >= MAX_MESSAGES) return
      logEvent(log, 'network_alarm', { connection, alarm: message })
      logged_ms.set(message, now.getTime())
    }
    onAlarm({ connection, message, first: now, last: now, count: 1 })
  }
}
