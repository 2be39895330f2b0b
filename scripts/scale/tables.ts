/*
 * Where the rows of each table would be if the database were spread over several servers by organization (docs/scale.md).
 * test/scripts/scale compares this list with the real schema and the real statements; `npm run scale:ddl` makes DDL of it.
 */

/** Where the rows of a table are. */
export type Placement =
  /** On the server of their organization. `through`: it has no column `organization` yet, and would get that of this table. */
  | { kind: 'distributed'; through?: string }
  /** A copy on each server: small, and rarely written. */
  | { kind: 'reference'; reason: string }
  /** On one server: global, or a queue whose rows belong to no organization yet. */
  | { kind: 'local'; reason: string }

const distributed: Placement = { kind: 'distributed' }
const through = (table: string): Placement => ({ kind: 'distributed', through: table })
const reference = (reason: string): Placement => ({ kind: 'reference', reason })
const local = (reason: string): Placement => ({ kind: 'local', reason })

const WORLD = 'the same for all organizations; migrations and operators write it'
const CATALOGUE = 'one catalogue for all organizations; imports write it'
const OPERATOR = 'settings of an organization, that the operator reads over all of them; written by people'
const PERSON = 'a person may belong to several organizations; written when people sign in'
const CONNECTION = 'state of a connection, which several organizations may share; a row for each connection or process'
const ARRIVED = 'arrives before its organization is known'
const INSTALLATION = 'one for the installation'
const SIMULATOR = 'the simulated world outside, which no real installation has'

