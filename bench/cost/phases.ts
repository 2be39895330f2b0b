import type { Statement } from './counters.ts'

/** Part of the work for one collection, found by its statements' reads and writes. */
interface Phase {
  name: string
  statements: RegExp
  /** The statements of which each stands for a transaction. */
  transactions?: RegExp
}

/** The first phase whose pattern fits has the statement. The texts have single spaces and no quotes. */
const phases: readonly Phase[] = [
  { name: 'begin and commit', statements: /^(begin|commit|rollback|set local)/ },
  { name: "polling of the sandbox's simulator", statements: /from simulator_/, transactions: /./ },
  {
    name: 'polling for due work',
    statements:
      /^(?!.* update )(select min\(|with recursive (queues|wants)\b|select 1 from webhooks|.*connection_balance)/,
    transactions: /./,
  },
  {
    name: 'counts',
    statements: /collection_request_count|sms_month/,
    transactions: /^insert into collection_request_counts/,
  },
  { name: 'events', statements: /into events\b|events_id_seq|newest\.id/, transactions: /newest\.id/ },
  {
    name: 'webhook delivery',
    statements: /webhook_retries|webhook_attempts|webhook_types|(from|update) webhooks\b/,
    transactions: /^with ready|^with removed/,
  },
  { name: 'SMS', statements: /sms_messages/, transactions: /^(with claimed|update sms_messages)/ },
  {
    name: 'contact look-up',
    statements: /update contacts\b/,
    transactions: /./,
  },
  { name: 'callback', statements: /\bcallbacks\b/, transactions: /^insert/ },
  {
    name: 'create',
    statements: /into (contacts|collection_requests)\b|from contacts\b|accounts where kind in|api_keys/,
    transactions: /into collection_requests|api_keys/,
  },
  {
    name: 'dispatch',
    statements: /into network_orders\b|connection_places|^with recursive queues/,
    transactions: /into network_orders\b|^with recursive queues/,
  },
  {
    name: "network's answer",
    statements: /network_order_remote_ids|update network_orders|from network_orders|^with recursive wants/,
    transactions: /^with recursive wants|^update network_orders t set leased_until/,
  },
  {
    name: 'changes of status',
    statements: /update collection_requests|from collection_requests/,
  },
  {
    name: 'matching and books',
    statements: /collections\b|transfers\b|accounts\b|unassigned_payments|attestations|organizations\b/,
    transactions: /into transfers/,
  },
]
const OTHER = 'other'

/** Sum of the statements of one phase. */
export interface PhaseCost {
  name: string
  transactions: number
  statements: number
  rows: number
  wal_bytes: number
  plan_ms: number
  exec_ms: number
}

/**
 * Add the statements up by phase. Checks of foreign keys are a row of their own, and part of the statements that cause
 * them.
 */
export function costByPhase(statements: readonly Statement[]): PhaseCost[] {
  const names = [...phases.map(({ name }) => name), OTHER, 'of these: foreign keys']
  const costs = new Map(names.map((name) => [name, { name, ...nothing }]))
  for (const statement of statements) {
    const text = statement.query.trim().replace(/\s+/g, ' ').replaceAll('"', '')
    const phase = phases.find((one) => one.statements.test(text))
    const cost = costs.get(statement.toplevel ? (phase?.name ?? OTHER) : names.at(-1)!)!
    if (phase?.transactions?.test(text) && statement.toplevel) cost.transactions += statement.calls
    cost.statements += statement.calls
    cost.rows += statement.rows
    cost.wal_bytes += statement.wal_bytes
    cost.plan_ms += statement.plan_ms
    cost.exec_ms += statement.exec_ms
  }
  return [...costs.values()].filter(({ statements: count }) => count > 0)
}

const nothing = { transactions: 0, statements: 0, rows: 0, wal_bytes: 0, plan_ms: 0, exec_ms: 0 }
