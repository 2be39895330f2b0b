import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'

/** What somebody did: a line that is never changed. */
export const AuditEntry = z.object({
  id,
  user: id.nullable(),
  user_name: z.string().nullable(),
  action: z.string(),
  object_type: z.string().nullable(),
  object: id.nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  created: timestamp,
})
export type AuditEntry = z.output<typeof AuditEntry>

/** What a deed can be done to, in the singular, and named as the interface's events name it where they do. */
export const auditedObjects = [
  'collection',
  'collectionrequest',
  'contact',
  'fee',
  'key',
  'payment',
  'purchase',
  'user',
  'webhook',
] as const
export type AuditedObject = (typeof auditedObjects)[number]

export interface NewAuditEntry {
  /** Null for what concerns a person and no organization, such as a new password. */
  organization: number | null
  user: number | null
  /** A verb and what it is done to: `sign in`, `change permissions`. */
  action: string
  object_type?: AuditedObject
  object?: number
  /** What else a reader wants to know. Never a secret. */
  details?: Record<string, string | number | boolean | null | string[]>
  address?: string
}

/** What was done, for those who know by whom and from where. */
export type AuditAction = Pick<NewAuditEntry, 'action' | 'object_type' | 'object' | 'details'>

/** Writes down what was done, in the transaction that does it. */
export async function recordAudit(tx: Tx, now: Date, entry: NewAuditEntry): Promise<void> {
  await tx`
    insert into audit_log (organization, "user", action, object_type, object, details, address, created)
    values (${entry.organization}, ${entry.user}, ${entry.action}, ${entry.object_type ?? null}, ${entry.object ?? null},
      ${sql.json(entry.details ?? {})}, ${entry.address ?? null}, ${truncateToSecond(now)})`
}

export interface AuditFilters {
  user?: number
  action?: string
}

/** One page of an organization's log with the exact count of all. */
export async function listAudit(
  db: Reader,
  organization: number,
  filters: AuditFilters,
  slice: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: AuditEntry[]; count: number }> {
  const where = sql`a.organization = ${organization}
    and ${filters.user === undefined ? sql.always : sql`a."user" = ${filters.user}`}
    and ${filters.action === undefined ? sql.always : sql`a.action = ${filters.action}`}`
  const [rows, [total]] = await Promise.all([
    db<AuditEntry[]>`
      select a.id, a."user", u.name as user_name, a.action, a.object_type, a.object, a.details, a.address, a.created
      from audit_log a left join users u on u.id = a."user" where ${where}
      order by a.id ${slice.descending ? sql`desc` : sql`asc`} limit ${slice.limit} offset ${slice.offset}`,
    db<{ count: number }[]>`select count(*) from audit_log a where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}
