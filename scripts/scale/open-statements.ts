import type { StatementFault } from './statements.ts'

/** Statements that do not name the organization of their rows, and why. They remain open (docs/scale.md). */
export interface OpenStatements {
  name: string
  reason: string
  /** Texts that such a statement contains, in one line without quotes, by its table. */
  statements: Readonly<Record<string, readonly string[]>>
  /** Whether the story of the test may end before a job sends them. */
  by_chance?: boolean
}

const CLAIMS = [
  'for update skip locked',
  'for no key update of w skip locked',
  'with recursive queues as',
  'with recursive wants as',
  'select min(due_at)',
  'limit 1) again',
  'with ready as',
]

export const openStatements: readonly OpenStatements[] = [
  {
    name: 'looks for due work, and claims',
    reason:
      'a job looks over all organizations. Spread over servers, each server needs jobs of its own for the organizations that it holds',
    statements: {
      acceptance_checks: CLAIMS,
      bulk_payments: CLAIMS,
      bill_purchases: [...CLAIMS, 'and sent is null order by due_at limit'],
      collection_requests: CLAIMS,
      contacts: CLAIMS,
      idempotency_keys: CLAIMS,
      invoices: CLAIMS,
      invoice_positions: ['where event_position < $1 order by organization'],
      network_orders: CLAIMS,
      payment_recipients: CLAIMS,
      payments: CLAIMS,
      plans: CLAIMS,
      sms_messages: CLAIMS,
      webhooks: [
        ...CLAIMS,
        'select 1 from webhooks w cross join lateral',
        'where w.deleted is not null and exists',
        'where w.paused is not null and w.deleted is null',
      ],
      mails: CLAIMS,
    },
    by_chance: true,
  },
  {
    name: 'locks and reads of rows whose ids a job has claimed',
    reason:
      'a lease gives only ids. Rows are locked by their key alone (decision 16), so the organization must come with the ids through every job first',
    statements: {
      bill_purchases: ['from bill_purchases where id = any($1::bigint[]) order by id for update'],
      collection_requests: [
        'from collection_requests where id = any($1::bigint[]) order by id for update',
        'select id from collection_requests where id = any($1::bigint[]) and status = any($2::text[])',
      ],
      contacts: ['where id = any($1::bigint[]) order by id for no key update'],
      network_orders: ['from network_orders where id = any($1::bigint[]) order by id for update'],
      payment_recipients: [
        'from payment_recipients where id = any($1::bigint[]) order by id for update',
        'select distinct payment from payment_recipients where id = any($1::bigint[])',
        'select id from payment_recipients where id = any($1::bigint[]) and state = any($2::text[])',
      ],
      payments: ['from payments where id = any($1::bigint[]) order by id for update'],
      sms_messages: ['from sms_messages where id = any($1::bigint[]) order by id for update'],
      webhooks: [
        'with locked as ( select id from webhooks where id = any(',
        'update webhooks set leased_until = $1::timestamptz where id = any($2::bigint[])',
      ],
    },
  },
  {
    name: 'reads and changes of rows that belong to rows with a known organization',
    reason:
      'the functions take ids alone; the organization of the row above them can be passed on, one function at a time',
    statements: {
      bill_purchases: ['from bill_purchases where id = any($1::bigint[])'],
      collection_requests: ['from collection_requests where id = any($1::bigint[])'],
      collections: ['from collections where id = any($1::bigint[])'],
      contacts: ['from contacts where id = any('],
      order_attestations: [
        "update order_attestations set state = 'superseded', decided = $1::timestamptz where network_order = any(",
        "update order_attestations set state = 'superseded', decided = $1::timestamptz where bill_purchase = any(",
      ],
      payment_recipients: [
        'from payment_recipients where payment = any($1::bigint[]) order by id',
        'array(select r.phonenumber from payment_recipients r where r.payment = p.id order by r.id)',
        "update payment_recipients set state = 'queued' where state = 'new' and payment = any(",
      ],
      payments: ['from payments where id = any($1::bigint[])'],
      sms_messages: ['update sms_attempts a set month = null from sms_messages m'],
    },
  },
  {
    name: 'what a network says',
    reason:
      'a callback or an answer names its order by a reference or by its own id, and these say nothing of the organization. A small table from references to organizations must find it first',
    statements: {
      collection_requests: ['select n.index, o.id, o.reference, o.remote_id'],
      collections: [
        'join collections c on c.connection = r.connection and c.remote_transaction_id = r.remote_id',
        'select n.index, o.id, o.reference, o.remote_id',
        "update callbacks c set body = ''",
      ],
      network_orders: [
        'select n.index, o.id, o.reference, o.remote_id',
        'from network_orders where reference = any($1::text[])',
      ],
    },
  },
  {
    name: 'balances',
    reason:
      'a transfer may have an account of the operator on one side, whose organization is null, and transfers find accounts by id. The operator must first become an organization of its own',
    statements: {
      accounts: [
        "select id, balance from accounts where id = any($1::bigint[]) and status = 'active'",
        'select id, balance from accounts where id = any($1::bigint[]) order by id for no key update',
        'update accounts set balance = balance + change.amount',
        'select t.reference, t.id, a.id as account',
      ],
    },
  },
  {
    name: 'checks and lists of the operator',
    reason: 'they compare all organizations, once in an interval or when a person asks; they may read all servers',
    statements: {
      accounts: [
        'from connection_places p join accounts a on a.id = p.account',
        'select a.id, a.balance, coalesce(t.moved, 0)',
        'select organization, currency, sum(balance)',
        'select id, balance from accounts where balance < 0',
      ],
      collection_request_count_changes: [
        'with changes as (delete from collection_request_count_changes',
        'n.counted, 0',
      ],
      collection_request_counts: ['n.counted, 0'],
      collection_requests: ['n.counted, 0'],
      collections: [
        'select reference, connection, remote_id from (',
        'select o.reference, c.id as collection, d.id as other',
      ],
      network_orders: [
        'select reference, connection, remote_id from (',
        'select o.reference, c.id as collection, d.id as other',
      ],
      late_payouts: ['select l.recipient as id, l.payment'],
      payment_recipients: ['select l.recipient as id, l.payment'],
      payments: ['select l.recipient as id, l.payment'],
    },
    by_chance: true,
  },
]

/** The first declaration that has this statement. */
export function findDeclaration(
  { table, statement }: StatementFault,
  declared: readonly OpenStatements[] = openStatements,
): { group: OpenStatements; text: string } | undefined {
  for (const group of declared) {
    const text = group.statements[table]?.find((one) => statement.includes(one))
    if (text !== undefined) return { group, text }
  }
  return undefined
}
