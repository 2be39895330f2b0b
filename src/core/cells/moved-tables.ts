import { type Fragment, sql } from '../../db/sql.ts'

/*
 * The tables of the database, in an order in which rows can be inserted, and how their rows belong to an organization. A move
 * takes these rows to another cell. Each new table gets a word here.
 */

/** Rows of an organization: a column with its id, a column with the key of a row that belongs to it, or a condition. */
type Belonging = 'organization' | { column: string; of: string; key?: string } | ((organization: number) => Fragment)

/** A table whose rows move. */
interface MovedTable {
  belongs: Belonging
  /** True if its rows stay in the source as well: other rows there, or callers, still refer to them. */
  is_kept?: boolean
}

const own: MovedTable = { belongs: 'organization' }
const through = (column: string, of: string, key?: string): MovedTable => ({
  belongs: key === undefined ? { column, of } : { column, of, key },
})

/** The users of an organization: its members, its service user, and those who have left an entry in its audit log. */
const usersOf = (organization: number) => sql`id in (
  select "user" from memberships where organization = ${organization}
  union select service_user from organizations where id = ${organization}
  union select "user" from audit_log where organization = ${organization})`

/** The networks' ids of orders, which the index finds by both columns. */
const remoteIdsOf = (organization: number) => sql`(remote_id, network_order) in (
  select remote_id, id from network_orders where organization = ${organization}::bigint)`

/** The tables whose rows move. */
export const movedTables: Readonly<Record<string, MovedTable>> = {
  users: { belongs: usersOf, is_kept: true },
  organizations: { belongs: (organization) => sql`id = ${organization}`, is_kept: true },
  memberships: { ...own, is_kept: true },
  roles: own,
  saved_views: own,
  api_keys: { ...own, is_kept: true },
  signing_users: { ...through('api_key', 'api_keys'), is_kept: true },
  idempotency_keys: own,
  one_time_links: own,
  passkeys: { ...through('user', 'users'), is_kept: true },
  recovery_codes: { ...through('user', 'users'), is_kept: true },
  mails: own,
  control_changes: own,
  contacts: own,
  contact_number_keys: own,
  contact_tags: own,
  contact_payers: own,
  contact_imports: own,
  contact_import_refusals: own,
  archive_keys: own,
  connections: { ...own, is_kept: true },
  connection_floats: through('connection', 'connections', 'slug'),
  connection_balances: through('connection', 'connections', 'slug'),
  connection_balance_checks: through('connection', 'connections', 'slug'),
  accounts: own,
  connection_places: through('account', 'accounts'),
  // Both accounts are of one organization, and only this column has an index for all kinds.
  transfers: through('to_account', 'accounts'),
  refills: through('account', 'accounts'),
  fees: own,
  bill_validations: own,
  bill_purchases: own,
  bill_approvals: own,
  bill_approval_notices: own,
  network_orders: own,
  network_order_remote_ids: { belongs: remoteIdsOf },
  order_attestations: own,
  collection_requests: own,
  open_collection_requests: own,
  collections: own,
  collection_reversals: through('collection', 'collections'),
  acceptance_urls: own,
  acceptance_checks: own,
  unassigned_payments: through('account', 'accounts'),
  unassigned_payment_reversals: through('unassigned_payment', 'unassigned_payments'),
  plans: own,
  occurrences: through('plan', 'plans'),
  payments: own,
  payment_recipients: own,
  payment_transitions: through('payment', 'payments'),
  payout_reversals: through('recipient', 'payment_recipients'),
  late_payouts: own,
  bulk_payments: own,
  bulk_payment_rows: own,
  approval_rules: own,
  approver_limits: own,
  payment_limits: own,
  payment_approvals: own,
  approval_notices: own,
  payment_pages: own,
  payment_links: own,
  payment_link_visits: through('link', 'payment_links'),
  seller_details: own,
  document_series: own,
  receipt_settings: own,
  receipts: own,
  receipt_sends: through('receipt', 'receipts'),
  invoices: own,
  money_positions: own,
  matching_settings: own,
  matching_thresholds: own,
  allocations: own,
  surplus_returns: through('collection', 'collections'),
  batches: own,
  invoice_batch_items: through('invoice', 'invoices'),
  invoice_links: through('invoice', 'invoices'),
  invoice_requests: through('invoice', 'invoices'),
  invoice_reminders: through('invoice', 'invoices'),
  invoice_sends: through('invoice', 'invoices'),
  request_actions: own,
  events: own,
  webhook_credentials: own,
  webhooks: own,
  webhook_types: through('webhook', 'webhooks'),
  webhook_attempts: through('webhook', 'webhooks'),
  webhook_retries: through('webhook', 'webhooks'),
  sms_routes: own,
  sms_sender_ids: own,
  sms_limits: own,
  sms_costs: own,
  sms_consents: own,
  sms_messages: own,
  sms_incoming: own,
  reconciliation_runs: own,
  reconciliation_findings: through('run', 'reconciliation_runs'),
}

/** The tables whose rows stay in their cell, and why. Those of simulated networks stay as well. */
export const stayingTables: Readonly<Record<string, string>> = {
  archive_pending: 'an archive belongs to its cell; its files are read with the keys that move',
  archive_segments: 'as archive_pending',
  audit_anchors: 'a chain belongs to its database',
  audit_chain: 'as audit_anchors',
  audit_log: 'its entries stay, and are copied when the organization is open',
  bill_catalogue_syncs: 'of the operator',
  bill_differences: 'of the operator',
  bill_offers: 'of the operator',
  callbacks: 'they stay where they came; those for the new cell are passed on',
  catalogue_categories: 'of the operator',
  catalogue_prices: 'of the operator',
  catalogue_products: 'of the operator',
  catalogue_services: 'of the operator',
  collection_request_count_position: 'of the database',
  collection_request_counts: 'their sums are written anew',
  connection_alarms: 'of the cell',
  connection_health: 'of the processes of the cell',
  countries: 'the same in all cells',
  currencies: 'the same in all cells',
  departed_codes: 'of the cell',
  departed_places: 'of the cell',
  flags: 'of the cell',
  known_browsers: 'browsers become known again by signing in',
  lost_secret_keys: 'of the database',
  migrations: 'of the database',
  network_tokens: 'fetched anew',
  networks: 'of the cell',
  organization_moves: 'of the cell',
  passkey_challenges: 'of sessions',
  primary_marks: 'of the database',
  secret_keys: 'of the database',
  sessions: 'people sign in again',
  sign_in_failures: 'of the cell',
  sms_country_rules: 'of the operator',
  sms_early_reports: 'of connections',
  sms_month_position: 'of the database',
  sms_months: 'their sums are written anew',
  sms_requeued: 'of the database',
  sms_sessions: 'of connections',
  unverified_callback_counts: 'of the cell',
}

/** SQL: the condition on the rows of an organization in a table that moves. */
export function rowsOf(table: string, organization: number): Fragment {
  const { belongs } = movedTables[table]!
  if (belongs === 'organization') return sql`organization = ${organization}::bigint`
  if (typeof belongs === 'function') return belongs(organization)
  const { column, of, key = 'id' } = belongs
  return sql`${sql.identifier(column)} in (
    select ${sql.identifier(key)} from ${sql.identifier(of)} where ${rowsOf(of, organization)})`
}
