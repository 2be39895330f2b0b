import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'

/** Entry of the audit log. Entries never change. */
export const AuditEntry = z.object({
  id,
  user: id.nullable(),
  user_name: z.string().nullable(),
  /** The API key that was used, and its name; null for a person in the console and for an operator. */
  key: id.nullable(),
  key_name: z.string().nullable(),
  action: z.string(),
  object_type: z.string().nullable(),
  object: id.nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  created: timestamp,
})
export type AuditEntry = z.output<typeof AuditEntry>

/** Types of objects in the audit log, in the singular. Names follow the interface's events where these exist. */
export const auditedObjects = [
  'account',
  'bulkpayment',
  'collection',
  'collectionrequest',
  'connection',
  'contact',
  'fee',
  'invoice',
  'key',
  'order',
  'organization',
  'payment',
  'paymentlink',
  'purchase',
  'receipt',
  'user',
  'webhook',
] as const
export type AuditedObject = (typeof auditedObjects)[number]

const auditTable = table('audit_log', {
  id: column.id(),
  /** Null for an action that concerns only a person, such as a new password. */
  organization: column.bigint().nullable(),
  user: column.bigint().nullable(),
  /** The API key that was used. */
  key: column.bigint().nullable(),
  /** A verb and its object: `sign in`, `change permissions`. */
  action: column.text(),
  object_type: column.text<AuditedObject>().nullable(),
  object: column.bigint().nullable(),
  /** Details for the reader. Must not contain secrets. */
  details: column.json<Record<string, string | number | boolean | null | string[]>>(),
  address: column.text().nullable(),
  created: column.timestamptz(),
})

type AuditRow = Row<typeof auditTable>
export type NewAuditEntry = Pick<AuditRow, 'organization' | 'user' | 'action'> & {
  [Name in 'key' | 'object_type' | 'object' | 'details' | 'address']?: NonNullable<AuditRow[Name]>
}

/** An action without its user, organization and address; the caller adds these. */
export type AuditAction = Pick<NewAuditEntry, 'action' | 'object_type' | 'object' | 'details'>

/**
 * Records an action, in the transaction of the action. When it commits, a trigger adds the entry to the chain
 * (audit-chain.ts), one transaction after the other.
 */
export async function recordAudit(tx: Tx, now: Date, entry: NewAuditEntry): Promise<void> {
  await tx`${insert(auditTable, [entry], { details: entry.details ?? {}, created: truncateToSecond(now) })}`
}

interface AuditFilters {
  user?: number
  key?: number
  action?: string
  /** The object that an action concerns: its type, and its id. */
  object_type?: AuditedObject
  object?: number
  created_after?: Date
  created_before?: Date
}

/**
 * Lists one page of an organization's audit log, with the exact count of all matches.
 * @param organization null for entries without an organization: about the whole installation, or a person alone
 */
export async function listAudit(
  db: AnyReader,
  organization: number | null,
  filters: AuditFilters,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: AuditEntry[]; count: number }> {
  const where = sql`${organization === null ? sql`a.organization is null` : sql`a.organization = ${organization}`}
    and ${filters.user === undefined ? sql.always : sql`a."user" = ${filters.user}`}
    and ${filters.key === undefined ? sql.always : sql`a.key = ${filters.key}`}
    and ${filters.action === undefined ? sql.always : sql`a.action = ${filters.action}`}
    and ${filters.object_type === undefined ? sql.always : sql`a.object_type = ${filters.object_type}`}
    and ${filters.object === undefined ? sql.always : sql`a.object = ${filters.object}`}
    and ${filters.created_after === undefined ? sql.always : sql`a.created > ${filters.created_after}`}
    and ${filters.created_before === undefined ? sql.always : sql`a.created < ${filters.created_before}`}`
  const [rows, [total]] = await Promise.all([
    db<AuditEntry[]>`
      select ${entryColumns} from ${entryTables} where ${where}
      order by a.id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from audit_log a where ${where}`,
  ])
  return { rows: [...rows], count: total?.count ?? 0 }
}

/** Actions and authors that occur in the audit log of an organization. */
export interface AuditChoices {
  actions: string[]
  users: { id: number; name: string }[]
}

/** Reads the filter choices of an organization's audit log. The actions are found by one probe of an index each. */
export async function readAuditChoices(db: AnyReader, organization: number): Promise<AuditChoices> {
  const actions = await db<{ action: string }[]>`
    with recursive found as (
      (select action from audit_log where organization = ${organization} order by action limit 1)
      union all
      select (select a.action from audit_log a where a.organization = ${organization} and a.action > f.action
        order by a.action limit 1)
      from found f where f.action is not null)
    select action from found where action is not null`
  const users = await db<{ id: number; name: string }[]>`
    select u.id, u.name from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.kind = 'person' order by u.name, u.id`
  return { actions: actions.map(({ action }) => action), users: [...users] }
}

/** An entry with its place in the chain, as an export writes it. */
interface ExportedEntry extends AuditEntry {
  organization: number | null
  position: number
  /** Digest in hex. */
  digest: string
}

/** Reads entries of the whole installation in the order of the chain, after a position: at most `limit`. */
export async function readChainedEntries(db: Reader, after: number, limit: number): Promise<ExportedEntry[]> {
  return db<ExportedEntry[]>`
    select c.position, encode(c.digest, 'hex') as digest, a.organization, ${entryColumns}
    from audit_chain c join ${entryTables} on a.id = c.entry
    where c.position > ${after} order by c.position limit ${limit}`
}

/** Archived part of the audit log. */
interface ArchivedStretch {
  /** Number of entries of the installation. */
  entries: number
  /** Time of the newest of them. */
  newest: Date
}

/** Finds the archived part of the audit log; null when all entries are here. */
export async function findArchivedStretch(db: AnyReader): Promise<ArchivedStretch | null> {
  const [found] = await db<ArchivedStretch[]>`
    select a.position as entries, s.newest from audit_anchors a join archive_segments s on s.sequence = a.segment
    order by a.position desc limit 1`
  return found ?? null
}

const entryColumns = sql`a.id, a."user", u.name as user_name, a.key, k.name as key_name, a.action, a.object_type, a.object,
  a.details, a.address, a.created`
const entryTables = sql`audit_log a left join users u on u.id = a."user" left join api_keys k on k.id = a.key`
