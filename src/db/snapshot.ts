import type { Database, Tx } from './client.ts'

/** Runs reads that belong together on one snapshot, so that a page and its count show the same state. */
export function withSnapshot<T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.begin('begin isolation level repeatable read read only', read)
}
