import { loadModule, parseSync } from 'libpg-query'
import { Sql } from 'sql-template-tag'
import type { Database, Tx } from '../src/db/client.ts'
import { toStatement, type Value } from '../src/db/sql.ts'

/*
 * The order in which transactions lock the rows of several tables (ARCHITECTURE.md). It is read from the statements that they
 * send.
 */

/** The tables whose rows several actions lock, in their order. */
export const LOCK_ORDER = [
  'callbacks',
  'unassigned_payments',
  'collection_requests',
  'payments',
  'payment_recipients',
  'payment_links',
  'contacts',
  'bill_purchases',
  'network_orders',
  'late_payouts',
  'acceptance_checks',
  'collections',
  'sms_messages',
  'accounts',
] as const

interface Node {
  [name: string]: unknown
}

/** A database that says of each transaction which tables it locks, in the order in which it does so first. */
export async function watchLocks(db: Database): Promise<{ db: Database; transactions: string[][] }> {
  await loadModule()
  const transactions: string[][] = []
  const begin: Database['begin'] = (opening, work) =>
    db.begin(opening, async (tx) => {
      const statements: string[] = []
      try {
        return await work(noteStatements(tx, (text) => statements.push(text)))
      } finally {
        transactions.push(lockedTables(statements))
      }
    })
  const watched = new Proxy(db, { get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)) })
  return { db: watched, transactions }
}

function noteStatements(tx: Tx, note: (text: string) => void): Tx {
  const noted = (texts: TemplateStringsArray, values: Value[]) => note(toStatement(new Sql(texts, values)).text)
  const read = (texts: TemplateStringsArray, ...values: Value[]) => {
    noted(texts, values)
    return tx(texts, ...values)
  }
  const send = (texts: TemplateStringsArray, ...values: Value[]) => {
    noted(texts, values)
    tx.send(texts, ...values)
  }
  return Object.assign(read, { ...tx, send }) as Tx
}

/**
 * The tables of `LOCK_ORDER` whose rows these statements lock, each once. Rows that the transaction has inserted are its own; a
 * key that two insert at once makes the second one wait.
 */
export function lockedTables(statements: readonly string[]): string[] {
  const locked: string[] = []
  const own = new Set<string>()
  for (const { table, kind } of statements.flatMap((text) => [...locksOf(parseSync(text))])) {
    // The accounts of a connection are inserted at its first money, and locked when their money moves.
    if (kind === 'key' && table === 'accounts') continue
    if (kind === 'insert') own.add(table)
    else if (isOrdered(table) && !own.has(table) && !locked.includes(table)) locked.push(table)
  }
  return locked
}

/** The pairs of neighbours that a transaction has locked against the order. */
export function outOfOrder(locked: readonly string[]): string[] {
  return locked.slice(1).flatMap((table, index) => {
    const before = locked[index]!
    return placeOf(before) > placeOf(table) ? [`${before} before ${table}`] : []
  })
}

const placeOf = (table: string) => LOCK_ORDER.indexOf(table as (typeof LOCK_ORDER)[number])
const isOrdered = (table: string) => placeOf(table) >= 0

interface Lock {
  table: string
  kind: 'row' | 'insert' | 'key'
}

/** Yield the locks of a statement's parts, from the inside to the outside. A claim waits for nothing. */
function* locksOf(node: unknown): Generator<Lock> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, child] of Object.entries(node as Node)) {
    yield* locksOf(child)
    const part = child as { relation: { relname: string }; onConflictClause?: unknown; lockingClause?: unknown }
    if (name === 'UpdateStmt' || name === 'DeleteStmt') yield { table: part.relation.relname, kind: 'row' }
    if (name === 'InsertStmt') yield { table: part.relation.relname, kind: part.onConflictClause ? 'key' : 'insert' }
    if (name === 'SelectStmt' && part.lockingClause && !/LockWaitSkip/.test(JSON.stringify(part.lockingClause)))
      for (const table of JSON.stringify((child as Node).fromClause).matchAll(/"relname":"(\w+)"/g))
        yield { table: table[1]!, kind: 'row' }
  }
}
