import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Permission } from '../access/api-keys.ts'
import { isUnmatched } from '../collections/filters.ts'

/** Matters that may need a person, in display order. */
export const attentionKinds = [
  'approvals',
  'parked_payouts',
  'orders',
  'unmatched',
  'bills',
  'overdue_invoices',
  'late_reminders',
  'low_wallets',
  'degraded_connections',
  'failing_webhooks',
] as const
type AttentionKind = (typeof attentionKinds)[number]

/** Number of waiting matters of a kind; `MAX_COUNTED` when there are as many or more. */
interface Attention {
  kind: AttentionKind
  count: number
}

/** Maximum count of a kind. */
export const MAX_COUNTED = 1_000
/** Issued invoices that are looked through for overdue ones, the oldest first. */
const MAX_INVOICES = 10_000
/** A reminder goes out within minutes. After this long something keeps it back. */
const LATE_AFTER_MS = 3_600_000
/** A process whose row is older than this has ended (core/connections/connection-health.ts). */
const PROCESS_LIFE_MS = 30_000

/** User, organization and time of the count. */
interface AttentionScope {
  organization: number
  user: number
  permissions: ReadonlySet<Permission>
  /** True if it is the only organization here, which uses the operator's connections. */
  is_only: boolean
  now: Date
  real: Date
}

/**
 * Reads the matters that need attention of this user, without empty kinds. Each count begins at an index of the waiting
 * rows and reads at most `MAX_COUNTED` of them. Kinds on which the user cannot act are left out. The caller counts the wallets
 * that run low.
 */
export async function readAttention(db: AnyReader, scope: AttentionScope, low_wallets: number): Promise<Attention[]> {
  const counts = countsFor(scope)
  const [row] = await db<Record<string, number>[]>`
    select ${sql.join(
      Object.entries(counts).map(
        ([kind, rows]) =>
          sql`(select count(*) from (${rows} limit ${MAX_COUNTED}) ${sql.identifier(kind)}) as ${sql.identifier(kind)}`,
      ),
      ', ',
    )}`
  const found = { ...row, low_wallets } as Partial<Record<AttentionKind, number>>
  return attentionKinds.flatMap((kind) => (found[kind] ? [{ kind, count: found[kind] }] : []))
}

/** The statements of the rows of each kind, for those kinds that the user may do something about. */
function countsFor(scope: AttentionScope): Partial<Record<AttentionKind, Fragment>> {
  const { organization, user, permissions, now } = scope
  return {
    parked_payouts: sql`
      select from payment_recipients where organization = ${organization} and state = 'parked' and state not in ('complete', 'aborted')`,
    orders: sql`select from network_orders where organization = ${organization} and kind <> 'vend' and attention is not null`,
    unmatched: sql`
      select from collections
      where organization = ${organization} and ${isUnmatched('collections')}`,
    overdue_invoices: sql`
      select from (
        select overdue_at from invoices where organization = ${organization} and state = 'issued' order by id
        limit ${MAX_INVOICES}) issued
      where overdue_at <= ${now}`,
    late_reminders: sql`
      select from invoices where organization = ${organization} and due_at < ${new Date(now.getTime() - LATE_AFTER_MS)}`,
    ...(permissions.has('approve_payments') && {
      approvals: sql`
        select from payments
        where organization = ${organization} and state = 'approval_requested' and author <> ${user}`,
    }),
    ...(permissions.has('pay_bills') && {
      bills: sql`select from network_orders where organization = ${organization} and kind = 'vend' and attention is not null`,
    }),
    ...(permissions.has('manage_organization') && managersCounts(scope)),
  }
}

function managersCounts({ organization, is_only, real }: AttentionScope): Partial<Record<AttentionKind, Fragment>> {
  const owner = is_only
    ? sql`(c.organization = ${organization} or c.organization is null)`
    : sql`c.organization = ${organization}`
  return {
    failing_webhooks: sql`
      select distinct coalesce(endpoint, id) from webhooks
      where organization = ${organization} and failing_since is not null and deleted is null`,
    degraded_connections: sql`
      select from connections c
      where ${owner} and c.state = 'active' and exists (
        select from connection_health h
        where h.connection = c.slug and h.degraded_since is not null
          and h.updated > ${new Date(real.getTime() - PROCESS_LIFE_MS)})`,
  }
}