/** Every table, each once. Partitions are where their table is. */
export const tables: Readonly<Record<string, Placement>> = {
  // Collections.
  collection_requests: distributed,
  collection_request_counts: distributed,
  collection_request_count_changes: distributed,
  collection_request_transitions: through('collection_requests'),
  collections: distributed,
  collection_reversals: through('collections'),
  acceptance_checks: distributed,
  acceptance_urls: distributed,
  plans: distributed,
  occurrences: through('plans'),
  request_actions: distributed,
  contacts: distributed,
  contact_imports: distributed,
  contact_import_refusals: distributed,
  idempotency_keys: distributed,

  // Orders to networks.
  network_orders: distributed,
  network_order_answers: through('network_orders'),
  order_attestations: distributed,

  // The ledger.
  accounts: distributed,
  transfers: through('accounts'),
  refills: through('accounts'),
  reconciliation_runs: distributed,
  reconciliation_findings: through('reconciliation_runs'),

  // Payments.
  payments: distributed,
  payment_recipients: distributed,
  payment_transitions: through('payments'),
  payment_approvals: distributed,
  approval_notices: distributed,
  bill_approvals: distributed,
  bill_approval_notices: distributed,
  payout_reversals: through('payment_recipients'),
  late_payouts: distributed,
  bulk_payments: distributed,
  bulk_payment_rows: distributed,

  // Bills.
  bill_purchases: distributed,
  bill_attempts: through('bill_purchases'),
  bill_validations: distributed,

  // Payment links, invoices and receipts.
  payment_links: distributed,
  payment_link_visits: through('payment_links'),
  receipts: distributed,
  receipt_sends: through('receipts'),
  document_series: distributed,
  invoices: distributed,
  invoice_links: through('invoices'),
  invoice_positions: distributed,
  invoice_reminders: through('invoices'),
  invoice_requests: through('invoices'),
  invoice_sends: through('invoices'),

  // The archive.
  archive_keys: distributed,

  // Events and SMS.
  events: distributed,
  webhooks: distributed,
  webhook_deliveries: through('webhooks'),
  webhook_attempts: through('webhooks'),
  sms_messages: distributed,
  sms_attempts: through('sms_messages'),
  sms_answers: through('sms_messages'),
  sms_months: distributed,
  sms_costs: distributed,
  mails: distributed,

  // Settings of organizations.
  organizations: reference(OPERATOR),
  memberships: reference(PERSON),
  roles: local('names for permissions; written by people'),
  api_keys: reference('found by its hash before the organization is known; last_used is written once a minute'),
  signing_users: reference('found by its name before the organization is known'),
  approval_rules: reference(OPERATOR),
  approver_limits: reference(OPERATOR),
  fees: reference(OPERATOR),
  payment_limits: reference(OPERATOR),
  payment_pages: reference(OPERATOR),
  receipt_settings: reference(OPERATOR),
  sms_limits: reference(OPERATOR),
  sms_routes: reference('routes of the operator and of organizations are chosen by one statement'),
  sms_sender_ids: reference('sender ids of the operator and of organizations are chosen by one statement'),
  webhook_credentials: reference(OPERATOR),
  control_changes: local('waits for a second manager; written by people'),

  // What is the same for all.
  countries: reference(WORLD),
  currencies: reference(WORLD),
  networks: reference(WORLD),
  sms_country_rules: reference(WORLD),
  flags: reference(INSTALLATION),
  catalogue_categories: reference(CATALOGUE),
  catalogue_services: reference(CATALOGUE),
  catalogue_products: reference(CATALOGUE),
  catalogue_prices: reference(CATALOGUE),
  bill_offers: reference(CATALOGUE),
  connections: reference('which connection carries an order; written by operators'),
  connection_places: reference('finds the organization of incoming money; written by operators'),
  users: reference('authors of rows of every organization; written by operators'),

  // Global, or without an organization.
  audit_log: local('one chain over all entries, so that none can be removed'),
  audit_anchors: local('one chain over all entries, so that none can be removed'),
  audit_chain: local('one chain over all entries, so that none can be removed'),
  bill_catalogue_syncs: local(CONNECTION),
  bill_differences: local(CONNECTION),
  callbacks: local(ARRIVED),
  callback_orders: local(ARRIVED),
  archive_segments: local(INSTALLATION),
  archive_pending: local(INSTALLATION),
  primary_marks: local(INSTALLATION),
  unverified_callback_counts: local(ARRIVED),
  unassigned_payments: local(ARRIVED),
  unassigned_payment_reversals: local(ARRIVED),
  sms_early_reports: local(ARRIVED),
  sms_incoming: local(ARRIVED),
  sms_consents: local('a STOP holds for the number, for one organization or for all'),
  sms_sessions: local(CONNECTION),
  connection_alarms: local(CONNECTION),
  connection_balance_checks: local(CONNECTION),
  connection_balances: local(CONNECTION),
  connection_floats: local(CONNECTION),
  connection_health: local(CONNECTION),
  network_tokens: local(CONNECTION),
  known_browsers: local(PERSON),
  one_time_links: local(PERSON),
  passkeys: local(PERSON),
  passkey_challenges: local(PERSON),
  recovery_codes: local(PERSON),
  saved_views: local(PERSON),
  sessions: local(PERSON),
  sign_in_failures: local(PERSON),
  lost_secret_keys: local(INSTALLATION),
  secret_keys: local(INSTALLATION),
  migrations: local(INSTALLATION),
  simulator_callbacks: local(SIMULATOR),
  simulator_door_values: local(SIMULATOR),
  simulator_missed_prompts: local(SIMULATOR),
  simulator_orders: local(SIMULATOR),
  simulator_payouts: local(SIMULATOR),
  simulator_pins: local(SIMULATOR),
  simulator_sms: local(SIMULATOR),
  simulator_transactions: local(SIMULATOR),
  simulator_validation_requests: local(SIMULATOR),
  simulator_vends: local(SIMULATOR),
}

/** Tables whose rows are on the server of their organization. */
export const distributedTables = Object.entries(tables).flatMap(([table, placement]) =>
  placement.kind === 'distributed' ? [{ table, through: placement.through }] : [],
)

/** The column by which rows are distributed. */
export const DISTRIBUTION_COLUMN = 'organization'

/** The table that a name in a statement means: a partition of the two tables that are queues as well means its table. */
export function tableOf(name: string): string {
  return name.replace(/^(webhook_deliveries|callbacks)_(waiting|ended)\w*$/, '$1')
}
