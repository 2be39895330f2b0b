import { logEventTexts } from '../../lib/log/event-texts.ts'
import { type LogEventName, logEvents } from '../../lib/log-events.ts'
import type { DescribedTable } from './table.ts'

/** Describes every event of the log. */
export function describeLog(): DescribedTable[] {
  const rows = Object.entries(logEvents).map(([name, { level, message }]) => {
    const { when, what_to_do } = logEventTexts[name as LogEventName]
    return [`\`${name}\``, level, message, when, what_to_do]
  })
  return [{ columns: ['Event', 'Level', 'Message', 'When', 'What to do'], rows }]
}
