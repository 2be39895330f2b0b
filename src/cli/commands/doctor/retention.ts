import type { App } from '../../../app.ts'
import { findFirstCandidate } from '../../../core/archive/candidates.ts'
import { archiveKinds, kindRules } from '../../../core/archive/kinds.ts'
import { listUnfinished } from '../../../core/archive/segments.ts'
import { retentionLimit } from '../archive/write.ts'
import { type Finding, warning } from './check.ts'

/** Rows may stay so long after the end of their retention: the archive is written by hand or once a month. */
const OVERDUE_MS = 45 * 24 * 60 * 60 * 1_000

const kindNames = {
  requests: 'the requests',
  orders: 'the answers to orders',
  sms: 'the SMS',
  audit: 'the audit log',
} as const
const ADVICE = 'Run `npx kusanya archive`.'

/** Rows that should have been in the archive for some time, and rows of the archive that were not removed yet. */
export async function checkRetention(app: App): Promise<Finding[]> {
  const overdue = await Promise.all(
    archiveKinds.map(async (kind) => {
      const before = new Date(retentionLimit(app, kind).getTime() - OVERDUE_MS)
      const first = await findFirstCandidate(app.db, kind, before)
      if (!first) return []
      const { retention } = kindRules[kind]
      const day = first.created.toISOString().slice(0, 10)
      return [
        warning(`The oldest of ${kindNames[kind]} is of ${day}, and ${retention} is ${app.config[retention]}.`, ADVICE),
      ]
    }),
  )
  const unfinished = await listUnfinished(app.db)
  if (unfinished.length === 0) return overdue.flat()
  const names = unfinished.map(({ sequence }) => sequence).join(', ')
  return [...overdue.flat(), warning(`Rows of segment ${names} of the archive are still to be removed.`, ADVICE)]
}
