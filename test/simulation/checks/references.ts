import { raw } from 'sql-template-tag'
import type { Database } from '../../../src/db/client.ts'

/**
 * References between tables for which the database has no foreign key (docs/decisions/0017): columns of a table, and the
 * table and columns that they refer to.
 */
const REFERENCES: readonly [table: string, columns: string, target: string, target_columns: string][] = [
  ...referencesOf('collection_requests', {
    contact: 'contacts',
    collection: 'collections',
    organization: 'organizations',
  }),
  ...referencesOf('open_collection_requests', { collection_request: 'collection_requests' }),
  ...referencesOf('collections', { contact: 'contacts', organization: 'organizations' }),
  ...referencesOf('network_orders', {
    collection_request: 'collection_requests',
    payment_recipient: 'payment_recipients',
    bill_purchase: 'bill_purchases',
    collection: 'collections',
    organization: 'organizations',
  }),
  ...referencesOf('network_order_remote_ids', { network_order: 'network_orders' }),
  ...referencesOf('collections', { network_order: 'network_orders' }),
  ...referencesOf('occurrences', { collection_request: 'collection_requests' }),
  ...referencesOf('sms_messages', { collection_request: 'collection_requests', organization: 'organizations' }),
  ...referencesOf('acceptance_checks', { organization: 'organizations' }),
  ...referencesOf('payments', { organization: 'organizations' }),
  ...referencesOf('payment_recipients', { contact: 'contacts', organization: 'organizations' }),
  ...referencesOf('payment_transitions', { payment: 'payments' }),
  ['collection_requests', 'account, currency', 'accounts', 'id, currency'],
  ['collections', 'account, currency', 'accounts', 'id, currency'],
  ...authorsOf('collection_requests', 'author', 'updated_by'),
  ...authorsOf('collections', 'author', 'updated_by', 'claimed_by'),
  ...authorsOf('collection_request_transitions', 'author'),
  ...authorsOf('payments', 'author', 'updated_by', 'approved_by', 'rejected_by', 'cancelled_by'),
  ...authorsOf('payment_transitions', 'author'),
  ...authorsOf('bill_purchases', 'author', 'updated_by'),
  ...authorsOf('transfers', 'author'),
]

/** Find rows that refer to a row that does not exist. Returns a sentence for each reference that has such rows. */
export async function checkReferences(db: Database): Promise<string[]> {
  const rows = await db<{ reference: string; count: number }[]>`${ORPHANS}`
  return rows.map(({ reference, count }) => `${count} rows have a reference to no row: ${reference}.`)
}

const ORPHANS = raw(
  REFERENCES.map(
    ([table, columns, target, target_columns]) => `
  select '${table} (${columns}) to ${target}' as reference, count(*) as count from ${table} r
  where (${prefix('r', columns)}) is not null
    and not exists (select from ${target} t where (${prefix('t', target_columns)}) = (${prefix('r', columns)}))
  having count(*) > 0`,
  ).join(' union all '),
)

function prefix(alias: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${alias}.$&`)
}

function referencesOf(table: string, targets: Record<string, string>): [string, string, string, string][] {
  return Object.entries(targets).map(([column, target]) => [table, column, target, 'id'])
}

function authorsOf(table: string, ...columns: string[]): [string, string, string, string][] {
  return columns.map((column) => [table, column, 'users', 'id'])
}
