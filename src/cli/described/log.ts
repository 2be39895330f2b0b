import { logEventTexts, NOTHING_TO_DO } from '../../lib/log/event-texts.ts'
import { type LogEventName, logEvents } from '../../lib/log-events.ts'
import type { DescribedTable } from './table.ts'

/** Describe every event of the log. */
export function describeLog(): DescribedTable[] {
  const rows = Object.entries(logEvents).map(([name, { level, message }]) => {
    const { when, what_to_do } = logEventTexts[name as LogEventName]
    const advice = what_to_do === NOTHING_TO_DO ? '' : ` → ${what_to_do}.`
    return [`\`${name}\``, level, `“${message}”: ${when}.${advice}`]
  })
  return [{ columns: ['Event', 'Level', 'Message, when, and what to do'], rows }]
}
