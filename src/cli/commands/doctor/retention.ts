import type { App } from '../../../app.ts'
import { kindRules } from '../../../core/archive/kinds.ts'
import { readLastArchiveRun } from '../../../core/archive/last-run.ts'
import { listOverdue, MAX_OVERDUE_MS } from '../../../core/archive/overdue.ts'
import { listUnfinished } from '../../../core/archive/segments.ts'
import { readRetentionRules } from '../../service/retention-rules.ts'
import { type Finding, warning } from './check.ts'

const kindNames = {
  requests: 'the requests',
  orders: 'the answers to orders',
  sms: 'the SMS',
  audit: 'the audit log',
} as const
const TIMER = 'Run `npx kusanya archive` now, and then every month by a timer (docs/operating/retention.md).'

const toDay = (date: Date) => date.toISOString().slice(0, 10)

/** Rows that should have been in the archive for some time, and rows of the archive that were not removed yet. */
export async function checkRetention(app: App): Promise<Finding[]> {
  const last = await readLastArchiveRun(app.db)
  const run = last ? `A complete run last ended on ${toDay(last)}.` : 'No complete run has ever ended.'
  const overdue = (await listOverdue(app.db, readRetentionRules(app))).flatMap(({ kind, oldest, overdue_ms }) => {
    if (!oldest || overdue_ms < MAX_OVERDUE_MS) return []
    const { retention } = kindRules[kind]
    const text = `The oldest of ${kindNames[kind]} is of ${toDay(oldest)}, and ${retention} is ${app.config[retention]}. ${run}`
    return [warning(text, TIMER)]
  })
  const unfinished = await listUnfinished(app.db)
  if (unfinished.length === 0) return overdue
  const names = unfinished.map(({ sequence }) => sequence).join(', ')
  return [
    ...overdue,
    warning(`Rows of segment ${names} of the archive are still to be removed.`, 'Run `npx kusanya archive`.'),
  ]
}
