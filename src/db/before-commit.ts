import type { Tx } from './transaction.ts'

const steps = new WeakMap<Tx, Set<() => Promise<void>>>()
const databases = new WeakMap<Tx, object>()

/** Returns the database on which a transaction was begun: what a process offers its transactions is found by it. */
export function databaseOf(tx: Tx): object | undefined {
  return databases.get(tx)
}

/** Runs a step when the work of a transaction is done, before it commits. The locks that it takes are the last ones. */
export function beforeCommit(tx: Tx, step: () => Promise<void>): void {
  const known = steps.get(tx) ?? new Set()
  steps.set(tx, known.add(step))
}

/** Wraps the work of a transaction, so that its last steps follow. */
export function withLastSteps<T>(db: object, work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    databases.set(tx, db)
    const result = await work(tx)
    for (const step of steps.get(tx) ?? []) await step()
    return result
  }
}
